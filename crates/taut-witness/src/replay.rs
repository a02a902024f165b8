//! Traces, and the judge of them.

use std::fmt;

use taut_diag::SourceMap;
use taut_ir::{Action, Finding, Memory, Program, Span};

use crate::machine::Machine;
use crate::outcome::{Failure, Outcome};
use crate::record::Record;
use crate::state::State;
use crate::text;

/// What an engine claims: these actions, from the initial state, end in this finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    /// The memory system.
    pub memory: Memory,
    /// What is found at the end.
    pub finding: Finding,
    /// What happens, in order.
    pub actions: Vec<Action>,
}

/// A trace that was replayed, with everything that happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// The memory system.
    pub memory: Memory,
    /// The state at the start.
    pub initial: State,
    /// One row for each action.
    pub rows: Vec<Row>,
}

/// One action of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The action.
    pub action: Action,
    /// What it read and wrote.
    pub record: Record,
    /// The state after it. A step that faults has no effects: this is the state before it.
    pub after: State,
    /// How the step went wrong, if it did; only in the last row.
    pub failure: Option<Failure>,
}

impl Run {
    /// The state at the end.
    pub fn last(&self) -> &State {
        self.rows.last().map_or(&self.initial, |row| &row.after)
    }

    /// The state before a row.
    pub fn before(&self, row: usize) -> &State {
        row.checked_sub(1).map_or(&self.initial, |i| &self.rows[i].after)
    }
}

/// Why a trace is not accepted. Actions are counted from one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplayError(Kind);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Kind {
    /// An action cannot happen.
    Impossible { number: usize, who: String, what: String, span: Span, why: String },
    /// A step goes wrong before the trace ends.
    EndsEarly { number: usize, of: usize, found: String },
    /// The last step goes wrong, but not in the way that is claimed.
    OtherFinding { number: usize, found: String, claimed: String },
    /// Nothing of what is claimed holds at the end.
    NotFound { claimed: String },
}

impl ReplayError {
    fn impossible(program: &Program, number: usize, action: Action, why: String) -> ReplayError {
        let process = action.process();
        let who = match program.processes.get(process.index()) {
            Some(process) => process.name.clone(),
            None => format!("process {}", process.0),
        };
        let (what, span) = match action {
            Action::Step { step, .. } => match text::find_step(program, process, step) {
                Some(found) => {
                    let text = text::step(program, process, step);
                    (format!("take the step `{text}`"), found.span)
                }
                None => (format!("take step {}", step.0), Span::NONE),
            },
            Action::Handshake { step, receiver, .. } => {
                let to = match program.processes.get(receiver.index()) {
                    Some(process) => process.name.clone(),
                    None => format!("process {}", receiver.0),
                };
                let text = text::step(program, process, step);
                let found = text::find_step(program, process, step);
                (format!("hand over `{text}` to {to}"), found.map_or(Span::NONE, |s| s.span))
            }
            Action::Commit { var, .. } => match program.vars.get(var.index()) {
                Some(variable) => (format!("commit its store to `{}`", variable.name), Span::NONE),
                None => (format!("commit its store to variable {}", var.0), Span::NONE),
            },
        };
        ReplayError(Kind::Impossible { number, who, what, span, why })
    }

    /// The action that was refused, counted from one; none if the trouble is with the end.
    pub fn action(&self) -> Option<usize> {
        match &self.0 {
            Kind::Impossible { number, .. }
            | Kind::EndsEarly { number, .. }
            | Kind::OtherFinding { number, .. } => Some(*number),
            Kind::NotFound { .. } => None,
        }
    }

    /// The error with line numbers, for those who have the source at hand.
    pub fn describe(&self, sources: &SourceMap) -> String {
        match &self.0 {
            Kind::Impossible { number, who, what, span, why } => match text::line(sources, *span) {
                Some(line) => {
                    format!("action {number}: {who} cannot {what} at line {line}: {why}")
                }
                None => self.to_string(),
            },
            _ => self.to_string(),
        }
    }
}

impl fmt::Display for ReplayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Kind::Impossible { number, who, what, why, .. } => {
                write!(f, "action {number}: {who} cannot {what}: {why}")
            }
            Kind::EndsEarly { number, of, found } => {
                write!(f, "action {number} of {of} already ends the run: {found}")
            }
            Kind::OtherFinding { number, found, claimed } => {
                write!(f, "action {number} ends the run with {found}, not with {claimed}")
            }
            Kind::NotFound { claimed } => {
                write!(f, "the trace does not end in what it claims to show: {claimed}")
            }
        }
    }
}

impl std::error::Error for ReplayError {}

/// A finding in a few words: "a violation of assert `safe`".
pub(crate) fn finding_words(program: &Program, finding: Finding) -> String {
    match finding {
        Finding::Property(id) => match program.properties.get(id.index()) {
            Some(p) => format!("a violation of {} `{}`", p.kind.word(), p.name),
            None => format!("a violation of property {}", id.0),
        },
        Finding::Deadlock => "a deadlock".into(),
        Finding::Fault(fault) => format!("a fault ({})", fault.describe()),
        Finding::FullBuffer => "a store into a full buffer".into(),
    }
}

/// Replays a trace. It is accepted only if every action is possible in its turn and the finding
/// holds at the end: a failed assertion, a fault or a full buffer must come from the last action,
/// anything else must be true of the last state.
pub fn replay(program: &Program, trace: &Trace) -> Result<Run, ReplayError> {
    let machine = Machine::new(program, trace.memory);
    let initial = machine.initial();
    let mut run = Run { memory: trace.memory, initial, rows: Vec::new() };
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
    Err(ReplayError(Kind::NotFound { claimed: finding_words(program, trace.finding) }))
}

/// Whether a step that goes wrong is the end that the trace claims.
fn check_failure(
    program: &Program,
    trace: &Trace,
    number: usize,
    finding: Finding,
) -> Result<(), ReplayError> {
    let found = finding_words(program, finding);
    let of = trace.actions.len();
    if number < of {
        return Err(ReplayError(Kind::EndsEarly { number, of, found }));
    }
    if finding != trace.finding {
        let claimed = finding_words(program, trace.finding);
        return Err(ReplayError(Kind::OtherFinding { number, found, claimed }));
    }
    Ok(())
}
