//! Traces to what no sequentially consistent run is like.

use taut_ir::Program;

use super::error::{ReplayError, finding_words};
use super::follow;
use crate::happens::circle;
use crate::machine::Machine;
use crate::trace::{Run, Trace};

/// Replays a trace whose last action closes a circle in happens-before.
pub(super) fn replay(program: &Program, trace: &Trace) -> Result<Run, ReplayError> {
    let run = follow(program, trace.memory, &trace.actions)?;
    match circle(&Machine::new(program, trace.memory), &run) {
        Some(_) => Ok(run),
        None => Err(ReplayError::not_found(finding_words(program, trace.finding))),
    }
}
