//! Breadth-first search.
//!
//! The store keeps states in the order of discovery, so the queue is the store itself and a cursor.
//! States are expanded in small batches, which lets the lookups of their successors overlap (see
//! [`crate::store`]); a batch never crosses a level, so the order of discovery, and with it every shortest
//! run, is that of the textbook algorithm.

use taut_ir::{Action, Finding};
use taut_memory::MemorySystem;

use crate::explore::{Completion, Explorer};
use crate::ledger::Entry;
use crate::machine::{Bound, BoundsMet, Sink};
use crate::store::{Inserted, StateId, hash};

/// States expanded together; fewer if they are so large that even a few of them take long.
const SOURCES: usize = 32;
/// Words of states expanded together, at most.
const SOURCE_WORDS: usize = 1 << 12;

/// The successors of a few states.
#[derive(Default)]
struct Batch {
    states: Vec<u64>,
    hashes: Vec<u64>,
    /// Which state each successor was found from.
    parents: Vec<StateId>,
    findings: Vec<Entry>,
    /// States in which nothing can happen.
    stuck: Vec<StateId>,
    bounds_met: BoundsMet,
    source: StateId,
    /// Whether anything can, or but for a bound could, happen in `source`.
    alive: bool,
}

impl Sink for Batch {
    #[inline]
    fn successor(&mut self, _: Action, state: &[u64]) {
        self.states.extend_from_slice(state);
        self.hashes.push(hash(state));
        self.parents.push(self.source);
        self.alive = true;
    }

    fn finding(&mut self, action: Action, finding: Finding) {
        self.findings.push(Entry { finding, state: self.source, action: Some(action) });
        self.alive = true;
    }

    fn held(&mut self, bound: Bound) {
        self.bounds_met.note(bound);
        self.alive = true;
    }
}

impl Batch {
    fn clear(&mut self) {
        self.states.clear();
        self.hashes.clear();
        self.parents.clear();
        self.findings.clear();
        self.stuck.clear();
    }
}

/// Runs the search from the states already in the store.
pub(crate) fn run<M: MemorySystem>(explorer: &mut Explorer<'_, M>) -> Completion {
    let mut batch = Batch::default();
    let mut scratch = Vec::new();
    let sources = (SOURCE_WORDS / explorer.machine.words()).clamp(1, SOURCES);
    let mut next = 0;
    let mut level_end = explorer.store.len();
    while next < explorer.store.len() {
        if next == level_end {
            explorer.depth += 1;
            level_end = explorer.store.len();
        }
        let end = level_end.min(next + sources);
        expand(explorer, next..end, &mut batch, &mut scratch);
        if let Some(completion) = explorer.end_before(batch.hashes.len()) {
            return completion;
        }
        if let Some(completion) = insert(explorer, &batch) {
            return completion;
        }
        next = end;
    }
    Completion::Complete
}

fn expand<M: MemorySystem>(
    explorer: &mut Explorer<'_, M>,
    sources: std::ops::Range<usize>,
    batch: &mut Batch,
    scratch: &mut Vec<u64>,
) {
    batch.clear();
    for index in sources {
        batch.source = StateId(index as u32);
        batch.alive = false;
        explorer.machine.expand(explorer.store.state(batch.source), scratch, batch);
        if !batch.alive {
            batch.stuck.push(batch.source);
        }
    }
    explorer.bounds_met = batch.bounds_met;
    batch.findings.iter().for_each(|&entry| explorer.ledger.note(entry));
    for &state in &batch.stuck {
        explorer.check_stuck(state);
    }
}

fn insert<M: MemorySystem>(explorer: &mut Explorer<'_, M>, batch: &Batch) -> Option<Completion> {
    let first_new = explorer.store.len();
    let end = insert_states(explorer, batch);
    for index in first_new..explorer.store.len() {
        explorer.check_state(StateId(index as u32));
    }
    explorer.end().or(end)
}

fn insert_states<M: MemorySystem>(
    explorer: &mut Explorer<'_, M>,
    batch: &Batch,
) -> Option<Completion> {
    let parents = &batch.parents;
    if explorer.has_room(batch.hashes.len()) {
        explorer.transitions += batch.hashes.len() as u64;
        let parent_of = |i: usize| parents[i];
        explorer.store.insert_all(&batch.states, &batch.hashes, parent_of, |_, _: Inserted| {});
        return None;
    }
    // Close to the limit on states: one by one, so that it is met exactly.
    for (state, &parent) in batch.states.chunks_exact(explorer.machine.words()).zip(parents) {
        if let Some(completion) = explorer.refuse(state) {
            return Some(completion);
        }
        explorer.store.insert(state, parent);
        explorer.transitions += 1;
    }
    None
}
