//! Litmus tests: all final states of a test under a memory model.

use taut_explicit::{Limit, Limits, final_states};
use taut_ir::{Expr, Memory, MemoryModel};
use taut_litmus::Watched;

pub use taut_litmus::{Observation, Outcome, Test, Verdict};

/// Finds all final states of a test and whether its condition is allowed, with buffers that are never
/// full.
pub fn run(test: &Test, model: MemoryModel, limits: &Limits) -> Result<Outcome, Limit> {
    let watched: Vec<_> = test.watched().iter().map(|&w| expression(w)).collect();
    let finals = final_states(&test.program, Memory::new(model), &watched, limits)?;
    Ok(test.outcome(&finals.values))
}

/// What is watched, as an expression over the whole state.
fn expression(watched: Watched) -> Expr {
    match watched {
        Watched::Register(process, register) => Expr::In(process, Box::new(Expr::Reg(register))),
        Watched::Location(var) => Expr::Var(var),
    }
}
