//! A repair: the text as it was, the places that were changed, and runs that show why nothing cheaper is enough.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use taut_ir::{Action, ProcId, StepId, VarId};

use crate::proven::Proven;

/// A repair of a text. The claims of the certificate are about the text as it was fixed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Repair {
    /// The text as it was.
    pub original: String,
    /// What may stand at each point of the text, in the order in which the places of a point are numbered.
    pub kinds: Vec<FenceKind>,
    /// The cost of each place. Places are numbered in the order of the text.
    pub costs: Vec<u64>,
    /// The places that were changed.
    pub set: Vec<u32>,
    /// Runs, of which every set that fixes the text breaks each. None if it is not claimed that nothing cheaper does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub runs: Option<Vec<BrokenRun>>,
}

/// What may be put into a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FenceKind {
    /// A full fence.
    Fence,
    /// A store fence.
    StoreFence,
}

impl FenceKind {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            FenceKind::Fence => "fence",
            FenceKind::StoreFence => "sfence",
        }
    }
}

/// A run of the program with all places but some, which violates what is claimed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BrokenRun {
    /// The memory model.
    pub model: String,
    /// Entries per buffer; none for buffers without a bound.
    pub bound: Option<u32>,
    /// For a model that can start any number of processes, how many of each definition the program has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub slots: Option<BTreeMap<String, u32>>,
    /// What it violates.
    pub violates: Proven,
    /// The places that the program lacks: what fixes the text has one of them.
    pub clause: Vec<u32>,
    /// What happens.
    pub actions: Vec<Event>,
}

/// An action, as a list of numbers. Its length says which one it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Event {
    /// A process takes a step.
    Step(u32, u32),
    /// A store of a process reaches memory: its variable and the element.
    Commit(u32, u32, u32),
    /// A process and its step send; another one and its step receive.
    Handshake(u32, u32, u32, u32),
}

impl From<Action> for Event {
    fn from(action: Action) -> Event {
        match action {
            Action::Step { process, step, .. } => Event::Step(process.0, step.0),
            Action::Commit { process, var, index } => Event::Commit(process.0, var.0, index),
            Action::Handshake { process, step, receiver, receive, .. } => {
                Event::Handshake(process.0, step.0, receiver.0, receive.0)
            }
        }
    }
}

impl From<Event> for Action {
    fn from(event: Event) -> Action {
        let step = |process, step| (ProcId(process), StepId(step));
        match event {
            Event::Step(p, s) => Action::step(ProcId(p), StepId(s)),
            Event::Commit(p, v, index) => {
                Action::Commit { process: ProcId(p), var: VarId(v), index }
            }
            Event::Handshake(p, s, q, r) => Action::handshake(step(p, s), step(q, r)),
        }
    }
}
