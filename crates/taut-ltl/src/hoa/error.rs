//! What is wrong with the text of an automaton.

use std::fmt;

/// A mistake in the text of an automaton.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HoaError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong.
    pub message: String,
}

impl HoaError {
    pub(super) fn new(line: usize, message: impl Into<String>) -> HoaError {
        HoaError { line, message: message.into() }
    }
}

impl fmt::Display for HoaError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

impl std::error::Error for HoaError {}
