//! Suites: a folder of programs with their expected verdicts in a comment at the head of each.
//!
//! ```text
//! // expect: sc holds
//! // expect: tso violated mutex
//! // options: --bound 2 --no-deadlock
//! ```
//!
//! An expectation is met only if the check gave exactly the expected verdict: a limit that leaves open what was
//! expected to hold is a failure of its own kind, never a pass. What cannot be understood (a header, a program,
//! the name of a property) is refused with its place and not skipped: a suite that silently checks less than
//! it says is worse than none.

mod annotations;
mod files;
mod header;
pub mod junit;
mod options;
mod parallel;
mod run;

pub use crate::shell::quoted;
pub use files::programs;
pub use header::{Expectation, Header, Word, header};
pub use options::FileOptions;
pub use run::{run, run_file};

use std::path::PathBuf;
use std::time::Duration;

use crate::annotate::{SourceLine, TraceEvent};
use crate::load::LoadError;
use crate::outcome::EngineFault;
use crate::provenance::Source;

/// The code of everything that is wrong with a header.
pub(crate) const BAD_HEADER: &str = "E0011";

/// What became of one file of a suite.
#[derive(Clone, Debug)]
pub struct FileResult {
    /// The file.
    pub path: PathBuf,
    /// What is in it, by its hash; none if it could not be read.
    pub source: Option<Source>,
    /// What came of it.
    pub outcome: Outcome,
    /// The time of all its checks, reading included.
    pub time: Duration,
}

impl FileResult {
    /// The file's name as it is shown.
    pub fn name(&self) -> String {
        self.path.display().to_string()
    }

    /// The answers to its expectations; none unless it was checked.
    pub fn answers(&self) -> &[Answer] {
        match &self.outcome {
            Outcome::Checked(answers) => answers,
            _ => &[],
        }
    }

    /// How the file did: as its worst expectation.
    pub fn status(&self) -> Status {
        match &self.outcome {
            Outcome::NoExpectation => Status::NoExpectation,
            Outcome::Refused(_) | Outcome::Fault(_) => Status::Error,
            Outcome::Checked(answers) => {
                answers.iter().map(Answer::status).max().unwrap_or(Status::NoExpectation)
            }
        }
    }
}

/// What can become of a file.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// It expects nothing, so it was not run.
    NoExpectation,
    /// It was run: an answer to each expectation, in their order.
    Checked(Vec<Answer>),
    /// It cannot be read, or not understood.
    Refused(Box<LoadError>),
    /// A bug in Taut.
    Fault(Box<EngineFault>),
}

/// How an expectation or a file did, the worst last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Status {
    /// Nothing is expected.
    NoExpectation,
    /// As expected.
    Met,
    /// A limit left open what was expected to be decided.
    Unknown,
    /// Another verdict.
    Differs,
    /// There was no check.
    Error,
}

impl Status {
    /// The word for it in reports.
    pub fn word(self) -> &'static str {
        match self {
            Status::NoExpectation => "no-expectation",
            Status::Met => "met",
            Status::Unknown => "unknown",
            Status::Differs => "differs",
            Status::Error => "error",
        }
    }
}

/// The answer to one expectation.
#[derive(Clone, Debug)]
pub struct Answer {
    /// What was expected.
    pub expectation: Expectation,
    /// What the check said.
    pub got: Word,
    /// What the verdict covers, in words.
    pub coverage: String,
    /// What is violated, or else left open; empty if everything asked holds.
    pub properties: Vec<String>,
    /// The time of the check.
    pub time: Duration,
    /// States stored by its searches.
    pub states: u64,
    /// Transitions followed by its searches.
    pub transitions: u64,
    /// How to see it: the arguments of `taut` after the file.
    pub arguments: String,
    /// Where the expectation stands.
    pub place: Option<SourceLine>,
    /// The run of a violation that was not expected; else empty.
    pub run: Vec<TraceEvent>,
    /// What never happens in what holds.
    pub vacuity: Vec<Vacuous>,
    /// Whether that makes the expectation fail.
    pub refuses_vacuity: bool,
}

/// Something that never happens in a program of a suite.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Vacuous {
    /// Where.
    pub place: SourceLine,
    /// What never happens, in words.
    pub message: String,
}

impl std::fmt::Display for Vacuous {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}  {}", self.place.file, self.place.line, self.message)
    }
}

impl Answer {
    /// How the expectation did.
    pub fn status(&self) -> Status {
        match (self.expectation.verdict, self.got) {
            (expected, got) if expected == got && !self.is_vacuous() => Status::Met,
            (_, Word::Unknown) => Status::Unknown,
            _ => Status::Differs,
        }
    }

    /// Whether it holds, and fails because of what never happens.
    pub fn is_vacuous(&self) -> bool {
        self.refuses_vacuity && self.got == Word::Holds && !self.vacuity.is_empty()
    }

    /// What came instead of what was expected, in a sentence, with a command that shows it.
    pub fn hint(&self, path: &std::path::Path) -> String {
        let Answer { expectation, got, coverage, .. } = self;
        let model = expectation.model.name().to_uppercase();
        let what = match (&expectation.property, self.properties.join(", ")) {
            (Some(property), _) => format!("`{property}`"),
            (None, names) if names.is_empty() => "everything asked".into(),
            (None, names) => names,
        };
        let verdict = match got {
            Word::Holds => "holds",
            Word::Violated => "is violated",
            Word::Covered => "is covered",
            Word::Never => "is never reached",
            Word::Unknown => "is left open",
        };
        let file = quoted(&path.display().to_string());
        let command = format!("taut check {file} {}", self.arguments);
        if self.got == expectation.verdict && self.is_vacuous() {
            let first = self.vacuity.first().map_or_else(String::new, |v| v.message.clone());
            let more = match self.vacuity.len() - 1 {
                0 => String::new(),
                more => format!(", and {more} more"),
            };
            return format!("{what} {verdict} under {model}, but {first}{more}; see `{command}`");
        }
        format!("{what} {verdict} under {model} ({coverage}); see `{command}`")
    }
}
