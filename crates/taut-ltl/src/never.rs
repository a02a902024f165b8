//! Never claims: automata as SPIN reads them.
//!
//! A never claim is a state-based Büchi automaton with one acceptance set, so the automaton is
//! degeneralised and its marks are moved to states. Labels are SPIN's: the first state is
//! `T0_init`, or `accept_init` if it is accepting, others are `T0_S…` and `accept_S…`, and a state
//! in which everything is accepted is `accept_all`.

use crate::automaton::{Automaton, State};
use crate::guard_text::{Signs, name};

/// A never claim, with `title` in a comment. The runs that it matches are those that the automaton
/// accepts.
pub fn write(automaton: &Automaton, names: &[String], title: &str) -> String {
    let claim = automaton.to_state_based();
    let universal = claim.universal().iter().position(|universal| *universal);
    let label = |s: usize| label(&claim, s, universal);
    let atom = |atom: u32| format!("({})", name(names, atom));
    let signs = Signs { yes: "1", not: "!", and: " && ", or: " || ", atom: &atom };
    let title = title.replace("*/", "* /").replace(['\n', '\r'], " ");
    let mut text = format!("never {{    /* {title} */\n");
    // SPIN starts at the first state, and falls off the end of `accept_all`.
    let others = (0..claim.states.len()).filter(|s| Some(*s) != universal);
    for s in others {
        text += &format!("{}:\n{}", label(s), body(&claim.states[s], &label, &signs));
    }
    if universal.is_some() {
        text += &format!("{ACCEPT_ALL}:\n\tskip\n");
    }
    text + "}\n"
}

/// The label of a state in which everything is accepted. A claim that ends there is violated at
/// once.
const ACCEPT_ALL: &str = "accept_all";

fn body(state: &State, label: &dyn Fn(usize) -> String, signs: &Signs) -> String {
    if state.edges.is_empty() {
        return "\tfalse;\n".to_string();
    }
    let mut text = "\tdo\n".to_string();
    for edge in &state.edges {
        let (guard, target) = (signs.guard(&edge.guard), label(edge.target as usize));
        text += &format!("\t:: ({guard}) -> goto {target}\n");
    }
    text + "\tod;\n"
}

/// The label of a state. A simplified automaton has one universal state at most.
fn label(claim: &Automaton, s: usize, universal: Option<usize>) -> String {
    let accepting = claim.states[s].edges.first().is_some_and(|edge| edge.accepts & 1 == 1);
    match (claim.initial.contains(&(s as u32)), accepting) {
        _ if universal == Some(s) => ACCEPT_ALL.to_string(),
        (true, true) => "accept_init".to_string(),
        (true, false) => "T0_init".to_string(),
        (false, true) => format!("accept_S{s}"),
        (false, false) => format!("T0_S{s}"),
    }
}
