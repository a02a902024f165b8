//! The answer: which final states there are, and what that says about the condition.

use std::fmt::Write;

use crate::{Condition, Quantifier, Test, Watched};

/// Whether the quantified condition holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// It does.
    Ok,
    /// It does not.
    No,
}

impl Verdict {
    /// As herd7 prints it.
    pub fn word(self) -> &'static str {
        match self {
            Verdict::Ok => "Ok",
            Verdict::No => "No",
        }
    }
}

/// How often the condition, without its quantifier, holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Observation {
    /// In no final state.
    Never,
    /// In some final states, not in all.
    Sometimes,
    /// In every final state, and there is one.
    Always,
}

impl Observation {
    /// As herd7 prints it.
    pub fn word(self) -> &'static str {
        match self {
            Observation::Never => "Never",
            Observation::Sometimes => "Sometimes",
            Observation::Always => "Always",
        }
    }
}

/// The answer to a litmus test under one memory model.
///
/// DIVERGENCE: herd7 counts candidate executions; the counts here are of distinct states.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// Whether the quantified condition holds.
    pub verdict: Verdict,
    /// How often the condition holds.
    pub observation: Observation,
    /// In how many of the states the condition holds.
    pub positive: usize,
    /// In how many of the states it does not.
    pub negative: usize,
    /// The final states over the observed variables, sorted, each once.
    pub states: Vec<Vec<i64>>,
}

impl Test {
    /// The outcome if these are the final states, each with one value for each watched variable
    /// ([`Test::watched`]), in any order and any number of times.
    pub fn outcome<S: AsRef<[i64]>>(&self, finals: impl IntoIterator<Item = S>) -> Outcome {
        let mut states = Vec::new();
        for state in finals {
            let state = state.as_ref();
            assert_eq!(state.len(), self.watched.len(), "one value for each watched variable");
            if self.filter.as_ref().is_none_or(|filter| filter.holds(state)) {
                states.push(state[..self.observed].to_vec());
            }
        }
        states.sort_unstable();
        states.dedup();
        Outcome::of(self.quantifier, &self.condition, states)
    }
}

impl Outcome {
    fn of(quantifier: Quantifier, condition: &Condition, states: Vec<Vec<i64>>) -> Outcome {
        let positive = states.iter().filter(|state| condition.holds(state)).count();
        let negative = states.len() - positive;
        let observation = match (positive, negative) {
            (0, _) => Observation::Never,
            (_, 0) => Observation::Always,
            _ => Observation::Sometimes,
        };
        let holds = match quantifier {
            Quantifier::Exists => positive > 0,
            Quantifier::NotExists => positive == 0,
            Quantifier::Forall => negative == 0,
        };
        let verdict = if holds { Verdict::Ok } else { Verdict::No };
        Outcome { verdict, observation, positive, negative, states }
    }

    /// The outcome as herd7 prints it, with the blank line at the end; without `Time` and `Hash`.
    pub fn herd(&self, test: &Test) -> String {
        let Outcome { positive, negative, .. } = *self;
        let (name, quantifier) = (&test.name, test.quantifier);
        let (witnesses, others) = match quantifier {
            Quantifier::NotExists => (negative, positive),
            Quantifier::Exists | Quantifier::Forall => (positive, negative),
        };
        let mut text = format!("Test {name} {}\nStates {}\n", quantifier.kind(), self.states.len());
        self.write_states(test, &mut text);
        let _ = write!(
            text,
            "{}\nWitnesses\nPositive: {witnesses} Negative: {others}\n\
             Condition {quantifier} ({})\nObservation {name} {} {positive} {negative}\n\n",
            self.verdict.word(),
            test.condition,
            self.observation.word(),
        );
        text
    }

    /// One line per state: `0:rax=0; [x]=1;`.
    fn write_states(&self, test: &Test, text: &mut String) {
        let names: Vec<_> = test.observed().iter().map(|&w| shown(test, w)).collect();
        for state in &self.states {
            for (index, (name, value)) in names.iter().zip(state).enumerate() {
                let blank = if index == 0 { "" } else { " " };
                let _ = write!(text, "{blank}{name}={value};");
            }
            text.push('\n');
        }
    }

    /// The outcome as one line of JSON in the form of the oracles, with the model after the name.
    pub fn json(&self, test: &Test, file: &str, model: &str) -> String {
        let mut text = String::with_capacity(256);
        let fields = [
            ("{\"file\":", file),
            (",\"name\":", test.name.as_str()),
            (",\"model\":", model),
            (",\"quantifier\":", test.quantifier.word()),
            (",\"verdict\":", self.verdict.word()),
            (",\"observation\":", self.observation.word()),
        ];
        for (key, value) in fields {
            text.push_str(key);
            write_string(&mut text, value);
        }
        text.push_str(",\"states\":[");
        self.write_json_states(test, &mut text);
        text.push_str("]}");
        text
    }

    fn write_json_states(&self, test: &Test, text: &mut String) {
        let names: Vec<_> = test.observed().iter().map(|&w| test.name_of(w)).collect();
        for (row, state) in self.states.iter().enumerate() {
            text.push_str(if row == 0 { "{" } else { ",{" });
            for (index, (name, value)) in names.iter().zip(state).enumerate() {
                if index > 0 {
                    text.push(',');
                }
                write_string(text, name);
                let _ = write!(text, ":{value}");
            }
            text.push('}');
        }
    }
}

/// The name of something watched as herd7 prints it: `0:rax` or `[x]`.
fn shown(test: &Test, watched: Watched) -> String {
    let name = test.name_of(watched);
    match watched {
        Watched::Register(..) => name,
        // A local of a C test may be in memory.
        _ if name.contains(':') => name,
        Watched::Location(_) | Watched::Element(..) => format!("[{name}]"),
    }
}

/// A JSON string.
fn write_string(text: &mut String, value: &str) {
    text.push('"');
    for c in value.chars() {
        match c {
            '"' => text.push_str("\\\""),
            '\\' => text.push_str("\\\\"),
            c if c < ' ' => {
                let _ = write!(text, "\\u{:04x}", c as u32);
            }
            c => text.push(c),
        }
    }
    text.push('"');
}
