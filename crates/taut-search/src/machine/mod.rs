//! The machine: a program and a memory system compiled into a transition relation over packed states.
//!
//! Everything that can be decided once is decided here, before the search: where each register and place
//! lies, which loads can be served by a buffer at all, which assignments need no range check, which steps
//! leave which location. [`Machine::expand`] then works on the packed words and allocates nothing.

mod code;
mod compile;
mod layout;
mod step;

use taut_ir::{Action, Finding, ProcId, PropId};
use taut_memory::{Field, Layout, MemorySystem, PlaceId, Places};

use code::Code;
pub use compile::{AnyMachine, compile};
pub(crate) use step::{CompiledStep, Needs};
use step::{Stop, copy, take};

/// A bound of the model that can hold a step back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// A store met a full buffer.
    Buffer,
    /// A spawn found no process to start.
    Threads,
    /// A call met the depth bound of the stack.
    Calls,
}

/// Which bounds of the model have held back a step. As long as none has, what was explored is everything
/// the program can do with buffers, threads and calls without bounds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BoundsMet {
    /// A store met a full buffer.
    pub buffer: bool,
    /// A spawn met the thread bound.
    pub threads: bool,
    /// A call met the depth bound.
    pub calls: bool,
}

impl BoundsMet {
    /// Notes that a bound was met.
    pub fn note(&mut self, bound: Bound) {
        match bound {
            Bound::Buffer => self.buffer = true,
            Bound::Threads => self.threads = true,
            Bound::Calls => self.calls = true,
        }
    }

    /// Whether any was met.
    pub fn any(self) -> bool {
        self.buffer || self.threads || self.calls
    }
}

/// Takes what [`Machine::expand`] finds.
pub trait Sink {
    /// An action leads to a state.
    fn successor(&mut self, action: Action, state: &[u64]);
    /// An action goes wrong. After a failed assertion its successor is reported as well.
    fn finding(&mut self, action: Action, finding: Finding);
    /// A step would be possible but for a bound.
    fn held(&mut self, bound: Bound);
}

/// One process, compiled. Vectors over locations are indexed by the bits of `pc`.
pub(crate) struct CompiledProcess {
    pub(crate) id: ProcId,
    /// The location; for a process that waits to be spawned 0 bits mean "not started" and everything
    /// else is one more than the location.
    pub(crate) pc: Field,
    pub(crate) spawned: bool,
    pub(crate) steps: Vec<Vec<CompiledStep>>,
    pub(crate) may_end: Vec<bool>,
    pub(crate) is_final: Vec<bool>,
    pub(crate) is_atomic: Vec<bool>,
    /// All fields of the process but `pc`, and their bits when it starts.
    pub(crate) fields: Vec<(Field, u64)>,
}

/// A property over states, compiled.
struct CompiledProperty {
    id: PropId,
    code: Code,
    /// Whether a state violates it where the code is true (what is forbidden) or where it is false (what
    /// is invariant).
    violated_if: bool,
}

/// A program under a memory system.
pub struct Machine<M> {
    pub(crate) memory: M,
    pub(crate) places: Places,
    pub(crate) processes: Vec<CompiledProcess>,
    properties: Vec<CompiledProperty>,
    watched: Vec<Code>,
    layout: Layout,
    initial: Vec<u64>,
    has_atomic: bool,
    has_spawned: bool,
    full_buffer_is_error: bool,
    may_fault: bool,
}

impl<M: MemorySystem> Machine<M> {
    /// The words of a state.
    pub fn words(&self) -> usize {
        self.layout.words
    }

    /// The bits of a state that are in use.
    pub fn state_bits(&self) -> usize {
        self.layout.bits
    }

    /// The initial state.
    pub fn initial(&self) -> &[u64] {
        &self.initial
    }

    /// The values of the watched expressions in a state; 0 where one faults.
    pub fn watched(&self, state: &[u64]) -> Vec<i64> {
        let value = |code: &Code| code.eval(&self.memory, state).unwrap_or(0);
        self.watched.iter().map(value).collect()
    }

    /// Whether any step could fault; if not, nobody need be told that none does.
    pub fn may_fault(&self) -> bool {
        self.may_fault
    }

    /// Calls the sink with everything that can happen in a state. `next` is scratch space of one state.
    pub fn expand(&self, state: &[u64], next: &mut Vec<u64>, sink: &mut impl Sink) {
        next.resize(self.words(), 0);
        match self.in_atomic_section(state) {
            Some(process) => self.expand_steps(process, state, next, sink),
            None => {
                for process in &self.processes {
                    self.expand_steps(process, state, next, sink);
                }
                for process in &self.processes {
                    self.expand_commits(process, state, next, sink);
                }
            }
        }
    }

    /// The process at an atomic location. There is at most one: while it is there nobody else moves.
    pub(crate) fn in_atomic_section(&self, state: &[u64]) -> Option<&CompiledProcess> {
        if !self.has_atomic {
            return None;
        }
        self.processes.iter().find(|p| p.is_atomic[p.pc.bits(state) as usize])
    }

    pub(crate) fn expand_steps(
        &self,
        process: &CompiledProcess,
        state: &[u64],
        next: &mut [u64],
        sink: &mut impl Sink,
    ) {
        let mut failed = Vec::new();
        for step in &process.steps[process.pc.bits(state) as usize] {
            let taken = take(self, process, step, state, next, &mut failed);
            for property in failed.drain(..) {
                if matches!(taken, Ok(()) | Err(Stop::Finding(_))) || self.is_error(&taken) {
                    sink.finding(step.action, Finding::Property(property));
                }
            }
            match taken {
                Ok(()) => {
                    self.retire(next);
                    sink.successor(step.action, next);
                }
                Err(Stop::Disabled) => {}
                Err(Stop::Held(_)) if self.is_error(&taken) => {
                    sink.finding(step.action, Finding::FullBuffer);
                }
                Err(Stop::Held(bound)) => sink.held(bound),
                Err(Stop::Finding(finding)) => sink.finding(step.action, finding),
            }
        }
    }

    /// Whether a step was held back by a full buffer and that is an error.
    fn is_error(&self, taken: &Result<(), Stop>) -> bool {
        self.full_buffer_is_error && matches!(taken, Err(Stop::Held(Bound::Buffer)))
    }

    fn expand_commits(
        &self,
        process: &CompiledProcess,
        state: &[u64],
        next: &mut [u64],
        sink: &mut impl Sink,
    ) {
        self.memory.for_each_commit(state, process.id, |place| {
            self.commit(process, place, state, next);
            sink.successor(self.commit_action(process, place), next);
        });
    }

    pub(crate) fn commit(
        &self,
        process: &CompiledProcess,
        place: PlaceId,
        state: &[u64],
        next: &mut [u64],
    ) {
        copy(state, next);
        self.memory.commit(next, process.id, place);
        self.retire(next);
    }

    pub(crate) fn commit_action(&self, process: &CompiledProcess, place: PlaceId) -> Action {
        let (var, index) = self.places.variable(place);
        Action::Commit { process: process.id, var, index }
    }

    /// Makes spawned processes that have finished, with nothing left in their buffers, ready to be
    /// spawned again.
    #[inline]
    fn retire(&self, state: &mut [u64]) {
        if self.has_spawned {
            self.retire_finished(state);
        }
    }

    fn retire_finished(&self, state: &mut [u64]) {
        for process in self.processes.iter().filter(|p| p.spawned) {
            let at_end = process.is_final[process.pc.bits(state) as usize];
            if at_end && self.memory.is_drained(state, process.id) {
                process.pc.set_bits(state, 0);
                process.fields.iter().for_each(|(field, _)| field.set_bits(state, 0));
            }
        }
    }

    /// Whether some process that has been started is where it may not end.
    pub fn is_stuck(&self, state: &[u64]) -> bool {
        self.processes.iter().any(|p| !p.may_end[p.pc.bits(state) as usize])
    }

    /// Whether every process that has been started has finished, with nothing left in any buffer.
    pub fn is_final(&self, state: &[u64]) -> bool {
        let done = |p: &CompiledProcess| {
            let bits = p.pc.bits(state) as usize;
            let absent = p.spawned && bits == 0;
            absent || (p.is_final[bits] && self.memory.is_drained(state, p.id))
        };
        self.processes.iter().all(done)
    }

    /// Calls `f` with each property over states that a state violates. An expression that faults counts
    /// as false.
    pub fn for_each_violated(&self, state: &[u64], mut f: impl FnMut(PropId)) {
        for property in &self.properties {
            let value = property.code.eval(&self.memory, state).is_ok_and(|v| v != 0);
            if value == property.violated_if {
                f(property.id);
            }
        }
    }
}
