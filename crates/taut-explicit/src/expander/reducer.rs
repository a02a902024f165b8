//! The expander of a search that may leave something out: stubborn sets and symmetry in one place.
//!
//! A search sees the successors of a stubborn set only, and in each of them equal processes sorted. With neither
//! it is the machine itself.
//!
//! Whether a buffer can be full is found out once. Breadth first, that counts from the next level on, so
//! that what a state leads to depends on its level and on nothing else: not on the number of threads, and the same
//! when a run is rebuilt.

use std::sync::atomic::{AtomicUsize, Ordering};

use taut_memory::MemorySystem;

use super::passing::{Outcomes, Passing, PassingSpace};
use super::worth::{Totals, Worth};
use super::{Expander, Expansion, Space};
use crate::reduce::Reduction;
use crate::reduce::symmetry::Symmetry;
use taut_machine::{Machine, Sink};

/// Expands the states of one search.
pub(crate) struct Reducer<'m, M> {
    machine: &'m Machine<M>,
    reduction: Option<Reduction>,
    /// Whether states with one action to follow are passed through.
    passes: bool,
    symmetry: Symmetry,
    /// The first level at which it is known that a buffer can be full.
    full_from: AtomicUsize,
    /// Whether leaving out is worth its cost.
    worth: Worth,
}

impl<'m, M: MemorySystem> Reducer<'m, M> {
    pub(crate) fn new(
        machine: &'m Machine<M>,
        (reduction, passes): (Option<Reduction>, bool),
        symmetry: Symmetry,
    ) -> Reducer<'m, M> {
        let full_from = AtomicUsize::new(usize::MAX);
        Reducer { machine, reduction, passes, symmetry, full_from, worth: Worth::default() }
    }

    /// Whether it is still to be found out at a level that a buffer can be full.
    fn keeps_buffer_full(&self, level: usize) -> bool {
        level < self.full_from.load(Ordering::Relaxed)
    }

    /// Where the outcomes of actions from a state of a level go first.
    fn outcomes<'s, S: Sink>(
        &'s self,
        (reduction, level): (Option<&'s Reduction>, usize),
        sink: &'s mut S,
        (sorted, space): (&'s mut Vec<u64>, &'s mut PassingSpace),
    ) -> Outcomes<'s, M, S> {
        let keep_buffer_full = self.keeps_buffer_full(level);
        let passing = reduction.filter(|_| self.passes).map(|reduction| Passing {
            machine: self.machine,
            reduction,
            keep_buffer_full,
            space,
        });
        Outcomes { sink, symmetry: &self.symmetry, sorted, passing, changed: 0 }
    }
}

impl<M: MemorySystem + Sync> Expander for Reducer<'_, M> {
    fn reduces(&self) -> bool {
        self.reduction.is_some()
    }

    #[inline]
    fn expand(
        &self,
        level: usize,
        state: &[u64],
        Space { scratch, chooser, sorted, passing }: &mut Space,
        sink: &mut impl Sink,
    ) -> Expansion {
        let reduction = self.reduction.as_ref().filter(|_| self.worth.is_tried(level, state));
        let mut sink = self.outcomes((reduction, level), sink, (sorted, passing));
        let mut done = Expansion { tried: reduction.is_some(), ..Expansion::FULL };
        if let Some(reduction) = reduction {
            let space = (chooser, &mut *scratch);
            let in_state = (state, self.keeps_buffer_full(level));
            done.reduced = reduction.expand(self.machine, in_state, space, &mut sink);
            done.must_lead_on = done.reduced && reduction.needs_proviso();
        }
        if !done.reduced {
            done.alive = self.machine.expand(state, scratch, &mut sink);
        }
        done.sorted = sink.changed;
        done
    }

    fn expand_fully(
        &self,
        level: usize,
        state: &[u64],
        space: &mut Space,
        sink: &mut impl Sink,
    ) -> u64 {
        let Space { scratch, sorted, passing, .. } = space;
        let reduction = self.reduction.as_ref();
        let mut sink = self.outcomes((reduction, level), sink, (sorted, passing));
        self.machine.expand(state, scratch, &mut sink);
        sink.changed
    }

    fn symmetry(&self) -> Option<&Symmetry> {
        Some(&self.symmetry).filter(|symmetry| !symmetry.is_trivial())
    }

    fn buffers_can_be_full(&self, level: usize) {
        self.full_from.fetch_min(level, Ordering::Relaxed);
    }

    fn weigh(&self, level: usize, totals: Totals) -> bool {
        self.worth.weigh(level, totals)
    }

    fn noted(&self) -> Vec<u64> {
        let full_from = self.full_from.load(Ordering::Relaxed) as u64;
        [full_from].into_iter().chain(self.worth.noted()).collect()
    }

    fn note_again(&self, noted: &[u64]) -> bool {
        let Some((&full_from, worth)) = noted.split_first() else { return false };
        self.full_from.store(full_from as usize, Ordering::Relaxed);
        self.worth.note_again(worth)
    }
}
