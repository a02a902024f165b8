//! Refusals of programs, with the sources that their messages point into.

use taut_engine::Unsupported;
use taut_source::{Diagnostic, Diagnostics, SourceMap};

/// Why a program could not be read, with what is needed to show it.
#[derive(Clone, Debug)]
pub struct LoadError {
    /// The sources the messages point into.
    pub sources: SourceMap,
    /// The messages.
    pub diagnostics: Diagnostics,
}

impl LoadError {
    /// The messages as text.
    pub fn render(&self, styled: bool) -> String {
        taut_source::render_all(&self.sources, &self.diagnostics, styled)
    }

    /// The reason why an engine does not answer, if it points into the program.
    pub fn unsupported(sources: &SourceMap, why: &Unsupported) -> Option<Box<LoadError>> {
        let mut diagnostic = Diagnostic::error(why.code?, why.message.clone(), why.span);
        if let Some(label) = why.label {
            diagnostic = diagnostic.label(label);
        }
        if let Some(help) = why.help {
            diagnostic = diagnostic.help(help);
        }
        Some(LoadError::new(sources.clone(), diagnostic))
    }

    pub(super) fn new(sources: SourceMap, diagnostic: Diagnostic) -> Box<LoadError> {
        Box::new(LoadError { sources, diagnostics: diagnostic.into() })
    }
}

impl std::fmt::Display for LoadError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.render(false))
    }
}

impl std::error::Error for LoadError {}
