//! Where a step is tried, and why it is not taken.

use taut_ir::{Fault, Finding};
use taut_memory::Question;

use super::Bound;
use super::code::NoValue;

/// Why a step was not taken.
#[derive(Debug)]
pub(crate) enum Stop {
    Disabled,
    /// It could start, but its own effects stand in its way: they started a younger process.
    Outlived,
    /// It sends on this channel of capacity 0: it needs a process that receives.
    Meeting(usize),
    /// A bound stands in its way.
    Blocked(Bound),
    Finding(Finding),
    /// It asks a question with several answers, and must be taken for each of them.
    Open(Question),
}

impl From<NoValue> for Stop {
    fn from(no_value: NoValue) -> Stop {
        match no_value {
            NoValue::Fault(fault) => fault.into(),
            NoValue::Open(question) => question.into(),
        }
    }
}

impl From<Question> for Stop {
    fn from(question: Question) -> Stop {
        Stop::Open(question)
    }
}

impl From<Fault> for Stop {
    fn from(fault: Fault) -> Stop {
        Stop::Finding(Finding::Fault(fault))
    }
}

/// The state in which a step is tried, and what is known about it.
#[derive(Clone, Copy)]
pub(crate) struct StepContext<'s> {
    pub(crate) state: &'s [u64],
    /// Whether nothing can happen without a timeout.
    pub(crate) timeout: bool,
    /// Which of the first 64 steps of the program point could start; right for those that come before the one
    /// that is tried.
    pub(crate) could_start: u64,
}

/// Copies a state. Most states are one to three words, for which a call of `memcpy`, or a loop that is made
/// ready for many, costs more than all the rest of a step.
#[inline]
pub(crate) fn copy(from: &[u64], to: &mut [u64]) {
    match (from, to) {
        ([a], [x]) => *x = *a,
        ([a, b], [x, y]) => (*x, *y) = (*a, *b),
        ([a, b, c], [x, y, z]) => (*x, *y, *z) = (*a, *b, *c),
        (from, to) => to.copy_from_slice(from),
    }
}
