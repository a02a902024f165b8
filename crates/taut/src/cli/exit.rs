//! Exit codes, decided in one place.

use std::process::ExitCode;

use taut::Report;

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

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(match exit {
            Exit::Holds => 0,
            Exit::Violated => 1,
            Exit::Unknown => 2,
            Exit::BadInput => 3,
            Exit::Internal => 70,
        })
    }
}
