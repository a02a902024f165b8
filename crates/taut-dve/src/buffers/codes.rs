//! The codes of the messages of the export with buffers.

/// A model that becomes too large with buffers.
pub(crate) const TOO_LARGE: &str = "D0601";
