//! What one action did: everything it read and wrote, in order.

use taut_ir::{ChanId, Finding, ProcId, RegId};

use crate::address::Address;
use crate::state::State;

/// How a step goes wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// What is found.
    pub finding: Finding,
    /// Whose step it is; in a rendezvous the sender or the receiver.
    pub process: ProcId,
    /// The state inside the step at the point where it went wrong, for explanations.
    pub inside: State,
}

/// Where a read found its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Source {
    /// In the process's own buffer.
    Buffer,
    /// In memory.
    Memory,
}

/// Where a write went.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Target {
    /// Into the process's own buffer.
    Buffer,
    /// To memory.
    Memory,
}

/// One read of a shared or ghost variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Read {
    /// What was read.
    pub address: Address,
    /// The value.
    pub value: i64,
    /// Where the value was found.
    pub from: Source,
}

/// One write to a shared or ghost variable. A commit is a write to memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Write {
    /// What was written.
    pub address: Address,
    /// The value, as the variable's type holds it.
    pub value: i64,
    /// Where it went.
    pub to: Target,
}

/// One write to a register of the acting process: an assignment, a parameter of a call, or a value
/// that a return brought back. The new value may be the old one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LocalWrite {
    /// The register.
    pub register: RegId,
    /// The element; 0 for a scalar.
    pub index: u32,
    /// The value, as the register's type holds it.
    pub value: i64,
}

/// What became of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Transfer {
    /// It was put into the channel, or handed over.
    Sent,
    /// It was taken out of the channel, or over from the sender.
    Received,
    /// It was looked at and stays in the channel.
    Copied,
}

/// A message that went through a channel.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Message {
    /// The channel.
    pub channel: ChanId,
    /// A value for each field.
    pub values: Vec<i64>,
    /// What became of it.
    pub how: Transfer,
}

/// Everything one action did, each list in the order in which it happened.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Record {
    /// Reads of variables.
    pub reads: Vec<Read>,
    /// Writes to variables.
    pub writes: Vec<Write>,
    /// Writes to registers.
    pub locals: Vec<LocalWrite>,
    /// Processes that were started.
    pub spawned: Vec<ProcId>,
    /// Assertions that failed.
    pub failed: Vec<Failure>,
    /// What was sent or received.
    pub message: Option<Message>,
    /// In a rendezvous, what the receiver did; all else is what the sender did.
    pub partner: Option<Box<Record>>,
}

impl Record {
    /// The assertions that failed, in a rendezvous those of both.
    pub fn all_failed(&self) -> impl Iterator<Item = &Failure> {
        self.failed.iter().chain(self.partner.iter().flat_map(|partner| &partner.failed))
    }
}
