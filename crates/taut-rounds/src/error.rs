//! Why a program cannot be translated, and why a run cannot be mapped back.

use std::fmt;

use taut_ir::Span;

/// Why a program cannot be translated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TranslateError {
    message: String,
    span: Span,
}

impl TranslateError {
    /// Something at a place in the source has no translation.
    pub(crate) fn not_translated(what: impl fmt::Display, span: Span) -> TranslateError {
        TranslateError { message: format!("not translated: {what}"), span }
    }

    /// Something about the program or the question as a whole.
    pub(crate) fn whole(message: impl Into<String>) -> TranslateError {
        TranslateError { message: message.into(), span: Span::NONE }
    }

    /// Where it stands in the source; [`Span::NONE`] if it is about the whole.
    pub fn span(&self) -> Span {
        self.span
    }
}

impl fmt::Display for TranslateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for TranslateError {}

/// Why something is no run of a translated program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotARun {
    /// The position of the first action that has no place in a run.
    pub position: usize,
    pub(crate) reason: String,
}

impl fmt::Display for NotARun {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "action {} of the translated run: {}", self.position + 1, self.reason)
    }
}

impl std::error::Error for NotARun {}
