//! Programs that an engine does not know, and faults of an engine.

use std::fmt;

use taut_ir::Span;

/// The reason why an engine does not answer a job.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Unsupported {
    /// A sentence for the user.
    pub message: String,
    /// The code of the message, if it points into the source.
    pub code: Option<&'static str>,
    /// The place in the source; [`Span::NONE`] if it is about the whole.
    pub span: Span,
    /// Words for that place.
    pub label: Option<&'static str>,
    /// What can be done about it.
    pub help: Option<&'static str>,
    /// Whether the explicit search answers instead, because the engine would add nothing to it.
    pub stand_in: bool,
}

impl Unsupported {
    /// A reason about the whole.
    pub fn new(message: impl Into<String>) -> Unsupported {
        Unsupported {
            message: message.into(),
            code: None,
            span: Span::NONE,
            label: None,
            help: None,
            stand_in: false,
        }
    }

    /// The same reason as a message with a code, about a place in the source.
    #[must_use]
    pub fn at(mut self, code: &'static str, span: Span) -> Unsupported {
        self.code = Some(code);
        self.span = span;
        self
    }

    /// The same with words for the place.
    #[must_use]
    pub fn label(mut self, label: &'static str) -> Unsupported {
        self.label = Some(label);
        self
    }

    /// The same with help.
    #[must_use]
    pub fn help(mut self, help: &'static str) -> Unsupported {
        self.help = Some(help);
        self
    }

    /// The same, and the explicit search answers instead.
    #[must_use]
    pub fn or_explicit(mut self) -> Unsupported {
        self.stand_in = true;
        self
    }
}

impl fmt::Display for Unsupported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Unsupported {}

/// The reason why a search has no result.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum EngineError {
    /// The engine does not know the program.
    Unsupported(Unsupported),
    /// The engine found something that it cannot show: a bug in the engine.
    Fault {
        /// The name of what it claims to be violated.
        property: String,
        /// The reason why that cannot be.
        reason: String,
    },
}

impl From<Unsupported> for EngineError {
    fn from(unsupported: Unsupported) -> EngineError {
        EngineError::Unsupported(unsupported)
    }
}

impl fmt::Display for EngineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EngineError::Unsupported(unsupported) => unsupported.fmt(f),
            EngineError::Fault { property, reason } => write!(f, "`{property}`: {reason}"),
        }
    }
}

impl std::error::Error for EngineError {}
