//! From several acceptance sets to one, and from marks on edges to marks on states.
//!
//! *Degeneralisation*: a copy of the automaton waits for the first set, then for the second, and so
//! on; the edge that completes a round is accepting, or the state that it leads to. As in Babiak,
//! Badie, Duret-Lutz, Křetínský and Strejček (SPIN 2013) each component counts the sets it needs
//! only, an edge may pass several sets at once, and an edge into another component, where the count
//! is free, goes to a copy that is there already.
//!
//! Which automaton comes out smallest depends on the order of the sets and on where the count
//! begins; all of a few choices are made and the best result is taken. Property automata are small,
//! so that costs little.

mod levels;
mod split;

use crate::automaton::{Automaton, State};
use levels::{Levels, Wish};
use split::Split;

/// Up to so many sets every order of waiting for them is tried.
const MOST_ORDERED: usize = 4;
/// Up to so many states of the first result other choices are tried.
const MOST_TRIED: usize = 64;

impl Automaton {
    /// An equivalent automaton with at most one acceptance set, simplified again.
    pub fn degeneralised(&self) -> Automaton {
        if self.sets <= 1 {
            return self.clone();
        }
        let by_edge = Wish { by_state: false, enter_full: false };
        self.best(|order| Levels::new(self, by_edge, order).run().simplified())
    }

    /// An equivalent automaton with at most one acceptance set that has all edges leaving a state
    /// or none: the acceptance of SPIN's never claims. It has one initial state.
    pub fn to_state_based(&self) -> Automaton {
        let start = self.with_one_initial();
        let split = start.best(|order| {
            let by_edge = Wish { by_state: false, enter_full: false };
            let one_set = Levels::new(&start, by_edge, order).run().simplified();
            Split::new(&one_set).run().with_simpler_states()
        });
        let counted = [false, true].map(|enter_full| {
            let by_state = Wish { by_state: true, enter_full };
            start.best(|order| Levels::new(&start, by_state, order).run().with_simpler_states())
        });
        // One that has its marks on states already can only be simplified.
        let ready = (start.sets == 1 && start.is_state_based())
            .then(|| start.clone().with_simpler_states());
        smallest(ready.into_iter().chain([split]).chain(counted))
    }

    /// The automaton or another form of it that is no larger: several sets are worth having only if
    /// they save states, and now and then the detour over other marks leads to fewer states.
    pub(crate) fn with_fewest_states(self) -> Automaton {
        if self.states.len() > MOST_TRIED {
            return self;
        }
        let by_state = self.to_state_based().simplified();
        let forms = [self.degeneralised(), by_state, self];
        forms.into_iter().min_by_key(|form| (form.states.len(), form.sets)).unwrap_or_default()
    }

    /// An equivalent automaton with exactly one initial state.
    fn with_one_initial(&self) -> Automaton {
        let mut automaton = self.clone();
        if automaton.initial.len() != 1 {
            let edges = self.initial.iter().flat_map(|s| self.states[*s as usize].edges.clone());
            let state = State { edges: edges.collect(), name: None };
            automaton.initial = vec![automaton.states.len() as u32];
            automaton.states.push(state);
        }
        automaton
    }

    /// The smallest result over the orders of the sets.
    fn best(&self, make: impl Fn(&[usize]) -> Automaton) -> Automaton {
        let natural: Vec<usize> = (0..self.sets as usize).collect();
        let first = make(&natural);
        if first.states.len() > MOST_TRIED || natural.len() > MOST_ORDERED {
            return first;
        }
        let orders = permutations(natural.len());
        smallest(std::iter::once(first).chain(orders.iter().skip(1).map(|order| make(order))))
    }
}

/// The first of the smallest automata.
fn smallest(automata: impl Iterator<Item = Automaton>) -> Automaton {
    automata.min_by_key(Automaton::weight).unwrap_or_default()
}

/// All orders of so many things, the natural one first.
fn permutations(count: usize) -> Vec<Vec<usize>> {
    let mut all = vec![vec![]];
    for _ in 0..count {
        let longer = all.iter().flat_map(|order: &Vec<usize>| {
            let rest = (0..count).filter(|next| !order.contains(next));
            rest.map(|next| [&order[..], &[next]].concat()).collect::<Vec<_>>()
        });
        all = longer.collect();
    }
    all
}
