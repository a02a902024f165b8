//! Emptiness by strongly connected components, on several threads.
//!
//! The threads share the nodes and the components ([`sets`]); each has a search of its own ([`search`]) and
//! space of its own to open nodes in (`strand`). The first to see an accepting component, or that all are
//! complete, ends the search of all. Which component is found depends on the speed of the threads; whether one is
//! found does not, and neither do the counts of a search that finds none. The caller makes the search again with one
//! thread if a component is found (`Job::shared`).
//!
//! **Checkpoints.** The threads leave their paths and stand still. What they have established is written: the nodes, the
//! sets, which nodes are done, the marks of sets, and the counts, which are those of nodes that are done. All of that stays
//! true without the paths: nodes of one set lead to each other; the transitions of a node that is done lead into its
//! own set or into complete ones, and their marks are in the set; a complete set is a component. Only the bits that say
//! which thread is inside of which set belong to the paths, and are erased. Then the threads, as many as there are now, begin
//! at the initial nodes again. They pass over what is complete or done, so that no more is opened twice than lies on a path.
//! A checkpoint is due only after some thread has made a node done, so that the search gets on however often one is
//! written.

mod nodes;
mod search;
mod sets;
mod strand;

use std::io;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use taut_memory::MemorySystem;

use super::method::Method;
use super::product::Product;
use super::product_dfs::{Ended, Terms, Walk};
use nodes::Nodes;
use search::{Outcome, Thread};
use sets::{MOST_THREADS, Sets};
use strand::{Counts, Strand};
use taut_explicit::checkpoint::{Extent, Keeper, Reader, Saved};
use taut_explicit::store::StateId;
use taut_explicit::store::shared::Ids;
use taut_machine::bits::BitSet;

/// What all threads share.
struct Shared<'a, M> {
    product: &'a Product<'a, M>,
    terms: Terms<'a>,
    nodes: Nodes,
    sets: Sets,
    /// Numbers for new nodes that each thread has at hand while it stands still.
    hands: Vec<Mutex<Ids>>,
    /// Bytes that each thread holds for itself.
    own_bytes: Vec<AtomicU64>,
    peak_bytes: AtomicU64,
    /// Raised by a thread that sees that a checkpoint is due.
    is_paused: AtomicBool,
}

/// A search that stands still.
pub(super) struct Standstill {
    nodes: Nodes,
    sets: Sets,
    counts: Counts,
    peak_bytes: u64,
    /// The depth of the search that one thread made before.
    depth: u64,
}

impl Standstill {
    /// A search that has not begun.
    pub(super) fn new<M: MemorySystem>(product: &Product<'_, M>, depth: u64) -> Standstill {
        Standstill {
            nodes: Nodes::new(product.words()),
            sets: Sets::new(product.conditions.words()),
            counts: Counts::default(),
            peak_bytes: 0,
            depth,
        }
    }

    /// Reads a search.
    pub(super) fn restore<M: MemorySystem>(
        product: &Product<'_, M>,
        from: &mut Reader<'_>,
    ) -> io::Result<Standstill> {
        let nodes = Nodes::restore(product.words(), from)?;
        let sets = Sets::restore(product.conditions.words(), nodes.numbers(), from)?;
        let counts = Counts::restore(from)?;
        let (peak_bytes, depth) = Saved::restore(from)?;
        Ok(Standstill { nodes, sets, counts, peak_bytes, depth })
    }
}

impl<M> Shared<'_, M> {
    fn hand(&self, thread: usize) -> MutexGuard<'_, Ids> {
        self.hands[thread].lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes the search. All threads stand still.
    fn keep(&self, keeper: &Keeper, counts: Counts, depth: u64) {
        self.sets.forget_threads(self.nodes.numbers());
        let bytes = self.nodes.bytes() + self.sets.bytes();
        keeper.save(Extent { states: self.nodes.len(), bytes }, |to| {
            Method::Shared.save(to)?;
            self.nodes.save(to)?;
            self.sets.save(self.nodes.numbers(), to)?;
            counts.save(to)?;
            (self.peak_bytes.load(Ordering::Relaxed), depth).save(to)
        });
    }
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
    standstill: Standstill,
) -> (Walk<'a, M>, Ended, BitSet) {
    let threads = threads.min(MOST_THREADS);
    let Standstill { nodes, sets, mut counts, peak_bytes, depth } = standstill;
    let shared = Shared {
        product,
        terms,
        nodes,
        sets,
        hands: (0..threads).map(|_| Mutex::default()).collect(),
        own_bytes: (0..threads).map(|_| AtomicU64::new(0)).collect(),
        peak_bytes: AtomicU64::new(peak_bytes),
        is_paused: AtomicBool::new(false),
    };
    let ended = loop {
        let (outcomes, new): (Vec<_>, Vec<_>) = run(&shared, threads).into_iter().unzip();
        new.into_iter().for_each(|new| counts.add(new));
        let ended = outcomes.into_iter().min_by_key(rank).unwrap_or(Outcome::Nothing);
        let is_paused = shared.is_paused.swap(false, Ordering::Relaxed);
        let is_cut = matches!(ended, Outcome::Ended(ended) if ended.is_cut());
        let Some(keeper) = terms.keeper.filter(|_| is_cut) else { break ended };
        shared.keep(keeper, counts, depth);
        if !is_paused {
            break ended;
        }
    };
    let mut walk = walk(&shared, counts);
    walk.depth = depth;
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
        let ids = std::mem::take(&mut *shared.hand(number));
        let strand = Strand::new(shared, number, ids);
        let mut thread = Thread::new(strand, &shared.sets, number, stop);
        let outcome = all(shared, &mut thread);
        stop.store(true, Ordering::Relaxed);
        let counts = thread.guide.counts();
        *shared.hand(number) = thread.guide.into_ids();
        (outcome, counts)
    };
    let faults = taut_fault::current();
    std::thread::scope(|scope| {
        // Each thread walks through everything, so fewer of them, as where memory is short, are enough.
        let start = |number| {
            let walk = &walk;
            std::thread::Builder::new()
                .spawn_scoped(scope, move || faults.during(|| walk(number)))
                .ok()
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
    for node in shared.product.initial() {
        let id = thread.guide.begin(&node);
        let outcome = thread.search(id);
        if outcome != Outcome::Nothing {
            return outcome;
        }
    }
    Outcome::Nothing
}

/// What was walked through, as if one thread had done it, but for the nodes.
fn walk<'a, M: MemorySystem>(shared: &Shared<'a, M>, counts: Counts) -> Walk<'a, M> {
    let mut walk = Walk::new(shared.product, shared.terms);
    walk.peak_bytes = shared.peak_bytes.load(Ordering::Relaxed).max(shared.bytes());
    walk.elsewhere = shared.nodes.len();
    walk.followed = counts.transitions;
    walk.room.passed = counts.held;
    walk.room.bounds_met = counts.bounds_met;
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
