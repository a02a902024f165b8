//! What comes of an action: another state, or something that goes wrong.

use taut_ir::{Action, Finding, ProcId};

use crate::record::{Failure, Record};
use crate::refusal::Refusal;
use crate::state::State;

/// What an action leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Another state.
    State(State),
    /// The action is a step that goes wrong (a fault, a full buffer); it has no successor.
    Failure(Failure),
}

/// An action that happened: what it led to and what it did on the way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Move {
    /// What it leads to.
    pub outcome: Outcome,
    /// What it read and wrote.
    pub record: Record,
}

impl Move {
    /// What goes wrong: assertions that fail, and how it ends if it has no successor.
    pub fn findings(&self) -> Vec<Finding> {
        let mut all: Vec<Finding> = self.record.all_failed().map(|f| f.finding).collect();
        if let Outcome::Failure(failure) = &self.outcome {
            all.push(failure.finding);
        }
        all
    }
}

/// Which bounds kept a step from being taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct BoundsMet {
    /// A store waited for room in a full buffer.
    pub buffer: bool,
    /// A spawn found no process left.
    pub threads: bool,
    /// A call found the stack full.
    pub calls: bool,
}

impl BoundsMet {
    /// Whether any bound was met.
    pub fn any(self) -> bool {
        self.buffer || self.threads || self.calls
    }

    /// The bounds met in either.
    #[must_use]
    pub fn or(self, other: BoundsMet) -> BoundsMet {
        BoundsMet {
            buffer: self.buffer || other.buffer,
            threads: self.threads || other.threads,
            calls: self.calls || other.calls,
        }
    }

    pub(crate) fn by(refusal: Refusal) -> BoundsMet {
        BoundsMet {
            buffer: matches!(refusal, Refusal::BufferFull(_)),
            threads: refusal == Refusal::NoThreadLeft,
            calls: refusal == Refusal::CallsTooDeep,
        }
    }
}

/// Everything that can happen in a state.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Successors {
    /// Every possible action with what comes of it, steps that go wrong included.
    pub moves: Vec<(Action, Move)>,
    /// The bounds that kept other steps from being taken.
    pub bounds: BoundsMet,
}

impl Successors {
    /// Whether nothing can happen and no bound is to blame.
    pub fn is_nothing(&self) -> bool {
        self.moves.is_empty() && !self.bounds.any()
    }

    /// What goes wrong in steps: assertions that fail, and how steps end that have no successor.
    pub fn findings(&self) -> Vec<Finding> {
        let of = |(_, done): &(Action, Move)| done.findings();
        self.moves.iter().flat_map(of).collect()
    }

    /// How many actions end in a fault.
    pub fn faults(&self) -> usize {
        let faults = |done: &Move| match &done.outcome {
            Outcome::Failure(failure) => matches!(failure.finding, Finding::Fault(_)),
            Outcome::State(_) => false,
        };
        self.moves.iter().filter(|(_, done)| faults(done)).count()
    }

    /// Whether a process can take a step or send in a rendezvous; waiting to receive does not count, and
    /// neither does a commit.
    pub fn enables(&self, process: ProcId) -> bool {
        self.moves.iter().any(|(action, _)| match action {
            Action::Step { process: p, .. } | Action::Handshake { process: p, .. } => *p == process,
            Action::Commit { .. } => false,
        })
    }
}
