//! Fairness, spelled out: what must happen again and again in a fair run.
//!
//! Weak fairness says of somebody who can always do something that in the end it is done. It is the same to
//! say that again and again it cannot be done or it is done. So fairness is a list of requirements, each
//! of which a transition of the run meets or not, and a run that repeats a cycle is fair exactly if every
//! requirement is met by some transition of the cycle.
//!
//! A transition leads from a state in which nobody holds the others to the next such state. It is one
//! action, or several if a process holds the others in between.

use taut_ir::{
    Action, Buffers, Fairness, Memory, MemoryFairness, MemoryModel, ProcId, Program, VarKind,
};

use crate::address::Address;
use crate::machine::Machine;
use crate::outcome::Successors;
use crate::state::State;
use crate::text;

/// Something that must be met again and again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Requirement {
    /// The process moves, or cannot.
    Process(ProcId),
    /// A buffer commits, or is empty: the one of a process, or its queue of a place.
    Buffer(ProcId, Option<Address>),
    /// Something commits, or nothing can.
    Memory,
    /// The process does not wait at a fence for its own buffer, or it moves, or a store of it commits.
    Fence(ProcId),
}

impl Requirement {
    /// All that a fairness asks for.
    pub fn all(program: &Program, memory: Memory, fairness: Fairness) -> Vec<Requirement> {
        let mut all = Vec::new();
        if fairness.process {
            all.extend(program.process_ids().map(Requirement::Process));
        }
        match fairness.memory {
            MemoryFairness::None => {}
            MemoryFairness::Buffers => all.extend(buffers(program, memory.model)),
            MemoryFairness::Process => {
                all.push(Requirement::Memory);
                all.extend(program.process_ids().map(Requirement::Fence));
            }
        }
        all
    }

    /// Whether a transition meets it: from this state, in which that can happen, by these actions.
    pub fn is_met(
        &self,
        machine: Machine<'_>,
        state: &State,
        next: &Successors,
        actions: &[Action],
    ) -> bool {
        self.asks_nothing(machine, state, next)
            || actions.iter().any(|&action| self.is_met_by(action))
    }

    fn asks_nothing(&self, machine: Machine<'_>, state: &State, next: &Successors) -> bool {
        match *self {
            Requirement::Process(p) => !next.enables(p),
            Requirement::Buffer(p, None) => state.process(p).buffer.is_empty(),
            Requirement::Buffer(p, Some(place)) => state.process(p).buffer.newest(place).is_none(),
            Requirement::Memory => {
                !next.moves.iter().any(|(action, _)| matches!(action, Action::Commit { .. }))
            }
            Requirement::Fence(p) => {
                let at = state.process(p);
                let mut steps = machine.program.def_of(p).steps_from(at.point);
                let model = machine.memory.model;
                at.buffer.is_empty() || !steps.any(|(_, step)| model.needs_drained(step))
            }
        }
    }

    fn is_met_by(&self, action: Action) -> bool {
        match (*self, action) {
            (Requirement::Process(p) | Requirement::Fence(p), Action::Step { process, .. }) => {
                p == process
            }
            (
                Requirement::Process(p) | Requirement::Fence(p),
                Action::Handshake { process, receiver, .. },
            ) => p == process || p == receiver,
            (Requirement::Fence(p), Action::Commit { process, .. }) => p == process,
            (Requirement::Buffer(p, place), Action::Commit { process, var, index }) => {
                p == process && place.is_none_or(|place| place == Address { var, index })
            }
            (Requirement::Memory, Action::Commit { .. }) => true,
            _ => false,
        }
    }

    /// What happens in a run that does not meet it.
    pub(crate) fn describe_breach(&self, program: &Program) -> String {
        let name = |p: ProcId| program.process(p).name.as_str();
        match *self {
            Requirement::Process(p) => {
                format!("{} can always take a step and never does", name(p))
            }
            Requirement::Buffer(p, None) => {
                format!("the stores in the buffer of {} wait for ever", name(p))
            }
            Requirement::Buffer(p, Some(place)) => {
                format!(
                    "a store of {} to `{}` waits for ever",
                    name(p),
                    text::address(program, place)
                )
            }
            Requirement::Memory => "stores could always be committed and none ever is".into(),
            Requirement::Fence(p) => {
                format!("{} waits at a fence and none of its stores is ever committed", name(p))
            }
        }
    }
}

/// A requirement for every buffer: one per process under TSO; one per process and place where the stores to
/// different places overtake each other.
fn buffers(program: &Program, model: MemoryModel) -> Vec<Requirement> {
    let processes = program.process_ids();
    match model.buffers() {
        Buffers::None => Vec::new(),
        Buffers::PerProcess => processes.map(|p| Requirement::Buffer(p, None)).collect(),
        Buffers::PerCell | Buffers::Slot => processes
            .flat_map(|p| places(program).map(move |place| Requirement::Buffer(p, Some(place))))
            .collect(),
    }
}

/// All places that stores wait for.
fn places(program: &Program) -> impl Iterator<Item = Address> {
    let shared = program.var_ids().filter(|&v| program.var(v).kind == VarKind::Shared);
    shared.flat_map(|var| (0..program.var(var).size()).map(move |index| Address { var, index }))
}
