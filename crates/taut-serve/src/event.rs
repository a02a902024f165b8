//! The events of a job that the server itself tells of.

use hyper::body::Bytes;
use serde::Serialize;
use taut_page::Job;

/// An event, as a line of JSON.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "event", rename_all = "lowercase")]
pub(crate) enum Event {
    /// No slot is free, and so many go before.
    Waiting { ahead: usize },
    /// The job's process runs, with these limits.
    Started { limits: Given },
    /// The job's process did not end as it should.
    Stopped { reason: Reason, message: String, hint: String },
}

/// The limits of a job.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(crate) struct Given {
    seconds: f64,
    memory_mib: u64,
}

impl Given {
    pub(crate) fn of(job: &Job) -> Given {
        Given { seconds: job.seconds, memory_mib: job.memory_mib }
    }
}

/// Why a job's process did not end as it should.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Reason {
    Time,
    Memory,
    Crash,
}

impl Event {
    /// The line.
    pub(crate) fn line(&self) -> Bytes {
        // Strings and numbers: nothing that cannot be written.
        let mut line = serde_json::to_vec(self).unwrap_or_default();
        line.push(b'\n');
        line.into()
    }
}
