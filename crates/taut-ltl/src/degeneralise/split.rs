//! From marks on edges to marks on states: a state that is entered by accepting edges and by others
//! is split in two.

use super::levels::Copies;
use crate::automaton::{Automaton, Edge, State};
use crate::simplify::Components;

/// The construction, on an automaton with at most one acceptance set.
pub(super) struct Split<'a> {
    automaton: &'a Automaton,
    components: Components,
    /// For each state how the edges of its component enter and leave it.
    traffic: Vec<Traffic>,
    copies: Copies,
}

#[derive(Clone, Copy, Default)]
struct Traffic {
    accepting_in: bool,
    plain_in: bool,
    accepting_out: bool,
    plain_out: bool,
}

impl<'a> Split<'a> {
    pub fn new(automaton: &'a Automaton) -> Split<'a> {
        let components = Components::new(automaton);
        let mut traffic = vec![Traffic::default(); automaton.states.len()];
        for (from, state) in automaton.states.iter().enumerate() {
            for edge in &state.edges {
                if components.accepting_around(from, edge).is_none() {
                    continue;
                }
                let accepting = automaton.sets == 0 || edge.accepts & 1 == 1;
                let to = edge.target as usize;
                traffic[to].accepting_in |= accepting;
                traffic[to].plain_in |= !accepting;
                traffic[from].accepting_out |= accepting;
                traffic[from].plain_out |= !accepting;
            }
        }
        Split { automaton, components, traffic, copies: Copies::default() }
    }

    /// Copy 1 of a state is accepting, copy 0 is not.
    pub fn run(mut self) -> Automaton {
        let initial = self.automaton.initial.iter().map(|s| self.enter(*s, None)).collect();
        let mut states = vec![];
        while let Some(&(from, level)) = self.copies.list.get(states.len()) {
            taut_budget::tick();
            let automaton = self.automaton;
            let old = &automaton.states[from as usize];
            let edge = |edge: &Edge| {
                let inside = self.components.accepting_around(from as usize, edge);
                let marked = automaton.sets == 0 || edge.accepts & 1 == 1;
                let target = self.enter(edge.target, inside.map(|_| marked));
                Edge { guard: edge.guard.clone(), target, accepts: level as u64 }
            };
            let edges = old.edges.iter().map(edge).collect();
            states.push(State { edges, name: old.name.clone() });
        }
        Automaton { states, initial, sets: 1, ..self.automaton.clone() }
    }

    /// The copy that an edge leads to; `marked` is the mark of an edge inside a component.
    fn enter(&mut self, state: u32, marked: Option<bool>) -> u32 {
        taut_budget::tick();
        let traffic = self.traffic[state as usize];
        // If all edges that leave are accepting, so is the state, however it is entered; and if
        // none enters both ways there is nothing to tell apart.
        if traffic.accepting_out && !traffic.plain_out {
            return self.copies.number(state, 1);
        }
        if traffic.accepting_in && !traffic.plain_in {
            return self.copies.number(state, 1);
        }
        match marked {
            Some(marked) => self.copies.number(state, marked as usize),
            None => self.copies.number(state, 0),
        }
    }
}
