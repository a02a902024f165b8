//! The loop that finds the best of the cheapest sets, and if asked for all of them, the best first.

use crate::clause::{Clause, clause};
#[cfg(any(target_family = "wasm", not(feature = "maxsat")))]
use crate::exact::best;
#[cfg(all(feature = "maxsat", not(target_family = "wasm")))]
use crate::hitting::best;
use crate::problem::{Counterexample, Oracle, OracleAnswer, RepairProblem};
use crate::rank::Rank;
use crate::site::{Set, SiteId};

/// What came of it.
#[derive(Clone, Debug)]
pub struct Repair {
    /// The sets that fix the program, all of the same cost: the one of the least [`crate::Rank`], or all if they were
    /// asked for, by rank.
    pub sets: Vec<Set>,
    /// What was learned on the way, in order.
    pub lessons: Vec<LearnedClause>,
    /// How many variants were checked.
    pub checks: u64,
    /// How it ended.
    pub end: End,
}

/// A counterexample and what it says.
#[derive(Clone, Debug)]
pub struct LearnedClause {
    /// The set that does not fix the program.
    pub set: Set,
    /// A run of its variant.
    pub counterexample: Counterexample,
    /// What every set that does satisfies.
    pub clause: Clause,
}

/// How a repair ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// With a set that fixes the program, and none that costs less; with all of those, if they were asked for.
    Done,
    /// Nothing fixes the program: the last lesson is a run that no place breaks, or all clauses together leave no
    /// set.
    Unrepairable,
    /// A limit of a check was met, at this set.
    Unknown {
        /// The set.
        set: Set,
        /// The limit, in words.
        why: String,
    },
}

impl Repair {
    /// A counterexample that of all places in a set this one alone breaks: what it is needed for.
    pub fn need(&self, set: &Set, place: SiteId) -> Option<&LearnedClause> {
        self.lessons.iter().find(|lesson| {
            let breaks: Vec<_> = lesson.clause.any_of.intersection(set).collect();
            breaks == [&place]
        })
    }
}

/// Finds a cheapest set, or all.
pub fn minimal<J: Oracle>(
    subject: &RepairProblem,
    judge: &mut J,
    all: bool,
) -> Result<Repair, J::Error> {
    let mut repair =
        Repair { sets: Vec::new(), lessons: Vec::new(), checks: 0, end: End::Unrepairable };
    let mut clauses = Vec::new();
    loop {
        taut_budget::tick();
        let set = match best(subject.places(), &clauses, &repair.sets) {
            Ok(Some(set)) => set,
            Ok(None) => break,
            Err(why) => {
                repair.end = End::Unknown { set: Set::new(), why };
                return Ok(repair);
            }
        };
        let is_dearer = |found: &Set| subject.cost(&set) > subject.cost(found);
        if repair.sets.first().is_some_and(is_dearer) {
            break;
        }
        repair.checks += 1;
        match judge.judge(subject, &set)? {
            OracleAnswer::Holds => {
                let rank = |set: &Set| Rank::of(subject.places(), set);
                debug_assert!(repair.sets.last().is_none_or(|last| rank(last) < rank(&set)));
                repair.sets.push(set);
                if !all {
                    break;
                }
            }
            OracleAnswer::Violated(counterexamples) => {
                for counterexample in counterexamples {
                    let clause = clause(subject, &set, &counterexample);
                    clauses.push(clause.clone());
                    repair.lessons.push(LearnedClause { set: set.clone(), counterexample, clause });
                }
            }
            OracleAnswer::Unknown(why) => {
                repair.end = End::Unknown { set, why };
                return Ok(repair);
            }
        }
    }
    if !repair.sets.is_empty() {
        repair.end = End::Done;
    }
    Ok(repair)
}
