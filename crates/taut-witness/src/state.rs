//! The state of a running program, as plain data.
//!
//! States are always *canonical*, so that two states are equal exactly if nothing can tell them
//! apart:
//! - a process that has not been started is at its entry with its initial registers, an empty stack
//!   and an empty buffer;
//! - buffers are in the form that [`crate::buffer`] describes.

use taut_ir::{LocId, ProcId, ProcedureId, Program, Start, VarId};

use crate::buffer::Buffer;

/// A place in memory: a variable, or one element of an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Address {
    /// The variable.
    pub var: VarId,
    /// The element; 0 for a scalar.
    pub index: u32,
}

/// A state of a program.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct State {
    /// Memory: for each variable its values, one or one for each element.
    pub memory: Vec<Vec<i64>>,
    /// The processes.
    pub processes: Vec<ProcessState>,
}

/// The state of one process.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ProcessState {
    /// Whether it runs (or has run to its end); false while it waits to be spawned.
    pub started: bool,
    /// Where it is.
    pub location: LocId,
    /// For each register its values, one or one for each element.
    pub registers: Vec<Vec<i64>>,
    /// The calls that have not returned, the latest last.
    pub stack: Vec<Frame>,
    /// Its stores that have not reached memory.
    pub buffer: Buffer,
}

/// A call that has not returned.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Frame {
    /// What was called.
    pub procedure: ProcedureId,
    /// Where the caller goes on.
    pub return_to: LocId,
    /// The values that the procedure's registers had before the call, in the procedure's order.
    pub saved: Vec<Vec<i64>>,
}

impl ProcessState {
    /// A process before it is spawned: at its entry, with the initial values of its registers.
    pub(crate) fn resting(program: &Program, process: ProcId) -> ProcessState {
        let def = program.def_of(process);
        ProcessState {
            started: false,
            location: def.entry,
            registers: def.registers.iter().map(|r| r.init.clone()).collect(),
            stack: Vec::new(),
            buffer: Buffer::default(),
        }
    }

    fn initial(program: &Program, process: ProcId) -> ProcessState {
        let mut state = ProcessState::resting(program, process);
        state.started = program.process(process).start == Start::Initially;
        for (register, &arg) in state.registers.iter_mut().zip(&program.process(process).args) {
            register[0] = arg;
        }
        state
    }
}

impl State {
    /// The state in which a program starts.
    pub(crate) fn initial(program: &Program) -> State {
        State {
            memory: program.vars.iter().map(|v| v.init.clone()).collect(),
            processes: program.process_ids().map(|p| ProcessState::initial(program, p)).collect(),
        }
    }

    /// The state of a process.
    pub fn process(&self, id: ProcId) -> &ProcessState {
        &self.processes[id.index()]
    }

    pub(crate) fn process_mut(&mut self, id: ProcId) -> &mut ProcessState {
        &mut self.processes[id.index()]
    }

    /// A value in memory.
    pub fn value(&self, address: Address) -> i64 {
        self.memory[address.var.index()][address.index as usize]
    }

    pub(crate) fn set(&mut self, address: Address, value: i64) {
        self.memory[address.var.index()][address.index as usize] = value;
    }

    /// A process, other than the given one, that is at an atomic location.
    pub(crate) fn atomic_holder(
        &self,
        program: &Program,
        other_than: Option<ProcId>,
    ) -> Option<ProcId> {
        program.process_ids().filter(|&p| Some(p) != other_than).find(|&p| {
            let state = self.process(p);
            state.started && program.def_of(p).locations[state.location.index()].atomic
        })
    }

    /// Lets every spawned process that has finished and has an empty buffer wait to be spawned
    /// again.
    pub(crate) fn retire_finished(&mut self, program: &Program) {
        for p in program.process_ids().filter(|&p| program.process(p).start == Start::Spawned) {
            let state = self.process(p);
            let finished = program.def_of(p).is_final(state.location) && state.buffer.is_empty();
            if state.started && finished {
                *self.process_mut(p) = ProcessState::resting(program, p);
            }
        }
    }
}
