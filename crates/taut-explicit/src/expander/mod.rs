//! What can happen in a state, or as much of it as must be looked at.
//!
//! A search does not ask the machine for successors but an [`Expander`]: the machine itself, which follows every
//! action, or something that leaves some out ([`crate::reduce`]). What is left out must not be left out
//! for ever, along a cycle. Seeing to that (the *cycle proviso*) is the search's part, because it knows the
//! cycles: a state whose expansion was reduced is expanded once more, in full,
//!
//! - breadth first, if none of its successors is new in the level that is being built, by whomever they were
//!   found. So each reduced expansion has a successor one level further down, and as levels end, so
//!   does leaving out (Bošnački, Leue and Lluch Lafuente, "Partial-order reduction for general state exploring
//!   algorithms", 2009). Which states are new in a level does not depend on the order within it, so neither
//!   does the choice, at any number of threads;
//! - depth first, if all of its successors are on the stack (Peled, "All from one, one for all", CAV 1993;
//!   for states instead of runs one successor beyond the stack is enough: Holzmann, Godefroid and Pirottin, PSTV 1992).

use crate::reduce::StubbornSets;
use crate::reduce::symmetry::Symmetry;
mod passing;
mod reducer;
mod worth;

use passing::PassingSpace;
pub(crate) use reducer::Reducer;
pub(crate) use worth::Totals;
#[cfg(test)]
pub(crate) use worth::limited::with_enough;

use taut_machine::{Scratch, Sink};

/// How a state was expanded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Expansion {
    /// Whether anything can happen in the state, be it but for a bound.
    pub(crate) alive: bool,
    /// Whether only some of the possible actions were followed.
    pub(crate) reduced: bool,
    /// Whether that can stand only if it leads on.
    pub(crate) must_lead_on: bool,
    /// Whether it was tried to leave something out.
    pub(crate) tried: bool,
    /// Successors in which equal processes have changed places.
    pub(crate) sorted: u64,
}

impl Expansion {
    /// Everything was followed, and something can happen.
    pub(crate) const FULL: Expansion =
        Expansion { alive: true, reduced: false, must_lead_on: false, tried: false, sorted: 0 };
}

/// What a thread expands states in.
#[derive(Default)]
pub(crate) struct Space {
    pub(crate) scratch: Scratch,
    pub(crate) chooser: StubbornSets,
    /// A state in which equal processes are sorted.
    pub(crate) sorted: Vec<u64>,
    /// States that are passed through.
    passing: PassingSpace,
}

/// Computes successors. Successors of a state of a level come in the same order each time.
pub(crate) trait Expander: Sync {
    /// Whether any expansion is reduced.
    fn reduces(&self) -> bool;

    /// Calls the sink with what can happen in a state of a level, or with enough of it. Depth first, all states
    /// are of level 0.
    fn expand(
        &self,
        level: usize,
        state: &[u64],
        space: &mut Space,
        sink: &mut impl Sink,
    ) -> Expansion;

    /// Calls the sink with everything that can happen in a state whose expansion was reduced; successors in
    /// which equal processes have changed places.
    fn expand_fully(
        &self,
        level: usize,
        state: &[u64],
        space: &mut Space,
        sink: &mut impl Sink,
    ) -> u64;

    /// The equal processes that are sorted in what the sink gets.
    fn symmetry(&self) -> Option<&Symmetry> {
        None
    }

    /// Takes note that it is known, from a level on, that a buffer can be full.
    fn buffers_can_be_full(&self, _level: usize) {}

    /// Takes note of what leaving out has come to before a level; whether that changes anything from the level on.
    fn weigh(&self, _level: usize, _totals: Totals) -> bool {
        false
    }

    /// What was noted, for a checkpoint.
    fn noted(&self) -> Vec<u64> {
        Vec::new()
    }

    /// Takes note of the same again; false if it is nothing that could have been noted.
    fn note_again(&self, _noted: &[u64]) -> bool {
        true
    }
}
