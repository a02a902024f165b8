//! Words for running a program: memory models by name, what can happen, and what can be found.

use std::fmt;
use std::str::FromStr;

use crate::{Fault, ProcId, Program, PropId, StepId, VarId};

/// A memory model by name. What each means is in `taut-memory`, and once more in the replayer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum MemoryModel {
    /// Sequential consistency: no buffers.
    Sc,
    /// Total store order: one FIFO buffer a process.
    Tso,
    /// Partial store order: one FIFO buffer a process and variable (array elements are variables).
    Pso,
}

impl MemoryModel {
    /// All of them, strongest first.
    pub const ALL: [MemoryModel; 3] = [MemoryModel::Sc, MemoryModel::Tso, MemoryModel::Pso];

    /// The name in lower case, as on the command line.
    pub fn name(self) -> &'static str {
        match self {
            MemoryModel::Sc => "sc",
            MemoryModel::Tso => "tso",
            MemoryModel::Pso => "pso",
        }
    }
}

impl fmt::Display for MemoryModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for MemoryModel {
    type Err = String;

    fn from_str(s: &str) -> Result<MemoryModel, String> {
        let named = MemoryModel::ALL.into_iter().find(|m| m.name() == s);
        named.ok_or_else(|| format!("unknown memory model `{s}`"))
    }
}

/// What a store into a full buffer does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum FullBuffer {
    /// It waits until something commits.
    #[default]
    Wait,
    /// It ends the run, and that is the finding.
    Error,
}

/// A memory model together with the size of its buffers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Memory {
    /// The model.
    pub model: MemoryModel,
    /// Entries a buffer; `None` for buffers without a bound.
    pub bound: Option<u32>,
    /// What a store into a full buffer does.
    pub full_buffer: FullBuffer,
}

impl Memory {
    /// The bound unless something else is asked for.
    pub const DEFAULT_BOUND: u32 = 8;

    /// A model with the default bound, where full buffers make stores wait.
    pub fn new(model: MemoryModel) -> Memory {
        let bound = Some(Memory::DEFAULT_BOUND);
        Memory { model, bound, full_buffer: FullBuffer::Wait }
    }

    /// The same with another bound.
    #[must_use]
    pub fn bounded(self, bound: Option<u32>) -> Memory {
        Memory { bound, ..self }
    }
}

/// Something that happens in a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Action {
    /// A process takes a step.
    Step {
        /// The process.
        process: ProcId,
        /// The step of its definition.
        step: StepId,
    },
    /// A rendezvous: a process sends and another receives, at once. First the sender's step happens, its
    /// effects included, then the receiver's.
    Handshake {
        /// The sender.
        process: ProcId,
        /// The sender's step.
        step: StepId,
        /// The receiver.
        receiver: ProcId,
        /// The receiver's step.
        receive: StepId,
    },
    /// The oldest buffered store of a process, under PSO the oldest to this place, reaches memory.
    Commit {
        /// Whose store.
        process: ProcId,
        /// The variable.
        var: VarId,
        /// The element; 0 for a scalar.
        index: u32,
    },
}

impl Action {
    /// The process that moves, sends, or whose store commits.
    pub fn process(self) -> ProcId {
        match self {
            Action::Step { process, .. }
            | Action::Handshake { process, .. }
            | Action::Commit { process, .. } => process,
        }
    }
}

/// A way in which a program can be wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Finding {
    /// A property of the program is violated: an assertion failed in the last step, or the last state
    /// satisfies what is forbidden or falsifies what is invariant.
    Property(PropId),
    /// Nothing can happen any more, and some started process is at a location where it may not end.
    Deadlock,
    /// The last step went wrong. Its effects do not happen.
    Fault(Fault),
    /// The last step stored into a full buffer, with [`FullBuffer::Error`].
    FullBuffer,
}

impl Finding {
    /// The name of what is violated.
    pub fn name(self, program: &Program) -> String {
        match self {
            Finding::Property(id) => program.property(id).name.clone(),
            Finding::Deadlock => "deadlock".into(),
            Finding::Fault(_) => "fault".into(),
            Finding::FullBuffer => "full-buffer".into(),
        }
    }

    /// The kind of what is violated, as reports name it.
    pub fn kind(self, program: &Program) -> &'static str {
        match self {
            Finding::Property(id) => program.property(id).kind.word(),
            Finding::Deadlock => "deadlock",
            Finding::Fault(_) => "fault",
            Finding::FullBuffer => "full-buffer",
        }
    }
}
