//! Automata as Graphviz graphs.

use std::collections::BTreeMap;
use std::fmt::Write;

use crate::automaton::Letter;
use crate::store::{Language, Languages};

impl Languages {
    /// The automaton of a language as a Graphviz `digraph`: the start has an arrow from nowhere,
    /// accepting states have two circles, edges between the same two states are drawn as one.
    pub fn dot(&self, language: Language, name: &dyn Fn(Letter) -> String) -> String {
        let automaton = self.automaton(language);
        let mut labels: BTreeMap<(u32, u32), Vec<String>> = BTreeMap::new();
        for (from, letter, to) in automaton.edges() {
            labels.entry((from, to)).or_default().push(name(letter));
        }
        let mut text = String::from("digraph language {\n  rankdir=LR;\n  node [shape=circle];\n");
        text.push_str("  start [shape=point];\n  start -> 0;\n");
        for state in 0..automaton.states() as u32 {
            if automaton.accepts(state) {
                let _ = writeln!(text, "  {state} [shape=doublecircle];");
            }
        }
        for ((from, to), names) in labels {
            let _ = writeln!(text, "  {from} -> {to} [label=\"{}\"];", escape(&names.join(" ")));
        }
        text.push_str("}\n");
        text
    }
}

/// Text for a quoted Graphviz label.
fn escape(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}
