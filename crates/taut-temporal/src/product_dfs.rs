//! What the searches for accepting runs share: nodes seen, the path in hand, limits.

use std::io;

use taut_memory::MemorySystem;

use super::product::{Moves, Opened, Product, ProductScratch};
use taut_explicit::Completion;
use taut_explicit::checkpoint::{Extent, Keeper, Reader, Saved, Writer, damaged, saved};
use taut_explicit::limits::{Limit, LimitMonitor, LimitPoll, ProgressSnapshot};
use taut_explicit::store::{Inserted, StateId, StateStore};
use taut_machine::{BoundsMet, Scratch};

/// Nodes visited between two looks at the limits, a power of two.
const LIMIT_CHECK_INTERVAL: u64 = 64;

/// How a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ended {
    /// No run is accepted.
    Empty,
    /// There is an accepting cycle.
    Cycle,
    /// The run to a node is wrong whatever follows.
    BadPrefix(StateId),
    /// Something else ended it.
    Early(Completion),
}

impl Ended {
    /// Whether a limit ended the search that is met at another place each time.
    pub(super) fn is_cut(self) -> bool {
        matches!(self, Ended::Early(Completion::Limit(limit)) if !limit.is_repeatable())
    }
}

/// A node on the path in hand; its transitions that are still to be followed are `next..end`.
#[derive(Clone, Copy)]
pub(super) struct Frame {
    pub(super) node: StateId,
    pub(super) next: usize,
    pub(super) end: usize,
}

saved!(Frame { node, next, end });

/// Whether frames lie on top of each other, with this number of transitions and these nodes at most.
pub(super) fn are_stacked(frames: &[Frame], moves: usize, nodes: usize) -> bool {
    let mut start = 0;
    frames.iter().all(|&Frame { node, next, end }| {
        let fits = start <= next && next <= end && end <= moves && (node.0 as usize) < nodes;
        start = end;
        fits
    })
}

/// What ends a search though nothing was found.
#[derive(Clone, Copy)]
pub(super) struct Terms<'a> {
    pub(super) watch: &'a LimitMonitor,
    /// End as soon as a spawn finds no process.
    pub(super) spawn_all: bool,
    /// End as soon as a buffer is full.
    pub(super) must_fit: bool,
    /// The number of nodes that one thread visits before others may help; up to there the depth is counted.
    pub(super) alone: usize,
    /// Where the search is kept, if it is.
    pub(super) keeper: Option<&'a Keeper>,
}

impl Terms<'_> {
    /// Nodes visited between two looks at the limits, less one.
    pub(super) fn look_mask(self) -> u64 {
        match self.keeper.is_some_and(Keeper::is_eager) {
            true => 0,
            false => LIMIT_CHECK_INTERVAL - 1,
        }
    }

    /// How a search ends if it has met a bound that was not to be.
    pub(super) fn broken(self, bounds: BoundsMet) -> Option<Completion> {
        if self.spawn_all
            && let Some(def) = bounds.no_process
        {
            return Some(Completion::NoProcess(def));
        }
        (self.must_fit && bounds.buffer).then_some(Completion::FirstFinding)
    }
}

/// A walk through the product.
pub(super) struct Walk<'a, M> {
    pub(super) product: &'a Product<'a, M>,
    pub(super) terms: Terms<'a>,
    pub(super) store: StateStore,
    /// Nodes that several threads have found and that are not in `store`.
    pub(super) elsewhere: u64,
    pub(super) moves: Moves,
    pub(super) room: ProductScratch<'a>,
    /// Transitions followed.
    pub(super) followed: u64,
    pub(super) depth: u64,
    pub(super) peak_bytes: u64,
    /// Bytes held for another search.
    pub(super) beside: u64,
    /// Whether the result depends on the speed of threads.
    pub(super) raced: bool,
    visited: u64,
    look_mask: u64,
    /// Whether a checkpoint is due.
    is_due: bool,
    /// The actions that led to transient states before the last node was opened.
    passed_before: u64,
}

impl<'a, M: MemorySystem> Walk<'a, M> {
    pub(super) fn new(product: &'a Product<'a, M>, terms: Terms<'a>) -> Walk<'a, M> {
        Walk {
            product,
            terms,
            store: StateStore::new(product.words()),
            elsewhere: 0,
            moves: Moves::default(),
            room: ProductScratch::new(
                product.scratch(Scratch::default()),
                LimitPoll::new(terms.watch),
            ),
            followed: 0,
            depth: 0,
            peak_bytes: 0,
            beside: 0,
            raced: false,
            visited: 0,
            look_mask: terms.look_mask(),
            is_due: false,
            passed_before: 0,
        }
    }

    /// Writes the walk, and what the search that makes it has to add, if a checkpoint is due.
    pub(super) fn keep_if_due(&mut self, rest: impl Fn(&mut Writer<'_>) -> io::Result<()>) {
        if std::mem::take(&mut self.is_due) {
            self.keep(rest);
        }
    }

    /// Writes the walk, and what the search that makes it has to add.
    pub(super) fn keep(&self, rest: impl Fn(&mut Writer<'_>) -> io::Result<()>) {
        let Some(keeper) = self.terms.keeper else { return };
        let states = self.store.len() as u64;
        let bytes = self.store.bytes() + self.moves.bytes();
        keeper.save(Extent { states, bytes }, |to| {
            rest(to)?;
            self.store.save(to)?;
            self.moves.save(to)?;
            (self.followed, self.depth).save(to)?;
            (self.peak_bytes, self.visited).save(to)?;
            (self.room.passed, self.room.bounds_met).save(to)
        });
    }

    /// Reads a walk.
    pub(super) fn restore(
        product: &'a Product<'a, M>,
        terms: Terms<'a>,
        from: &mut Reader<'_>,
    ) -> io::Result<Walk<'a, M>> {
        let mut walk = Walk::new(product, terms);
        walk.store = StateStore::restore(product.words(), from)?;
        walk.moves = Moves::restore(from)?;
        (walk.followed, walk.depth) = Saved::restore(from)?;
        (walk.peak_bytes, walk.visited) = Saved::restore(from)?;
        (walk.room.passed, walk.room.bounds_met) = Saved::restore(from)?;
        match walk.moves.is_whole(product.words(), product.conditions.words()) {
            true => Ok(walk),
            false => Err(damaged("transitions are not whole")),
        }
    }

    /// Whether the node that was opened last has transitions that a limit kept from being computed.
    pub(super) fn is_truncated(&self) -> bool {
        self.room.patience.ended().is_some()
    }

    /// Closes the node that was opened last, as if it had not been opened.
    pub(super) fn unopen(&mut self, frame: Frame) {
        self.close(frame.next);
        self.room.passed = self.passed_before;
    }

    /// Stores a node in which runs begin; `None` if it is there.
    pub(super) fn begin(&mut self, node: &[u64]) -> Option<StateId> {
        let own = StateId(self.store.len() as u32);
        match self.store.insert(node, own) {
            Inserted::New(id) => Some(id),
            Inserted::Old(_) => None,
        }
    }

    /// Opens a node: its transitions lie on top of all others.
    pub(super) fn open(&mut self, node: StateId) -> (Frame, Opened) {
        let next = self.moves.len;
        self.passed_before = self.room.passed;
        let opened = self.product.open(self.store.state(node), &mut self.room, &mut self.moves);
        (Frame { node, next, end: self.moves.len }, opened)
    }

    /// Forgets the transitions of a node, which lie on top.
    pub(super) fn close(&mut self, start: usize) {
        self.moves.truncate(start, self.product.words(), self.product.conditions.words());
    }

    /// Follows a transition of a node.
    pub(super) fn follow(&mut self, from: StateId, at: usize) -> Result<Inserted, Ended> {
        self.followed += 1;
        let words = self.product.words();
        let node = &self.moves.nodes[at * words..(at + 1) * words];
        let room = (self.store.len() as u64) < self.terms.watch.most_states();
        if !room && !self.store.contains(node) {
            let limit = Limit::States(self.store.len() as u64);
            return Err(Ended::Early(Completion::Limit(limit)));
        }
        Ok(self.store.insert(node, from))
    }

    /// The marks of a transition.
    pub(super) fn marks(&self, at: usize) -> &[u64] {
        let words = self.product.conditions.words();
        &self.moves.marks[at * words..(at + 1) * words]
    }

    /// Whether the search is to end, and why; asked for every node, with the length of the path in hand and
    /// the bytes that the search holds itself.
    pub(super) fn ended(&mut self, depth: usize, own_bytes: u64) -> Option<Ended> {
        if self.visited < self.terms.alone as u64 {
            self.depth = self.depth.max(depth as u64);
        }
        if let Some(limit) = self.room.patience.ended() {
            return Some(Ended::Early(Completion::Limit(limit)));
        }
        if let Some(completion) = self.terms.broken(self.bounds_met()) {
            return Some(Ended::Early(completion));
        }
        self.visited += 1;
        if self.visited & self.look_mask == 0 { self.look(depth, own_bytes) } else { None }
    }

    fn look(&mut self, depth: usize, own_bytes: u64) -> Option<Ended> {
        self.is_due = self.terms.keeper.is_some_and(Keeper::is_due);
        let own = own_bytes + self.moves.bytes() + self.beside;
        self.terms.watch.publish(ProgressSnapshot {
            states: self.store.len() as u64,
            transitions: self.followed,
            queue: depth as u64,
            depth: self.depth,
            bytes: self.store.bytes() + own,
        });
        let bytes = self.store.bytes_after(LIMIT_CHECK_INTERVAL as usize) + own;
        self.room.patience.beside(self.store.bytes() + own);
        let limit = if self.store.is_full() {
            Some(Limit::States(self.store.len() as u64))
        } else {
            self.terms.watch.check(bytes)
        };
        match limit {
            Some(limit) => Some(Ended::Early(Completion::Limit(limit))),
            None => {
                self.peak_bytes = self.peak_bytes.max(bytes);
                None
            }
        }
    }

    /// The bounds that held a step back.
    pub(super) fn bounds_met(&self) -> BoundsMet {
        self.room.bounds_met
    }
}

impl<M: MemorySystem> Product<'_, M> {
    /// Scratch space that notes what the fairness and the atoms ask for.
    pub(super) fn scratch(&self, scratch: Scratch) -> Scratch {
        let asked = self.conditions.asks_who_moves() || self.machine.watches_enabled();
        if asked { scratch.noting() } else { scratch }
    }
}
