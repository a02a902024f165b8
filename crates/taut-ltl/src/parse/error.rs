//! What is wrong with the text of a formula.

use std::fmt;
use std::ops::Range;

/// A mistake in the text of a formula.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// The bytes of the text it is about.
    pub at: Range<usize>,
    /// What is wrong.
    pub message: String,
    /// What may help.
    pub help: Option<String>,
}

impl ParseError {
    pub(super) fn new(at: Range<usize>, message: impl Into<String>) -> ParseError {
        ParseError { at, message: message.into(), help: None }
    }

    pub(super) fn help(self, help: impl Into<String>) -> ParseError {
        ParseError { help: Some(help.into()), ..self }
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for ParseError {}
