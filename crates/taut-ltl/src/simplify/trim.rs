//! Leaving out states that no accepting run goes through, and marks that decide nothing.

use crate::automaton::{Automaton, Edge, State};
use crate::scc::components;

/// What the components of an automaton are good for.
pub(crate) struct Components {
    /// The component of each state.
    pub of: Vec<u32>,
    /// Whether some run can stay in the component for ever and accept.
    pub accepting: Vec<bool>,
    /// Whether some run can stay at all.
    pub cyclic: Vec<bool>,
}

impl Components {
    pub fn new(automaton: &Automaton) -> Components {
        let targets = |state: &State| state.edges.iter().map(|e| e.target).collect();
        let successors: Vec<Vec<u32>> = automaton.states.iter().map(targets).collect();
        let (of, count) = components(&successors);
        let mut marks = vec![0; count as usize];
        let mut cyclic = vec![false; count as usize];
        for (state, from) in automaton.states.iter().zip(&of) {
            for edge in state.edges.iter().filter(|e| of[e.target as usize] == *from) {
                marks[*from as usize] |= edge.accepts;
                cyclic[*from as usize] = true;
            }
        }
        let all = automaton.all_sets();
        let accepting = marks.iter().zip(&cyclic).map(|(m, c)| *c && m & all == all).collect();
        Components { of, accepting, cyclic }
    }

    /// The component an edge lies in.
    pub fn around(&self, from: usize, edge: &Edge) -> Option<u32> {
        let component = self.of[from];
        (component == self.of[edge.target as usize]).then_some(component)
    }

    /// The accepting component an edge lies in.
    pub fn accepting_around(&self, from: usize, edge: &Edge) -> Option<u32> {
        self.around(from, edge).filter(|c| self.accepting[*c as usize])
    }
}

/// Leaves out the states that cannot be reached or cannot reach an accepting component, and the
/// edges that no valuation allows. An initial state stays, so that an automaton that accepts
/// nothing has a state.
pub(crate) fn trim(automaton: &mut Automaton) {
    for state in &mut automaton.states {
        state.edges.retain(|edge| !edge.guard.is_false());
    }
    let live = live(automaton);
    automaton.initial.sort();
    automaton.initial.dedup();
    if automaton.initial.iter().any(|s| live[*s as usize]) {
        automaton.initial.retain(|s| live[*s as usize]);
    } else {
        automaton.initial.truncate(1);
    }
    for state in &mut automaton.states {
        state.edges.retain(|edge| live[edge.target as usize]);
    }
    renumber(automaton);
}

/// Which states can reach an accepting component.
fn live(automaton: &Automaton) -> Vec<bool> {
    let components = Components::new(automaton);
    let mut live = components.accepting.clone();
    let mut order: Vec<usize> = (0..automaton.states.len()).collect();
    // Edges between components lead to smaller numbers.
    order.sort_by_key(|s| components.of[*s]);
    for state in order {
        let component = components.of[state] as usize;
        let reaches = |e: &Edge| live[components.of[e.target as usize] as usize];
        live[component] |= automaton.states[state].edges.iter().any(reaches);
    }
    components.of.iter().map(|c| live[*c as usize]).collect()
}

/// Keeps the states that can be reached, numbered as they are met.
pub(crate) fn renumber(automaton: &mut Automaton) {
    let mut numbers = vec![u32::MAX; automaton.states.len()];
    let mut order = vec![];
    let mut meet = |state: u32, order: &mut Vec<u32>| {
        let number = &mut numbers[state as usize];
        if *number == u32::MAX {
            *number = order.len() as u32;
            order.push(state);
        }
        *number
    };
    for initial in &mut automaton.initial {
        *initial = meet(*initial, &mut order);
    }
    let mut states = vec![];
    while let Some(state) = order.get(states.len()) {
        taut_budget::tick();
        let mut state = std::mem::take(&mut automaton.states[*state as usize]);
        for edge in &mut state.edges {
            edge.target = meet(edge.target, &mut order);
        }
        states.push(state);
    }
    automaton.states = states;
}
