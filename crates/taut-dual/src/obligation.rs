//! States with stores that are still on their way to memory.
//!
//! A store of the dual semantics is in memory at once, so its states are those of TSO in which all buffers are empty.
//! For control points that makes no difference: buffers can always be emptied. A property over *memory* does see it.
//!
//! So the end of a run has a second part, in which memory is *frozen*: its stores are those that TSO still has in its
//! buffers in the last state. They go to the writer's own buffer and not to memory, no message leaves memory, and no
//! step asks for an empty buffer. A constraint of this part has an *obligation*: what a property says about pending stores and
//! the stores that are left have not shown yet. Backward, memory thaws where no store is owed any more.

use std::collections::HashMap;

use crate::places::{Cell, Value};

/// What is owed about the pending stores of processes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Obligation {
    /// The newest pending store of a process to a cell is of this value, or there is none.
    pub(crate) views: Vec<(usize, Cell, Option<Value>)>,
    /// Whether the process has no pending store at all.
    pub(crate) drained: Vec<(usize, bool)>,
}

impl Obligation {
    /// The obligation before a pending store; none if the store contradicts it.
    pub(crate) fn before(&self, process: usize, cell: Cell, value: Value) -> Option<Obligation> {
        let mut owed = self.clone();
        if let Some(at) = owed.views.iter().position(|v| (v.0, v.1) == (process, cell)) {
            if owed.views[at].2 != Some(value) {
                return None;
            }
            // Older stores to the cell are of no concern.
            owed.views.swap_remove(at);
        }
        if let Some(at) = owed.drained.iter().position(|d| d.0 == process) {
            if owed.drained[at].1 {
                return None;
            }
            owed.drained.swap_remove(at);
        }
        Some(owed.sorted())
    }

    /// Whether no store is owed.
    pub(crate) fn is_met(&self) -> bool {
        self.views.iter().all(|v| v.2.is_none()) && self.drained.iter().all(|d| d.1)
    }

    pub(crate) fn sorted(mut self) -> Obligation {
        self.views.sort();
        self.drained.sort();
        self
    }
}

/// All obligations of a search. Frame 0 is the first part of runs, in which memory is not frozen.
#[derive(Debug, Default)]
pub(crate) struct Obligations {
    all: Vec<Obligation>,
    numbers: HashMap<Obligation, u32>,
}

/// The first part of runs.
pub(crate) const THAWED: u32 = 0;

impl Obligations {
    /// The frame of an obligation.
    pub(crate) fn frame(&mut self, obligation: Obligation) -> u32 {
        if let Some(&known) = self.numbers.get(&obligation) {
            return known;
        }
        self.all.push(obligation.clone());
        let frame = self.all.len() as u32;
        self.numbers.insert(obligation, frame);
        frame
    }

    /// The obligation of a frame.
    pub(crate) fn of(&self, frame: u32) -> &Obligation {
        &self.all[frame as usize - 1]
    }

    /// The frame before a pending store, if there is one.
    pub(crate) fn before(
        &mut self,
        frame: u32,
        process: usize,
        cell: Cell,
        value: Value,
    ) -> Option<u32> {
        let owed = self.all[frame as usize - 1].before(process, cell, value)?;
        Some(self.frame(owed))
    }

    /// Whether memory may thaw.
    pub(crate) fn is_met(&self, frame: u32) -> bool {
        self.all[frame as usize - 1].is_met()
    }
}
