//! A clause that was learned: the set that was judged, the run that its variant has, and what follows from the run.

use crate::clause::{Clause, clause};
use crate::problem::{Counterexample, RepairProblem};
use crate::site::Set;

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

impl LearnedClause {
    /// What a counterexample of the variant of a set says.
    pub(crate) fn of(subject: &RepairProblem, set: &Set, found: Counterexample) -> LearnedClause {
        let clause = clause(subject, set, &found);
        LearnedClause { set: set.clone(), counterexample: found, clause }
    }
}
