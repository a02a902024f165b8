//! The subset construction (Rabin and Scott): a nondeterministic automaton as a deterministic
//! machine whose states are sets of states.
//!
//! In the worst case there are exponentially many sets. That is the nature of the thing (the third
//! letter from the end is an `a`), and the reason why [`explore`](crate::explore) has a limit.

use crate::automaton::{Letter, Table};
use crate::explore::{Deterministic, TooLarge, explore};
use crate::hash::FastSet;

/// A nondeterministic automaton given by its step function.
pub(crate) trait Nondeterministic {
    fn starts(&self) -> Vec<u32>;

    fn accepts(&self, state: u32) -> bool;

    /// Calls `out` with every edge of `state`, in any order.
    fn edges(&self, state: u32, out: &mut dyn FnMut(Letter, u32));

    /// Calls `out` with every state that `state` may become without reading a letter.
    fn silent(&self, _state: u32, _out: &mut dyn FnMut(u32)) {}
}

/// The reachable sets of states of `machine`, as a table.
pub(crate) fn determinise<N>(machine: &N, limit: usize) -> Result<Table, TooLarge>
where
    N: Nondeterministic,
{
    explore(&Subsets(machine), limit)
}

struct Subsets<'a, N>(&'a N);

impl<N: Nondeterministic> Subsets<'_, N> {
    /// The set with everything that can be reached silently: sorted, so that equal sets are equal
    /// slices.
    fn close(&self, mut set: Vec<u32>) -> Box<[u32]> {
        set.sort_unstable();
        set.dedup();
        let mut seen: FastSet<u32> = FastSet::default();
        let mut at = 0;
        while at < set.len() {
            taut_budget::tick();
            let state = set[at];
            at += 1;
            self.0.silent(state, &mut |to| {
                if seen.is_empty() {
                    seen.extend(&set);
                }
                if seen.insert(to) {
                    set.push(to);
                }
            });
        }
        set.sort_unstable();
        set.into()
    }
}

impl<N: Nondeterministic> Deterministic for Subsets<'_, N> {
    type State = Box<[u32]>;

    fn start(&self) -> Box<[u32]> {
        self.close(self.0.starts())
    }

    fn accepts(&self, set: &Box<[u32]>) -> bool {
        set.iter().any(|&state| self.0.accepts(state))
    }

    fn edges(&self, set: &Box<[u32]>, out: &mut Vec<(Letter, Box<[u32]>)>) {
        let mut edges = Vec::new();
        for &state in set {
            self.0.edges(state, &mut |letter, to| edges.push((letter, to)));
        }
        edges.sort_unstable();
        for group in edges.chunk_by(|one, other| one.0 == other.0) {
            let targets = group.iter().map(|edge| edge.1).collect();
            out.push((group[0].0, self.close(targets)));
        }
    }
}
