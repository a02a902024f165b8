//! The Hanoi omega-automata format, version 1: how tools exchange automata.
//!
//! Babiak and others, "The Hanoi omega-automata format" (CAV 2015). What is read: Büchi and
//! generalised Büchi acceptance, `t` and `f`, on states and on edges; labels on edges, on states,
//! or implicit; aliases; several initial states. What is refused, with a message: other acceptance
//! conditions (Rabin, co-Büchi, parity), alternation, an aborted automaton, headers that change the
//! meaning and are not known.
//!
//! Why a reader of our own? The crate for the format, `hoars` 0.3, panics on an integer that does not
//! fit, refuses aliases in labels and implicit labels, tells the place of a mistake only inside a
//! printed report, and brings some thirty crates along, a BDD library among them.

mod error;
mod header;
mod label;
mod lexer;
mod reader;

pub use error::HoaError;

use crate::automaton::Automaton;
use crate::guard::bits;
use crate::guard_text::{Signs, name};

/// An automaton that was read, and the texts of its atoms by number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HoaAutomaton {
    /// The automaton.
    pub automaton: Automaton,
    /// The atomic propositions.
    pub atoms: Vec<String>,
}

/// Reads one automaton.
pub fn read(text: &str) -> Result<HoaAutomaton, HoaError> {
    reader::Reader::new(text)?.run()
}

/// The automaton in the format. Marks are written on states if that is possible.
pub fn write(automaton: &Automaton, names: &[String]) -> String {
    let by_state = automaton.is_state_based();
    let mut text = String::from("HOA: v1\n");
    if let Some(name) = &automaton.name {
        text += &format!("name: {}\n", quoted(name));
    }
    text += &format!("States: {}\n", automaton.states.len());
    for initial in &automaton.initial {
        text += &format!("Start: {initial}\n");
    }
    let atoms = (0..automaton.atoms as u32).map(|atom| format!(" {}", quoted(&name(names, atom))));
    text += &format!("AP: {}{}\n", automaton.atoms, atoms.collect::<String>());
    text += &acceptance(automaton.sets);
    let place = if by_state { "state-acc" } else { "trans-acc" };
    text += &format!("properties: trans-labels explicit-labels {place}\n--BODY--\n");
    text + &body(automaton, by_state) + "--END--\n"
}

fn acceptance(sets: u32) -> String {
    let all: Vec<String> = (0..sets).map(|set| format!("Inf({set})")).collect();
    match sets {
        0 => "acc-name: all\nAcceptance: 0 t\n".to_string(),
        1 => "acc-name: Buchi\nAcceptance: 1 Inf(0)\n".to_string(),
        _ => format!("acc-name: generalized-Buchi {sets}\nAcceptance: {sets} {}\n", all.join("&")),
    }
}

fn body(automaton: &Automaton, by_state: bool) -> String {
    let atom = |atom: u32| atom.to_string();
    let signs = Signs { yes: "t", not: "!", and: "&", or: " | ", atom: &atom };
    let mut text = String::new();
    for (s, state) in automaton.states.iter().enumerate() {
        let name = state.name.as_deref().map(|name| format!(" {}", quoted(name)));
        let marks = state.edges.first().filter(|_| by_state).map(|edge| marks(edge.accepts));
        text += &format!("State: {s}{}{}\n", name.unwrap_or_default(), marks.unwrap_or_default());
        for edge in &state.edges {
            let marks = if by_state { String::new() } else { self::marks(edge.accepts) };
            text += &format!("[{}] {}{marks}\n", signs.guard(&edge.guard), edge.target);
        }
    }
    text
}

fn marks(accepts: u64) -> String {
    let sets: Vec<String> = bits(accepts).map(|set| set.to_string()).collect();
    if sets.is_empty() { String::new() } else { format!(" {{{}}}", sets.join(" ")) }
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}
