//! What one thread has to itself: space to open nodes in, its transitions, its counts.

use std::sync::atomic::Ordering;

use taut_memory::MemorySystem;

use super::Shared;
use super::search::{Guide, LEVEL_BYTES};
use crate::product::{Moves, Opened, ProductScratch};
use crate::product_dfs::Ended;
use taut_explicit::Completion;
use taut_explicit::checkpoint::{Keeper, saved};
use taut_explicit::limits::{Limit, LimitPoll};
use taut_explicit::store::StateId;
use taut_explicit::store::shared::Ids;
use taut_machine::{BoundsMet, Scratch};

pub(super) struct Strand<'s, M> {
    shared: &'s Shared<'s, M>,
    number: usize,
    room: ProductScratch<'s>,
    moves: Moves,
    /// The node that is opened.
    node: Vec<u64>,
    /// For each open node, how many actions led to transient states.
    passed: Vec<u64>,
    /// Numbers for new nodes.
    ids: Ids,
    opened: u64,
    look_mask: u64,
    counts: Counts,
}

/// The counts of one thread.
#[derive(Clone, Copy, Default)]
pub(super) struct Counts {
    /// Transitions of the nodes that this thread was the first to finish.
    pub(super) transitions: u64,
    /// Actions that led to transient states, of the same nodes.
    pub(super) held: u64,
    pub(super) bounds_met: BoundsMet,
    /// Number of these nodes.
    done: u64,
}
saved!(Counts { transitions, held, bounds_met, done });

impl Counts {
    /// Adds those of another thread.
    pub(super) fn add(&mut self, other: Counts) {
        self.transitions += other.transitions;
        self.held += other.held;
        self.bounds_met.join(other.bounds_met);
        self.done += other.done;
    }
}

impl<'s, M: MemorySystem> Strand<'s, M> {
    pub(super) fn new(shared: &'s Shared<'s, M>, number: usize, ids: Ids) -> Strand<'s, M> {
        let scratch = shared.product.scratch(Scratch::default());
        Strand {
            shared,
            number,
            room: ProductScratch::new(scratch, LimitPoll::new(shared.terms.watch)),
            moves: Moves::default(),
            node: vec![0; shared.product.words()],
            passed: Vec::new(),
            ids,
            opened: 0,
            look_mask: shared.terms.look_mask(),
            counts: Counts::default(),
        }
    }

    pub(super) fn counts(&self) -> Counts {
        Counts { bounds_met: self.room.bounds_met, ..self.counts }
    }

    /// The number of a node in which runs begin.
    pub(super) fn begin(&mut self, node: &[u64]) -> u32 {
        self.shared.nodes.insert(node, None, &mut self.ids)
    }

    /// The numbers that are left.
    pub(super) fn into_ids(self) -> Ids {
        self.ids
    }

    /// Whether something ends the search now.
    fn look(&mut self) -> Result<(), Ended> {
        if let Some(limit) = self.room.patience.ended() {
            return Err(Ended::Early(Completion::Limit(limit)));
        }
        if let Some(completion) = self.shared.terms.broken(self.room.bounds_met) {
            return Err(Ended::Early(completion));
        }
        self.opened += 1;
        if self.opened & self.look_mask != 0 {
            return Ok(());
        }
        if self.counts.done > 0 && self.shared.terms.keeper.is_some_and(Keeper::is_due) {
            self.shared.is_paused.store(true, Ordering::Relaxed);
            return Err(Ended::Early(Completion::Limit(Limit::Interrupted)));
        }
        let own = self.moves.bytes() + (self.passed.capacity() * (8 + LEVEL_BYTES)) as u64;
        self.shared.own_bytes[self.number].store(own, Ordering::Relaxed);
        let bytes = self.shared.bytes();
        self.room.patience.beside(bytes);
        match self.shared.terms.watch.check(bytes) {
            Some(limit) => Err(Ended::Early(Completion::Limit(limit))),
            None => {
                self.shared.peak_bytes.fetch_max(bytes, Ordering::Relaxed);
                Ok(())
            }
        }
    }
}

impl<M: MemorySystem> Guide for Strand<'_, M> {
    type End = Ended;

    fn open(&mut self, node: u32) -> Result<(), Ended> {
        self.shared.nodes.read(node, &mut self.node);
        let passed = self.room.passed;
        let product = self.shared.product;
        let opened = product.open(&self.node, &mut self.room, &mut self.moves);
        if opened == Opened::BadPrefix {
            return Err(Ended::BadPrefix(StateId(node)));
        }
        self.passed.push(self.room.passed - passed);
        self.look()
    }

    fn count(&self) -> usize {
        self.moves.len
    }

    fn follow(&mut self, from: u32, at: usize) -> Result<u32, Ended> {
        let words = self.shared.product.words();
        let node = &self.moves.nodes[at * words..(at + 1) * words];
        let nodes = &self.shared.nodes;
        let room = nodes.len() < self.shared.terms.watch.most_states() && !nodes.is_full();
        if !room && !nodes.contains(node) {
            return Err(Ended::Early(Completion::Limit(Limit::States(nodes.len()))));
        }
        Ok(nodes.insert(node, Some(from), &mut self.ids))
    }

    fn marks(&self, at: usize) -> &[u64] {
        let words = self.shared.product.conditions.words();
        &self.moves.marks[at * words..(at + 1) * words]
    }

    fn close(&mut self, count: usize) {
        let product = self.shared.product;
        self.moves.truncate(count, product.words(), product.conditions.words());
        self.passed.pop();
    }

    fn followed(&mut self, transitions: usize) {
        self.counts.transitions += transitions as u64;
        self.counts.done += 1;
        self.counts.held += self.passed.last().copied().unwrap_or(0);
    }

    fn sets(&self) -> usize {
        self.shared.product.conditions.sets()
    }
}
