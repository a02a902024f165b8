//! Verdicts, none of which can be read without what it covers.

use std::fmt;

use taut_ir::Memory;
use taut_search::{BoundsMet, Limit};
use taut_witness::{Run, Trace};

/// The answer to one question about a program under one memory model.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// It holds, as far as the coverage says.
    Holds(Coverage),
    /// It does not, and here is a run that the replayer has accepted.
    Violated(Box<Witness>),
    /// The search ended before it could tell.
    Unknown(Unknown),
}

impl Verdict {
    /// The word for it in reports.
    pub fn word(&self) -> &'static str {
        match self {
            Verdict::Holds(_) => "holds",
            Verdict::Violated(_) => "violated",
            Verdict::Unknown(_) => "unknown",
        }
    }

    /// What it covers, in words.
    pub fn coverage(&self) -> String {
        match self {
            Verdict::Holds(coverage) => coverage.to_string(),
            Verdict::Violated(witness) => {
                format!("a run of {}", steps(witness.trace.actions.len()))
            }
            Verdict::Unknown(unknown) => unknown.to_string(),
        }
    }
}

/// A number of steps in words.
pub fn steps(count: usize) -> String {
    if count == 1 { "1 step".into() } else { format!("{count} steps") }
}

/// What a `holds` covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Coverage {
    /// Buffers were full at this size somewhere; runs that need larger ones were not looked at.
    pub buffer: Option<u32>,
    /// So many processes of a definition ran at once somewhere, and another was to be spawned.
    pub threads: Option<u32>,
    /// Calls were nested so deep somewhere, and another was to be made.
    pub calls: Option<u32>,
}

impl Coverage {
    /// Coverage from the bounds in force and those that were met.
    pub(crate) fn new(met: BoundsMet, memory: Memory, threads: u32, calls: u32) -> Coverage {
        Coverage {
            buffer: memory.bound.filter(|_| met.buffer),
            threads: met.threads.then_some(threads),
            calls: met.calls.then_some(calls),
        }
    }

    /// Whether every execution is covered, with buffers, threads and calls without bounds.
    pub fn is_everything(self) -> bool {
        self.buffer.is_none() && self.threads.is_none() && self.calls.is_none()
    }
}

impl fmt::Display for Coverage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_everything() {
            return f.write_str("all executions");
        }
        let parts = [
            self.buffer.map(|k| format!("bound {k}")),
            self.threads.map(|n| {
                if n == 1 { "1 spawned thread".into() } else { format!("{n} spawned threads") }
            }),
            self.calls.map(|n| format!("call depth {n}")),
        ];
        let parts: Vec<_> = parts.into_iter().flatten().collect();
        write!(f, "up to {}", parts.join(", "))
    }
}

/// Why the search could not tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unknown {
    /// A limit was met.
    Limit(Limit),
    /// The search stopped at the violation of something else.
    Stopped,
}

impl fmt::Display for Unknown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unknown::Limit(limit) => limit.fmt(f),
            Unknown::Stopped => f.write_str("stopped at the first violation"),
        }
    }
}

/// A violation, replayed.
#[derive(Clone, Debug)]
pub struct Witness {
    /// What happens.
    pub trace: Trace,
    /// What is read and written on the way, as the replayer saw it.
    pub run: Run,
}

/// The answer to one question.
#[derive(Clone, Debug)]
pub struct PropertyResult {
    /// The name of the property.
    pub name: String,
    /// What kind of question it is: `assert`, `forbid`, `invariant`, `deadlock`, `fault`, `full-buffer`.
    pub kind: &'static str,
    /// The answer.
    pub verdict: Verdict,
}
