//! Direct simulation, forwards and backwards.
//!
//! State `t` *simulates* `s` if whatever `s` can do `t` can do too, with at least the same marks,
//! and end in a state that simulates the one `s` ends in. Then every word accepted from `s` is
//! accepted from `t`. States that simulate each other are one (Etessami, Wilke, Schuller, "Fair
//! simulation relations, parity games, and state space reduction for Büchi automata", ICALP 2001;
//! for marks on edges, Babiak, Badie, Duret-Lutz, Křetínský, Strejček, "Compositional approach to
//! suspension and other improvements to LTL translation", SPIN 2013). Backwards the same is asked
//! of how states are reached.
//!
//! The relation is the greatest fixed point, computed by removing pairs until none goes: at worst
//! the fourth power of the number of states, so large automata are only compared state by state for
//! equal edges.

use std::collections::HashMap;

use crate::automaton::{Automaton, Edge};
use crate::guard::Cube;

/// Beyond so many states the relation is not computed.
const MOST_STATES: usize = 150;

/// Which state simulates which.
pub(crate) struct Simulation {
    states: usize,
    holds: Vec<bool>,
}

/// One cube of an edge, seen from one of its ends.
#[derive(Clone, Copy)]
struct Move {
    cube: Cube,
    accepts: u64,
    other: u32,
}

impl Simulation {
    /// The simulation by what states can do.
    pub fn forwards(automaton: &Automaton) -> Option<Simulation> {
        let mut moves = vec![vec![]; automaton.states.len()];
        for_each_move(automaton, |from, to, cube, accepts| {
            moves[from as usize].push(Move { cube, accepts, other: to });
        });
        Simulation::greatest(&moves, |_, _| true)
    }

    /// The simulation by how states are reached; `compatible` are pairs that may be related at all.
    pub fn backwards(
        automaton: &Automaton,
        compatible: impl Fn(usize, usize) -> bool,
    ) -> Option<Simulation> {
        let mut moves = vec![vec![]; automaton.states.len()];
        for_each_move(automaton, |from, to, cube, accepts| {
            moves[to as usize].push(Move { cube, accepts, other: from });
        });
        let initial = |s: usize| automaton.initial.contains(&(s as u32));
        Simulation::greatest(&moves, |s, t| compatible(s, t) && (!initial(s) || initial(t)))
    }

    fn greatest(moves: &[Vec<Move>], start: impl Fn(usize, usize) -> bool) -> Option<Simulation> {
        let states = moves.len();
        if states > MOST_STATES {
            return None;
        }
        let pairs = (0..states).flat_map(|s| (0..states).map(move |t| (s, t)));
        let mut simulation =
            Simulation { states, holds: pairs.map(|(s, t)| s == t || start(s, t)).collect() };
        while simulation.shrink(moves) {}
        Some(simulation)
    }

    /// Removes the pairs that do not simulate given the others; whether there were any.
    fn shrink(&mut self, moves: &[Vec<Move>]) -> bool {
        let mut changed = false;
        for s in 0..self.states {
            for t in 0..self.states {
                if s != t && self.holds(s as u32, t as u32) && !self.step(&moves[s], &moves[t]) {
                    self.holds[s * self.states + t] = false;
                    changed = true;
                }
            }
        }
        changed
    }

    /// Whether the second moves answer all of the first.
    fn step(&self, of: &[Move], by: &[Move]) -> bool {
        of.iter().all(|m| {
            let answers = |n: &&Move| m.accepts & !n.accepts == 0 && self.holds(m.other, n.other);
            if by.iter().filter(answers).any(|n| m.cube.implies(n.cube)) {
                return true;
            }
            let cubes: Vec<Cube> = by.iter().filter(answers).map(|n| n.cube).collect();
            m.cube.is_covered(&cubes)
        })
    }

    /// Whether `t` simulates `s`.
    pub fn holds(&self, s: u32, t: u32) -> bool {
        taut_budget::tick();
        self.holds[s as usize * self.states + t as usize]
    }

    /// For each state the first one that simulates it and that it simulates.
    pub fn representatives(&self) -> Vec<u32> {
        let states = self.states as u32;
        let equal = |s: u32, t: &u32| self.holds(s, *t) && self.holds(*t, s);
        (0..states).map(|s| (0..s).find(|t| equal(s, t)).unwrap_or(s)).collect()
    }
}

fn for_each_move(automaton: &Automaton, mut act: impl FnMut(u32, u32, Cube, u64)) {
    for (from, state) in automaton.states.iter().enumerate() {
        for Edge { guard, target, accepts } in &state.edges {
            for cube in &guard.cubes {
                act(from as u32, *target, *cube, *accepts);
            }
        }
    }
}

/// For each state the first one with the same edges. Weaker than simulation, but for automata of
/// any size.
pub(crate) fn same_edges(automaton: &Automaton) -> Vec<u32> {
    let mut first: HashMap<Vec<&Edge>, u32> = HashMap::new();
    let mut representatives = vec![];
    for (s, state) in automaton.states.iter().enumerate() {
        let mut edges: Vec<&Edge> = state.edges.iter().collect();
        edges.sort();
        representatives.push(*first.entry(edges).or_insert(s as u32));
    }
    representatives
}

/// Joins every state with its representative, which gets all their edges.
pub(crate) fn quotient(automaton: &mut Automaton, representatives: &[u32]) {
    for (s, to) in representatives.iter().enumerate() {
        if *to as usize != s {
            let edges = std::mem::take(&mut automaton.states[s].edges);
            automaton.states[*to as usize].edges.extend(edges);
        }
    }
    for edge in automaton.states.iter_mut().flat_map(|s| &mut s.edges) {
        edge.target = representatives[edge.target as usize];
    }
    for initial in &mut automaton.initial {
        *initial = representatives[*initial as usize];
    }
}
