//! What is about DVE alone: models that are written back, and their options.

pub use taut_dve::{ATOMIC, DveModel, RANGE_ERRORS, print};
