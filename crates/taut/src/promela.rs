//! What is about Promela alone: the header for SPIN, and the options of models.

pub use taut_promela::{GHOST, HEADER, MMLIB};
