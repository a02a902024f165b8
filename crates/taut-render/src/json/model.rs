//! The shape of a trace file.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;

/// A trace, with everything that happens in it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Document {
    /// [`super::FORMAT`].
    pub format: &'static str,
    /// [`super::VERSION`].
    pub version: u32,
    /// The name of the program.
    pub program: String,
    /// The file it was read from.
    pub file: String,
    /// The memory model: `sc`, `tso` or `pso`.
    pub model: &'static str,
    /// Entries per buffer; null for buffers without a bound.
    pub bound: Option<u32>,
    /// What a store into a full buffer does: `wait` or `error`.
    pub full_buffer: &'static str,
    /// What is violated; of [`super::RUN`] kind if the run claims nothing.
    pub property: PropertyDocument,
    /// For a property of runs, how the run goes on for ever. Without it, what happens suffices: nothing
    /// that comes after can fix the run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lasso: Option<LassoDocument>,
    /// For a property of runs, its atoms, as the source says them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub atoms: Option<Vec<String>>,
    /// The truth of the atoms at the start.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub truth: Option<Vec<bool>>,
    /// Memory at the start, by the names of variables; an array is a list.
    pub initial: BTreeMap<String, Value>,
    /// What happens, in order.
    pub steps: Vec<StepDocument>,
}

/// How a run goes on for ever.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LassoDocument {
    /// The steps before this one, counted from 0, are the stem; this one and those after it are the cycle,
    /// which is repeated. If it is the number of steps, the run ends there and stays in its last state.
    pub cycle: usize,
    /// The fairness of the cycle: `none`, `process`, `memory`, `memory-process`, `all`, or several of
    /// these with commas between them.
    pub fairness: &'static str,
}

/// What is violated.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PropertyDocument {
    /// Its name.
    pub name: String,
    /// `assert`, `forbid`, `invariant`, `ltl`, `never`, `deadlock`, `fault`, `full-buffer` or `robust`; or `run` if
    /// nothing is claimed to be violated, where the name is empty and there are no words.
    pub kind: &'static str,
    /// For a fault, which: `division-by-zero`, `index`, `range`, `shift`, `channel` or
    /// `blocked`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fault: Option<&'static str>,
    /// The finding in words, a line each.
    pub words: Vec<String>,
}

/// One action.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct StepDocument {
    /// The process that moves, sends, or whose store commits.
    pub process: String,
    /// `step`, `handshake` or `commit`. A handshake is two steps at once, on a channel that holds no
    /// messages: what follows is about the sender's, and `receiver` about the other.
    pub action: &'static str,
    /// For a step or a handshake, its number in the process's definition.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub step: Option<u32>,
    /// For a step or a handshake, the number of the outcome of its loads, if that is not the first. Loads have one
    /// outcome with store buffers, so no trace of such a memory model has it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub choice: Option<u32>,
    /// For a step or a handshake, its line in the source.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// For a step or a handshake, what it does, as the source says it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// What became of the step: `taken` or `not taken` for a condition, `success` or `failure` for a compare-and-swap,
    /// `again` for a wait that starts anew.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outcome: Option<&'static str>,
    /// Whether it matters for the violation: it is more than a local step, or changes something that the property names.
    pub matters: bool,
    /// For a commit, the variable.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub variable: Option<String>,
    /// For a commit to an array, the element.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub index: Option<u32>,
    /// For a commit, the value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<i64>,
    /// Whether the step goes wrong: it faults, in which case its effects do not happen, or the assertion
    /// that is the finding fails in it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub fails: bool,
    /// What was read from variables, in order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub reads: Vec<Access>,
    /// What was written to variables, in order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub writes: Vec<Access>,
    /// Registers of the process that were written, with their new values.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub locals: BTreeMap<String, i64>,
    /// Processes that were started.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub spawned: Vec<String>,
    /// The message that was sent or received.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<MessageDocument>,
    /// For a handshake, the other half.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub receiver: Option<ReceiverDocument>,
    /// Memory after it.
    pub memory: BTreeMap<String, Value>,
    /// The channels after it that are not empty, by name, oldest message first; a message is a list
    /// with a value for each field.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub channels: BTreeMap<String, Vec<Vec<i64>>>,
    /// The buffers after it that are not empty, by process, oldest store first.
    pub buffers: BTreeMap<String, Vec<Buffered>>,
    /// For a property of runs, the truth of its atoms after it; left out where a process holds the others.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub truth: Option<Vec<bool>>,
}

/// The receiver's half of a handshake.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct ReceiverDocument {
    /// The process that receives.
    pub process: String,
    /// The number of its step in its definition.
    pub step: u32,
    /// The line of its step in the source.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// What it does, as the source says it.
    pub text: String,
    /// What was read from variables, in order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub reads: Vec<Access>,
    /// What was written to variables, in order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub writes: Vec<Access>,
    /// Registers of the process that were written, with their new values.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub locals: BTreeMap<String, i64>,
    /// Processes that were started.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub spawned: Vec<String>,
}

/// A message that went through a channel.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MessageDocument {
    /// The name of the channel.
    pub channel: String,
    /// What became of the message: `sent`, `received`, or `copied` if it stays in the channel.
    pub how: &'static str,
    /// A value for each field.
    pub values: Vec<i64>,
}

/// One read or write of a variable.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Access {
    /// The variable, or the element of an array, such as `a[2]`.
    pub variable: String,
    /// The value.
    pub value: i64,
    /// For a read, where the value was found: `buffer` or `memory`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<&'static str>,
    /// For a write, where the value went: `buffer` or `memory`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to: Option<&'static str>,
}

/// One item of a buffer.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Buffered {
    /// A store.
    Store {
        /// The variable, or the element of an array, such as `a[2]`.
        variable: String,
        /// The value.
        value: i64,
    },
    /// PSO: the word `sfence`; nothing after it commits before everything before it has.
    Barrier(&'static str),
}

/// The word for a fault in a trace file.
pub(super) fn fault_word(fault: taut_ir::Fault) -> &'static str {
    match fault {
        taut_ir::Fault::DivisionByZero => "division-by-zero",
        taut_ir::Fault::Index => "index",
        taut_ir::Fault::Range => "range",
        taut_ir::Fault::Shift => "shift",
        taut_ir::Fault::Channel => "channel",
        taut_ir::Fault::Blocked => "blocked",
        taut_ir::Fault::Pointer => "pointer",
        taut_ir::Fault::Freed => "freed",
        taut_ir::Fault::Free => "free",
        taut_ir::Fault::Uninitialised => "uninitialised",
    }
}

/// The word for what a full buffer does in a trace file.
pub(super) fn full_buffer_word(full_buffer: taut_ir::FullBuffer) -> &'static str {
    match full_buffer {
        taut_ir::FullBuffer::Wait => "wait",
        taut_ir::FullBuffer::Error => "error",
    }
}
