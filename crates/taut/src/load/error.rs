//! Refusals of programs, with the sources that their messages point into.

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
