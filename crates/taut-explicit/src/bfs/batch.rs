//! The successors of a few states, computed before any of them is looked up, so that lookups overlap.

use taut_ir::{Action, Finding};

use super::log::Origin;
use crate::expander::{Expander, Expansion, Space};
use crate::limits::LimitPoll;
use crate::search::Tally;
use taut_machine::hash::hash;
use taut_machine::{Bound, Provenance, Sink};

/// The successors of a few states of a level.
pub(crate) struct Batch<'w> {
    /// The successors, one after the other, without those that are their own sources.
    pub(crate) states: Vec<u64>,
    pub(crate) hashes: Vec<u64>,
    pub(crate) origins: Vec<Origin>,
    /// What goes wrong in an action, and the position of its source.
    pub(crate) findings: Vec<(u32, Action, Finding)>,
    /// The positions of states in which nothing can happen.
    pub(crate) stuck: Vec<u32>,
    /// The sources that were expanded in part.
    pub(crate) reduced: Vec<Reduced>,
    pub(crate) tally: Tally,
    pub(crate) patience: LimitPoll<'w>,
    /// Where the next successor is found.
    next: Origin,
}

/// A source that was expanded in part.
#[derive(Clone, Copy)]
pub(crate) struct Reduced {
    /// What a successor that was left out starts counting from.
    pub(crate) next: Origin,
    /// Its successors are from here to there in the batch.
    pub(crate) first: usize,
    pub(crate) end: usize,
}

/// Takes the successors of one state into a batch.
struct Successors<'b, 'w> {
    batch: &'b mut Batch<'w>,
    source: &'b [u64],
}

impl Sink for Successors<'_, '_> {
    #[inline]
    fn successor(&mut self, _: Provenance, state: &[u64]) {
        let batch = &mut *self.batch;
        batch.tally.inserted += 1;
        // A step that changes nothing needs no lookup.
        if self.source.iter().zip(state).any(|(a, b)| a != b) {
            batch.states.extend_from_slice(state);
            batch.hashes.push(hash(state));
            batch.origins.push(batch.next);
        }
        batch.next.ordinal += 1;
    }

    fn finding(&mut self, way: Provenance, finding: Finding) {
        self.batch.tally.faults += u64::from(matches!(finding, Finding::Fault(_)));
        self.batch.findings.push((self.batch.next.source, way.action, finding));
    }

    fn blocked(&mut self, bound: Bound) {
        self.batch.tally.bounds_met.note(bound);
    }

    fn through(&mut self, _: &[u64]) {
        self.batch.tally.through += 1;
    }

    fn passed(&mut self, actions: u64) {
        self.batch.tally.passed += actions;
    }

    fn go_on(&mut self, bytes: u64) -> bool {
        let waiting = self.batch.bytes();
        self.batch.patience.lasts(bytes + waiting)
    }
}

impl<'w> Batch<'w> {
    /// An empty batch.
    pub(crate) fn new(patience: LimitPoll<'w>) -> Batch<'w> {
        Batch {
            states: Vec::new(),
            hashes: Vec::new(),
            origins: Vec::new(),
            findings: Vec::new(),
            stuck: Vec::new(),
            reduced: Vec::new(),
            tally: Tally::default(),
            patience,
            next: Origin { source: 0, ordinal: 0 },
        }
    }

    /// Forgets the successors; what was counted stays.
    pub(crate) fn clear(&mut self) {
        self.states.clear();
        self.hashes.clear();
        self.origins.clear();
        self.findings.clear();
        self.stuck.clear();
        self.reduced.clear();
    }

    /// Bytes held.
    pub(crate) fn bytes(&self) -> u64 {
        let words = self.states.capacity() + self.hashes.capacity() + self.origins.capacity();
        words as u64 * 8
    }

    /// Adds the successors of the state at a position of a level, or some of them.
    pub(crate) fn expand(
        &mut self,
        (level, position): (usize, u32),
        source: &[u64],
        expander: &impl Expander,
        space: &mut Space,
    ) {
        let first = self.hashes.len();
        self.tally.expanded += 1;
        self.next = Origin { source: position, ordinal: 0 };
        let mut sink = Successors { batch: self, source };
        let expansion = expander.expand(level, source, space, &mut sink);
        let Expansion { alive, reduced, must_lead_on, tried, sorted } = expansion;
        self.tally.sorted += sorted;
        self.tally.tried += u64::from(tried);
        if !alive {
            self.stuck.push(position);
        }
        self.tally.reduced += u64::from(reduced);
        if must_lead_on {
            self.reduced.push(Reduced { next: self.next, first, end: self.hashes.len() });
        }
    }

    /// Adds the successors of a state that was expanded in part and now is in full.
    pub(crate) fn expand_fully(
        &mut self,
        (level, next): (usize, Origin),
        source: &[u64],
        expander: &impl Expander,
        space: &mut Space,
    ) {
        self.tally.expanded += 1;
        self.next = next;
        let mut sink = Successors { batch: self, source };
        let sorted = expander.expand_fully(level, source, space, &mut sink);
        self.tally.sorted += sorted;
    }
}
