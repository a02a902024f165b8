//! The rules of a log: every kind of question, and the codes of the messages that are in it.

use super::model::{Configuration, Message, Rule};
use crate::annotate::{EXPECTATION, INTERNAL, REFUSED, VACUITY};
use crate::frontends::Language;

/// What can be asked, and what can become of a run beside: id, what it is about, and what to do about it.
const ALWAYS: [(&str, &str, &str); 15] = [
    (
        "assert",
        "An assertion fails in some run.",
        "Step through the run, or ask `taut explain FILE` why it is possible. If it is not under SC, `taut repair FILE` finds the cheapest fences.",
    ),
    (
        "forbid",
        "A forbidden state can be reached.",
        "Step through the run, or ask `taut explain FILE` why it is possible. If it is not under SC, `taut repair FILE` finds the cheapest fences.",
    ),
    (
        "invariant",
        "A state can be reached in which an invariant is false.",
        "Step through the run, or ask `taut explain FILE` why it is possible. If it is not under SC, `taut repair FILE` finds the cheapest fences.",
    ),
    (
        "cover",
        "No run reaches what a cover asks for.",
        "The program does less than its author expects. Make the condition weaker until it is covered, and look at that run.",
    ),
    (
        "ltl",
        "Some run violates a temporal formula.",
        "The run goes round its cycle for ever. `--fairness` says which runs count.",
    ),
    (
        "never",
        "Some run is accepted by a never claim or an automaton.",
        "The run goes round its cycle for ever. `--fairness` says which runs count.",
    ),
    (
        "deadlock",
        "A state can be reached in which nothing can happen any more, and a process has not ended.",
        "Step through the run to see what each process waits for. `--no-deadlock` leaves the question out.",
    ),
    (
        "fault",
        "A step can go wrong: a division by zero, an index or a value out of range.",
        "Step through the run to see the values that it computes with.",
    ),
    (
        "full-buffer",
        "A store can meet a full buffer.",
        "Ask with a larger `--bound`, or without `--full-buffer error`.",
    ),
    (
        "race",
        "Two accesses to one object that nothing orders, one of them plain, one of them a store.",
        "Make both accesses atomic, or order them by a lock or by release and acquire. `--races off` does not look for races.",
    ),
    (
        "robust",
        "A run is like no sequentially consistent run: a store was delayed past a later access of its process, and others can tell.",
        "A program can be right without being robust. `taut repair --robust FILE` finds the cheapest fences that make it so.",
    ),
    (
        EXPECTATION,
        "A file of a suite has another verdict than the one that it expects.",
        "Fix the program, or its `expect:` line if the verdict is right.",
    ),
    (
        VACUITY,
        "Something in the program never happens: a statement, label or assertion that is never reached, a condition or the left side of a property that is never true, a process that never moves.",
        "A verdict says nothing about what never happens. Fix the program or the property, or remove what is not needed. `--vacuity off` does not look for it.",
    ),
    (REFUSED, "What is asked cannot be done as it is asked.", "The message says what to change."),
    (
        INTERNAL,
        "Taut is at fault: its own replayer does not accept what it found.",
        "Please report it, with the program.",
    ),
];

/// The rules that are named so far.
pub(super) struct Rules(Vec<&'static str>);

impl Default for Rules {
    fn default() -> Rules {
        Rules(ALWAYS.map(|(id, ..)| id).into())
    }
}

impl Rules {
    /// The number of a rule.
    pub fn index(&mut self, id: &'static str) -> usize {
        self.0.iter().position(|rule| *rule == id).unwrap_or_else(|| {
            self.0.push(id);
            self.0.len() - 1
        })
    }

    /// All of them.
    pub fn all(self) -> Vec<Rule> {
        self.0.into_iter().map(rule).collect()
    }
}

fn rule(id: &'static str) -> Rule {
    let known = ALWAYS.iter().find(|(known, ..)| *known == id);
    let (about, help): (String, &str) = match known {
        Some((_, about, help)) => ((*about).into(), *help),
        None => (of_code(id), "The message says what is wrong and what to do about it."),
    };
    Rule {
        id,
        short_description: Message::new(&about),
        help: Message::new(help),
        default_configuration: Configuration { level: "error" },
    }
}

/// What a code of a message is about: a file of the language to which it belongs.
fn of_code(code: &str) -> String {
    let noun = Language::of_code(code).map_or("file", |language| language.noun());
    format!("A {noun} is not as it should be.")
}
