//! One message about one place, and a bounded collection of them.

use crate::Span;

/// How grave a message is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Worth a look; the input is accepted.
    Warning,
    /// The input is refused.
    Error,
}

/// One message about one place in a source file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Error or warning.
    pub severity: Severity,
    /// A stable code such as `T0102`, by which the book and tests refer to the message.
    pub code: &'static str,
    /// What is wrong, in one sentence without a full stop.
    pub message: String,
    /// The place.
    pub span: Span,
    /// What stands beside the caret: usually what was expected there.
    pub label: String,
    /// Other places that matter, each with a few words ("first declared here").
    pub related: Vec<(Span, String)>,
    /// What the user can do about it.
    pub help: Option<String>,
}

impl Diagnostic {
    /// An error.
    pub fn error(code: &'static str, message: impl Into<String>, span: Span) -> Diagnostic {
        Diagnostic {
            severity: Severity::Error,
            code,
            message: message.into(),
            span,
            label: String::new(),
            related: Vec::new(),
            help: None,
        }
    }

    /// A warning.
    pub fn warning(code: &'static str, message: impl Into<String>, span: Span) -> Diagnostic {
        Diagnostic { severity: Severity::Warning, ..Diagnostic::error(code, message, span) }
    }

    /// Sets the words beside the caret.
    #[must_use]
    pub fn label(mut self, label: impl Into<String>) -> Diagnostic {
        self.label = label.into();
        self
    }

    /// Sets the hint.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Diagnostic {
        self.help = Some(help.into());
        self
    }

    /// Adds another place that matters.
    #[must_use]
    pub fn related(mut self, span: Span, text: impl Into<String>) -> Diagnostic {
        self.related.push((span, text.into()));
        self
    }
}

/// The messages about one input. At most [`Diagnostics::LIMIT`] are kept: after that many, more help
/// nobody, and a reader should stop ([`Diagnostics::is_full`]).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Diagnostics {
    list: Vec<Diagnostic>,
    dropped: usize,
}

impl Diagnostics {
    /// How many messages are kept.
    pub const LIMIT: usize = 20;

    /// An empty collection.
    pub fn new() -> Diagnostics {
        Diagnostics::default()
    }

    /// Adds a message. A second message of the same code about the same place is dropped: it would be
    /// an echo of the first.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        if self.list.iter().any(|d| d.code == diagnostic.code && d.span == diagnostic.span) {
            return;
        }
        if self.is_full() {
            self.dropped += 1;
        } else {
            self.list.push(diagnostic);
        }
    }

    /// Whether no further message will be kept.
    pub fn is_full(&self) -> bool {
        self.list.len() >= Self::LIMIT
    }

    /// How many messages were dropped because the collection was full.
    pub fn dropped(&self) -> usize {
        self.dropped
    }

    /// Whether there is an error among the messages.
    pub fn has_errors(&self) -> bool {
        self.list.iter().any(|d| d.severity == Severity::Error)
    }

    /// Whether there is no message at all.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The messages in the order of their places.
    pub fn sorted(&self) -> Vec<&Diagnostic> {
        let mut all: Vec<_> = self.list.iter().collect();
        all.sort_by_key(|d| (d.span, d.code));
        all
    }

    /// The messages in the order in which they were found.
    pub fn iter(&self) -> impl Iterator<Item = &Diagnostic> {
        self.list.iter()
    }

    /// Takes over all messages of another collection.
    pub fn extend(&mut self, other: Diagnostics) {
        self.dropped += other.dropped;
        other.list.into_iter().for_each(|d| self.push(d));
    }
}

/// A collection of messages that a reader adds to.
pub trait Messages {
    /// Adds a message.
    fn push(&mut self, diagnostic: Diagnostic);

    /// Whether no further error will be kept, so that a reader should stop.
    fn is_full(&self) -> bool;
}

impl Messages for Diagnostics {
    fn push(&mut self, diagnostic: Diagnostic) {
        Diagnostics::push(self, diagnostic);
    }

    fn is_full(&self) -> bool {
        Diagnostics::is_full(self)
    }
}

impl From<Diagnostic> for Diagnostics {
    fn from(diagnostic: Diagnostic) -> Diagnostics {
        let mut all = Diagnostics::new();
        all.push(diagnostic);
        all
    }
}
