//! The machine: a program and a memory system compiled into a transition relation over packed states.
//!
//! Everything that can be decided once is decided here, before the search: where each register, place and
//! message lies, which loads can be served by a buffer at all, which assignments need no range check, which
//! steps leave which program point, who may receive on which channel. [`Machine::expand`] then works on the
//! packed words and allocates nothing.

pub mod bits;
mod channel;
mod code;
mod compile;
mod constants;
mod destination;
mod effect;
mod expand;
mod flat;
mod follow;
mod handshake;
pub mod hash;
mod layout;
mod lifecycle;
mod message;
mod moved;
mod outcomes;
mod parts;
mod perform;
mod priority;
mod procedure;
mod sink;
mod step;
mod stop;
mod take;
mod transient;

use std::sync::Arc;

use taut_ir::{DefId, Finding, ProcId, PropId};
use taut_memory::{Cells, Field, Layout, MemorySystem};

use crate::bits::BitSet;

use channel::ChannelLayout;
use code::Code;
pub use compile::{AnyMachine, MachineVisitor, compile, compile_for, compile_on};
pub use sink::Scratch;
pub use step::{CompiledStep, Needs};
pub use transient::Provenance;

/// A bound of the model that can hold a step back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// A store met a full buffer.
    Buffer,
    /// A spawn found no process of this definition to start.
    Threads(DefId),
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
    /// The first definition of which a spawn found no process.
    pub no_process: Option<DefId>,
}

impl BoundsMet {
    /// Notes that a bound was met.
    pub fn note(&mut self, bound: Bound) {
        match bound {
            Bound::Buffer => self.buffer = true,
            Bound::Threads(def) => {
                self.threads = true;
                self.no_process.get_or_insert(def);
            }
            Bound::Calls => self.calls = true,
        }
    }

    /// Notes those that another search has met.
    pub fn join(&mut self, other: BoundsMet) {
        self.buffer |= other.buffer;
        self.threads |= other.threads;
        self.calls |= other.calls;
        self.no_process = self.no_process.or(other.no_process);
    }

    /// Whether any was met.
    pub fn any(self) -> bool {
        self.buffer || self.threads || self.calls
    }
}

/// Takes what [`Machine::expand`] finds.
pub trait Sink {
    /// A state follows, in which nobody holds anybody.
    fn successor(&mut self, way: Provenance, state: &[u64]);
    /// An action goes wrong. After a failed assertion its successor is reported as well.
    fn finding(&mut self, way: Provenance, finding: Finding);
    /// A step would be possible but for a bound.
    fn blocked(&mut self, bound: Bound);
    /// A state that a reduction passes through on the way to the next successor.
    fn through(&mut self, _state: &[u64]) {}
    /// So many actions led to transient states; the ones that led to successors are not among them.
    fn passed(&mut self, _actions: u64) {}
    /// Whether to go on; asked for each transient state, with the bytes that those of this expansion take.
    fn go_on(&mut self, _bytes: u64) -> bool {
        true
    }
}

/// One process, compiled. Vectors over program points are indexed by the bits of `pc`.
pub struct CompiledProcess {
    /// Its number.
    pub id: ProcId,
    pub(crate) def: DefId,
    /// The program point; for a process that does not always live 0 bits mean "does not live" and everything
    /// else is one more than the program point.
    pub pc: Field,
    /// Whether it does not always live.
    pub may_be_absent: bool,
    /// The steps that leave each program point.
    pub steps: Vec<Vec<CompiledStep>>,
    /// The positions of the steps that receive in a rendezvous.
    pub rendezvous: Vec<Box<[u32]>>,
    pub(crate) may_end: Vec<bool>,
    pub(crate) is_final: Vec<bool>,
    pub(crate) is_atomic: Vec<bool>,
    /// Whether it is in the middle of one step of the source, where its priority is not asked for.
    pub(crate) is_inner: Vec<bool>,
    /// The elements of each register.
    pub registers: Vec<Box<[Field]>>,
    /// All fields of the process but `pc`, and their bits when it starts.
    pub fields: Vec<(Field, u64)>,
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
    pub(crate) places: Cells,
    pub(crate) processes: Vec<CompiledProcess>,
    channels: Arc<[ChannelLayout]>,
    /// For each channel, the processes that may receive on it in a rendezvous.
    receivers: Vec<Box<[u32]>>,
    /// How many processes live, where they live on a stack.
    living: Field,
    /// What an observer of runs keeps in a state; no step looks at it.
    observer: Field,
    /// Where to say, before expressions are looked at, whether a process is enabled; 0 in stored states.
    enabled: Vec<(ProcId, Field)>,
    properties: Vec<CompiledProperty>,
    /// Whether the trace assertion may end, if that is a question.
    trace_may_end: Option<Code>,
    watched: Vec<Code>,
    layout: Layout,
    initial: Vec<u64>,
    has_atomic: bool,
    has_timeout: bool,
    /// The priority of each process, in a program that has priorities.
    priorities: Option<Box<[Code]>>,
    /// Whether processes that have finished are gone at once.
    retires: bool,
    full_buffer_is_error: bool,
    may_fault: bool,
    /// How many steps each definition has.
    step_counts: Vec<usize>,
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

    /// The field that belongs to who observes runs.
    pub fn observer(&self) -> Field {
        self.observer
    }

    /// Which watched expressions are true in a state, as bits; there are at most 64. One that faults is
    /// false. If any asks what is enabled, the answer is taken from `enabled`, and `work` is overwritten.
    pub fn valuation(&self, state: &[u64], enabled: &BitSet, work: &mut Vec<u64>) -> u64 {
        let mut state = state;
        if !self.enabled.is_empty() {
            work.clear();
            work.extend_from_slice(state);
            for (process, field) in &self.enabled {
                field.set_bits(work, u64::from(enabled.contains(process.index())));
            }
            state = work;
        }
        let truth = |code: &Code| code.eval(&self.memory, state).is_ok_and(|v| v != 0);
        let bits = self.watched.iter().enumerate().map(|(i, code)| u64::from(truth(code)) << i);
        bits.fold(0, |all, bit| all | bit)
    }

    /// Whether the watched expressions can be told only after a state was expanded.
    pub fn watches_enabled(&self) -> bool {
        !self.enabled.is_empty()
    }

    /// Whether any step could fault; if not, nobody need be told that none does.
    pub fn may_fault(&self) -> bool {
        self.may_fault
    }

    /// For each definition and step, whether any process has taken it so far.
    pub fn reached(&self) -> Vec<Vec<bool>> {
        let mut reached: Vec<_> = self.step_counts.iter().map(|&n| vec![false; n]).collect();
        for process in &self.processes {
            for step in process.steps.iter().flatten().filter(|s| s.reached.get()) {
                reached[process.def.index()][step.id().index()] = true;
            }
        }
        reached
    }

    /// Forgets which steps were taken, before another search of the same machine.
    pub fn forget_reached(&self) {
        self.processes
            .iter()
            .flat_map(|p| p.steps.iter().flatten())
            .for_each(|s| s.reached.clear());
    }

    /// Takes note of the steps that were taken before a checkpoint; false if these are not the steps of this machine.
    pub fn note_reached(&self, reached: &[Vec<bool>]) -> bool {
        let are_as_many = |(steps, count): (&Vec<bool>, &usize)| steps.len() == *count;
        let is_same = reached.len() == self.step_counts.len()
            && reached.iter().zip(&self.step_counts).all(are_as_many);
        if !is_same {
            return false;
        }
        for process in &self.processes {
            let of_definition = &reached[process.def.index()];
            let steps = process.steps.iter().flatten();
            steps.filter(|s| of_definition[s.id().index()]).for_each(|s| s.reached.note());
        }
        true
    }

    /// The process at an atomic program point. There is at most one: while it is there nobody else moves.
    pub(crate) fn in_atomic_section(&self, state: &[u64]) -> Option<&CompiledProcess> {
        if !self.has_atomic {
            return None;
        }
        self.processes.iter().find(|p| p.is_atomic[p.pc.bits(state) as usize])
    }

    /// Whether some process that lives is where it may not end, or some process lives and the trace assertion may not
    /// end.
    pub fn is_stuck(&self, state: &[u64]) -> bool {
        let waits = |p: &CompiledProcess| !p.may_end[p.pc.bits(state) as usize];
        self.processes.iter().any(waits) || self.breaks_off(state)
    }

    /// Whether some process lives and the trace assertion is not where it may end.
    fn breaks_off(&self, state: &[u64]) -> bool {
        let Some(may_end) = &self.trace_may_end else { return false };
        let lives = |p: &CompiledProcess| !(p.may_be_absent && p.pc.bits(state) == 0);
        let ends = may_end.eval(&self.memory, state).is_ok_and(|v| v != 0);
        !ends && self.processes.iter().any(lives)
    }

    /// Whether every process that lives has finished, with nothing left in any buffer.
    pub fn is_final(&self, state: &[u64]) -> bool {
        let done = |p: &CompiledProcess| {
            let bits = p.pc.bits(state) as usize;
            let absent = p.may_be_absent && bits == 0;
            absent || (p.is_final[bits] && self.memory.is_drained(state, p.id))
        };
        self.processes.iter().all(done)
    }

    /// Calls `f` with each property over states that a state violates, in some outcome if it has several. An
    /// expression that faults counts as false.
    pub fn for_each_violated(&self, state: &[u64], mut f: impl FnMut(PropId)) {
        self.for_each_violated_in(state, &mut f);
    }

    #[inline]
    fn for_each_violated_in(&self, state: &[u64], f: &mut impl FnMut(PropId)) {
        if !M::ONE_OUTCOME
            && let Some(question) = self.open_property(state)
        {
            let next = &mut |part: &[u64]| self.for_each_violated_in(part, f);
            return self.memory.for_each_outcome(state, question, next);
        }
        for property in &self.properties {
            let value = property.code.eval(&self.memory, state).is_ok_and(|v| v != 0);
            if value == property.violated_if {
                f(property.id);
            }
        }
    }
}
