//! State elimination: expressions on the edges, and one state less at a time.

use super::expression::{Expression, concat, star};
use super::union::union;
use crate::automaton::Automaton;

/// Automata with more states are not tried: nobody reads what would come out.
const MOST_STATES: usize = 40;
/// An expression that costs more than this is given up. Bounds the depth of expressions, too.
const MOST_COST: usize = 2_000;
/// Up to here every order of elimination is tried: 24 of them.
const ALL_ORDERS: usize = 4;

/// The shortest expression found for an automaton, or none if that is too long.
pub(super) fn shortest(automaton: &Automaton) -> Option<Expression> {
    let states = automaton.states();
    if states > MOST_STATES {
        return None;
    }
    let tried: Vec<Expression> = if states <= ALL_ORDERS {
        orders(states).into_iter().filter_map(|order| by_order(automaton, &order)).collect()
    } else {
        [false, true].into_iter().filter_map(|late| by_weight(automaton, late)).collect()
    };
    // The first of the shortest: the result does not depend on anything but the automaton.
    tried.into_iter().min_by_key(Expression::cost)
}

/// All orders of `0..count`, least first.
fn orders(count: usize) -> Vec<Vec<usize>> {
    let mut orders = vec![Vec::new()];
    for _ in 0..count {
        orders = orders
            .iter()
            .flat_map(|order| {
                let left = (0..count).filter(|state| !order.contains(state));
                left.map(|state| order.iter().copied().chain([state]).collect())
            })
            .collect();
    }
    orders
}

fn by_order(automaton: &Automaton, order: &[usize]) -> Option<Expression> {
    let mut graph = Graph::new(automaton);
    order.iter().try_for_each(|&state| graph.eliminate(state))?;
    Some(graph.result())
}

/// Always eliminates the state that makes the others' edges the least longer (Delgado and Morais);
/// of several the first, or the last if `late`.
fn by_weight(automaton: &Automaton, late: bool) -> Option<Expression> {
    let mut graph = Graph::new(automaton);
    let mut left: Vec<usize> = (0..automaton.states()).collect();
    if late {
        left.reverse();
    }
    while let Some(at) = (0..left.len()).min_by_key(|&at| graph.weight(left[at])) {
        taut_budget::tick();
        graph.eliminate(left.remove(at))?;
    }
    Some(graph.result())
}

/// Expressions between the states, and from a state before the start to one after all accepting
/// ones.
struct Graph {
    edges: Vec<Vec<Expression>>,
    before: usize,
    after: usize,
}

impl Graph {
    fn new(automaton: &Automaton) -> Self {
        let states = automaton.states();
        let (before, after) = (states, states + 1);
        let mut edges = vec![vec![Expression::Empty; states + 2]; states + 2];
        edges[before][0] = Expression::Epsilon;
        for (from, row) in edges.iter_mut().enumerate().take(states) {
            let mut letters = vec![Vec::new(); states];
            for &(letter, to) in automaton.edges_from(from as u32) {
                letters[to as usize].push(Expression::Letter(letter));
            }
            for (to, letters) in letters.into_iter().enumerate() {
                row[to] = union(letters);
            }
            if automaton.accepts(from as u32) {
                row[after] = Expression::Epsilon;
            }
        }
        Graph { edges, before, after }
    }

    /// The states with an edge to `state`, and those with an edge from it, but for itself.
    fn neighbours(&self, state: usize) -> (Vec<usize>, Vec<usize>) {
        let all = || (0..self.edges.len()).filter(move |&other| other != state);
        let into = all().filter(|&from| self.edges[from][state] != Expression::Empty).collect();
        let out = all().filter(|&to| self.edges[state][to] != Expression::Empty).collect();
        (into, out)
    }

    /// What eliminating `state` would add to the expressions, about.
    fn weight(&self, state: usize) -> usize {
        let (into, out) = self.neighbours(state);
        let entering: usize = into.iter().map(|&from| self.edges[from][state].cost()).sum();
        let leaving: usize = out.iter().map(|&to| self.edges[state][to].cost()).sum();
        let around = self.edges[state][state].cost();
        entering * out.len() + leaving * into.len() + around * into.len() * out.len()
    }

    /// Takes `state` out: whoever went through it goes directly now. None if that gets too long.
    fn eliminate(&mut self, state: usize) -> Option<()> {
        let (into, out) = self.neighbours(state);
        let around = star(std::mem::replace(&mut self.edges[state][state], Expression::Empty));
        for &from in &into {
            let enter = std::mem::replace(&mut self.edges[from][state], Expression::Empty);
            for &to in &out {
                let leave = self.edges[state][to].clone();
                let through = concat(vec![enter.clone(), around.clone(), leave]);
                let direct = std::mem::replace(&mut self.edges[from][to], Expression::Empty);
                let both = union(vec![direct, through]);
                if both.cost() > MOST_COST {
                    return None;
                }
                self.edges[from][to] = both;
            }
        }
        out.iter().for_each(|&to| self.edges[state][to] = Expression::Empty);
        Some(())
    }

    fn result(mut self) -> Expression {
        std::mem::replace(&mut self.edges[self.before][self.after], Expression::Empty)
    }
}
