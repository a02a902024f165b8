//! Emptiness by strongly connected components, on several threads.
//!
//! The threads share the nodes and the components ([`sets`]); each has a search of its own ([`search`]) and
//! space of its own to open nodes in (`strand`). The first to see an accepting component, or that all are
//! complete, ends the search of all. Which component is found depends on the speed of the threads; whether one is
//! found does not, and neither do the counts of a search that finds none. The caller makes the search again with one
//! thread if a component is found (`Job::components`).

mod nodes;
mod search;
mod sets;
mod strand;

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use taut_memory::MemorySystem;

use super::product::Product;
use super::walk::{Ended, Terms, Walk};
use crate::bits::BitSet;
use crate::store::StateId;
use crate::store::shared::Ids;
use nodes::Nodes;
use search::{Outcome, Thread};
use sets::{MOST_THREADS, Sets};
use strand::{Counts, Strand};

/// What all threads share.
struct Shared<'a, M> {
    product: &'a Product<'a, M>,
    terms: Terms<'a>,
    nodes: Nodes,
    sets: Sets,
    /// Bytes that each thread holds for itself.
    own_bytes: Vec<AtomicU64>,
    peak_bytes: AtomicU64,
}

impl<M> Shared<'_, M> {
    fn bytes(&self) -> u64 {
        let own: u64 = self.own_bytes.iter().map(|b| b.load(Ordering::Relaxed)).sum();
        self.nodes.bytes() + self.sets.bytes() + own
    }
}

/// Looks for an accepting cycle. If there is one, it is among the nodes of the set.
pub(super) fn search<'a, M: MemorySystem + Sync>(
    product: &'a Product<'a, M>,
    terms: Terms<'a>,
    threads: usize,
) -> (Walk<'a, M>, Ended, BitSet) {
    let threads = threads.min(MOST_THREADS);
    let shared = Shared {
        product,
        terms,
        nodes: Nodes::new(product.words()),
        sets: Sets::new(product.conditions.words()),
        own_bytes: (0..threads).map(|_| AtomicU64::new(0)).collect(),
        peak_bytes: AtomicU64::new(0),
    };
    let (outcomes, counts): (Vec<_>, Vec<_>) = run(&shared, threads).into_iter().unzip();
    let ended = outcomes.into_iter().min_by_key(rank).unwrap_or(Outcome::Nothing);
    let mut walk = walk(&shared, &counts);
    let mut members = BitSet::default();
    let ended = match ended {
        Outcome::Nothing | Outcome::Stopped => Ended::Empty,
        Outcome::Ended(Ended::BadPrefix(node)) => {
            let numbers = walk.take(&shared.nodes);
            Ended::BadPrefix(StateId(numbers[node.0 as usize]))
        }
        Outcome::Ended(ended) => ended,
        Outcome::Cycle(node) => {
            let numbers = walk.take(&shared.nodes);
            let inside = (0..numbers.len() as u32).filter(|&n| shared.sets.same(n, node));
            inside.for_each(|n| members.insert(numbers[n as usize] as usize));
            Ended::Cycle
        }
    };
    (walk, ended, members)
}

/// Which outcome counts if threads come to several. One that saw every component complete is right even if
/// another met a limit meanwhile.
fn rank(outcome: &Outcome<Ended>) -> u8 {
    match outcome {
        Outcome::Cycle(_) | Outcome::Ended(Ended::BadPrefix(_)) => 0,
        Outcome::Nothing => 1,
        Outcome::Ended(_) => 2,
        Outcome::Stopped => 3,
    }
}

fn run<M: MemorySystem + Sync>(
    shared: &Shared<'_, M>,
    threads: usize,
) -> Vec<(Outcome<Ended>, Counts)> {
    let stop = &AtomicBool::new(false);
    let walk = |number| {
        let strand = Strand::new(shared, number);
        let mut thread = Thread::new(strand, &shared.sets, number, stop);
        let outcome = all(shared, &mut thread);
        stop.store(true, Ordering::Relaxed);
        (outcome, thread.guide.counts())
    };
    std::thread::scope(|scope| {
        // Each thread walks through everything, so fewer of them, as where memory is short, are enough.
        let start = |number| {
            let walk = &walk;
            std::thread::Builder::new().spawn_scoped(scope, move || walk(number)).ok()
        };
        let all: Vec<_> = (0..threads).map_while(start).collect();
        if all.is_empty() {
            return vec![walk(0)];
        }
        let ended = all.into_iter().map(|thread| thread.join());
        ended.map(|e| e.unwrap_or_else(|panic| std::panic::resume_unwind(panic))).collect()
    })
}

/// Walks through everything that the initial nodes lead to.
fn all<'s, M: MemorySystem>(
    shared: &'s Shared<'_, M>,
    thread: &mut Thread<'s, Strand<'s, M>>,
) -> Outcome<Ended> {
    let mut ids = Ids::default();
    for node in shared.product.initial() {
        let id = shared.nodes.insert(&node, None, &mut ids);
        let outcome = thread.search(id);
        if outcome != Outcome::Nothing {
            return outcome;
        }
    }
    Outcome::Nothing
}

/// What was walked through, as if one thread had done it, but for the nodes.
fn walk<'a, M: MemorySystem>(shared: &Shared<'a, M>, counts: &[Counts]) -> Walk<'a, M> {
    let mut walk = Walk::new(shared.product, shared.terms);
    walk.peak_bytes = shared.peak_bytes.load(Ordering::Relaxed).max(shared.bytes());
    walk.elsewhere = shared.nodes.len();
    for counts in counts {
        walk.followed += counts.transitions;
        walk.room.passed += counts.held;
        walk.room.bounds_met.join(counts.bounds_met);
    }
    walk
}

impl<M> Walk<'_, M> {
    /// Takes the nodes over; gives their new numbers.
    fn take(&mut self, nodes: &Nodes) -> Vec<u32> {
        let (store, numbers) = nodes.renumbered();
        self.store = store;
        self.elsewhere = 0;
        numbers
    }
}
