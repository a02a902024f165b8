//! Breadth-first search, by one thread or several.
//!
//! The search goes level by level: a level is the states that are so many edges away from the initial one and
//! no fewer, and it is finished before the next begins. So the run to each finding is a shortest one at any number
//! of threads. Shortest means: through the fewest stored states. What a process does while it holds the others
//! is one edge, however many actions it is.
//!
//! Within a level workers claim a few states at a time from a cursor, so that nobody waits while there is
//! work. Which states a level has, and everything that is counted, does not depend on who expands what. How a
//! state was found does: the log ([`log`]) has one of its shortest runs.
//!
//! A small level is worked on by one thread, in the order of discovery of the textbook; if something is found the
//! search ends right there. A large level is shared, and it is finished even if something is found, at any
//! number of threads, so that what is reported does not depend on their number: the finding of each kind in the
//! least state, by its words.
//!
//! | file | idea |
//! | --- | --- |
//! | `level.rs` | the states of a level, as handles |
//! | `worker.rs` | one thread: claim, expand, insert, keep |
//! | `batch.rs` | the successors of a few states, before they are looked up |
//! | `log.rs` | how each state was found, in about a byte |

mod batch;
mod level;
mod log;
mod worker;

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

use taut_ir::Finding;
use taut_memory::MemorySystem;

use crate::explore::expander::Expander;
use crate::explore::search::{Outcome, Search, Tally};
use crate::explore::{Completion, Found};
use crate::ledger::{Ledger, Sighting};
use crate::store::visited::Visited;
use crate::trace;
use level::{Level, Waiting};
use log::{Log, Stream};
use worker::{Choice, Place, Shift, Site, Turn, Worker};

/// A search breadth first.
pub(crate) struct Breadth<'s, 'a, M, E, V: Visited> {
    search: &'s Search<'a, M, E, V>,
    workers: Vec<Worker<'a, V::Hand>>,
    log: Log,
    found: Ledger<Place>,
    depth: usize,
}

impl<'s, 'a, M: MemorySystem, E: Expander, V: Visited> Breadth<'s, 'a, M, E, V> {
    pub(crate) fn new(search: &'s Search<'a, M, E, V>) -> Self {
        let worker = Worker::new(search.machine.words(), search.patience());
        let found = Ledger::default();
        let log = Log::default();
        Breadth { search, workers: vec![worker], log, found, depth: 0 }
    }

    /// Runs the search.
    pub(crate) fn run(mut self) -> Outcome {
        let mut level = self.initial();
        let mut end = (!self.found.is_empty() && !self.search.setting.options.all)
            .then_some(Completion::FirstFinding);
        while end.is_none() && level.len() > 0 {
            self.begin_level(&level);
            let choice = self.work_on(&level);
            end = self.end(choice);
            level = self.end_level(level, choice);
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
            if !unasked.iter().any(|f| f.is_like(finding)) {
                let site = Place { level: 0, position: 0 };
                self.found.note(Sighting { finding, action: None, site });
            }
        });
        let mut waiting = Waiting::default();
        waiting.push::<V>(handle, initial);
        Level::new(vec![waiting])
    }

    fn begin_level(&mut self, level: &Level) {
        let mut hands: Vec<_> = self.workers.iter_mut().map(|w| &mut w.hand).collect();
        self.search.visited.next_level(&mut hands);
        self.search.progress.depth.store(self.depth as u64, Ordering::Relaxed);
        let workers = self.workers.iter_mut().map(Worker::told_bytes);
        let bytes = level.bytes() + self.log.bytes() + workers.sum::<u64>();
        self.search.aside.store(bytes, Ordering::Relaxed);
    }

    /// Expands a level.
    fn work_on(&mut self, level: &Level) -> Choice {
        let search = self.search;
        let shares = level.len() / search.setting.large;
        let threads = search.setting.options.threads.clamp(1, shares.max(1));
        while self.workers.len() < threads {
            self.workers.push(Worker::new(search.machine.words(), search.patience()));
        }
        let choice = if shares > 0 { Choice::Least } else { Choice::First };
        let (cursor, stop) = (AtomicUsize::new(0), AtomicBool::new(false));
        let (depth, known) = (self.depth, &self.found);
        let shift = Shift { search, level, depth, choice, known, cursor, stop };
        let (first, others) = self.workers[..threads].split_first_mut().expect("a worker");
        thread::scope(|scope| {
            for worker in others {
                scope.spawn(|| Turn { shift: &shift, worker }.run());
            }
            Turn { shift: &shift, worker: first }.run();
        });
        choice
    }

    /// Whether the search ends with this level, and why.
    fn end(&mut self, choice: Choice) -> Option<Completion> {
        let ended: Vec<_> = self.workers.iter_mut().filter_map(|w| w.ended.take()).collect();
        let is_limit = |c: &&Completion| matches!(c, Completion::Limit(_));
        let found = choice == Choice::Least
            && !self.search.setting.options.all
            && self.workers.iter().any(|w| !w.found.is_empty());
        let by_bound = ended.iter().find(|c| !is_limit(c)).copied();
        let by_finding = found.then_some(Completion::FirstFinding);
        by_bound.or(by_finding).or(ended.first().copied())
    }

    /// Puts together what the workers have found; the next level.
    fn end_level(&mut self, level: Level, choice: Choice) -> Level {
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
        if choice == Choice::Least {
            let key = |s: &Sighting<(Site, Vec<u64>)>| (s.site.1.clone(), s.action, s.finding);
            sightings.sort_by_key(|(_, sighting)| key(sighting));
        }
        for (part, Sighting { finding, action, site: (site, _) }) in sightings {
            let site = match site {
                Site::Source(position) => Place { level: self.depth, position },
                Site::New(index) => {
                    Place { level: self.depth + 1, position: next.position(part, index) }
                }
            };
            self.found.note(Sighting { finding, action, site });
        }
        let met = self.workers.iter().any(|w| w.batch.tally.bounds_met.buffer);
        if met || self.found.has(Finding::FullBuffer) {
            self.search.expander.buffers_can_be_full(self.depth + 1);
        }
        next
    }

    fn finish(self, completion: Completion) -> Outcome {
        let streams: Vec<&Stream> = self.workers.iter().map(|w| &w.stream).collect();
        let found = |sighting: &Sighting<Place>| {
            let Sighting { finding, action, site: Place { level, position } } = *sighting;
            let way = self.log.way(&streams, level, position);
            let states = trace::follow(self.search.machine, self.search.expander, &way);
            let wrong = action.map(|action| (action, finding));
            let symmetry = self.search.expander.symmetry();
            let actions = trace::actions(self.search.machine, symmetry, &states, wrong);
            Found { finding, actions }
        };
        let found = self.found.entries().iter().map(found).collect();
        let mut tally = Tally::default();
        self.workers.iter().for_each(|w| tally.add(&w.batch.tally));
        Outcome { completion, tally, depth: self.depth as u64, found }
    }
}
