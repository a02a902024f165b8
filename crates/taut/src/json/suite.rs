//! A file of a suite.

use serde::Serialize;

use crate::provenance::Provenance;
use crate::suite::{Answer, FileResult, Outcome};

/// What became of a file of a suite, as the schema `suite` describes it.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct SuiteDocument<'a> {
    /// The file.
    pub file: String,
    /// How it did, in a word.
    pub status: &'static str,
    /// An answer for each expectation.
    pub results: Vec<AnswerDocument<'a>>,
    /// Why it was not checked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// Time in seconds.
    pub seconds: f64,
    /// What the answers depend on.
    pub provenance: Provenance,
}

/// What became of an expectation.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct AnswerDocument<'a> {
    /// The memory model.
    pub model: &'static str,
    /// The property; none if it is about all of them.
    pub property: Option<&'a str>,
    /// The verdict that was expected.
    pub expected: &'static str,
    /// The verdict that came.
    pub got: &'static str,
    /// How the two compare, in a word.
    pub status: &'static str,
    /// What the verdict covers.
    pub coverage: &'a str,
    /// States that were stored.
    pub states: u64,
    /// Transitions between them.
    pub transitions: u64,
    /// The properties that the verdict is about.
    pub properties: &'a [String],
    /// What never happens.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub vacuity: Vec<String>,
}

impl<'a> SuiteDocument<'a> {
    /// The document of a file. `arguments` are those of the command, if there is one.
    pub fn new(file: &'a FileResult, arguments: Vec<String>) -> SuiteDocument<'a> {
        let error = match &file.outcome {
            Outcome::Refused(error) => Some(error.render(false)),
            Outcome::Fault(fault) => Some(format!("internal error: {fault}")),
            Outcome::NoExpectation | Outcome::Checked(_) => None,
        };
        SuiteDocument {
            file: file.name(),
            status: file.status().word(),
            results: file.answers().iter().map(AnswerDocument::from).collect(),
            error,
            seconds: file.time.as_secs_f64(),
            provenance: Provenance::of_files(std::slice::from_ref(file), arguments),
        }
    }
}

impl<'a> From<&'a Answer> for AnswerDocument<'a> {
    fn from(answer: &'a Answer) -> AnswerDocument<'a> {
        AnswerDocument {
            model: answer.expectation.model.name(),
            property: answer.expectation.property.as_deref(),
            expected: answer.expectation.verdict.name(),
            got: answer.got.name(),
            status: answer.status().word(),
            coverage: &answer.coverage,
            states: answer.states,
            transitions: answer.transitions,
            properties: &answer.properties,
            vacuity: answer.vacuity.iter().map(ToString::to_string).collect(),
        }
    }
}
