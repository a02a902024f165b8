//! Waiting for one acceptance set after the other.

use std::collections::HashMap;

use crate::automaton::{Automaton, Edge, State};
use crate::simplify::{Components, needed};

/// The copies of states made so far, each with its number.
#[derive(Default)]
pub(super) struct Copies {
    pub list: Vec<(u32, usize)>,
    numbers: HashMap<(u32, usize), u32>,
    first: HashMap<u32, u32>,
}

impl Copies {
    /// The number of a copy, made if it is new.
    pub fn number(&mut self, state: u32, level: usize) -> u32 {
        let next = self.list.len() as u32;
        let number = *self.numbers.entry((state, level)).or_insert(next);
        if number == next {
            self.list.push((state, level));
            self.first.entry(state).or_insert(next);
        }
        number
    }

    /// The first copy of a state, made at this level if there is none.
    fn any(&mut self, state: u32, level: usize) -> u32 {
        match self.first.get(&state) {
            Some(number) => *number,
            None => self.number(state, level),
        }
    }
}

/// What kind of automaton is wanted.
#[derive(Clone, Copy)]
pub(super) struct Wish {
    /// Marks on states: one level more, which is accepting.
    pub by_state: bool,
    /// Components are entered at the accepting level.
    pub enter_full: bool,
}

/// Degeneralisation.
pub(super) struct Levels<'a> {
    automaton: &'a Automaton,
    wish: Wish,
    components: Components,
    /// The sets each component waits for, in order.
    waits: Vec<Vec<u32>>,
    copies: Copies,
}

impl<'a> Levels<'a> {
    /// `order`: the rank of each set.
    pub fn new(automaton: &'a Automaton, wish: Wish, order: &[usize]) -> Levels<'a> {
        let components = Components::new(automaton);
        let waits = (0..components.accepting.len() as u32).map(|c| {
            let mut sets = needed(automaton, &components, c);
            sets.sort_by_key(|set| order[*set as usize]);
            sets
        });
        let waits = waits.collect();
        Levels { automaton, wish, components, waits, copies: Copies::default() }
    }

    pub fn run(mut self) -> Automaton {
        let initial = self.automaton.initial.iter().map(|s| self.enter(*s)).collect();
        let mut states = vec![];
        while let Some(&(from, level)) = self.copies.list.get(states.len()) {
            taut_budget::tick();
            let automaton = self.automaton;
            let old = &automaton.states[from as usize];
            let edges = old.edges.iter().map(|edge| self.edge(from, level, edge)).collect();
            states.push(State { edges, name: old.name.clone() });
        }
        Automaton { states, initial, sets: 1, ..self.automaton.clone() }
    }

    /// The sets that the component of a state waits for, if it is accepting.
    fn waits(&self, state: u32) -> Option<&[u32]> {
        let component = self.components.of[state as usize] as usize;
        self.components.accepting[component].then_some(&self.waits[component][..])
    }

    /// The copy of a state that a run begins in, or that an edge from another component leads to.
    fn enter(&mut self, state: u32) -> u32 {
        taut_budget::tick();
        let full = self.waits(state).map_or(0, <[u32]>::len);
        let level = if self.wish.by_state && self.wish.enter_full { full } else { 0 };
        self.copies.any(state, level)
    }

    fn edge(&mut self, from: u32, level: usize, edge: &Edge) -> Edge {
        taut_budget::tick();
        let waits = self.waits(from);
        let full = waits.is_some_and(|waits| level == waits.len());
        let (target, completes) = match (self.components.around(from as usize, edge), waits) {
            (None, _) => (self.enter(edge.target), false),
            (Some(_), None) => (self.copies.number(edge.target, 0), false),
            (Some(_), Some(waits)) => {
                let (level, completes) = match self.wish.by_state {
                    true => (advance_state(waits, level, edge.accepts), false),
                    false => advance_edge(waits, level, edge.accepts),
                };
                (self.copies.number(edge.target, level), completes)
            }
        };
        let accepts = if self.wish.by_state { full } else { completes };
        Edge { guard: edge.guard.clone(), target, accepts: accepts as u64 }
    }
}

/// The level that marks lead to from a level.
fn pass(waits: &[u32], level: usize, marks: u64) -> usize {
    level + waits[level..].iter().take_while(|set| marks >> **set & 1 == 1).count()
}

/// The level after an edge, and whether it completes a round.
fn advance_edge(waits: &[u32], level: usize, marks: u64) -> (usize, bool) {
    let reached = pass(waits, level, marks);
    if reached < waits.len() {
        return (reached, false);
    }
    // The round is complete; the edge counts for the next one too, unless it would complete that as
    // well.
    let again = pass(waits, 0, marks);
    (if again < waits.len() { again } else { 0 }, true)
}

/// The level after an edge if the last level is the accepting one.
fn advance_state(waits: &[u32], level: usize, marks: u64) -> usize {
    pass(waits, if level == waits.len() { 0 } else { level }, marks)
}
