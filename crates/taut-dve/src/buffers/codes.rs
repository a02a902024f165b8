//! The codes of the messages of the export with buffers.

pub(crate) use crate::codes::BUFFERS_TOO_LARGE as TOO_LARGE;
