//! Parts in threads of one process, without a network: the same result as one search, on random programs.

use std::collections::VecDeque;
use std::sync::{Arc, Barrier, Mutex, PoisonError};
use std::thread;

use proptest::prelude::*;
use taut_ir::{Memory, MemoryModel, Program};
use taut_testkit::cases::random_cases;
use taut_testkit::random::{graph, straight};

use taut_explicit::part::{Doing, Outbox, Part, Peers};
use taut_explicit::{
    Completion, Exploration, Explorer, Found, Limits, Reduce, SearchOptions, explore,
};

/// Letters to one part, with their senders.
type Letters = Mutex<VecDeque<(u32, Vec<u8>)>>;

/// Parts that meet at a barrier between two phases.
struct Threads {
    index: u32,
    boxes: Arc<Vec<Letters>>,
    barrier: Arc<Barrier>,
}

impl Threads {
    fn send(&self, out: &mut Outbox) {
        for (to, parcel) in out.drain() {
            let letters = &self.boxes[to as usize];
            letters.lock().unwrap_or_else(PoisonError::into_inner).push_back((self.index, parcel));
        }
    }
}

impl Peers for Threads {
    fn index(&self) -> u32 {
        self.index
    }

    fn count(&self) -> u32 {
        self.boxes.len() as u32
    }

    fn drive(&self, part: &mut dyn Part) {
        let mut out = Outbox::default();
        loop {
            let mut doing = part.begin(&mut out);
            self.send(&mut out);
            if doing == Doing::Ends {
                return;
            }
            while doing == Doing::Works {
                doing = part.work(&mut out);
                self.send(&mut out);
            }
            self.barrier.wait();
            let letters = &self.boxes[self.index as usize];
            let came = std::mem::take(&mut *letters.lock().unwrap_or_else(PoisonError::into_inner));
            // Nothing of the next phase is sent before all have taken out what came.
            self.barrier.wait();
            for (from, parcel) in came {
                part.receive(from, &parcel, &mut out);
            }
            self.send(&mut out);
            self.barrier.wait();
        }
    }
}

/// The result of so many parts; that of the first one.
fn shared(parts: u32, program: &Program, memory: Memory, options: &SearchOptions) -> Exploration {
    let boxes: Arc<Vec<Letters>> = Arc::new((0..parts).map(|_| Letters::default()).collect());
    let barrier = Arc::new(Barrier::new(parts as usize));
    thread::scope(|scope| {
        let parts: Vec<_> = (0..parts)
            .map(|index| {
                let (boxes, barrier) = (boxes.clone(), barrier.clone());
                scope.spawn(move || {
                    let peers = Threads { index, boxes, barrier };
                    Explorer::new(program, memory, options).with_peers(&peers).run()
                })
            })
            .collect();
        let mut results = parts.into_iter().map(|part| part.join().expect("no panic"));
        let first = results.next().expect("a part");
        for other in results {
            assert_eq!(other.completion, first.completion, "all parts agree");
            assert_eq!(other.stats.states, first.stats.states, "all parts agree");
        }
        first
    })
}

fn numbers(exploration: &Exploration) -> [u64; 8] {
    let stats = &exploration.stats;
    let pruned = stats.pruned.stubborn + stats.pruned.symmetric;
    let [a, b, c] = [stats.states, stats.transitions, stats.matched];
    [a, b, c, stats.deadlocks, stats.faults, stats.depth, stats.expanded, pruned]
}

fn whole(reduce: Reduce) -> SearchOptions {
    let limits = Limits { states: Some(20_000), ..Limits::default() };
    SearchOptions { all: true, whole: true, reduce, limits, ..SearchOptions::default() }
}

#[test]
fn parts_count_what_one_search_counts() {
    let drafts = (prop_oneof![straight(4), graph(5)], 1_u32..6, 1_u32..3);
    let tally = random_cases(150, drafts, |case, (draft, parts, bound)| {
        let program = draft.program();
        case.about(&program);
        for model in MemoryModel::EVERY {
            for reduce in [Reduce::None, Reduce::Por, Reduce::All] {
                let memory = Memory::new(model).bounded(Some(bound));
                let one = explore(&program, memory, &whole(reduce));
                if one.completion != Completion::Complete {
                    case.count("too large");
                    continue;
                }
                let several = shared(parts, &program, memory, &whole(reduce));
                prop_assert_eq!(numbers(&several), numbers(&one), "{:?} {:?}", memory, reduce);
                prop_assert_eq!(&several.reached, &one.reached);
                prop_assert_eq!(several.bounds_met, one.bounds_met);
                prop_assert_eq!(several.found.len(), one.found.len());
                for found in &several.found {
                    let same = |other: &Found| other.finding.same_kind(found.finding);
                    prop_assert!(one.found.iter().any(same));
                    case.count("findings");
                }
                case.count("compared");
            }
        }
        Ok(())
    });
    tally.at_least("compared", 1_000).at_least("findings", 100);
}
