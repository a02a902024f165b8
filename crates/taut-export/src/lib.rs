//! Programs with their store buffers written out, for tools that know only sequential consistency.
//!
//! [`promela()`] turns any program under any memory model with bounded buffers into plain Promela that SPIN
//! accepts as it is: the buffers are arrays, the memory is a process that commits, properties are
//! assertions. SPIN then gives the same verdicts as Taut, which is also how Taut is tested.

mod promela;

use std::fmt;

pub use promela::promela;

/// Why a program cannot be exported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExportError(String);

impl ExportError {
    pub(crate) fn new(message: impl Into<String>) -> ExportError {
        ExportError(message.into())
    }
}

impl fmt::Display for ExportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ExportError {}
