//! What a search has found: for each thing that can go wrong, the first place where it did.

use taut_ir::{Action, Finding};

use crate::store::StateId;

/// A finding and where it was met.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    pub(crate) finding: Finding,
    /// The stored state in which it holds, or from which the action that goes wrong is reached.
    pub(crate) state: StateId,
    /// The action that goes wrong, for findings of a step.
    pub(crate) action: Option<Action>,
}

/// Findings, the first of each kind.
#[derive(Debug, Default)]
pub(crate) struct Ledger {
    entries: Vec<Entry>,
    /// What is not asked.
    unasked: Vec<Finding>,
}

impl Ledger {
    /// A ledger that some findings are not noted in.
    pub(crate) fn without(unasked: Vec<Finding>) -> Ledger {
        Ledger { entries: Vec::new(), unasked }
    }

    /// Notes a finding, unless it is not asked or there is one of its kind already. All faults are of one kind.
    pub(crate) fn note(&mut self, entry: Entry) {
        if !self.has(entry.finding) && !self.unasked.iter().any(|f| f.is_like(entry.finding)) {
            self.entries.push(entry);
        }
    }

    /// Whether a finding of a kind is noted.
    pub(crate) fn has(&self, finding: Finding) -> bool {
        self.entries.iter().any(|e| e.finding.is_like(finding))
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    pub(crate) fn entries(&self) -> &[Entry] {
        &self.entries
    }
}
