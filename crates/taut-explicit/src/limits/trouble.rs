//! What can go wrong with files of states and with other processes. Each ends the search as a limit does: with `unknown`, never with a verdict.

use std::time::Duration;
use std::{fmt, io};

use super::{Bytes, Limit, Seconds};

/// The reason why a process that has a part of a search was lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WorkerTrouble {
    /// A signal ended it.
    Signal(i32),
    /// It ended with this exit code.
    Exit(i32),
    /// It gave no sign of life for so long.
    Silent(Duration),
    /// The link from another worker to it was lost.
    Link(u32),
    /// The connection to it was closed.
    Closed,
    /// It could not be started, or no connection could be made.
    NotStarted(io::ErrorKind),
}

impl fmt::Display for WorkerTrouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WorkerTrouble::Signal(signal) => write!(f, "signal {signal} ended it"),
            WorkerTrouble::Exit(code) => write!(f, "it ended with exit code {code}"),
            WorkerTrouble::Silent(time) => {
                write!(f, "it gave no sign of life for {}", Seconds(*time))
            }
            WorkerTrouble::Link(other) => {
                write!(f, "the link from worker {other} to it was lost")
            }
            WorkerTrouble::Closed => f.write_str("the connection to it was closed"),
            WorkerTrouble::NotStarted(kind) => write!(f, "it could not be started: {kind}"),
        }
    }
}

/// The reason why states could not be kept in files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DiskTrouble {
    /// The disk has no room beside this number of bytes in files.
    Full(u64),
    /// The files would need more bytes than this, the most that was allowed.
    Most(u64),
    /// A block that was read is not the block that was written.
    Damaged,
    /// A file cannot be created, read or written.
    Failed(io::ErrorKind),
}

impl DiskTrouble {
    /// The trouble behind an error, with this number of bytes in files.
    pub(crate) fn of(error: &io::Error, used: u64) -> DiskTrouble {
        use io::ErrorKind::{FileTooLarge, QuotaExceeded, StorageFull};
        match error.kind() {
            StorageFull | QuotaExceeded | FileTooLarge => DiskTrouble::Full(used),
            // A file that ends early is not the file that was written.
            io::ErrorKind::UnexpectedEof => DiskTrouble::Damaged,
            kind => DiskTrouble::Failed(kind),
        }
    }
}

impl From<DiskTrouble> for Limit {
    fn from(trouble: DiskTrouble) -> Limit {
        Limit::Disk(trouble)
    }
}

impl fmt::Display for DiskTrouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DiskTrouble::Full(used) => {
                write!(f, "the disk is full, with {} of states in files", Bytes(*used))
            }
            DiskTrouble::Most(most) => {
                write!(f, "the limit of {} for files of states was met", Bytes(*most))
            }
            DiskTrouble::Damaged => {
                f.write_str("a file of states is damaged: what was read is not what was written")
            }
            DiskTrouble::Failed(kind) => {
                write!(f, "a file of states cannot be created, read or written: {kind}")
            }
        }
    }
}
