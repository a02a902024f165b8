//! Fewer acceptance sets and fewer marks.
//!
//! A run ends up in one component, so marks count inside components only, and each component may
//! use the numbers of the sets in its own way. In a component, a set is not needed if its edges
//! include those of another set.

use super::trim::Components;
use crate::automaton::Automaton;
use crate::guard::bits;

/// The sets that a component needs: no other set's edges are among theirs.
pub(crate) fn needed(automaton: &Automaton, components: &Components, component: u32) -> Vec<u32> {
    let marks = distinct_marks(automaton, components, component);
    let all = automaton.all_sets();
    let mut needed: u64 = bits(all).filter(|i| marks.iter().any(|m| m >> i & 1 == 0)).fold(0, with);
    for i in bits(needed) {
        // j is inside i: every edge of j is one of i.
        let inside = |j: u32| marks.iter().all(|m| m >> j & 1 == 0 || m >> i & 1 == 1);
        if bits(needed & !(1 << i)).any(inside) {
            needed &= !(1 << i);
        }
    }
    bits(needed).collect()
}

fn with(word: u64, bit: u32) -> u64 {
    word | 1 << bit
}

/// The different marks of the edges inside a component.
fn distinct_marks(automaton: &Automaton, components: &Components, component: u32) -> Vec<u64> {
    let mut marks = vec![];
    for (from, state) in automaton.states.iter().enumerate() {
        for edge in &state.edges {
            if components.around(from, edge) == Some(component) && !marks.contains(&edge.accepts) {
                marks.push(edge.accepts);
            }
        }
    }
    marks
}

/// What is written on edges whose marks do not matter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Idle {
    /// No mark.
    None,
    /// Every mark.
    All,
}

/// Renumbers the sets in every accepting component so that as few as possible are used, takes the
/// marks off edges in other components, and writes `idle` on edges between components.
pub(crate) fn tidy_sets(automaton: &mut Automaton, idle: Idle) {
    let components = Components::new(automaton);
    let count = components.accepting.len() as u32;
    let needs: Vec<Vec<u32>> = (0..count).map(|c| needed(automaton, &components, c)).collect();
    let accepting = |c: &u32| components.accepting[*c as usize];
    let most = (0..count).filter(accepting).map(|c| needs[c as usize].len()).max().unwrap_or(0);
    let rejecting = (0..count as usize).any(|c| components.cyclic[c] && !components.accepting[c]);
    automaton.sets = most.max(rejecting as usize) as u32;
    let all = automaton.all_sets();
    for (from, state) in automaton.states.iter_mut().enumerate() {
        for edge in &mut state.edges {
            edge.accepts = match (components.around(from, edge), idle) {
                (Some(c), _) if accepting(&c) => renamed(edge.accepts, &needs[c as usize], all),
                (Some(_), _) | (None, Idle::None) => 0,
                (None, Idle::All) => all,
            };
        }
    }
}

/// Marks with the needed sets renumbered from 0; the sets beyond have all edges.
fn renamed(marks: u64, needed: &[u32], all: u64) -> u64 {
    let kept = needed.iter().enumerate().filter(|(_, old)| marks >> **old & 1 == 1);
    let unused = all & !((1u64 << needed.len().min(63)) - 1);
    let unused = if needed.len() == 64 { 0 } else { unused };
    kept.fold(unused, |word, (new, _)| word | 1 << new)
}

/// The same for one set with marks on states: states on no accepting cycle get no mark, or `idle`
/// if they are on no cycle at all.
pub(crate) fn tidy_states(automaton: &mut Automaton, idle: Idle) {
    let components = Components::new(automaton);
    automaton.sets = 1;
    for (from, state) in automaton.states.iter_mut().enumerate() {
        let component = components.of[from] as usize;
        for edge in &mut state.edges {
            if !components.cyclic[component] {
                edge.accepts = (idle == Idle::All) as u64;
            } else if !components.accepting[component] {
                edge.accepts = 0;
            }
        }
    }
}
