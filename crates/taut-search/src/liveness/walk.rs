//! What the searches for accepting runs share: nodes seen, the path in hand, limits.

use taut_memory::MemorySystem;

use super::product::{Moves, Opened, Product, Room};
use crate::explore::Completion;
use crate::limits::{Limit, Patience, Standing, Watch};
use crate::machine::{BoundsMet, Scratch};
use crate::store::{Inserted, StateId, StateStore};

/// Nodes visited between two looks at the limits.
const BETWEEN_LOOKS: u64 = 64;

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

/// What ends a search though nothing was found.
#[derive(Clone, Copy)]
pub(super) struct Terms<'a> {
    pub(super) watch: &'a Watch,
    /// End as soon as a spawn finds no process.
    pub(super) spawn_all: bool,
    /// End as soon as a buffer is full.
    pub(super) must_fit: bool,
    /// The number of nodes that one thread visits before others may help; up to there the depth is counted.
    pub(super) alone: usize,
}

impl Terms<'_> {
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
    pub(super) room: Room<'a>,
    /// Transitions followed.
    pub(super) followed: u64,
    pub(super) depth: u64,
    pub(super) peak_bytes: u64,
    /// Bytes held for another search.
    pub(super) beside: u64,
    visited: u64,
}

impl<'a, M: MemorySystem> Walk<'a, M> {
    pub(super) fn new(product: &'a Product<'a, M>, terms: Terms<'a>) -> Walk<'a, M> {
        Walk {
            product,
            terms,
            store: StateStore::new(product.words()),
            elsewhere: 0,
            moves: Moves::default(),
            room: Room::new(product.scratch(Scratch::default()), Patience::new(terms.watch)),
            followed: 0,
            depth: 0,
            peak_bytes: 0,
            beside: 0,
            visited: 0,
        }
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
        if self.visited.is_multiple_of(BETWEEN_LOOKS) { self.look(depth, own_bytes) } else { None }
    }

    fn look(&mut self, depth: usize, own_bytes: u64) -> Option<Ended> {
        let own = own_bytes + self.moves.bytes() + self.beside;
        self.terms.watch.tell(Standing {
            states: self.store.len() as u64,
            transitions: self.followed,
            queue: depth as u64,
            depth: self.depth,
            bytes: self.store.bytes() + own,
        });
        let bytes = self.store.bytes_after(BETWEEN_LOOKS as usize) + own;
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
