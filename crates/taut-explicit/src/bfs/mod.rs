//! Breadth-first search, by one thread or several.
//!
//! The search goes level by level: a level is the states that are so many edges away from the initial one and
//! no fewer, and it is finished before the next begins. So the run to each finding is a shortest one at any number
//! of threads. Shortest means: through the fewest stored states. What a process does while it holds the others
//! is one edge, however many actions it is.
//!
//! Within a level workers claim a few states at a time from a cursor, so that no worker waits while there is
//! work. The search ends as soon as the questions are answered, in the middle of a level too.
//!
//! **One thread** takes states in the order of discovery of the textbook. Its result is the *canonical* one.
//!
//! **Several threads** share large levels. The set of states of a level and everything that is counted for a whole
//! level are independent of the order in which its states are expanded. Three things do depend on it: the
//! source by which a state was found, the finding of a kind that is met first, and the counts of a level that was not
//! finished. An outcome that contains one of them is marked as *raced* ([`Outcome::raced`]), and the caller repeats
//! the search with one thread ([`super::explore`]). A level that is too small to be shared is expanded in the
//! order of its states, which is canonical as long as no level before it was shared.
//!
//! | file | idea |
//! | --- | --- |
//! | `level.rs` | the states of a level, as handles |
//! | `worker.rs` | one thread: claim, expand, insert, keep |
//! | `batch.rs` | the successors of a few states, before they are looked up |
//! | `log.rs` | how each state was found, in about a byte |
//! | `keep.rs` | a search that stands still, in a checkpoint |

pub(crate) mod batch;
mod keep;
pub(crate) mod level;
pub(crate) mod log;
pub(crate) mod worker;

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

use taut_ir::Finding;
use taut_memory::MemorySystem;

use crate::checkpoint::Keeper;
use crate::expander::Expander;
use crate::exploration::{Completion, Found};
use crate::findings::{FindingSite, Findings};
use crate::search::{Outcome, Search, Tally};
use crate::store::lanes::Apart;
use crate::store::visited::{Sharing, Visited};
use crate::trace;
pub(crate) use keep::Kept;
use level::{Level, Waiting};
use log::{Log, Stream};
use worker::{Left, LevelContext, LevelIndex, LevelWorker, Site, Worker};

/// A search breadth first.
pub(crate) struct BreadthFirst<'s, 'a, M, E, V: Visited> {
    search: &'s Search<'a, M, E, V>,
    workers: Vec<Worker<'a, V::ThreadCache>>,
    log: Log,
    found: Findings<LevelIndex>,
    depth: usize,
    /// The number of threads that may share a level.
    threads: usize,
    /// Whether a level was shared, so that the order of states is no longer canonical.
    shared: bool,
    /// Whether something was found, or ended the search, after that.
    raced: bool,
    /// Where the search is kept, if it is.
    keeper: Option<&'s Keeper>,
}

impl<'s, 'a, M: MemorySystem, E: Expander, V: Visited> BreadthFirst<'s, 'a, M, E, V> {
    pub(crate) fn new(search: &'s Search<'a, M, E, V>) -> Self {
        let worker = Worker::new(search.machine.words(), search.patience());
        let found = Findings::default();
        let log = Log::default();
        let threads = threads(search);
        let (depth, shared, raced) = (0, false, false);
        let (workers, keeper) = (vec![worker], search.setting.keeper);
        BreadthFirst { search, workers, log, found, depth, threads, shared, raced, keeper }
    }

    /// Runs the search, from the start or from a cut.
    pub(crate) fn run(mut self, kept: Option<Kept<V::ThreadCache>>) -> Outcome {
        let (mut level, mut from) = match kept {
            Some(kept) => self.take_up(kept),
            None => (self.initial(), 0),
        };
        let mut end = self.answered();
        while end.is_none() && level.len() > 0 {
            if from == 0 && self.workers.iter().all(|w| w.left == Left::default()) {
                self.begin_level(&level);
            }
            end = self.work_through(&level, std::mem::take(&mut from));
            level = self.end_level(level);
            end = end.or_else(|| self.answered());
            self.raced |= self.shared && end.is_some();
            self.depth += usize::from(end.is_none() && level.len() > 0);
        }
        self.finish(end.unwrap_or(Completion::Complete))
    }

    /// The level of the initial state.
    fn initial(&mut self) -> Level {
        let search = self.search;
        let handle = search.insert_initial(&mut self.workers[0].hand);
        let initial = search.machine.initial();
        let unasked = &search.setting.options.unasked;
        search.for_each_violated(initial, |finding| {
            if !unasked.iter().any(|f| f.same_kind(finding)) {
                let site = LevelIndex { level: 0, position: 0 };
                self.found.note(FindingSite { finding, action: None, site });
            }
        });
        let mut waiting = Waiting::default();
        waiting.push::<V>(handle, initial);
        Level::new(vec![waiting])
    }

    /// How what was found ends the search, if it does.
    fn answered(&self) -> Option<Completion> {
        let any = !self.found.is_empty();
        self.search.end_by_findings(any, |finding| self.found.has(finding))
    }

    fn begin_level(&mut self, level: &Level) {
        let mut hands: Vec<_> = self.workers.iter_mut().map(|w| &mut w.hand).collect();
        self.search.visited.next_level(&mut hands);
        self.tell_aside(level);
    }

    /// Says what is held beside the states seen.
    fn tell_aside(&mut self, level: &Level) {
        self.search.progress.depth.store(self.depth as u64, Ordering::Relaxed);
        let workers = self.workers.iter_mut().map(Worker::reported_bytes);
        let bytes = level.bytes() + self.log.bytes() + workers.sum::<u64>();
        self.search.aside.store(bytes, Ordering::Relaxed);
    }

    /// Expands a level from a position on. The search is written to its checkpoint whenever one is due, and when a limit
    /// of time or memory ends it.
    fn work_through(&mut self, level: &Level, mut from: usize) -> Option<Completion> {
        loop {
            from = self.work_on(level, from);
            let end = self.end();
            let Some(keeper) = self.keeper else { return end };
            let is_paused = end.is_none() && from < level.len();
            if is_paused || end.is_some_and(Completion::is_cut) {
                self.keep(keeper, level, &mut from);
            }
            if !is_paused {
                return end;
            }
        }
    }

    /// Expands a level from a position on, until it is finished, something ends the search, or a checkpoint is due. The
    /// position of the first state that nobody has claimed.
    fn work_on(&mut self, level: &Level, from: usize) -> usize {
        let search = self.search;
        let shares = level.len() / search.setting.large;
        let threads = self.threads.clamp(1, shares.max(1));
        self.shared |= threads > 1;
        while self.workers.len() < threads {
            self.workers.push(Worker::new(search.machine.words(), search.patience()));
        }
        let (cursor, stop) = (Apart(AtomicUsize::new(from)), AtomicBool::new(false));
        let (depth, known, keeper) = (self.depth, &self.found, self.keeper);
        let shift = LevelContext { search, level, depth, known, cursor, stop, keeper };
        let (first, others) = self.workers[..threads].split_first_mut().expect("a worker");
        let faults = taut_fault::current();
        thread::scope(|scope| {
            for worker in others {
                // Without the thread, as where memory is short, the others do its part of the level.
                let turn = || faults.during(|| LevelWorker { shift: &shift, worker }.run());
                let _ = thread::Builder::new().spawn_scoped(scope, turn);
            }
            LevelWorker { shift: &shift, worker: first }.run();
        });
        shift.cursor.0.into_inner().min(level.len())
    }

    /// The reason why a worker did not finish the level. What was found says more than a limit.
    fn end(&mut self) -> Option<Completion> {
        let ended: Vec<_> = self.workers.iter_mut().filter_map(|w| w.ended.take()).collect();
        let is_limit = |c: &&Completion| matches!(c, Completion::Limit(_));
        ended.iter().find(|c| !is_limit(c)).or(ended.first()).copied()
    }

    /// Puts together what the workers have found; the next level.
    fn end_level(&mut self, level: Level) -> Level {
        let mut parts = level.into_parts();
        parts.resize_with(self.workers.len(), Waiting::default);
        for (part, worker) in parts.iter_mut().zip(&mut self.workers) {
            part.clear();
            std::mem::swap(part, &mut worker.next);
        }
        let next = Level::new(parts);
        self.log.end_level(self.workers.iter_mut().map(|w| &mut w.stream));
        let mut sightings = Vec::new();
        for (part, worker) in self.workers.iter_mut().enumerate() {
            sightings.extend(worker.found.drain().map(|sighting| (part, sighting)));
        }
        self.raced |= self.shared && !sightings.is_empty();
        for (part, FindingSite { finding, action, site }) in sightings {
            let site = match site {
                Site::Source(position) => LevelIndex { level: self.depth, position },
                Site::New(index) => {
                    LevelIndex { level: self.depth + 1, position: next.position(part, index) }
                }
            };
            self.found.note(FindingSite { finding, action, site });
        }
        let met = self.workers.iter().any(|w| w.batch.tally.bounds_met.buffer);
        if met || self.found.has(Finding::FullBuffer) {
            self.search.expander.buffers_can_be_full(self.depth + 1);
        }
        self.search.expander.weigh(self.depth + 1, self.tally().totals());
        next
    }

    /// What the workers have counted.
    fn tally(&self) -> Tally {
        let mut tally = Tally::default();
        self.workers.iter().for_each(|w| tally.add(&w.batch.tally));
        tally
    }

    fn finish(self, completion: Completion) -> Outcome {
        let streams: Vec<&Stream> = self.workers.iter().map(|w| &w.stream).collect();
        let found = |sighting: &FindingSite<LevelIndex>| {
            let FindingSite { finding, action, site: LevelIndex { level, position } } = *sighting;
            let way = self.log.way(&streams, level, position);
            let wrong = action.map(|action| (action, finding));
            let actions = trace::run(self.search.machine, self.search.expander, &way, wrong);
            Found { finding, actions }
        };
        let found = self.found.entries().iter().map(found).collect();
        let tally = self.tally();
        Outcome { completion, tally, depth: self.depth as u64, found, raced: self.raced }
    }
}

/// A search that is limited to so many times the states of the smallest shared level is made by one thread. It takes a
/// fraction of a second, and would have to be repeated if the limit ended it.
const FEW_LEVELS: u64 = 100;

/// The number of threads that may share a level.
fn threads<M, E: Expander, V: Visited>(search: &Search<'_, M, E, V>) -> usize {
    let may_share = match V::SHARING {
        Sharing::Always => true,
        Sharing::Unreduced => !search.expander.reduces(),
        Sharing::Never => false,
    };
    let few = FEW_LEVELS * search.setting.large as u64;
    let is_short = search.setting.watch.most_states_within(few);
    if may_share && !is_short { search.setting.options.threads } else { 1 }
}
