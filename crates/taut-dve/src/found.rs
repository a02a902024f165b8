//! The messages of one reading, errors and warnings apart.
//!
//! [`Diagnostics`] keeps a limited number of messages. In one list, twenty warnings would leave no room for
//! the error that comes after them, and a wrong model would be accepted.

use taut_source::{Diagnostic, Diagnostics, Messages, Severity};

/// The messages so far.
#[derive(Default)]
pub(crate) struct Found {
    errors: Diagnostics,
    warnings: Diagnostics,
}

impl Found {
    pub(crate) fn push(&mut self, diagnostic: Diagnostic) {
        match diagnostic.severity {
            Severity::Error => self.errors.push(diagnostic),
            Severity::Warning => self.warnings.push(diagnostic),
        }
    }

    /// Whether no further error will be kept.
    pub(crate) fn is_full(&self) -> bool {
        self.errors.is_full()
    }

    pub(crate) fn has_errors(&self) -> bool {
        self.errors.has_errors()
    }

    /// The result, if there is one and no error: with the warnings; else all messages.
    pub(crate) fn finish<T>(self, result: Option<T>) -> Result<(T, Diagnostics), Diagnostics> {
        match result {
            Some(result) if !self.has_errors() => Ok((result, self.warnings)),
            _ => {
                let mut all = self.errors;
                all.extend(self.warnings);
                Err(all)
            }
        }
    }
}

impl Messages for Found {
    fn push(&mut self, diagnostic: Diagnostic) {
        Found::push(self, diagnostic);
    }

    fn is_full(&self) -> bool {
        Found::is_full(self)
    }
}

#[cfg(test)]
mod tests {
    use taut_source::{FileId, Span};

    use super::*;

    #[test]
    fn warnings_leave_room_for_errors() {
        let mut found = Found::default();
        for at in 0..100 {
            found.push(Diagnostic::warning("D0000", "odd", Span::new(FileId(0), at..at)));
        }
        assert!(!found.is_full());
        found.push(Diagnostic::error("D0000", "wrong", Span::new(FileId(0), 0..1)));
        assert!(found.finish(Some(())).unwrap_err().has_errors());
    }
}
