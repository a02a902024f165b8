//! The state of a running program, as plain data.
//!
//! States are always *canonical*, so that two states are equal exactly if nothing can tell them
//! apart:
//! - a process that does not live (it has not been started, or it is gone) is at its entry with its
//!   initial registers, an empty stack and an empty buffer; its own channels are empty;
//! - buffers are in the form that [`crate::buffer`] describes;
//! - a process holds the others only while it can go on.

use taut_ir::{ChanId, Lifecycle, PointId, ProcId, ProcedureId, Program, Start};

use crate::address::Address;
use crate::buffer::Buffer;

/// A state of a program.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct State {
    /// Memory: for each variable its values, one or one for each element.
    pub memory: Vec<Vec<i64>>,
    /// The processes.
    pub processes: Vec<ProcessState>,
    /// For each channel its messages, the oldest first; a message has a value for each field.
    pub channels: Vec<Vec<Vec<i64>>>,
    /// The process that holds all others. A state with one is passed through: it is not stored or
    /// counted, and properties over states do not look at it.
    pub holder: Option<ProcId>,
}

/// The state of one process.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ProcessState {
    /// Whether it lives: it runs or has run to its end. False while it waits to be spawned and when it
    /// is gone.
    pub started: bool,
    /// With [`Lifecycle::Stack`], how many processes lived when it started; else 0.
    pub pid: u32,
    /// Where it is.
    pub point: PointId,
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
    pub return_to: PointId,
    /// The values that the procedure's registers had before the call, in the procedure's order.
    pub saved: Vec<Vec<i64>>,
}

impl ProcessState {
    /// A process that does not live: at its entry, with the initial values of its registers.
    pub(crate) fn resting(program: &Program, process: ProcId) -> ProcessState {
        let def = program.def_of(process);
        ProcessState {
            started: false,
            pid: 0,
            point: def.entry,
            registers: def.registers.iter().map(|r| r.init.clone()).collect(),
            stack: Vec::new(),
            buffer: Buffer::default(),
        }
    }

    /// A process that has just started, with these values of its parameters (which fit) and its own
    /// channels in their registers.
    pub(crate) fn starting(
        program: &Program,
        process: ProcId,
        pid: u32,
        args: &[i64],
    ) -> ProcessState {
        let mut state = ProcessState::resting(program, process);
        state.started = true;
        state.pid = if program.lifecycle == Lifecycle::Stack { pid } else { 0 };
        for (register, &arg) in state.registers.iter_mut().zip(args) {
            register[0] = arg;
        }
        let own = &program.process(process).channels;
        for (&(register, index), channel) in
            program.def_of(process).channel_registers.iter().zip(own)
        {
            state.registers[register.index()][index as usize] = channel.value();
        }
        state
    }

    fn initial(program: &Program, process: ProcId) -> ProcessState {
        // Those that run from the start come first, so that the number of a process is its pid.
        match program.process(process).start {
            Start::Initially => {
                let args = &program.process(process).args;
                ProcessState::starting(program, process, process.0, args)
            }
            Start::Spawned => ProcessState::resting(program, process),
        }
    }
}

impl State {
    /// The state in which a program starts.
    pub(crate) fn initial(program: &Program) -> State {
        State {
            memory: program.vars.iter().map(|v| v.init.clone()).collect(),
            processes: program.process_ids().map(|p| ProcessState::initial(program, p)).collect(),
            channels: vec![Vec::new(); program.channels.len()],
            holder: None,
        }
    }

    /// The state of a process.
    pub fn process(&self, id: ProcId) -> &ProcessState {
        &self.processes[id.index()]
    }

    pub(crate) fn process_mut(&mut self, id: ProcId) -> &mut ProcessState {
        &mut self.processes[id.index()]
    }

    /// How many processes live.
    pub fn living(&self) -> usize {
        self.processes.iter().filter(|p| p.started).count()
    }

    /// The messages in a channel, the oldest first.
    pub fn channel(&self, id: ChanId) -> &[Vec<i64>] {
        &self.channels[id.index()]
    }

    pub(crate) fn channel_mut(&mut self, id: ChanId) -> &mut Vec<Vec<i64>> {
        &mut self.channels[id.index()]
    }

    /// Starts or ends a process: gives it a state in which its own channels are empty.
    pub(crate) fn replace(&mut self, program: &Program, id: ProcId, state: ProcessState) {
        *self.process_mut(id) = state;
        for &channel in &program.process(id).channels {
            self.channel_mut(channel).clear();
        }
    }

    /// A value in memory.
    pub fn value(&self, address: Address) -> i64 {
        self.memory[address.var.index()][address.index as usize]
    }

    pub(crate) fn set(&mut self, address: Address, value: i64) {
        self.memory[address.var.index()][address.index as usize] = value;
    }

    /// Whether a process keeps all others from moving: it holds them, or is at an atomic program point. Nothing commits
    /// then either.
    pub fn is_held(&self, program: &Program) -> bool {
        self.holder.is_some() || self.atomic_holder(program, None).is_some()
    }

    /// A process, other than the given one, that is at an atomic program point.
    pub(crate) fn atomic_holder(
        &self,
        program: &Program,
        other_than: Option<ProcId>,
    ) -> Option<ProcId> {
        program.process_ids().filter(|&p| Some(p) != other_than).find(|&p| {
            let state = self.process(p);
            state.started && program.def_of(p).points[state.point.index()].atomic
        })
    }

    /// Where processes have slots: lets every spawned process that has finished and has an empty
    /// buffer wait to be spawned again.
    pub(crate) fn retire_finished(&mut self, program: &Program) {
        if program.lifecycle != Lifecycle::Slots {
            return;
        }
        for p in program.process_ids().filter(|&p| program.process(p).start == Start::Spawned) {
            let state = self.process(p);
            let finished = program.def_of(p).is_final(state.point) && state.buffer.is_empty();
            if state.started && finished {
                self.replace(program, p, ProcessState::resting(program, p));
            }
        }
    }
}
