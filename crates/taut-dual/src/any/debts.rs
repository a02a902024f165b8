//! What single processes owe while memory is frozen: `obligation.rs` with a table of one process's obligations.

use super::crowd::Owed;
use crate::obligation::{Obligation, Obligations};
use crate::places::{Cell, Value};

/// All debts of a search.
#[derive(Debug, Default)]
pub(crate) struct Debts {
    table: Obligations,
}

/// The process that an obligation in the table is about.
const SELF: usize = 0;

impl Debts {
    /// The part of an obligation that is about one process.
    pub(crate) fn of(&mut self, all: &Obligation, process: usize) -> Owed {
        let views = all.views.iter().filter(|v| v.0 == process).map(|v| (SELF, v.1, v.2));
        let drained = all.drained.iter().filter(|d| d.0 == process).map(|d| (SELF, d.1));
        self.number(Obligation { views: views.collect(), drained: drained.collect() })
    }

    fn number(&mut self, obligation: Obligation) -> Owed {
        match obligation == Obligation::default() {
            true => Owed::NOTHING,
            false => Owed(self.table.frame(obligation.sorted())),
        }
    }

    /// The debts before a pending store; none if the store contradicts them.
    pub(crate) fn before(&mut self, owed: Owed, cell: Cell, value: Value) -> Option<Owed> {
        if owed == Owed::NOTHING {
            return Some(owed);
        }
        let before = self.table.of(owed.0).before(SELF, cell, value)?;
        Some(self.number(before))
    }

    /// Whether no store is owed.
    pub(crate) fn are_met(&self, owed: Owed) -> bool {
        owed == Owed::NOTHING || self.table.is_met(owed.0)
    }
}
