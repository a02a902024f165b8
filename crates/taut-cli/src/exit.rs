//! Exit codes, decided in one place.

use std::process::ExitCode;

use taut::Report;
use taut::sarif::Ending;

/// How a run ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Exit {
    /// Everything asked holds, or there was nothing to decide.
    Holds,
    /// A limit left something open.
    Unknown,
    /// Something is violated.
    Violated,
    /// The input is refused.
    BadInput,
    /// Output did not arrive: the disk is full, or the file cannot be written.
    NotWritten,
    /// Taut itself is at fault.
    Internal,
}

impl Exit {
    /// The exit of a report.
    pub fn of(report: &Report) -> Exit {
        if report.is_violated() {
            Exit::Violated
        } else if report.is_unknown() {
            Exit::Unknown
        } else {
            Exit::Holds
        }
    }
}

impl Exit {
    /// The exit code, and what it means.
    pub fn ending(self) -> Ending {
        let (code, words) = match self {
            Exit::Holds => (0, "everything asked holds"),
            Exit::Violated => (1, "something is violated, or not as expected"),
            Exit::Unknown => (2, "a limit left something open"),
            Exit::BadInput => (3, "the input is refused"),
            Exit::NotWritten => (74, "output could not be written"),
            Exit::Internal => (70, "Taut is at fault"),
        };
        Ending { code, words, successful: self < Exit::BadInput }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit.ending().code)
    }
}
