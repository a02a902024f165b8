//! Names of a test: its locations, and the registers of each thread, in the order in which they first occur.

use taut_ir::Type;
use taut_source::{Diagnostic, Diagnostics, Span};

use crate::error;

/// The most locations of a test, and registers of a thread. What lies beyond can be explored by nobody, and
/// up to here looking names up one by one is the fastest way.
const MOST_NAMES: usize = 256;

/// Names with a value of their own: the locations of a test, or the registers of a thread.
#[derive(Default)]
pub(crate) struct Names<'s> {
    pub(crate) list: Vec<Named<'s>>,
}

/// A name, its type and its initial value.
pub(crate) struct Named<'s> {
    pub(crate) name: &'s str,
    pub(crate) ty: Type,
    pub(crate) init: i64,
    /// Where the initial value stands, if it is given.
    set: Option<Span>,
    pub(crate) span: Span,
}

impl<'s> Names<'s> {
    /// The index of a name, which is added if it is new.
    pub(crate) fn intern(
        &mut self,
        name: &'s str,
        ty: Type,
        span: Span,
        diagnostics: &mut Diagnostics,
    ) -> usize {
        if let Some(index) = self.list.iter().position(|n| n.name == name) {
            return index;
        }
        if self.list.len() == MOST_NAMES {
            diagnostics.push(
                Diagnostic::error(error::LIMIT, "the test has too many variables", span)
                    .label(format!("expected at most {MOST_NAMES} locations or registers"))
                    .help("a test this large cannot be explored; split it"),
            );
            return 0;
        }
        self.list.push(Named { name, ty, init: 0, set: None, span });
        self.list.len() - 1
    }

    /// Gives a name its initial value; if it has another one already, the place where that stands.
    pub(crate) fn initialise(&mut self, index: usize, value: i64, span: Span) -> Result<(), Span> {
        let named = &mut self.list[index];
        match named.set {
            Some(first) if named.init != value => Err(first),
            _ => {
                (named.init, named.set) = (value, Some(span));
                Ok(())
            }
        }
    }
}

/// The registers of a thread.
pub(crate) struct Locals<'s> {
    pub(crate) number: u32,
    pub(crate) names: Names<'s>,
}
