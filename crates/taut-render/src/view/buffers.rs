//! The buffers of a run, with the stores in the order in which they were made.
//!
//! The replayer keeps the buffers of PSO in a canonical form, sorted by location, since the order of stores to different
//! locations means nothing there. To a reader it does mean something: it is the order of the program. A run knows it, and
//! the buffers are put together here from what each row stored. Stores of one process to one location leave in the order
//! in which they came, under every model, so those that are gone are the oldest ones of their location. A
//! barrier stands after as many stores as in the canonical form: canonical sorting never moves a store across it.

use std::collections::BTreeMap;

use taut_ir::ProcId;
use taut_witness::buffer::{Buffer, Entry, Item};
use taut_witness::{Record, Target};

use super::state::Held;
use super::{RowView, RunView};

/// A process, and what its buffer holds now.
pub type BufferView = (ProcId, Vec<Held>);

impl RunView<'_> {
    /// For every row the buffers that it changes, as they are after it, the oldest store first.
    pub fn buffer_changes(self) -> Vec<Vec<BufferView>> {
        let mut made: BTreeMap<ProcId, Vec<Entry>> = BTreeMap::new();
        self.rows().map(|row| self.changed_buffers(row, &mut made)).collect()
    }

    fn changed_buffers(
        self,
        row: RowView<'_>,
        made: &mut BTreeMap<ProcId, Vec<Entry>>,
    ) -> Vec<BufferView> {
        taut_budget::tick();
        let (before, after) = (row.before().state(), row.after().state());
        let mut all = Vec::new();
        for process in self.program().process_ids() {
            let now = &after.process(process).buffer;
            if before.process(process).buffer == *now {
                continue;
            }
            let stores = made.entry(process).or_default();
            // A step that goes wrong has no effects.
            if let Some(part) = row.part(process).filter(|_| !row.fails()) {
                stores.extend(stored(part.record()));
            }
            drop_what_left(stores, now);
            all.push((process, self.held(stores, now)));
        }
        all
    }

    /// Stores in the order in which they were made, cut by the barriers of a canonical buffer. Where there is a queue per
    /// location, neighbouring stores to one location are together.
    fn held(self, stores: &[Entry], canonical: &Buffer) -> Vec<Held> {
        let per_cell = self.memory().model.buffers().are_per_cell();
        let mut stores = stores.iter();
        let mut all: Vec<Held> = Vec::new();
        for item in canonical.items() {
            if *item == Item::Barrier {
                all.push(Held::Barrier);
                continue;
            }
            let Some(&Entry { address, value }) = stores.next() else { break };
            match all.last_mut() {
                Some(Held::Stores { location, values, .. }) if per_cell && *location == address => {
                    values.push(value);
                }
                _ => {
                    let name = self.names().location(address);
                    all.push(Held::Stores { location: address, name, values: vec![value] });
                }
            }
        }
        all
    }
}

/// The stores of a step that go into the buffer.
fn stored(record: &Record) -> impl Iterator<Item = Entry> {
    let buffered = record.writes.iter().filter(|write| write.to == Target::Buffer);
    buffered.map(|write| Entry { address: write.address, value: write.value })
}

/// Takes out the oldest stores of each location, as many as the buffer does not hold any more.
fn drop_what_left(stores: &mut Vec<Entry>, now: &Buffer) {
    let mut left: BTreeMap<_, usize> = BTreeMap::new();
    stores.iter().for_each(|entry| *left.entry(entry.address).or_default() += 1);
    for entry in now.entries() {
        if let Some(count) = left.get_mut(&entry.address) {
            *count = count.saturating_sub(1);
        }
    }
    stores.retain(|entry| match left.get_mut(&entry.address) {
        Some(count) if *count > 0 => {
            *count -= 1;
            false
        }
        _ => true,
    });
    debug_assert_eq!(stores.len(), now.entries().count(), "every store in a buffer was made");
}
