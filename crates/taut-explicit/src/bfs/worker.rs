//! One thread of a breadth-first search.
//!
//! Workers claim a few states of the level at a time, expand them, insert their successors, and keep what was
//! new for the next level. They share the set of visited states and the cursor and nothing else; what they find
//! and count is put together when the level is finished.

use std::io;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use taut_budget::Instant;
use taut_fault::{Fault, is_on};
use taut_ir::{Action, Finding};
use taut_memory::MemorySystem;

use super::batch::{Batch, Reduced};
use super::level::{Level, Waiting};
use super::log::{Origin, Stream};
use crate::checkpoint::{Keeper, Reader, Saved, Writer, saved};
use crate::expander::{Expander, Space};
use crate::exploration::Completion;
use crate::findings::{FindingSite, Findings};
use crate::limits::{Limit, LimitPoll};
use crate::search::{Lease, Search};
use crate::store::lanes::Apart;
use crate::store::visited::{Seen, Visited};

/// States expanded together; fewer if they are so large that even a few of them take long.
const SOURCES: usize = 32;
/// Words of states expanded together, at most.
const SOURCE_WORDS: usize = 1 << 12;
/// Batches between two reports on progress.
const BETWEEN_REPORTS: u32 = 16;

/// Number of states of so many words that are expanded together.
pub(crate) fn at_once(words: usize) -> usize {
    (SOURCE_WORDS / words.max(1)).clamp(1, SOURCES)
}

/// Where a worker met a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Site {
    /// At a position of the level that is expanded.
    Source(usize),
    /// In a state that this worker found for the next level: the how-manieth.
    New(usize),
}

/// Where a state is: its level and its position there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LevelIndex {
    pub(super) level: usize,
    pub(super) position: usize,
}

saved!(LevelIndex { level, position });

impl Saved for Site {
    fn save(&self, to: &mut Writer<'_>) -> io::Result<()> {
        match *self {
            Site::Source(position) => (false, position).save(to),
            Site::New(index) => (true, index).save(to),
        }
    }

    fn restore(from: &mut Reader<'_>) -> io::Result<Site> {
        let (is_new, at) = Saved::restore(from)?;
        Ok(if is_new { Site::New(at) } else { Site::Source(at) })
    }
}

/// States of a level that were claimed and not expanded.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Left {
    /// Their positions: from here to there.
    pub(super) sources: Vec<(usize, usize)>,
    /// Sources that were expanded in part and are to be expanded in full.
    pub(super) in_part: Vec<Origin>,
}
saved!(Left { sources, in_part });

/// A worker, from level to level. Workers lie side by side; what one writes is on no cache line of another.
#[repr(align(128))]
pub(super) struct Worker<'w, H> {
    pub(super) hand: H,
    /// Room for states that it has reserved.
    lease: Lease,
    pub(super) next: Waiting,
    pub(super) stream: Stream,
    pub(super) batch: Batch<'w>,
    /// What it has found in this level.
    pub(super) found: Findings<Site>,
    /// Why it did not finish the level.
    pub(super) ended: Option<Completion>,
    /// What it had claimed and a limit kept it from expanding.
    pub(super) left: Left,
    space: Space,
    source: Vec<u64>,
    /// Which states of the batch are new, and their handles.
    new: Vec<(u32, u64)>,
    /// For each state of the batch, whether it belongs to the next level.
    is_next: Vec<bool>,
    /// The bytes of this worker that the search knows of.
    reported_bytes: u64,
    /// States expanded, and transitions, that the search does not know of.
    untold: (u64, u64),
    batches: u32,
}

impl<'w, H: Default> Worker<'w, H> {
    /// A worker for states of so many words.
    pub(super) fn new(words: usize, patience: LimitPoll<'w>) -> Worker<'w, H> {
        Worker {
            hand: H::default(),
            lease: Lease::default(),
            next: Waiting::default(),
            stream: Stream::default(),
            batch: Batch::new(patience),
            found: Findings::default(),
            ended: None,
            left: Left::default(),
            space: Space::default(),
            source: vec![0; words],
            new: Vec::new(),
            is_next: Vec::new(),
            reported_bytes: 0,
            untold: (0, 0),
            batches: 0,
        }
    }

    /// Bytes held, from now on known to the search.
    pub(super) fn reported_bytes(&mut self) -> u64 {
        self.reported_bytes = self.next.bytes() + self.stream.bytes() + self.batch.bytes();
        self.reported_bytes
    }
}

/// What workers share while they work on a level.
pub(super) struct LevelContext<'s, 'a, M, E, V> {
    pub(super) search: &'s Search<'a, M, E, V>,
    pub(super) level: &'s Level,
    /// Which level it is.
    pub(super) depth: usize,
    /// What was found in earlier levels.
    pub(super) known: &'s Findings<LevelIndex>,
    /// The next state to be expanded.
    pub(super) cursor: Apart<AtomicUsize>,
    /// Raised by a worker that cannot go on, or that sees that a checkpoint is due.
    pub(super) stop: AtomicBool,
    /// Where the search is kept.
    pub(super) keeper: Option<&'s Keeper>,
}

/// One worker's part of a level.
pub(super) struct LevelWorker<'t, 's, 'a, M, E, V: Visited> {
    pub(super) shift: &'t LevelContext<'s, 'a, M, E, V>,
    pub(super) worker: &'t mut Worker<'a, V::ThreadCache>,
}

impl<M: MemorySystem, E: Expander, V: Visited> LevelWorker<'_, '_, '_, M, E, V> {
    /// Works until the whole level is claimed or somebody cannot go on.
    pub(super) fn run(mut self) {
        let at_once = at_once(self.worker.source.len());
        let LevelContext { level, cursor, stop, keeper, .. } = self.shift;
        self.work_off();
        while !stop.load(Ordering::Relaxed) {
            let first = cursor.fetch_add(at_once, Ordering::Relaxed);
            let end = level.len().min(first + at_once);
            if first >= end {
                break;
            }
            let done = self.advance(first..end);
            self.note_end(done);
            // Asked after some work: checkpoints that are due all the time do not stop the search.
            if keeper.is_some_and(Keeper::is_due) {
                stop.store(true, Ordering::Relaxed);
            }
        }
        self.tell();
    }

    /// Expands what was left over at the last cut.
    fn work_off(&mut self) {
        let Left { sources, in_part } = std::mem::take(&mut self.worker.left);
        let mut done = Ok(());
        if !in_part.is_empty() {
            done = self.expand_fully(in_part);
        }
        for (first, end) in sources {
            match done {
                Ok(()) => done = self.advance(first..end),
                Err(_) => self.worker.left.sources.push((first, end)),
            }
        }
        self.note_end(done);
    }

    fn note_end(&mut self, done: Result<(), Completion>) {
        if let Err(completion) = done {
            self.worker.ended = Some(completion);
            self.shift.stop.store(true, Ordering::Relaxed);
        }
    }

    /// Expands some states of the level and inserts their successors. If a limit of time or memory is met before they are
    /// inserted, they are left for later.
    fn advance(&mut self, sources: Range<usize>) -> Result<(), Completion> {
        let before = self.worker.batch.tally;
        let done = self.try_advance(sources.clone());
        if self.is_cut(done) {
            self.worker.batch.tally = before;
            self.worker.left.sources.push((sources.start, sources.end));
        }
        done?;
        if self.worker.batch.reduced.is_empty() { Ok(()) } else { self.expand_in_full() }
    }

    /// Whether a search that is kept is to go on later with the batch in hand. Nothing of the batch was inserted, so
    /// counting it a second time is all that has to be avoided. What was found in it stays: it is found
    /// again, at the same place and in the same order.
    fn is_cut(&self, done: Result<(), Completion>) -> bool {
        self.shift.keeper.is_some() && done.is_err_and(Completion::is_cut)
    }

    fn try_advance(&mut self, sources: Range<usize>) -> Result<(), Completion> {
        let search = self.shift.search;
        self.worker.batch.clear();
        if self.worker.batches.is_multiple_of(BETWEEN_REPORTS) {
            self.worker.batch.patience.beside(search.bytes());
        }
        self.worker.untold.0 += sources.len() as u64;
        let before = Instant::now();
        for position in sources {
            self.load(position);
            let Worker { batch, source, space, .. } = &mut *self.worker;
            let at = (self.shift.depth, position as u32);
            batch.expand(at, source, search.expander, space);
        }
        self.worker.batch.tally.phases.successors += before.elapsed();
        self.insert()
    }

    /// Expands in full what was expanded in part and does not lead to the next level.
    fn expand_in_full(&mut self) -> Result<(), Completion> {
        let mut reduced = std::mem::take(&mut self.worker.batch.reduced);
        let is_next = &self.worker.is_next;
        let leads_on = |r: &Reduced| is_next[r.first..r.end].contains(&true);
        reduced.retain(|r| !leads_on(r) && !is_on(Fault::NoProviso));
        self.expand_fully(reduced.iter().map(|r| r.next).collect())
    }

    /// Expands sources in full, each from the successor on that comes after those of its part. If a limit of time or memory
    /// is met before these are inserted, they are left for later.
    fn expand_fully(&mut self, in_part: Vec<Origin>) -> Result<(), Completion> {
        let tally = self.worker.batch.tally;
        self.worker.batch.clear();
        let before = Instant::now();
        for &next in &in_part {
            self.load(next.source as usize);
            let Worker { batch, source, space, .. } = &mut *self.worker;
            batch.expand_fully((self.shift.depth, next), source, self.shift.search.expander, space);
        }
        self.worker.batch.tally.phases.successors += before.elapsed();
        self.worker.batch.tally.reduced -= in_part.len() as u64;
        let done = self.insert();
        if self.is_cut(done) {
            self.worker.batch.tally = tally;
            self.worker.left.in_part = in_part;
        }
        done
    }

    /// Reads the state at a position of the level.
    #[inline]
    fn load(&mut self, position: usize) {
        self.shift.level.load(&self.shift.search.visited, position, &mut self.worker.source);
    }

    /// Looks at what went wrong in the batch, inserts its states, and looks at the new ones.
    fn insert(&mut self) -> Result<(), Completion> {
        let search = self.shift.search;
        self.check_sources();
        self.check_ends()?;
        let about = self.worker.batch.hashes.len();
        search.limit(about).map_or(Ok(()), Err)?;
        let before = Instant::now();
        let Worker { hand, lease, batch, new, is_next, .. } = &mut *self.worker;
        new.clear();
        is_next.clear();
        let states = (batch.states.as_slice(), search.machine.words());
        let fits = search.room.insert_all(
            &search.visited,
            states,
            &batch.hashes,
            (hand, lease),
            |i, seen| {
                is_next.push(seen != Seen::Old);
                if let Seen::New(handle) = seen {
                    new.push((i as u32, handle));
                }
            },
        );
        let inserted = Instant::now();
        batch.tally.phases.store += inserted - before;
        self.keep_new();
        self.worker.batch.tally.phases.properties += inserted.elapsed();
        self.report(about as u64);
        self.check_ends()?;
        if fits {
            return Ok(());
        }
        self.tell();
        Err(Completion::Limit(Limit::States(search.room.stored())))
    }

    /// Notes what goes wrong in an action, and deadlocks.
    fn check_sources(&mut self) {
        let findings = std::mem::take(&mut self.worker.batch.findings);
        for &(position, action, finding) in &findings {
            self.note_source(position, Some(action), finding);
        }
        self.worker.batch.findings = findings;
        let stuck = std::mem::take(&mut self.worker.batch.stuck);
        for &position in &stuck {
            self.load(position as usize);
            if self.shift.search.machine.is_stuck(&self.worker.source) {
                self.worker.batch.tally.deadlocks += 1;
                if self.shift.search.setting.options.deadlock {
                    self.note_source(position, None, Finding::Deadlock);
                }
            }
        }
        self.worker.batch.stuck = stuck;
    }

    /// Notes a finding in a state of the level.
    fn note_source(&mut self, position: u32, action: Option<Action>, finding: Finding) {
        let site = Site::Source(position as usize);
        self.shift.note(&mut self.worker.found, FindingSite { finding, action, site });
    }

    /// Checks new states and keeps them for the next level.
    fn keep_new(&mut self) {
        let shift = self.shift;
        let Worker { batch, new, next, stream, found, .. } = &mut *self.worker;
        let words = shift.search.machine.words();
        for &(index, handle) in &*new {
            let index = index as usize;
            let state = &batch.states[index * words..(index + 1) * words];
            shift.search.for_each_violated(state, |finding| {
                let site = Site::New(next.len());
                shift.note(found, FindingSite { finding, action: None, site });
            });
            next.push::<V>(handle, state);
            stream.push(batch.origins[index]);
        }
    }

    /// Whether what was found, a bound, or the limits of an expansion end the search.
    fn check_ends(&self) -> Result<(), Completion> {
        let LevelContext { search, known, .. } = self.shift;
        let Worker { batch, found, .. } = &*self.worker;
        let has = |finding| known.has(finding) || found.has(finding);
        let end = search.end_by(batch.tally.bounds_met);
        let end = end.or_else(|| search.end_by_findings(!found.is_empty(), has));
        end.or(batch.patience.ended().map(Completion::Limit)).map_or(Ok(()), Err)
    }

    /// Says now and then how far the search has come.
    fn report(&mut self, transitions: u64) {
        let search = self.shift.search;
        self.worker.untold.1 += transitions;
        self.tell_bytes();
        self.worker.batches += 1;
        if self.worker.batches.is_multiple_of(BETWEEN_REPORTS) {
            self.tell();
            search.publish();
        }
    }

    /// Lets the search know everything that it is told only now and then.
    fn tell(&mut self) {
        self.tell_bytes();
        let search = self.shift.search;
        let (expanded, transitions) = std::mem::take(&mut self.worker.untold);
        search.progress.expanded.fetch_add(expanded, Ordering::Relaxed);
        search.progress.transitions.fetch_add(transitions, Ordering::Relaxed);
        search.room.settle_lease(&mut self.worker.lease);
    }

    /// Lets the search know how many bytes this worker holds.
    fn tell_bytes(&mut self) {
        let before = self.worker.reported_bytes;
        // What is told sums up to no less than 0, so wrapping around is subtraction.
        let more = self.worker.reported_bytes().wrapping_sub(before);
        if more != 0 {
            self.shift.search.aside.fetch_add(more, Ordering::Relaxed);
        }
    }
}

impl<M, E, V> LevelContext<'_, '_, M, E, V> {
    /// Notes a finding that is asked and was not known before this level.
    fn note(&self, found: &mut Findings<Site>, sighting: FindingSite<Site>) {
        let unasked = &self.search.setting.options.unasked;
        let is_unasked = unasked.iter().any(|f| f.same_kind(sighting.finding));
        if !is_unasked && !self.known.has(sighting.finding) {
            found.note(sighting);
        }
    }
}
