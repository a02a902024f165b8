//! Runs that claim nothing: it is enough that they are possible.

use taut_ir::{Action, Memory, Program};

use super::error::{ReplayError, finding_words};
use crate::machine::Machine;
use crate::outcome::Outcome;
use crate::trace::{Row, Run};

/// Follows a run that claims nothing about where it leads. It is accepted if every action is possible in its
/// turn; a step that goes wrong can only be the last.
pub fn follow(program: &Program, memory: Memory, actions: &[Action]) -> Result<Run, ReplayError> {
    let machine = Machine::new(program, memory);
    let initial = machine.initial();
    let mut run = Run { memory, initial, rows: Vec::new(), lasso: None, atoms: None };
    for (i, &action) in actions.iter().enumerate() {
        let before = run.last().clone();
        let done = machine.apply(&before, action).map_err(|refusal| {
            ReplayError::impossible(program, i + 1, action, refusal.describe(program))
        })?;
        let (after, failure) = match done.outcome {
            Outcome::State(after) => (after, None),
            Outcome::Failure(failure) if i + 1 < actions.len() => {
                let found = finding_words(program, failure.finding);
                return Err(ReplayError::ends_early(i + 1, actions.len(), found));
            }
            Outcome::Failure(failure) => (before, Some(failure)),
        };
        run.rows.push(Row { action, record: done.record, after, failure });
    }
    Ok(run)
}
