//! The order of sets: which of two sets is the better repair.

use std::cmp::Ordering;

use crate::site::{RepairSite, Set, SiteId};

/// The rank of a set; less is better. What comes first decides first:
///
/// 1. the cost;
/// 2. the number of loops around its places, the main loops of processes included;
/// 3. the number of its places in bodies of spin loops;
/// 4. the number of steps from the latest stores to its places;
/// 5. the order of the source: the last place of two sets that only one has, and the set that has it is the worse.
///    Of several places in a row after a store, this takes the first.
///
/// No two sets have the same rank, so that the best one is one, whatever the solver or the searches come upon.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rank {
    sums: [u64; Objective::ALL.len()],
    set: Set,
}

impl Rank {
    /// The rank of a set of some places.
    pub fn of(places: &[RepairSite], set: &Set) -> Rank {
        let sum = |objective: Objective| set.iter().map(|&id| objective.of(&places[id])).sum();
        Rank { sums: Objective::ALL.map(sum), set: set.clone() }
    }
}

impl Ord for Rank {
    fn cmp(&self, other: &Rank) -> Ordering {
        let last = |a: &Set, b: &Set| a.difference(b).last().copied();
        let by_order = || {
            let (mine, other) = (last(&self.set, &other.set), last(&other.set, &self.set));
            Option::<SiteId>::cmp(&mine, &other)
        };
        self.sums.cmp(&other.sums).then_with(by_order)
    }
}

impl PartialOrd for Rank {
    fn partial_cmp(&self, other: &Rank) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// A sum over the places of a set that is to be small.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Objective {
    Cost,
    Loops,
    Spins,
    Distance,
}

impl Objective {
    /// All of them, the most important first.
    pub(crate) const ALL: [Objective; 4] =
        [Objective::Cost, Objective::Loops, Objective::Spins, Objective::Distance];

    /// What a place adds.
    pub(crate) fn of(self, place: &RepairSite) -> u64 {
        match self {
            Objective::Cost => place.cost,
            Objective::Loops => place.standing.loops.into(),
            Objective::Spins => place.standing.spins.into(),
            Objective::Distance => place.standing.distance.into(),
        }
    }
}
