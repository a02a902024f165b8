//! The stores of a run that went into a buffer, and how long each stayed there.
//!
//! Records say what is stored; when a store leaves is read off the buffers themselves, so that it does not
//! matter whether a commit took it or, under delayed writes, a newer store took its room. The stores of one
//! process to one place leave in the order in which they came, under every model.

use taut_ir::{Action, ProcId};
use taut_witness::{Address, Record, Row, Run, Target};

/// A store that went into its process's buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Store {
    /// Whose store it is.
    pub process: ProcId,
    /// Where it goes.
    pub address: Address,
    /// What it stores.
    pub value: i64,
    /// The row of the step that stored it.
    pub row: usize,
    /// The row in which it left the buffer: it reached memory, or under delayed writes a newer store took its
    /// room. None if it is in the buffer at the end.
    pub left: Option<usize>,
}

impl Store {
    /// Whether it is in the buffer before a row, and so while the row happens.
    pub fn waits_in(&self, row: usize) -> bool {
        self.row < row && self.left.is_none_or(|left| row <= left)
    }

    /// The row in which it reached memory.
    pub(super) fn committed(&self, run: &Run) -> Option<usize> {
        self.left.filter(|&row| {
            matches!(run.rows[row].action, Action::Commit { process, .. } if process == self.process)
        })
    }
}

/// What a row did, for each process that took part in it.
pub(super) fn parts(row: &Row) -> impl Iterator<Item = (ProcId, &Record)> {
    let partner = match (row.action, &row.record.partner) {
        (Action::Handshake { receiver, .. }, Some(record)) => Some((receiver, &**record)),
        _ => None,
    };
    std::iter::once((row.action.process(), &row.record)).chain(partner)
}

/// All buffered stores of a run, in the order in which they were made.
pub(super) fn buffered(run: &Run) -> Vec<Store> {
    let mut all: Vec<Store> = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    for (index, row) in run.rows.iter().enumerate() {
        // A step that goes wrong has no effects.
        if row.failure.is_none() {
            for (process, record) in parts(row) {
                for write in record.writes.iter().filter(|w| w.to == Target::Buffer) {
                    open.push(all.len());
                    let (address, value) = (write.address, write.value);
                    all.push(Store { process, address, value, row: index, left: None });
                }
            }
        }
        close(&mut all, &mut open, row, index);
    }
    all
}

/// Notes which stores left in a row: the oldest of a place, as many as its queue has become shorter.
fn close(all: &mut [Store], open: &mut Vec<usize>, row: &Row, index: usize) {
    let queue = |s: &Store| (s.process, s.address);
    let mut at = 0;
    while at < open.len() {
        let store = all[open[at]];
        let entries = row.after.process(store.process).buffer.entries();
        let held = entries.filter(|e| e.address == store.address).count();
        let known = open[at..].iter().filter(|&&o| queue(&all[o]) == queue(&store)).count();
        if known > held {
            all[open.remove(at)].left = Some(index);
        } else {
            at += 1;
        }
    }
}
