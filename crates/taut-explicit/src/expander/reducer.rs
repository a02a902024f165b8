//! The expander of a search that may leave something out: stubborn sets and symmetry in one place.
//!
//! A search sees the successors of a stubborn set only, and in each of them equal processes sorted. With neither
//! it is the machine itself.
//!
//! Whether a buffer can be full is found out once. Breadth first, that counts from the next level on, so
//! that what a state leads to depends on its level and on nothing else: not on the number of threads, and the same
//! when a run is rebuilt.

use std::sync::atomic::{AtomicUsize, Ordering};

use taut_ir::Finding;
use taut_memory::MemorySystem;

use super::{Expander, Expansion, Space};
use crate::reduce::Reduction;
use crate::reduce::symmetry::Symmetry;
use taut_machine::{Bound, Machine, Provenance, Sink};

/// Expands the states of one search.
pub(crate) struct Reducer<'m, M> {
    machine: &'m Machine<M>,
    reduction: Option<Reduction>,
    symmetry: Symmetry,
    /// The first level at which it is known that a buffer can be full.
    full_from: AtomicUsize,
}

impl<'m, M: MemorySystem> Reducer<'m, M> {
    pub(crate) fn new(
        machine: &'m Machine<M>,
        reduction: Option<Reduction>,
        symmetry: Symmetry,
    ) -> Reducer<'m, M> {
        Reducer { machine, reduction, symmetry, full_from: AtomicUsize::new(usize::MAX) }
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
        Space { scratch, chooser, sorted }: &mut Space,
        sink: &mut impl Sink,
    ) -> Expansion {
        let mut sink = Sorting { sink, symmetry: &self.symmetry, sorted, changed: 0 };
        if let Some(reduction) = &self.reduction {
            let keep_buffer_full = level < self.full_from.load(Ordering::Relaxed);
            let space = (chooser, &mut *scratch);
            if reduction.expand(self.machine, (state, keep_buffer_full), space, &mut sink) {
                return Expansion { alive: true, reduced: true, sorted: sink.changed };
            }
        }
        let alive = self.machine.expand(state, scratch, &mut sink);
        Expansion { alive, reduced: false, sorted: sink.changed }
    }

    fn expand_fully(&self, state: &[u64], space: &mut Space, sink: &mut impl Sink) -> u64 {
        let Space { scratch, sorted, .. } = space;
        let mut sink = Sorting { sink, symmetry: &self.symmetry, sorted, changed: 0 };
        self.machine.expand(state, scratch, &mut sink);
        sink.changed
    }

    fn symmetry(&self) -> Option<&Symmetry> {
        Some(&self.symmetry).filter(|symmetry| !symmetry.is_trivial())
    }

    fn buffers_can_be_full(&self, level: usize) {
        self.full_from.fetch_min(level, Ordering::Relaxed);
    }

    fn full_from(&self) -> usize {
        self.full_from.load(Ordering::Relaxed)
    }
}

/// Sorts equal processes in states on their way to a sink.
struct Sorting<'s, S> {
    sink: &'s mut S,
    symmetry: &'s Symmetry,
    sorted: &'s mut Vec<u64>,
    /// How many states were not sorted.
    changed: u64,
}

impl<S: Sink> Sink for Sorting<'_, S> {
    #[inline]
    fn successor(&mut self, way: Provenance, state: &[u64]) {
        if self.symmetry.is_trivial() {
            return self.sink.successor(way, state);
        }
        self.sorted.clear();
        self.sorted.extend_from_slice(state);
        self.changed += u64::from(self.symmetry.canonicalise(self.sorted));
        debug_assert!(!self.symmetry.canonicalise(&mut self.sorted.clone()), "sorted is sorted");
        self.sink.successor(way, self.sorted);
    }

    fn finding(&mut self, way: Provenance, finding: Finding) {
        self.sink.finding(way, finding);
    }

    fn blocked(&mut self, bound: Bound) {
        self.sink.blocked(bound);
    }

    fn passed(&mut self, actions: u64) {
        self.sink.passed(actions);
    }

    fn go_on(&mut self, bytes: u64) -> bool {
        self.sink.go_on(bytes)
    }
}
