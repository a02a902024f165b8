//! Litmus tests: all final states of a test under a memory model.

use taut_explicit::{Limit, Limits};
use taut_ir::{Expr, MemoryModel};

use crate::finals::finals;

pub use taut_litmus::{Observation, Outcome, Test, Verdict};

/// Finds all final states of a test and whether its condition is allowed, with buffers that are never
/// full.
pub fn run(test: &Test, model: MemoryModel, limits: &Limits) -> Result<Outcome, Limit> {
    Ok(test.outcome(finals(&test.program, model, &watched(test), limits)?))
}

/// What is watched in final states, as expressions over the whole state.
pub fn watched(test: &Test) -> Vec<Expr> {
    test.watched().iter().map(|watched| watched.expression()).collect()
}
