//! Breadth-first search.
//!
//! The store keeps states in the order of discovery, so the queue is the store itself and a cursor.
//! States are expanded in small batches, which lets the lookups of their successors overlap (see
//! [`crate::store`]); a batch never crosses a level, so the order of discovery, and with it every shortest
//! run, is that of the textbook algorithm. Shortest means: through the fewest stored states. What a process
//! does while it holds the others is one edge, however many actions it is.

use taut_ir::Finding;
use taut_memory::MemorySystem;

use crate::explore::{Completion, Explorer};
use crate::ledger::Entry;
use crate::limits::Patience;
use crate::machine::{Bound, BoundsMet, Scratch, Sink, Way};
use crate::reduce::symmetry::Symmetry;
use crate::store::{Inserted, StateId, hash};

/// States expanded together; fewer if they are so large that even a few of them take long.
const SOURCES: usize = 32;
/// Words of states expanded together, at most.
const SOURCE_WORDS: usize = 1 << 12;

/// The successors of a few states.
struct Batch<'w> {
    symmetry: Symmetry,
    states: Vec<u64>,
    hashes: Vec<u64>,
    /// Which state each successor was found from.
    parents: Vec<StateId>,
    findings: Vec<Entry>,
    /// States in which nothing can happen.
    stuck: Vec<StateId>,
    bounds_met: BoundsMet,
    passed: u64,
    symmetric: u64,
    faults: u64,
    source: StateId,
    /// The states of which only a part was followed, and whether a state of the next level is among it.
    in_part: Vec<(StateId, bool)>,
    patience: Patience<'w>,
}

impl Sink for Batch<'_> {
    #[inline]
    fn successor(&mut self, _: Way, state: &[u64]) {
        let at = self.states.len();
        self.states.extend_from_slice(state);
        let state = &mut self.states[at..];
        self.symmetric += u64::from(self.symmetry.canonicalise(state));
        self.hashes.push(hash(state));
        self.parents.push(self.source);
    }

    fn finding(&mut self, way: Way, finding: Finding) {
        self.faults += u64::from(matches!(finding, Finding::Fault(_)));
        self.findings.push(Entry { finding, state: self.source, action: Some(way.action) });
    }

    fn held(&mut self, bound: Bound) {
        self.bounds_met.note(bound);
    }

    fn passed(&mut self, actions: u64) {
        self.passed += actions;
    }

    fn go_on(&mut self, bytes: u64) -> bool {
        let waiting = self.states.capacity() + self.hashes.capacity();
        self.patience.lasts(bytes + waiting as u64 * 8)
    }
}

impl<'w> Batch<'w> {
    fn new(symmetry: Symmetry, patience: Patience<'w>) -> Batch<'w> {
        Batch {
            symmetry,
            states: Vec::new(),
            hashes: Vec::new(),
            parents: Vec::new(),
            findings: Vec::new(),
            stuck: Vec::new(),
            bounds_met: BoundsMet::default(),
            passed: 0,
            symmetric: 0,
            faults: 0,
            source: StateId(0),
            in_part: Vec::new(),
            patience,
        }
    }

    fn clear(&mut self) {
        self.states.clear();
        self.hashes.clear();
        self.parents.clear();
        self.findings.clear();
        self.stuck.clear();
        self.in_part.clear();
    }
}

/// Runs the search from the states already in the store.
pub(crate) fn run<M: MemorySystem>(explorer: &mut Explorer<'_, M>) -> Completion {
    let mut batch = Batch::new(explorer.symmetry.clone(), explorer.patience());
    let mut scratch = Scratch::default();
    let sources = (SOURCE_WORDS / explorer.machine.words()).clamp(1, SOURCES);
    let mut next = 0;
    let mut level_end = explorer.store.len();
    while next < explorer.store.len() {
        if next == level_end {
            explorer.depth += 1;
            level_end = explorer.store.len();
            explorer.forget_full();
        }
        let end = level_end.min(next + sources);
        expand(explorer, next..end, &mut batch, &mut scratch);
        if let Some(completion) = keep(explorer, &mut batch, level_end) {
            return completion;
        }
        if complete(explorer, &mut batch, &mut scratch)
            && let Some(completion) = keep(explorer, &mut batch, level_end)
        {
            return completion;
        }
        next = end;
    }
    Completion::Complete
}

fn expand<M: MemorySystem>(
    explorer: &mut Explorer<'_, M>,
    sources: std::ops::Range<usize>,
    batch: &mut Batch<'_>,
    scratch: &mut Scratch,
) {
    batch.clear();
    batch.patience.beside(explorer.bytes());
    for index in sources {
        batch.source = StateId(index as u32);
        let state = explorer.store.state(batch.source);
        let expanded = explorer.reducer.expand(state, scratch, batch);
        if !expanded.alive {
            batch.stuck.push(batch.source);
        }
        if expanded.in_part {
            batch.in_part.push((batch.source, false));
        }
    }
    note(explorer, batch);
}

/// Expands in full the states of which only a part was followed, and nothing of that is on the next level;
/// whether there are such.
fn complete<M: MemorySystem>(
    explorer: &mut Explorer<'_, M>,
    batch: &mut Batch<'_>,
    scratch: &mut Scratch,
) -> bool {
    let mut sources = std::mem::take(&mut batch.in_part);
    sources.retain(|&(_, goes_on)| !goes_on);
    batch.clear();
    batch.patience.beside(explorer.bytes());
    for &(source, _) in &sources {
        batch.source = source;
        explorer.reducer.complete(explorer.store.state(source), scratch, batch);
    }
    note(explorer, batch);
    let any = !sources.is_empty();
    sources.clear();
    batch.in_part = sources;
    any
}

/// Notes what was found in a batch of states.
fn note<M: MemorySystem>(explorer: &mut Explorer<'_, M>, batch: &Batch<'_>) {
    explorer.bounds_met = batch.bounds_met;
    explorer.passed = batch.passed;
    explorer.symmetric = batch.symmetric;
    explorer.faults = batch.faults;
    batch.findings.iter().for_each(|&entry| explorer.ledger.note(entry));
    for &state in &batch.stuck {
        explorer.check_stuck(state);
    }
}

/// Keeps the successors of a batch of states.
fn keep<M: MemorySystem>(
    explorer: &mut Explorer<'_, M>,
    batch: &mut Batch<'_>,
    level_end: usize,
) -> Option<Completion> {
    if let Some(limit) = batch.patience.ended() {
        return Some(explorer.end().unwrap_or(Completion::Limit(limit)));
    }
    if let Some(completion) = explorer.end_before(batch.hashes.len()) {
        return Some(completion);
    }
    let first_new = explorer.store.len();
    let end = insert_states(explorer, batch, level_end);
    for index in first_new..explorer.store.len() {
        explorer.check_state(StateId(index as u32));
    }
    explorer.end().or(end)
}

fn insert_states<M: MemorySystem>(
    explorer: &mut Explorer<'_, M>,
    batch: &mut Batch<'_>,
    level_end: usize,
) -> Option<Completion> {
    let parents = &batch.parents;
    let in_part = &mut batch.in_part;
    let mut note = |parent: StateId, inserted: Inserted| {
        let (Inserted::New(id) | Inserted::Old(id)) = inserted;
        if id.0 as usize >= level_end
            && let Ok(at) = in_part.binary_search_by_key(&parent, |&(source, _)| source)
        {
            in_part[at].1 = true;
        }
    };
    if explorer.has_room(batch.hashes.len()) {
        explorer.inserted += batch.hashes.len() as u64;
        let parent_of = |i: usize| parents[i];
        explorer.store.insert_all(&batch.states, &batch.hashes, parent_of, |i, inserted| {
            note(parents[i], inserted);
        });
        return None;
    }
    // Close to the limit on states: one by one, so that it is met exactly.
    for (state, &parent) in batch.states.chunks_exact(explorer.machine.words()).zip(parents) {
        if let Some(completion) = explorer.refuse(state) {
            return Some(completion);
        }
        note(parent, explorer.store.insert(state, parent));
        explorer.inserted += 1;
    }
    None
}
