//! Why a trace is not accepted.

use std::fmt;

use taut_ir::{Action, Finding, ProcId, Program, Span};
use taut_source::SourceMap;

use crate::text;

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
    /// The way in which the run goes on for ever is not what is claimed.
    Lasso(String),
}

impl ReplayError {
    pub(super) fn impossible(
        program: &Program,
        number: usize,
        action: Action,
        why: String,
    ) -> ReplayError {
        let who = name(program, action.process());
        let (what, span) = deed(program, action);
        ReplayError(Kind::Impossible { number, who, what, span, why })
    }

    pub(super) fn ends_early(number: usize, of: usize, found: String) -> ReplayError {
        ReplayError(Kind::EndsEarly { number, of, found })
    }

    pub(super) fn other_finding(number: usize, found: String, claimed: String) -> ReplayError {
        ReplayError(Kind::OtherFinding { number, found, claimed })
    }

    pub(super) fn not_found(claimed: String) -> ReplayError {
        ReplayError(Kind::NotFound { claimed })
    }

    pub(super) fn lasso(why: impl Into<String>) -> ReplayError {
        ReplayError(Kind::Lasso(why.into()))
    }

    /// The action that was refused, counted from one; none if the trouble is with the end or the cycle.
    pub fn action(&self) -> Option<usize> {
        match &self.0 {
            Kind::Impossible { number, .. }
            | Kind::EndsEarly { number, .. }
            | Kind::OtherFinding { number, .. } => Some(*number),
            Kind::NotFound { .. } | Kind::Lasso(_) => None,
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
            Kind::Lasso(why) => f.write_str(why),
        }
    }
}

impl std::error::Error for ReplayError {}

fn name(program: &Program, process: ProcId) -> String {
    match program.processes.get(process.index()) {
        Some(process) => process.name.clone(),
        None => format!("process {}", process.0),
    }
}

/// What an action wants to do, in words that follow "cannot", and where it stands.
fn deed(program: &Program, action: Action) -> (String, Span) {
    let process = action.process();
    match action {
        Action::Step { step, .. } => match text::find_step(program, process, step) {
            Some(found) => {
                let text = text::step(program, process, step);
                (format!("take the step `{text}`"), found.span)
            }
            None => (format!("take step {}", step.0), Span::NONE),
        },
        Action::Handshake { step, receiver, .. } => {
            let to = name(program, receiver);
            let text = text::step(program, process, step);
            let found = text::find_step(program, process, step);
            (format!("hand over `{text}` to {to}"), found.map_or(Span::NONE, |s| s.span))
        }
        Action::Commit { var, .. } => match program.vars.get(var.index()) {
            Some(variable) => (format!("commit its store to `{}`", variable.name), Span::NONE),
            None => (format!("commit its store to variable {}", var.0), Span::NONE),
        },
    }
}

/// A finding in a few words: "a violation of assert `safe`".
pub(super) fn finding_words(program: &Program, finding: Finding) -> String {
    match finding {
        Finding::Property(id) => match program.properties.get(id.index()) {
            Some(p) => format!("a violation of {} `{}`", p.kind.word(), p.name),
            None => format!("a violation of property {}", id.0),
        },
        Finding::Deadlock => "a deadlock".into(),
        Finding::Fault(fault) => format!("a fault ({})", fault.describe()),
        Finding::FullBuffer => "a store into a full buffer".into(),
        Finding::NotRobust => "a circle in happens-before".into(),
    }
}
