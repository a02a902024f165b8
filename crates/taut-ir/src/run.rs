//! Words for running a program: the memory it runs on, what can happen, and what can be found.

use std::fmt;
use std::str::FromStr;

use crate::{Fault, MemoryModel, ProcId, Program, PropId, StepId, VarId};

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
    /// Entries per buffer; `None` for buffers without a bound. Delayed writes have none in any case.
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

/// Which runs count when a property speaks of what happens in the end: only fair ones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Fairness {
    /// Weak fairness of processes, as SPIN's `-f`: a process that from some point on could always take a
    /// step, or send in a rendezvous, moves again and again. Receiving is a move, too.
    pub process: bool,
    /// What is asked of the memory.
    pub memory: MemoryFairness,
}

/// What is asked of the memory in fair runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum MemoryFairness {
    /// Nothing: a store may wait for ever.
    #[default]
    None,
    /// No store waits in a buffer for ever: a buffer that is not empty commits again and again. Under PSO
    /// and with delayed writes each place has a buffer of its own; a delayed write that is overwritten
    /// again and again before it commits waits for ever.
    Buffers,
    /// The memory is one process, which picks any buffer: as long as something could be committed,
    /// something is again and again. Only who waits for the own buffer at a fence is sure to see the own
    /// stores committed. This is what SPIN's `-f` promises to models of mmlib, whose fences empty the buffer
    /// themselves.
    Process,
}

impl Fairness {
    /// No fairness: every run counts.
    pub const NONE: Fairness = Fairness { process: false, memory: MemoryFairness::None };
    /// Of processes and of every buffer.
    pub const ALL: Fairness = Fairness { process: true, memory: MemoryFairness::Buffers };

    /// The name, as on the command line.
    pub fn name(self) -> &'static str {
        match (self.process, self.memory) {
            (false, MemoryFairness::None) => "none",
            (true, MemoryFairness::None) => "process",
            (false, MemoryFairness::Buffers) => "memory",
            (true, MemoryFairness::Buffers) => "all",
            (false, MemoryFairness::Process) => "memory-process",
            (true, MemoryFairness::Process) => "process,memory-process",
        }
    }
}

impl fmt::Display for Fairness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Fairness {
    type Err = String;

    /// A list of `none`, `process`, `memory`, `memory-process` and `all`, with commas between them.
    fn from_str(s: &str) -> Result<Fairness, String> {
        let mut fairness = Fairness::NONE;
        for word in s.split(',').map(str::trim) {
            match word {
                "none" => {}
                "process" => fairness.process = true,
                "memory" => fairness.memory = MemoryFairness::Buffers,
                "memory-process" => fairness.memory = MemoryFairness::Process,
                "all" => fairness = Fairness::ALL,
                _ => return Err(format!("unknown fairness `{word}`")),
            }
        }
        Ok(fairness)
    }
}

/// The outcome of the loads of an action, by its number.
///
/// Under a memory model with store buffers a load has one outcome, and the choice is always the first. A memory model
/// in which a load may read one of several writes tells its outcomes in a fixed order
/// (`MemorySystem::for_each_outcome`); where the action has several loads with several outcomes, the outcomes of
/// the load that comes first vary slowest. Traces name a choice only if it is not the first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Choice(pub u32);

impl Choice {
    /// The first outcome, or the only one.
    pub const FIRST: Choice = Choice(0);
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
        /// The outcome of its loads.
        choice: Choice,
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
        /// The outcome of the loads of both.
        choice: Choice,
    },
    /// The oldest buffered store of a process, under PSO and delayed writes the oldest to this place,
    /// reaches memory.
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
    /// A step whose loads have their first, or only, outcome.
    pub fn step(process: ProcId, step: StepId) -> Action {
        Action::Step { process, step, choice: Choice::FIRST }
    }

    /// A rendezvous of a sender with a receiver, whose loads have their first, or only, outcome.
    pub fn handshake(sender: (ProcId, StepId), receiver: (ProcId, StepId)) -> Action {
        let ((process, step), (receiver, receive)) = (sender, receiver);
        Action::Handshake { process, step, receiver, receive, choice: Choice::FIRST }
    }

    /// The same action with another outcome of its loads. A commit loads nothing.
    #[must_use]
    pub fn chosen(mut self, new: Choice) -> Action {
        match &mut self {
            Action::Step { choice, .. } | Action::Handshake { choice, .. } => *choice = new,
            Action::Commit { .. } => debug_assert_eq!(new, Choice::FIRST),
        }
        self
    }

    /// The outcome of its loads.
    pub fn choice(self) -> Choice {
        match self {
            Action::Step { choice, .. } | Action::Handshake { choice, .. } => choice,
            Action::Commit { .. } => Choice::FIRST,
        }
    }

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
    /// satisfies what is forbidden or falsifies what is invariant, or the run violates what is asked of
    /// runs.
    Property(PropId),
    /// Nothing can happen any more, and some started process is at a program point where it may not end, or the trace
    /// assertion is in a state where it may not end.
    Deadlock,
    /// The last step went wrong. Its effects do not happen.
    Fault(Fault),
    /// The last step stored into a full buffer, with [`FullBuffer::Error`].
    FullBuffer,
    /// No sequentially consistent run has the trace of this one: the commit at its end closes a circle in
    /// happens-before.
    NotRobust,
}

impl Finding {
    /// Whether two findings are of one kind, so that a search for the first of each needs only one of them.
    /// All faults are of one kind.
    pub fn same_kind(self, other: Finding) -> bool {
        matches!((self, other), (Finding::Fault(_), Finding::Fault(_))) || self == other
    }

    /// The name of what is violated.
    pub fn name(self, program: &Program) -> String {
        match self {
            Finding::Property(id) => program.property(id).name.clone(),
            Finding::Deadlock => "deadlock".into(),
            Finding::Fault(_) => "fault".into(),
            Finding::FullBuffer => "full-buffer".into(),
            Finding::NotRobust => "robust".into(),
        }
    }

    /// The kind of what is violated, as reports name it.
    pub fn kind(self, program: &Program) -> &'static str {
        match self {
            Finding::Property(id) => program.property(id).kind.word(),
            Finding::Deadlock => "deadlock",
            Finding::Fault(_) => "fault",
            Finding::FullBuffer => "full-buffer",
            Finding::NotRobust => "robust",
        }
    }
}
