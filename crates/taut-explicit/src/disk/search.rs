//! The search, level by level.

use taut_budget::Instant;
use taut_ir::{Action, Finding};
use taut_memory::MemorySystem;

use super::files::Files;
use super::halves::Halves;
use super::log::Found as Origin;
use super::spool::{Cursor, Spool};
use super::store::{Seen, Store};
use crate::bfs::batch::Batch;
use crate::sizes::Sizes;
// As many states are expanded together as in a search in memory, so that a search that ends in the middle of a level ends
// at the same place.
use crate::bfs::worker::at_once;
use crate::expander::{Expander, Space};
use crate::exploration::{Completion, Found};
use crate::findings::{FindingSite, Findings};
use crate::limits::{DiskTrouble, Limit, LimitPoll, ProgressSnapshot};
use crate::search::{Outcome, Tally};
use crate::search::{SearchContext, Stored};
use crate::trace;
use taut_machine::Machine;

/// Batches between two reports on progress.
const BETWEEN_REPORTS: u32 = 16;

/// Where a finding was met.
#[derive(Clone, Copy, Debug)]
struct LevelIndex {
    /// The level of a state, and its position there.
    level: usize,
    position: u64,
    /// The successor of that state that is meant; none for the state itself.
    ordinal: Option<u32>,
}

/// The states that are expanded together, and where they are in the level.
#[derive(Default)]
struct Sources {
    positions: Vec<u64>,
    words: Vec<u64>,
}

impl Sources {
    fn clear(&mut self) {
        self.positions.clear();
        self.words.clear();
    }

    fn push(&mut self, position: u64, state: &[u64]) {
        self.positions.push(position);
        self.words.extend_from_slice(state);
    }

    fn state(&self, index: usize, words: usize) -> &[u64] {
        &self.words[index * words..(index + 1) * words]
    }
}

/// A breadth-first search with states in files.
pub(crate) struct DiskSearch<'a, M, E> {
    machine: &'a Machine<M>,
    expander: &'a E,
    setting: SearchContext<'a>,
    files: Files,
    store: Store<'a>,
    /// The level that is expanded, and how far it was read.
    level: Spool,
    cursor: Cursor,
    halves: Halves,
    sources: Sources,
    batch: Batch<'a>,
    space: Space,
    /// What is known of the states of the batch.
    seen: Vec<Seen>,
    found: Findings<LevelIndex>,
    depth: usize,
    batches: u32,
    transitions: u64,
    peak_bytes: u64,
}

impl<'a, M: MemorySystem, E: Expander> DiskSearch<'a, M, E> {
    pub(crate) fn new(
        machine: &'a Machine<M>,
        expander: &'a E,
        setting: SearchContext<'a>,
    ) -> Self {
        let limits = setting.watch.limits();
        let words = machine.words();
        let disk = &setting.options.disk;
        // The limit is on the whole process, which holds the program and its code already, and whose allocator
        // keeps some memory that is free.
        let left = limits.bytes.map(|most| most.saturating_sub(limits.budget.held()) / 4 * 3);
        let sizes = setting.sizes.unwrap_or_else(|| Sizes::within(disk.memory.or(left), words));
        let files = Files::new(disk.directory(), disk.most.unwrap_or(u64::MAX));
        DiskSearch {
            machine,
            expander,
            setting,
            store: Store::new(&files, words, &sizes, setting.watch),
            level: Spool::new(&files, words, &sizes),
            cursor: Cursor::default(),
            halves: Halves::new(&files, &sizes),
            files,
            sources: Sources::default(),
            batch: Batch::new(LimitPoll::new(setting.watch)),
            space: Space::default(),
            seen: Vec::new(),
            found: Findings::default(),
            depth: 0,
            batches: 0,
            transitions: 0,
            peak_bytes: 0,
        }
    }

    /// Runs the search.
    pub(crate) fn run(mut self) -> (Outcome, Stored) {
        let initial = self.store.insert_initial(self.machine.initial());
        self.check_initial();
        let mut end = self.answered().or(initial.err().map(Completion::Limit));
        while end.is_none() && self.store.next.len() > 0 {
            end = self.work_on_level().err().or_else(|| self.answered());
            let met = self.batch.tally.bounds_met.buffer;
            if met || self.found.has(Finding::FullBuffer) {
                self.expander.buffers_can_be_full(self.depth + 1);
            }
            self.expander.weigh(self.depth + 1, self.batch.tally.totals());
            self.depth += usize::from(end.is_none() && self.store.next.len() > 0);
        }
        self.finish(end.unwrap_or(Completion::Complete))
    }

    fn check_initial(&mut self) {
        let place = LevelIndex { level: 0, position: 0, ordinal: None };
        let initial = self.machine.initial();
        let (found, options) = (&mut self.found, self.setting.options);
        self.machine.for_each_violated(initial, |property| {
            let finding = Finding::Property(property);
            if !options.is_unasked(finding) {
                found.note(FindingSite { finding, action: None, site: place });
            }
        });
    }

    /// How what was found ends the search, if it does.
    fn answered(&self) -> Option<Completion> {
        let any = !self.found.is_empty();
        self.setting.end_by_findings(any, |finding| self.found.has(finding))
    }

    /// Expands the level that was found last.
    fn work_on_level(&mut self) -> Result<(), Completion> {
        self.begin_level().map_err(Completion::Limit)?;
        let expanded = self.expand_level();
        // Also where a finding ends the search, states are counted that were found before it.
        let settled = self.settle();
        expanded?;
        settled.map_err(Completion::Limit)?;
        if self.halves.redo.len() > 0 {
            let expanded = self.expand_in_full();
            let settled = self.settle();
            expanded?;
            settled.map_err(Completion::Limit)?;
        }
        self.store.end_level().map_err(Completion::Limit)
    }

    /// Makes what was found last the level to be expanded.
    fn begin_level(&mut self) -> Result<(), Limit> {
        self.store.next.seal()?;
        std::mem::swap(&mut self.level, &mut self.store.next);
        self.store.next.clear()?;
        self.halves.redo.clear()?;
        self.cursor.rewind();
        self.store.next_level()
    }

    /// Expands all states of the level, or enough of them.
    fn expand_level(&mut self) -> Result<(), Completion> {
        let at_once = at_once(self.machine.words()) as u64;
        let mut position = 0;
        while position < self.level.len() {
            self.sources.clear();
            let end = self.level.len().min(position + at_once);
            for position in position..end {
                let state = next(&mut self.cursor, &self.level)?;
                self.sources.push(position, state);
            }
            self.advance()?;
            position = end;
        }
        Ok(())
    }

    /// Expands the states that were read and inserts their successors.
    fn advance(&mut self) -> Result<(), Completion> {
        self.batch.clear();
        self.batch.patience.beside(self.bytes());
        let before = Instant::now();
        let words = self.machine.words();
        for index in 0..self.sources.positions.len() {
            let source = self.sources.state(index, words);
            let at = (self.depth, index as u32);
            self.batch.expand(at, source, self.expander, &mut self.space);
        }
        self.batch.tally.phases.successors += before.elapsed();
        self.insert()?;
        for reduced in &self.batch.reduced {
            let position = self.sources.positions[reduced.next.source as usize];
            let successors = &self.seen[reduced.first..reduced.end];
            self.halves.push(position, reduced.next.ordinal, successors);
        }
        if self.halves.are_many() { self.settle().map_err(Completion::Limit) } else { Ok(()) }
    }

    /// Expands in full what was expanded in part and does not lead to the next level.
    fn expand_in_full(&mut self) -> Result<(), Completion> {
        self.halves.redo.seal().map_err(Completion::Limit)?;
        self.cursor.rewind();
        let at_once = at_once(self.machine.words()) as u64;
        let (mut redo, mut ordinals) = (Cursor::default(), Vec::new());
        let (mut read, mut left) = (0, self.halves.redo.len());
        while left > 0 {
            self.sources.clear();
            ordinals.clear();
            for _ in 0..left.min(at_once) {
                let &[position, ordinal] = next(&mut redo, &self.halves.redo)? else {
                    unreachable!("records of two words")
                };
                // The level is read once more, up to this state.
                while read < position {
                    next(&mut self.cursor, &self.level)?;
                    read += 1;
                }
                self.sources.push(position, next(&mut self.cursor, &self.level)?);
                read += 1;
                ordinals.push(ordinal as u32);
            }
            left -= ordinals.len() as u64;
            self.advance_in_full(&ordinals)?;
        }
        Ok(())
    }

    /// Expands the states that were read in full; what was left out before has ordinals from these on.
    fn advance_in_full(&mut self, ordinals: &[u32]) -> Result<(), Completion> {
        self.batch.clear();
        self.batch.patience.beside(self.bytes());
        let before = Instant::now();
        let words = self.machine.words();
        for (index, &ordinal) in ordinals.iter().enumerate() {
            let next = crate::bfs::log::Origin { source: index as u32, ordinal };
            let source = self.sources.state(index, words);
            self.batch.expand_fully((self.depth, next), source, self.expander, &mut self.space);
        }
        self.batch.tally.phases.successors += before.elapsed();
        self.insert()
    }

    /// Looks at what went wrong in the batch, inserts its states, and looks at those that may be new.
    fn insert(&mut self) -> Result<(), Completion> {
        self.check_sources();
        self.check_ends()?;
        let bytes = self.bytes();
        self.setting.watch.check(bytes).map_or(Ok(()), |limit| Err(Completion::Limit(limit)))?;
        self.peak_bytes = self.peak_bytes.max(bytes);
        let before = Instant::now();
        let inserted = self.insert_states();
        let after = Instant::now();
        self.batch.tally.phases.store += after - before;
        inserted.map_err(Completion::Limit)?;
        self.report();
        self.check_ends()
    }

    fn insert_states(&mut self) -> Result<(), Limit> {
        let words = self.machine.words();
        self.seen.clear();
        for index in 0..self.batch.hashes.len() {
            let origin = self.batch.origins[index];
            let source = self.sources.positions[origin.source as usize];
            if self.store.is_full(source) {
                self.make_room()?;
            }
            let state = &self.batch.states[index * words..(index + 1) * words];
            let found = Origin { source, ordinal: origin.ordinal };
            let seen = self.store.insert(state, self.batch.hashes[index], found);
            self.seen.push(seen);
            if let Seen::Inserted(_) = seen {
                self.check_state(index, found);
            }
        }
        Ok(())
    }

    /// Looks at the properties of a state that may be new.
    fn check_state(&mut self, index: usize, Origin { source, ordinal }: Origin) {
        let words = self.machine.words();
        let state = &self.batch.states[index * words..(index + 1) * words];
        let site = LevelIndex { level: self.depth, position: source, ordinal: Some(ordinal) };
        let (found, options) = (&mut self.found, self.setting.options);
        self.machine.for_each_violated(state, |property| {
            let finding = Finding::Property(property);
            if !options.is_unasked(finding) {
                found.note(FindingSite { finding, action: None, site });
            }
        });
    }

    /// Settles everything and empties the memory.
    fn make_room(&mut self) -> Result<(), Limit> {
        self.settle()?;
        self.store.flush()
    }

    /// Finds out which states are new, and which expansions stand.
    fn settle(&mut self) -> Result<(), Limit> {
        let before = Instant::now();
        let settled = self.store.settle();
        self.batch.tally.phases.store += before.elapsed();
        settled?;
        let store = &self.store;
        for seen in &mut self.seen {
            if let Seen::Inserted(id) | Seen::Pending(id) = *seen {
                *seen = store.seen(id);
            }
        }
        let again = self.halves.settle(|id| store.seen(id) == Seen::Next)?;
        self.batch.tally.reduced -= again;
        Ok(())
    }

    /// Notes what goes wrong in an action, and deadlocks.
    fn check_sources(&mut self) {
        let findings = std::mem::take(&mut self.batch.findings);
        for &(index, action, finding) in &findings {
            self.note_source(index, Some(action), finding);
        }
        self.batch.findings = findings;
        let stuck = std::mem::take(&mut self.batch.stuck);
        for &index in &stuck {
            let state = self.sources.state(index as usize, self.machine.words());
            if self.machine.is_stuck(state) {
                self.batch.tally.deadlocks += 1;
                if self.setting.options.deadlock {
                    self.note_source(index, None, Finding::Deadlock);
                }
            }
        }
        self.batch.stuck = stuck;
    }

    /// Notes a finding in a state of the level.
    fn note_source(&mut self, index: u32, action: Option<Action>, finding: Finding) {
        if self.setting.options.is_unasked(finding) {
            return;
        }
        let position = self.sources.positions[index as usize];
        let site = LevelIndex { level: self.depth, position, ordinal: None };
        self.found.note(FindingSite { finding, action, site });
    }

    /// Whether what was found, a bound, or the limits of an expansion end the search.
    fn check_ends(&self) -> Result<(), Completion> {
        let end = self.setting.end_by(self.batch.tally.bounds_met);
        let end = end.or_else(|| self.answered());
        end.or(self.batch.patience.ended().map(Completion::Limit)).map_or(Ok(()), Err)
    }

    /// Bytes held in memory.
    fn bytes(&self) -> u64 {
        let queues = self.level.bytes() + self.cursor.bytes() + self.halves.bytes();
        let batch = self.batch.bytes() + (self.seen.capacity() * size_of::<Seen>()) as u64;
        self.store.bytes() + queues + batch
    }

    /// Reports on progress now and then.
    fn report(&mut self) {
        self.transitions += self.batch.hashes.len() as u64;
        self.batches = self.batches.wrapping_add(1);
        if self.batches.is_multiple_of(BETWEEN_REPORTS) {
            self.publish();
        }
    }

    fn publish(&self) {
        let states = self.store.stored();
        self.setting.watch.publish(ProgressSnapshot {
            states,
            transitions: self.transitions,
            queue: states.saturating_sub(self.batch.tally.expanded),
            depth: self.depth as u64,
            bytes: self.bytes(),
        });
    }

    fn finish(self, completion: Completion) -> (Outcome, Stored) {
        self.publish();
        let found: Result<Vec<Found>, Limit> =
            self.found.entries().iter().map(|sighting| self.found(sighting)).collect();
        // A violation whose run cannot be read is none that could be shown.
        let (completion, found) = match found {
            Ok(found) => (completion, found),
            Err(limit) => (Completion::Limit(limit), Vec::new()),
        };
        let stored = Stored {
            states: self.store.stored(),
            peak_bytes: self.peak_bytes.max(self.bytes()),
            disk_bytes: self.files.peak(),
            slots: self.store.slots(),
            lossy: None,
        };
        let tally: Tally = self.batch.tally;
        (Outcome { completion, tally, depth: self.depth as u64, found, raced: false }, stored)
    }

    /// A finding with the run to it.
    fn found(&self, sighting: &FindingSite<LevelIndex>) -> Result<Found, Limit> {
        let FindingSite { finding, action, site: LevelIndex { level, position, ordinal } } =
            *sighting;
        let mut way = self.store.way(level, position)?;
        way.extend(ordinal);
        let wrong = action.map(|action| (action, finding));
        let actions = trace::run(self.machine, self.expander, &way, wrong);
        Ok(Found { finding, actions })
    }
}

/// The next record of a queue that is known to have one.
fn next<'c>(cursor: &'c mut Cursor, spool: &Spool) -> Result<&'c [u64], Completion> {
    let record = cursor.next(spool).map_err(Completion::Limit)?;
    record.ok_or(Completion::Limit(DiskTrouble::Damaged.into()))
}
