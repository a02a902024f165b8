//! Trace assertions: an automaton in a ghost variable that follows the sends and receives of a program.
//!
//! The automaton itself is code. Each step with an event that the assertion names has effects that check the event and
//! move the ghost; they belong to the assertion's property ([`crate::PropertyKind::Assert`]). What is here is what the
//! steps do not say: where the program may stop, and what a report tells the user.
//!
//! **The end of runs.** A state in which nothing can happen, and in which a process lives, is a deadlock if the automaton
//! is not where it may end. That is one more condition beside those on the program points of processes
//! ([`crate::ProgramPoint::end`]), as in SPIN.

use taut_source::Span;

use crate::{BinaryOp, Expr, VarId};

/// What is known of a trace assertion beside its effects.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct EventTrace {
    /// The word that begins it, `trace` or `notrace`. It is also the name of its property.
    pub word: String,
    /// The ghost that holds the state of the automaton: a number of an entry in `states`.
    pub state: VarId,
    /// The states.
    pub states: Vec<EventState>,
    /// Where the assertion stands.
    pub span: Span,
}

/// A state of the automaton of a trace assertion.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct EventState {
    /// Whether a run may stop here.
    pub may_end: bool,
    /// The events that are expected here: their text, and where it stands.
    pub expects: Vec<(String, Span)>,
}

impl EventTrace {
    /// The condition that a run may stop. None if it always may.
    pub fn may_end(&self) -> Option<Expr> {
        if self.states.iter().all(|s| s.may_end) {
            return None;
        }
        let ends = (0_i64..).zip(&self.states).filter(|(_, s)| s.may_end);
        let at = ends.map(|(number, _)| Expr::Var(self.state).equals(Expr::Const(number)));
        let either = |a, b| Expr::binary(BinaryOp::Or, a, b);
        Some(at.reduce(either).unwrap_or(Expr::Const(0)))
    }
}
