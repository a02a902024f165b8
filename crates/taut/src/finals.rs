//! The final states of a program under a memory model.

use std::collections::BTreeSet;

use taut_explicit::{Limit, Limits, final_states};
use taut_ir::{Expr, Memory, MemoryModel, Program};

/// The values of some expressions over the whole state in every final state, with buffers that are never full. A final
/// state is one where every process has finished and every buffer is empty.
pub fn finals(
    program: &Program,
    model: MemoryModel,
    watched: &[Expr],
    limits: &Limits,
) -> Result<BTreeSet<Vec<i64>>, Limit> {
    Ok(final_states(program, Memory::new(model), watched, limits)?.values)
}
