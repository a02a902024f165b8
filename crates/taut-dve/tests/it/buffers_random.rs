//! Random models under delayed writes and their exports with buffers under sequential consistency: the same
//! states, steps, deadlocks, faults and violated assertions, with random atomic writes and fences.

use crate::buffers_support;

use std::fmt::Write;

use buffers_support::{compared, model};
use proptest::prelude::*;
use taut_dve::ast::{Message, Model, Place, Process};
use taut_dve::{AtomicEntry, AtomicList, RangeErrors, TransitionRef};
use taut_testkit::random::config;

/// Decisions, drawn beforehand so that cases shrink: 0 is the simplest choice everywhere.
struct Dice<'d> {
    drawn: &'d [u8],
    at: usize,
}

impl Dice<'_> {
    fn below(&mut self, sides: usize) -> usize {
        let drawn = self.drawn.get(self.at).copied().unwrap_or(0);
        self.at += 1;
        usize::from(drawn) % sides
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }

    /// True once in so many times.
    fn once_in(&mut self, times: usize) -> bool {
        self.below(times) + 1 == times
    }

    fn leaf(&mut self) -> String {
        let plain = ["1", "x", "j", "0", "y", "z", "a[0]", "a[1]", "k", "1", "one", "b[1]"];
        match self.below(12) {
            0..9 => self.pick(&plain).into(),
            9 | 10 => {
                self.pick(&["a[j]", "a[a[j]]", "a[x]", "b[j]", "t[j]", "a[a[0]]", "a[one]"]).into()
            }
            _ => self.pick(&["P.s1", "Q.s0", "Q->j", "P->b[y]", "a[3]"]).into(),
        }
    }

    fn expr(&mut self, depth: usize) -> String {
        if depth == 0 || self.below(3) == 0 {
            return self.leaf();
        }
        let safe = ["+", "==", "and", "or", "<", "!=", "imply", "*", "&", "<="];
        let operators = if self.once_in(8) { &["-", "/", "%"][..] } else { &safe };
        match self.below(7) {
            0 => format!("(not {})", self.expr(depth - 1)),
            1 => format!("a[{} & 1]", self.expr(depth - 1)),
            _ => {
                let (a, op) = (self.expr(depth - 1), self.pick(operators));
                format!("({a} {op} {})", self.expr(depth - 1))
            }
        }
    }

    fn place(&mut self) -> String {
        let places =
            ["x", "y", "a[0]", "j", "a[j]", "a[1]", "z", "a[a[j]]", "k", "b[x]", "a[a[0]]"];
        self.pick(&places).into()
    }

    fn effect(&mut self) -> String {
        let place = self.place();
        let value = match self.below(8) {
            0..3 => self.leaf(),
            3..6 => format!("({}) & 1", self.expr(2)),
            6 => format!("({}) % 3", self.expr(2)),
            _ => self.expr(2),
        };
        format!("{place} = {value}")
    }

    /// The transition of a number; the first three lead around.
    fn transition(&mut self, number: usize) -> String {
        let target = if number < 3 { number + 1 } else { self.below(3) };
        let mut text = format!("s{} -> s{} {{", number % 3, target % 3);
        if self.once_in(3) {
            write!(text, " guard {};", self.expr(2)).unwrap();
        }
        if self.once_in(4) {
            let sync = match self.below(6) {
                0 => format!("c!{}", self.expr(1)),
                1 => format!("c?{}", self.place()),
                2 => format!("d!{{{}, {}}}", self.leaf(), self.expr(1)),
                3 => format!("d?{{{}, {}}}", self.place(), self.place()),
                4 => "e!".into(),
                _ => "e?".into(),
            };
            write!(text, " sync {sync};").unwrap();
        }
        let effects: Vec<_> = (0..self.below(4)).map(|_| self.effect()).collect();
        if !effects.is_empty() {
            write!(text, " effect {};", effects.join(", ")).unwrap();
        }
        text + " }"
    }

    fn process(&mut self, name: &str) -> String {
        let mut text =
            format!("process {name} {{\nbyte j = {}; int k; byte b[2];\n", self.below(2));
        // A variable of its own that hides a shared one.
        if self.once_in(6) {
            text += "byte y = 1;\n";
        }
        text += "state s0, s1, s2; init s0;\n";
        if self.once_in(5) {
            text += "commit s1;\n";
        }
        if self.once_in(3) {
            writeln!(text, "assert s{}: {};", self.below(3), self.expr(2)).unwrap();
        }
        let transitions: Vec<_> = (0..3 + self.below(3)).map(|n| self.transition(n)).collect();
        text + "trans\n" + &transitions.join(",\n") + ";\n}\n"
    }

    fn text(&mut self) -> String {
        let mut text = String::from("byte x = 1; byte y; int z; byte a[2] = {0, 1};\n");
        text += "const byte one = 1; const byte t[2] = {1, 0};\n";
        text += "channel c, e; channel {byte, int} d[";
        text += if self.below(2) == 0 { "1];\n" } else { "0];\n" };
        text + &self.process("P") + &self.process("Q") + "system async;\n"
    }

    /// Some writes and fences of a model.
    fn atomic(&mut self, model: &Model) -> AtomicList {
        let mut entries = Vec::new();
        for process in &model.processes {
            for (n, transition) in process.transitions.iter().enumerate() {
                let at = || TransitionRef::new(model, &process.name.text, n).expect("it is there");
                let received = match transition.sync.as_ref().map(|s| &s.message) {
                    Some(Message::Receive(places)) => places.as_slice(),
                    _ => &[],
                };
                let assigned = transition.effects.iter().map(|e| &e.place).chain(received);
                for place in assigned.filter(|p| is_shared(model, process, p)) {
                    if self.once_in(3) {
                        entries.push(AtomicEntry::write(Some(&place.name.text), at()));
                    }
                }
                match self.below(12) {
                    11 => entries.push(AtomicEntry::fence(at())),
                    10 => entries.push(AtomicEntry::write(None, at())),
                    _ => {}
                }
            }
        }
        AtomicList { entries }
    }
}

fn is_shared(model: &Model, process: &Process, place: &Place) -> bool {
    let name = &place.name.text;
    process.local(name).is_none() && model.global(name).is_some()
}

const LIMIT: u64 = 30_000;

proptest! {
    #![proptest_config(config(250))]

    #[test]
    fn exports_have_the_states_of_delayed_writes(drawn in prop::collection::vec(any::<u8>(), 40..240)) {
        let mut dice = Dice { drawn: &drawn, at: 0 };
        let model = model(&dice.text());
        let errors = dice.pick(&[RangeErrors::Error, RangeErrors::Error, RangeErrors::Wrap]);
        let none = AtomicList::default();
        compared(&model, &none, errors, LIMIT);
        compared(&model, &dice.atomic(&model), errors, LIMIT);
    }
}

/// The models above would prove nothing if they did nothing: of a fixed draw, most are small enough, and
/// there are faults, deadlocks, violated assertions and waiting writes among them.
#[test]
fn random_models_are_of_use() {
    let (mut small, mut faults, mut deadlocks, mut asserts, mut large) = (0, 0, 0, 0, 0);
    for seed in 0..60_u64 {
        let mut state = seed * 2 + 1;
        let draw = |_| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as u8
        };
        let drawn: Vec<u8> = (0..200).map(draw).collect();
        let mut dice = Dice { drawn: &drawn, at: 0 };
        let model = model(&dice.text());
        let atomic = dice.atomic(&model);
        let Some(found) = compared(&model, &atomic, RangeErrors::Error, LIMIT) else { continue };
        small += 1;
        faults += usize::from(found.faults > 0);
        deadlocks += usize::from(found.deadlocks > 0);
        asserts += usize::from(found.found.iter().any(|name| name.starts_with("assert")));
        large += usize::from(found.states > 50);
    }
    let all = (small, faults, deadlocks, asserts, large);
    assert!(
        small >= 50 && faults >= 10 && deadlocks >= 10 && asserts >= 5 && large >= 10,
        "{all:?}"
    );
}
