//! Automata as pictures, in the language of Graphviz.

use crate::automaton::Automaton;
use crate::guard::bits;
use crate::guard_text::{Signs, name};

/// The automaton as a `digraph`. Acceptance sets are circled numbers on the edges; an automaton
/// with one set that has all edges of a state or none shows it by double circles instead.
pub fn write(automaton: &Automaton, names: &[String]) -> String {
    let atom = |atom: u32| name(names, atom);
    let signs = Signs { yes: "true", not: "!", and: " && ", or: " || ", atom: &atom };
    let by_state = automaton.sets == 1 && automaton.is_state_based();
    let mut text = String::from("digraph {\n  rankdir=LR\n  node [shape=circle]\n");
    if let Some(title) = &automaton.name {
        text += &format!("  label=\"{}\"\n", escaped(title));
    }
    for (i, initial) in automaton.initial.iter().enumerate() {
        text += &format!("  start{i} [shape=point, width=0]\n  start{i} -> {initial}\n");
    }
    for (s, state) in automaton.states.iter().enumerate() {
        let label = state.name.clone().unwrap_or_else(|| s.to_string());
        let accepting = by_state && state.edges.first().is_some_and(|e| e.accepts & 1 == 1);
        let shape = if accepting { ", shape=doublecircle" } else { "" };
        text += &format!("  {s} [label=\"{}\"{shape}]\n", escaped(&label));
        for edge in &state.edges {
            let marks = if by_state { String::new() } else { circled(edge.accepts) };
            let label = escaped(&signs.guard(&edge.guard)) + &marks;
            text += &format!("  {s} -> {} [label=\"{label}\"]\n", edge.target);
        }
    }
    text + "}\n"
}

/// Sets by their numbers, circled up to 20.
fn circled(marks: u64) -> String {
    let mark = |set: u32| match set {
        0 => "⓪".to_string(),
        1..=20 => char::from_u32('①' as u32 + set - 1).map(String::from).unwrap_or_default(),
        _ => format!("({set})"),
    };
    let marks: String = bits(marks).map(mark).collect();
    if marks.is_empty() { marks } else { format!("\\n{marks}") }
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}
