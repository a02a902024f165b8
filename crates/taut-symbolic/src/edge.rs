//! Symbolic states, the transitions that a state can be expanded by, and the edges between states.

use std::sync::Arc;

use taut_ir::{Action, ProcId};
use taut_memory::CellId;

/// Words of a state.
pub(crate) type State = Arc<[u64]>;

/// Something that a state can be expanded by. Sleep sets are sets of these.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Transition {
    /// The steps of a process where it is.
    Steps(ProcId),
    /// Commits of a process; under PSO of one place.
    Commit(ProcId, Option<CellId>),
    /// The steps of all processes when nothing else can happen.
    Timeout,
}

/// How one symbolic state leads to another.
#[derive(Clone, Debug)]
pub(crate) struct Edge {
    /// The part of the state in which it is taken.
    pub(crate) part: State,
    pub(crate) kind: EdgeKind,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum EdgeKind {
    /// A step of a process, and what followed while the others were held.
    Steps { process: ProcId, timeout: bool, actions: Box<[Action]> },
    /// A commit; under PSO one or more of the same place.
    Commit { process: ProcId, place: CellId, value: i64 },
}

impl EdgeKind {
    /// The process that alone takes steps on it.
    pub(crate) fn mover(&self) -> Option<ProcId> {
        let EdgeKind::Steps { process, actions, timeout: false } = self else { return None };
        let is_own = |a: &Action| matches!(a, Action::Step { process: p, .. } if p == process);
        actions.iter().all(is_own).then_some(*process)
    }
}
