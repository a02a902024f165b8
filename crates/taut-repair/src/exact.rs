//! The best set that satisfies all clauses, by branch and bound: for builds without a SAT solver, and a second opinion in the
//! tests of the other one.
//!
//! The search keeps the chosen sites and the excluded ones. If the chosen set violates a clause, all its `unless` sites are
//! chosen, so one of its `any_of` sites must join. They are tried in turn, and those tried before are excluded, so that
//! no set comes twice. One more site never lowers a [`Rank`], so a branch whose rank is not below the best one is cut.
//! The time is exponential in the worst case; a repair has a few dozen sites and clauses.

use crate::clause::Clause;
use crate::rank::Rank;
use crate::site::{RepairSite, Set, SiteId};

/// The set of the least rank that satisfies all clauses and contains none of some sets; none if nothing satisfies them.
/// It never gives up: the result is one for the sake of the other solver.
pub(crate) fn best(
    places: &[RepairSite],
    clauses: &[Clause],
    but_not: &[Set],
) -> Result<Option<Set>, String> {
    let _phase = taut_budget::phase("a set of fences is chosen");
    let known = but_not.iter().map(|set| Clause { any_of: Set::new(), unless: set.clone() });
    let clauses: Vec<Clause> = clauses.iter().cloned().chain(known).collect();
    let mut search = Search { places, clauses: &clauses, best: None };
    search.extend(&mut Set::new(), &mut Set::new());
    Ok(search.best.map(|(_, set)| set))
}

struct Search<'p> {
    places: &'p [RepairSite],
    clauses: &'p [Clause],
    best: Option<(Rank, Set)>,
}

impl Search<'_> {
    /// Looks at all sets with the chosen sites and without the excluded ones.
    fn extend(&mut self, chosen: &mut Set, excluded: &mut Set) {
        taut_budget::tick();
        debug_assert!(chosen.is_disjoint(excluded));
        let rank = Rank::of(self.places, chosen);
        if self.best.as_ref().is_some_and(|(best, _)| *best <= rank) {
            return;
        }
        let Some(violated) = self.clauses.iter().find(|clause| is_violated(clause, chosen)) else {
            self.best = Some((rank, chosen.clone()));
            return;
        };
        let open: Vec<SiteId> = violated.any_of.difference(excluded).copied().collect();
        for &site in &open {
            chosen.insert(site);
            self.extend(chosen, excluded);
            chosen.remove(&site);
            // From here on, the sets that have this site have been looked at.
            excluded.insert(site);
        }
        open.iter().for_each(|site| {
            excluded.remove(site);
        });
    }
}

/// Whether a set without any further site violates a clause.
fn is_violated(clause: &Clause, chosen: &Set) -> bool {
    clause.any_of.is_disjoint(chosen) && clause.unless.is_subset(chosen)
}

#[cfg(all(test, feature = "maxsat"))]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::hitting;
    use crate::kind::RepairKind;
    use crate::standing::Standing;

    fn site() -> impl Strategy<Value = RepairSite> {
        (1..5_u64, 0..3_u32, any::<bool>(), 0..4_u32).prop_map(|(cost, loops, spins, distance)| {
            let standing = Standing { loops, spins, distance, ..Standing::default() };
            RepairSite {
                kind: RepairKind::Fence,
                steps: Vec::new(),
                vars: Vec::new(),
                cost,
                standing,
            }
        })
    }

    fn set(sites: usize) -> impl Strategy<Value = Set> {
        prop::collection::btree_set(0..sites, 0..4)
    }

    fn problem() -> impl Strategy<Value = (Vec<RepairSite>, Vec<Clause>, Vec<Set>)> {
        prop::collection::vec(site(), 1..8).prop_flat_map(|sites| {
            let all = sites.len();
            let clause =
                (set(all), set(all)).prop_map(|(any_of, unless)| Clause { any_of, unless });
            let clauses = prop::collection::vec(clause, 0..7);
            (Just(sites), clauses, prop::collection::vec(set(all), 0..2))
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn both_solvers_choose_the_same_set((sites, clauses, known) in problem()) {
            prop_assert_eq!(best(&sites, &clauses, &known), hitting::best(&sites, &clauses, &known));
        }
    }
}
