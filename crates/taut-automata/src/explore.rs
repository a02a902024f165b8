//! From a step function to a table: a breadth-first walk over whatever the states are.
//!
//! Products, the subset construction and the constructions of `split` differ only in what a state
//! is and how it steps. Each is a [`Deterministic`] machine; this walk numbers the states it can
//! reach, and gives up beyond a limit. It is the only place where a table can grow beyond the
//! automata it comes from.

use std::hash::Hash;

use crate::automaton::{Letter, Table};
use crate::hash::FastMap;

/// More states were needed than the limit allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TooLarge;

/// A deterministic automaton given by its step function.
pub(crate) trait Deterministic {
    type State: Clone + Eq + Hash;

    fn start(&self) -> Self::State;

    fn accepts(&self, state: &Self::State) -> bool;

    /// Pushes the edges of `state` to `out`, sorted by letter, one for each letter at most.
    fn edges(&self, state: &Self::State, out: &mut Vec<(Letter, Self::State)>);
}

/// The table of the states that `machine` can reach, or an error if there are more than `limit`.
pub(crate) fn explore<D: Deterministic>(machine: &D, limit: usize) -> Result<Table, TooLarge> {
    let mut states = vec![machine.start()];
    let mut numbers: FastMap<D::State, u32> = FastMap::default();
    numbers.insert(machine.start(), 0);
    let mut table = Table::default();
    let mut out = Vec::new();
    while table.states() < states.len() {
        taut_budget::tick();
        let state = states[table.states()].clone();
        table.open(machine.accepts(&state));
        machine.edges(&state, &mut out);
        for (letter, to) in out.drain(..) {
            let to = *numbers.entry(to).or_insert_with_key(|new| {
                states.push(new.clone());
                (states.len() - 1) as u32
            });
            table.edge(letter, to);
        }
        if states.len() > limit {
            return Err(TooLarge);
        }
    }
    Ok(table)
}
