//! Litmus tests: all final states of a test under a memory model.

use taut_explicit::{Limit, Limits};
use taut_ir::{Expr, MemoryModel};
use taut_litmus::Watched;

use crate::finals::finals;

pub use taut_litmus::{Observation, Outcome, Test, Verdict};

/// Finds all final states of a test and whether its condition is allowed, with buffers that are never
/// full.
pub fn run(test: &Test, model: MemoryModel, limits: &Limits) -> Result<Outcome, Limit> {
    Ok(test.outcome(finals(&test.program, model, &watched(test), limits)?))
}

/// What is watched in final states, as expressions over the whole state.
pub fn watched(test: &Test) -> Vec<Expr> {
    test.watched().iter().map(|&w| expression(w)).collect()
}

/// What is watched, as an expression over the whole state.
fn expression(watched: Watched) -> Expr {
    match watched {
        Watched::Register(process, register) => Expr::In(process, Box::new(Expr::Reg(register))),
        Watched::Location(var) => Expr::Var(var),
    }
}
