//! Delayed stores: from when to when a store was on its way.

use taut_ir::{Action, ProcId, StepId};
use taut_witness::{Address, Record, Run, Target};

/// A store of a run that went into a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Delay {
    /// Whose.
    pub(crate) process: ProcId,
    /// The step that stored.
    pub(crate) step: StepId,
    /// Where it goes.
    pub(crate) address: Address,
    /// The row of the store.
    pub(crate) from: usize,
    /// The row at which memory holds it, or something newer of the same process: its commit, under delayed
    /// writes the next commit or atomic write of the process to the same place, since an overwritten store
    /// shows as long as the one that replaced it is not there. The number of rows if that never comes.
    pub(crate) to: usize,
    /// Whether the process's buffer was empty before the step.
    pub(crate) was_drained: bool,
}

/// The stores of a run that went into buffers, in order.
pub(crate) fn delays(run: &Run) -> Vec<Delay> {
    let mut all = Vec::new();
    for (row, done) in run.rows.iter().enumerate() {
        let mut note = |process: ProcId, step: StepId, record: &Record| {
            let buffered = record.writes.iter().filter(|write| write.to == Target::Buffer);
            let was_drained = run.before(row).process(process).buffer.is_empty();
            let mut earlier = Vec::new();
            for address in buffered.map(|write| write.address) {
                let nth = earlier.iter().filter(|&&other| other == address).count();
                earlier.push(address);
                let to = arrives(run, row, process, address, nth);
                all.push(Delay { process, step, address, from: row, to, was_drained });
            }
        };
        match done.action {
            Action::Step { process, step, .. } => note(process, step, &done.record),
            Action::Handshake { process, step, receiver, receive, .. } => {
                note(process, step, &done.record);
                if let Some(partner) = &done.record.partner {
                    note(receiver, receive, partner);
                }
            }
            Action::Commit { .. } => {}
        }
    }
    all
}

/// The row at which a store reaches memory, which is the `nth` of its step to its place.
fn arrives(run: &Run, row: usize, process: ProcId, address: Address, nth: usize) -> usize {
    let fifo = !run.memory.model.overwrites();
    let buffer = &run.before(row).process(process).buffer;
    let waiting = buffer.entries().filter(|entry| entry.address == address).count();
    let mut ahead = if fifo { waiting + nth } else { 0 };
    for (later, done) in run.rows.iter().enumerate().skip(row + 1) {
        let commits =
            done.action == Action::Commit { process, var: address.var, index: address.index };
        if !commits && !writes_at_once(done, process, address) {
            continue;
        }
        if ahead == 0 {
            return later;
        }
        ahead -= 1;
    }
    run.rows.len()
}

/// Whether a process writes to a place in memory by a step.
fn writes_at_once(row: &taut_witness::Row, process: ProcId, address: Address) -> bool {
    let writes = |record: &Record| {
        record.writes.iter().any(|w| w.address == address && w.to == Target::Memory)
    };
    match row.action {
        Action::Step { process: p, .. } => p == process && writes(&row.record),
        Action::Handshake { process: p, receiver, .. } => {
            let partner = row.record.partner.as_deref();
            p == process && writes(&row.record)
                || receiver == process && partner.is_some_and(writes)
        }
        Action::Commit { .. } => false,
    }
}
