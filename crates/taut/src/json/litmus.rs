//! A litmus test that met a limit.

use serde::Serialize;
use taut_ir::MemoryModel;
use taut_litmus::Test;

/// A test without a verdict, as the schema `litmus` describes it: no states are listed, because some may be missing.
/// Tests with a verdict are written by [`taut_litmus::Outcome::json`].
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct LitmusDocument<'a> {
    /// The file of the test.
    pub file: &'a str,
    /// The memory model.
    pub model: &'static str,
    /// The name of the test.
    pub name: &'a str,
    /// `Unknown`.
    pub observation: &'static str,
    /// The quantifier of the test.
    pub quantifier: &'static str,
    /// None.
    pub states: [i64; 0],
    /// `Unknown`.
    pub verdict: &'static str,
}

impl<'a> LitmusDocument<'a> {
    /// The document of a test that met a limit.
    pub fn unknown(file: &'a str, test: &'a Test, model: MemoryModel) -> LitmusDocument<'a> {
        LitmusDocument {
            file,
            model: model.name(),
            name: &test.name,
            observation: "Unknown",
            quantifier: test.quantifier.word(),
            states: [],
            verdict: "Unknown",
        }
    }
}
