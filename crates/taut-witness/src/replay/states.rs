//! Traces to what is wrong with a state or a step.

use taut_ir::{Finding, Program};

use super::error::{ReplayError, finding_words};
use crate::machine::Machine;
use crate::outcome::Outcome;
use crate::trace::{Row, Run, Trace};

/// Replays a trace whose finding is at its end.
pub(super) fn replay(program: &Program, trace: &Trace) -> Result<Run, ReplayError> {
    let machine = Machine::new(program, trace.memory);
    let initial = machine.initial();
    let rows = Vec::new();
    let mut run = Run { memory: trace.memory, initial, rows, lasso: None, atoms: None };
    for (i, &action) in trace.actions.iter().enumerate() {
        let before = run.last().clone();
        let done = machine.apply(&before, action).map_err(|refusal| {
            ReplayError::impossible(program, i + 1, action, refusal.describe(program))
        })?;
        let record = done.record;
        let is_last = i + 1 == trace.actions.len();
        let claimed = record.all_failed().find(|f| is_last && f.finding == trace.finding);
        let claimed = claimed.cloned();
        match done.outcome {
            Outcome::State(after) => {
                let accepted = claimed.is_some();
                run.rows.push(Row { action, record, after, failure: claimed });
                if accepted {
                    return Ok(run);
                }
            }
            Outcome::Failure(_) if claimed.is_some() => {
                run.rows.push(Row { action, record, after: before, failure: claimed });
                return Ok(run);
            }
            Outcome::Failure(failure) => {
                check_failure(program, trace, i + 1, failure.finding)?;
                run.rows.push(Row { action, record, after: before, failure: Some(failure) });
                return Ok(run);
            }
        }
    }
    if machine.findings(run.last()).contains(&trace.finding) {
        return Ok(run);
    }
    Err(ReplayError::not_found(finding_words(program, trace.finding)))
}

/// Whether a step that goes wrong is the end that the trace claims.
pub(super) fn check_failure(
    program: &Program,
    trace: &Trace,
    number: usize,
    finding: Finding,
) -> Result<(), ReplayError> {
    let found = finding_words(program, finding);
    let of = trace.actions.len();
    if number < of {
        return Err(ReplayError::ends_early(number, of, found));
    }
    if finding != trace.finding {
        let claimed = finding_words(program, trace.finding);
        return Err(ReplayError::other_finding(number, found, claimed));
    }
    Ok(())
}
