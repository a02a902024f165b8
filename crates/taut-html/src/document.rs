//! What a report says: verdicts, runs and sources.

use serde::Serialize;

use crate::run::Run;

/// What [`Document::format`] says.
pub const FORMAT: &str = "taut-report";
/// The version of the JSON; it grows when a reader of the last one would go wrong.
pub const VERSION: u32 = 1;

/// A report.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Document {
    /// [`FORMAT`].
    pub format: &'static str,
    /// [`VERSION`].
    pub version: u32,
    /// The program that made it, with its version.
    pub tool: String,
    /// The command, the version and the hashes of the texts, to repeat the answers.
    pub repeat: String,
    /// The file that was checked, as it was named.
    pub file: String,
    /// Its language, in words.
    pub language: String,
    /// The worst verdict of what was asked: `violated`, else `unknown`, else `holds`.
    pub verdict: &'static str,
    /// An answer for each memory model, the strongest first.
    pub models: Vec<Model>,
    /// The counterexamples.
    pub runs: Vec<Run>,
    /// The texts of the program: its own file first, then those that it includes.
    pub sources: Vec<Source>,
}

/// What was found under one memory model.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Model {
    /// `sc`, `tso`, `pso` or `delayed`.
    pub model: String,
    /// Whether it was asked for; if not, it is there to compare with.
    pub asked: bool,
    /// For a model that is there to compare with, how long its search was allowed to take, in seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit_seconds: Option<f64>,
    /// The engine that gave the answers: `explicit`, `symbolic` or `rounds`.
    pub engine: String,
    /// Entries per buffer, where buffers have a bound.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bound: Option<u32>,
    /// What the search counted; absent where there was none, as for a trace that is replayed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub counts: Option<Counts>,
    /// An answer to every question.
    pub answers: Vec<Answer>,
    /// What never happens under this model.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub vacuity: Vec<Vacuous>,
}

/// Something that never happens.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Vacuous {
    /// `process`, `antecedent`, `assertion`, `wait`, `guard`, `label` or `statement`.
    pub kind: String,
    /// What never happens, in words; code stands between backquotes.
    pub message: String,
    /// The name of its file.
    pub file: String,
    /// Its line, from 1; 0 if it has none.
    pub line: u32,
}

/// What a search counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Counts {
    /// States that were stored.
    pub states: u64,
    /// Transitions between them.
    pub transitions: u64,
    /// How far from the start the search came.
    pub depth: u64,
    /// How long it took.
    pub seconds: f64,
}

/// The answer to one question.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Answer {
    /// The name of the property.
    pub property: String,
    /// What kind of question it is: `assert`, `forbid`, `invariant`, `deadlock`, `fault`, `full-buffer`,
    /// `ltl`, `never` or `race`.
    pub kind: String,
    /// `holds`, `violated` or `unknown`.
    pub verdict: &'static str,
    /// What the verdict covers, in words.
    pub coverage: String,
    /// What else is to be said about the search.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// The number of the run in [`Document::runs`] that violates it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub run: Option<usize>,
}

/// A text of the program.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Source {
    /// The name of its file.
    pub name: String,
    /// The text.
    pub text: String,
    /// Whether it goes on after what is given.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub cut: bool,
}
