//! The two accesses of a data race at the end of a run.
//!
//! A program that looks for races ([`taut_ir::RaceWatch`]) notes both in variables of its own; their values have words.

use std::fmt;

use taut_ir::{Span, VarId};

use crate::view::RunView;

/// Two accesses that nothing orders.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Race {
    /// The one that happened first in the run.
    pub first: RacingAccess,
    /// The one that happened last.
    pub second: RacingAccess,
}

/// An access that a report names: one of a race, or one of two that changed places ([`crate::Swap`]).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RacingAccess {
    /// The row of the run, counted from 0.
    pub row: usize,
    /// The name of the process.
    pub process: String,
    /// What it does: "plain store to x".
    pub words: String,
    /// Its statement.
    pub span: Span,
    /// The line of the statement.
    pub line: Option<u32>,
}

impl fmt::Display for RacingAccess {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}'s {}", self.process, self.words)?;
        match self.line {
            Some(line) => write!(f, " (line {line})"),
            None => write!(f, " (row {})", self.row + 1),
        }
    }
}

impl fmt::Display for Race {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} and {} are not ordered", self.first, self.second)
    }
}

/// The race at the end of a run; none if the program does not look for races.
pub fn race(view: RunView<'_>) -> Option<Race> {
    let watch = view.program().races?;
    Some(Race { first: access(view, watch.first)?, second: access(view, watch.second)? })
}

/// The access that is noted in a variable.
fn access(view: RunView<'_>, var: VarId) -> Option<RacingAccess> {
    let noted = view.rows().enumerate().find_map(|(row, parts)| {
        let part = parts.parts().next()?;
        let write = part.writes().find(|write| write.location.var == var)?;
        Some((row, part, write))
    });
    let (row, part, write) = noted?;
    Some(RacingAccess {
        row,
        process: part.name().to_owned(),
        words: view.names().value(write.location, write.value),
        span: part.span(),
        line: part.line(),
    })
}
