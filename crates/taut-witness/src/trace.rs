//! What is replayed, and what comes of it.

use taut_ir::{Action, Fairness, Finding, Memory};

use crate::record::{Failure, Record};
use crate::state::State;

/// What an engine claims: these actions, from the initial state, end in this finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    /// The memory system.
    pub memory: Memory,
    /// What is found at the end.
    pub finding: Finding,
    /// What happens, in order.
    pub actions: Vec<Action>,
    /// For a property of runs, how the run goes on for ever. Without it the claim is that what happens
    /// suffices: nothing that comes after it can fix the run.
    pub lasso: Option<Lasso>,
}

/// How a run goes on for ever: the actions from some point on are repeated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lasso {
    /// The index of the first action of the cycle, which leads back to the state before it. If it is the
    /// number of actions, the run ends there and stays in its last state.
    pub cycle: usize,
    /// The fairness that the cycle is claimed to have.
    pub fairness: Fairness,
}

impl Trace {
    /// A trace whose finding is at its end.
    pub fn new(memory: Memory, finding: Finding, actions: Vec<Action>) -> Trace {
        Trace { memory, finding, actions, lasso: None }
    }
}

/// A trace that was replayed, with everything that happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// The memory system.
    pub memory: Memory,
    /// The state at the start.
    pub initial: State,
    /// One row for each action.
    pub rows: Vec<Row>,
    /// How the run goes on for ever, if it does.
    pub lasso: Option<Lasso>,
    /// For a property of runs, the truth of its atoms.
    pub atoms: Option<AtomTruths>,
}

/// One action of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The action.
    pub action: Action,
    /// What it read and wrote.
    pub record: Record,
    /// The state after it. A step that faults has no effects: this is the state before it.
    pub after: State,
    /// How the step went wrong, if it did; only in the last row.
    pub failure: Option<Failure>,
}

/// The truth of the atoms of a property along a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AtomTruths {
    /// The atoms, as the source says them.
    pub texts: Vec<String>,
    /// For the initial state and then for the state after each row, the truth of every atom; none where a
    /// process holds the others: properties do not look at such a state.
    pub at: Vec<Option<Vec<bool>>>,
}

impl Run {
    /// The state at the end.
    pub fn last(&self) -> &State {
        self.rows.last().map_or(&self.initial, |row| &row.after)
    }

    /// The state before a row; for the number of rows, the state at the end.
    pub fn before(&self, row: usize) -> &State {
        row.checked_sub(1).map_or(&self.initial, |i| &self.rows[i].after)
    }

    /// The row at which the cycle starts; the number of rows if the run ends and stays where it is.
    pub fn cycle(&self) -> Option<usize> {
        self.lasso.map(|lasso| lasso.cycle)
    }

    /// Whether a row is part of the cycle.
    pub fn is_in_cycle(&self, row: usize) -> bool {
        self.cycle().is_some_and(|cycle| cycle <= row && row < self.rows.len())
    }

    /// The actions.
    pub fn actions(&self) -> Vec<Action> {
        self.rows.iter().map(|row| row.action).collect()
    }
}
