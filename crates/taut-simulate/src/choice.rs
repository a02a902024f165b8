//! What can happen in a state, each with what would come of it.

use taut_ir::{Action, Finding, Program};
use taut_render::{Names, tell};
use taut_source::SourceMap;
use taut_witness::{Move, Outcome, Row, State};

/// Something that can happen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The action and what comes of it.
    pub row: Row,
    /// What happens, in one line.
    pub text: String,
    /// The line of its step in the source; none for a commit.
    pub line: Option<u32>,
}

impl Choice {
    /// An action that is possible in a state.
    pub(crate) fn new(program: &Program, sources: &SourceMap, row: Row) -> Choice {
        let names = Names::new(program, sources);
        let line = names.parts(&row).next().and_then(|part| part.line());
        Choice { text: tell(names, &row), row, line }
    }

    /// Whether it is a commit: a step of the memory, not of a process.
    pub fn is_commit(&self) -> bool {
        matches!(self.row.action, Action::Commit { .. })
    }
}

/// The row that an action makes.
pub(crate) fn row(before: &State, action: Action, done: Move) -> Row {
    let Move { outcome, record } = done;
    match outcome {
        Outcome::State(after) => {
            let failure = record.all_failed().next().cloned();
            Row { action, record, after, failure }
        }
        Outcome::Failure(failure) => {
            Row { action, record, after: before.clone(), failure: Some(failure) }
        }
    }
}

/// Whether a row ends the run: its step went wrong and had no effect. A failed assertion does not.
pub(crate) fn ends(row: &Row) -> bool {
    let failure = row.failure.as_ref();
    failure.is_some_and(|failure| !matches!(failure.finding, Finding::Property(_)))
}
