//! Components that several threads put together: sets of nodes that are united for good.
//!
//! After Bloemen, Laarman and van de Pol, *Multi-core on-the-fly SCC decomposition* (PPoPP 2016). A set stands
//! for a part of a strongly connected component. It knows which threads are inside it, which marks its
//! transitions have, and which of its nodes still have transitions to follow; what one thread finds out, all
//! know at once. Nothing is locked but the two ends of a union, for a few instructions.
//!
//! - **Sets** are trees over the nodes: a node's parent has a greater number, a root is its own parent. Only
//!   roots are joined, the smaller below the greater, and the smaller is locked while it is: so no circle comes
//!   about, whoever joins what.
//! - **Lists.** The nodes of a set form a circle. To unite two, the successors of a busy node of each are
//!   swapped; these two are locked meanwhile, that of the smaller root first, so that nobody waits for
//!   somebody who waits for him. A node that is done stays in the circle until it is skipped; a circle of one
//!   done node means that the component is complete.
//! - **What belongs to a root** (threads, marks) is passed on by who joins it *after* it has its new parent;
//!   who adds to a root looks afterwards whether it still is one, and if not adds to the next. One of the two
//!   sees the other. It is the store-buffer test, so these accesses are sequentially consistent.
//!
//! Links are kept as differences (exclusive or) from the own number, so that zeroes are nodes by themselves.

use std::io;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use taut_explicit::checkpoint::{Reader, Saved, Writer, damaged};
use taut_explicit::store::chunks::Chunks;

/// The most threads: one bit each.
pub(super) const MOST_THREADS: usize = 32;

/// A root: free, about to be joined to another, or of a component that is complete.
const FREE: u32 = 0;
const JOINING: u32 = 1;
const COMPLETE: u32 = 2;

/// A node in its circle: with transitions to follow, its successor about to change, or done.
const BUSY: u32 = 0;
const SWAPPING: u32 = 1;
const DONE: u32 = 2;

/// What is kept for a node.
struct Node<'s> {
    parent: &'s AtomicU32,
    next: &'s AtomicU32,
    /// The threads that are inside the set, if this is its root.
    threads: &'s AtomicU32,
    root: &'s AtomicU32,
    list: &'s AtomicU32,
}

/// Numbers kept for a node.
const NODE_WIDTH: usize = 5;

/// What a thread learns when it comes to a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Claim {
    /// It had not been in this set.
    Entered,
    /// It is inside this set already: there is a way from the node to where the thread is.
    Inside,
    /// The component of the node is complete.
    Complete,
}

/// The sets.
pub(super) struct Sets {
    nodes: Chunks<AtomicU32>,
    marks: Chunks<AtomicU64>,
    /// Words of a set of marks.
    words: usize,
}

impl Sets {
    /// Every node by itself, with so many words of marks each.
    pub(super) fn new(words: usize) -> Sets {
        Sets { nodes: Chunks::new(NODE_WIDTH), marks: Chunks::new(words), words }
    }

    /// Forgets which threads are inside of which sets, for so many nodes. No thread is at work.
    pub(super) fn forget_threads(&self, nodes: u32) {
        (0..nodes).for_each(|id| self.node(id).threads.store(0, Ordering::SeqCst));
    }

    /// Writes the sets of so many nodes. No thread is at work.
    pub(super) fn save(&self, nodes: u32, to: &mut Writer<'_>) -> io::Result<()> {
        for id in 0..nodes {
            for number in self.nodes.row(id) {
                number.load(Ordering::SeqCst).save(to)?;
            }
            for mark in self.marks.row(id) {
                mark.load(Ordering::SeqCst).save(to)?;
            }
        }
        Ok(())
    }

    /// Reads the sets of so many nodes, with so many words of marks each.
    pub(super) fn restore(words: usize, nodes: u32, from: &mut Reader<'_>) -> io::Result<Sets> {
        let sets = Sets::new(words);
        for id in 0..nodes {
            for number in sets.nodes.row(id) {
                number.store(u32::restore(from)?, Ordering::SeqCst);
            }
            for mark in sets.marks.row(id) {
                mark.store(u64::restore(from)?, Ordering::SeqCst);
            }
            let is_known = sets.parent(id) < nodes && sets.next(id) < nodes;
            // Parents have greater numbers, so that following them ends.
            if !is_known || sets.parent(id) < id {
                return Err(damaged("a set has unknown nodes"));
            }
        }
        Ok(sets)
    }

    /// Bytes held.
    pub(super) fn bytes(&self) -> u64 {
        self.nodes.bytes() + self.marks.bytes()
    }

    #[inline]
    fn node(&self, id: u32) -> Node<'_> {
        let row = self.nodes.row(id);
        Node { parent: &row[0], next: &row[1], threads: &row[2], root: &row[3], list: &row[4] }
    }

    fn parent(&self, id: u32) -> u32 {
        id ^ self.node(id).parent.load(Ordering::SeqCst)
    }

    fn next(&self, id: u32) -> u32 {
        id ^ self.node(id).next.load(Ordering::Acquire)
    }

    fn set_next(&self, id: u32, next: u32) {
        self.node(id).next.store(id ^ next, Ordering::Release);
    }

    /// The root of the set of a node. On the way links are shortened; they only ever lead further up.
    fn find(&self, mut id: u32) -> u32 {
        loop {
            let parent = self.parent(id);
            if parent == id {
                return id;
            }
            let above = self.parent(parent);
            if above != parent {
                self.node(id).parent.store(id ^ above, Ordering::SeqCst);
            }
            id = parent;
        }
    }

    /// Whether two nodes are in one set now.
    pub(super) fn same(&self, a: u32, b: u32) -> bool {
        loop {
            let (a, b) = (self.find(a), self.find(b));
            if a == b {
                return true;
            }
            // If it still is a root it was one while the other was found.
            if self.parent(a) == a {
                return false;
            }
        }
    }

    /// Has a thread enter the set of a node.
    pub(super) fn claim(&self, id: u32, thread: usize) -> Claim {
        let bit = 1 << thread;
        let mut root = self.find(id);
        if self.node(root).root.load(Ordering::SeqCst) == COMPLETE {
            return Claim::Complete;
        }
        // Nobody else sets this thread's bit.
        if self.node(root).threads.load(Ordering::SeqCst) & bit != 0 {
            return Claim::Inside;
        }
        loop {
            self.node(root).threads.fetch_or(bit, Ordering::SeqCst);
            let now = self.find(root);
            if now == root {
                return Claim::Entered;
            }
            root = now;
        }
    }

    /// Unites the sets of two nodes. Both must have a busy node.
    pub(super) fn unite(&self, a: u32, b: u32) {
        let Some((below, above)) = self.lock_smaller(a, b) else { return };
        let (low, high) = if self.find(a) == below { (a, b) } else { (b, a) };
        let (low, high) = (self.lock_busy(low), self.lock_busy(high));
        let (after_low, after_high) = (self.next(low), self.next(high));
        self.set_next(low, after_high);
        self.set_next(high, after_low);
        self.node(below).parent.store(below ^ above, Ordering::SeqCst);
        self.pass_on(below);
        self.node(low).list.store(BUSY, Ordering::Release);
        self.node(high).list.store(BUSY, Ordering::Release);
        self.node(below).root.store(FREE, Ordering::SeqCst);
    }

    /// Locks the smaller root of two sets and gives both roots; none if the sets are one. The greater may
    /// have been joined to another since, which does no harm.
    fn lock_smaller(&self, a: u32, b: u32) -> Option<(u32, u32)> {
        loop {
            let (a, b) = (self.find(a), self.find(b));
            if a == b {
                return None;
            }
            let (below, above) = (a.min(b), a.max(b));
            let lock = self.node(below).root;
            if lock.compare_exchange(FREE, JOINING, Ordering::SeqCst, Ordering::SeqCst).is_err() {
                std::thread::yield_now();
                continue;
            }
            if self.parent(below) == below {
                return Some((below, above));
            }
            lock.store(FREE, Ordering::SeqCst);
        }
    }

    /// Locks a busy node of the circle that a node is in.
    fn lock_busy(&self, mut at: u32) -> u32 {
        loop {
            let list = self.node(at).list;
            match list.compare_exchange(BUSY, SWAPPING, Ordering::AcqRel, Ordering::Acquire) {
                Ok(_) => return at,
                Err(DONE) => at = self.next(at),
                Err(_) => std::thread::yield_now(),
            }
        }
    }

    /// Passes on what belonged to a root that has a parent now.
    fn pass_on(&self, from: u32) {
        let threads = self.node(from).threads.load(Ordering::SeqCst);
        let mut root = self.find(from);
        loop {
            self.node(root).threads.fetch_or(threads, Ordering::SeqCst);
            for i in 0..self.words {
                let marks = self.mark(from, i).load(Ordering::SeqCst);
                self.mark(root, i).fetch_or(marks, Ordering::SeqCst);
            }
            let now = self.find(root);
            if now == root {
                return;
            }
            root = now;
        }
    }

    fn mark(&self, id: u32, word: usize) -> &AtomicU64 {
        &self.marks.row(id)[word]
    }

    /// Adds the marks of a transition inside the set of a node; `all` is then overwritten with those of the
    /// whole set.
    pub(super) fn add_marks(&self, id: u32, marks: &[u64], all: &mut [u64]) {
        let mut root = self.find(id);
        loop {
            for (i, (&mark, all)) in marks.iter().zip(all.iter_mut()).enumerate() {
                let before = self.mark(root, i).load(Ordering::SeqCst);
                *all = before | mark;
                if *all != before {
                    *all |= self.mark(root, i).fetch_or(mark, Ordering::SeqCst);
                }
            }
            let now = self.find(root);
            if now == root {
                return;
            }
            root = now;
        }
    }

    /// A node of the set with transitions to follow. If there is none, the component is complete.
    pub(super) fn busy(&self, start: u32) -> Option<u32> {
        let mut at = start;
        loop {
            if !self.is_done(at) {
                return Some(at);
            }
            let next = self.next(at);
            if next == at {
                self.complete(at);
                return None;
            }
            if !self.is_done(next) {
                return Some(next);
            }
            // Both are done: the second is skipped from now on.
            let after = self.next(next);
            self.set_next(at, after);
            at = after;
        }
    }

    /// Whether all transitions of a node were followed.
    pub(super) fn is_done(&self, id: u32) -> bool {
        self.node(id).list.load(Ordering::Acquire) == DONE
    }

    fn complete(&self, id: u32) {
        let root = self.find(id);
        self.node(root).root.store(COMPLETE, Ordering::SeqCst);
    }

    /// Notes that all transitions of a node were followed; whether this thread is the first to say so.
    pub(super) fn done(&self, id: u32) -> bool {
        let list = self.node(id).list;
        loop {
            match list.compare_exchange(BUSY, DONE, Ordering::AcqRel, Ordering::Acquire) {
                Ok(_) => return true,
                Err(DONE) => return false,
                Err(_) => std::thread::yield_now(),
            }
        }
    }
}
