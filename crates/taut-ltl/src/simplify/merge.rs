//! Fewer edges: one guard for all edges that lead to the same state with the same marks, and
//! nothing that another edge does as well.

use crate::automaton::{Automaton, Edge};
use crate::guard::{Cube, Guard, subtract};

/// Joins edges with the same target and the same marks.
pub(crate) fn merge_edges(automaton: &mut Automaton) {
    for state in &mut automaton.states {
        let mut edges = std::mem::take(&mut state.edges);
        edges.sort_by_key(|edge| (edge.target, edge.accepts));
        for edge in edges {
            match state.edges.last_mut() {
                Some(last) if (last.target, last.accepts) == (edge.target, edge.accepts) => {
                    last.guard.cubes.extend(edge.guard.cubes);
                }
                _ => state.edges.push(edge),
            }
        }
        for edge in &mut state.edges {
            edge.guard = Guard::new(std::mem::take(&mut edge.guard.cubes));
        }
    }
}

/// Leaves out the cubes that better edges cover: more marks, and a target that can do at least as
/// much. `simulates(s, t)`: state `t` simulates state `s`.
pub(crate) fn drop_dominated(automaton: &mut Automaton, simulates: impl Fn(u32, u32) -> bool) {
    for state in &mut automaton.states {
        let old = state.edges.clone();
        for edge in &mut state.edges {
            let cover = dominating(edge, &old, &simulates);
            edge.guard.cubes.retain(|cube| !cube.is_covered(&cover));
        }
        state.edges.retain(|edge| !edge.guard.cubes.is_empty());
    }
}

/// The cubes of the edges that are strictly better than one. Strictly, so that of two edges that
/// can stand for each other one stays.
fn dominating(edge: &Edge, all: &[Edge], simulates: impl Fn(u32, u32) -> bool) -> Vec<Cube> {
    taut_budget::tick();
    let better = |by: &&Edge| {
        edge.accepts & !by.accepts == 0
            && simulates(edge.target, by.target)
            && !(edge.accepts == by.accepts && simulates(by.target, edge.target))
    };
    all.iter().filter(better).flat_map(|by| by.guard.cubes.iter().copied()).collect()
}

/// Narrows every edge to the valuations that no better edge has: `<> p` then waits while `!p` and
/// ends with `p`, where it could wait at any time. The states stay the same; a product with the
/// automaton has fewer edges, and fewer states if it need not guess.
pub(crate) fn sharpen(automaton: &mut Automaton, simulates: impl Fn(u32, u32) -> bool) {
    for state in &mut automaton.states {
        let old = state.edges.clone();
        for edge in &mut state.edges {
            let mut rest = edge.guard.cubes.clone();
            for cube in dominating(edge, &old, &simulates) {
                rest = subtract(&rest, cube);
                if rest.len() > MOST_CUBES {
                    break;
                }
            }
            let rest = Guard::new(rest);
            if rest.cubes.len() <= MOST_CUBES {
                edge.guard = rest;
            }
        }
        state.edges.retain(|edge| !edge.guard.cubes.is_empty());
    }
}

/// A guard that would have more cubes is left as it is: fewer edges are not worth a test that takes
/// longer.
const MOST_CUBES: usize = 16;
