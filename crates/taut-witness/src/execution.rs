//! One step of one process, from its mode to its last effect.
//!
//! The first thing that stands in the way counts, in this order: the mode (buffers that must be
//! empty), the guard, the effects one after the other, then the call or return. What stands in the
//! way is either a [`Refusal`] (the step cannot be taken) or a [`Finding`] (it is taken and goes
//! wrong).
//!
//! Within an assignment list, all indices and right sides are computed first, assignment by
//! assignment, the index (with its bounds) before the value; then the stores happen in order, and
//! only then do values have to fit types and stores have to find room. A spawn or a call looks for
//! a free process or frame before it computes its arguments.
//!
//! An assertion that fails stands in nobody's way: it is noted in the record and the step goes on, so that
//! what is said of other properties covers the runs past it, too.

use taut_ir::{
    Assignment, Control, DefId, Effect, Expr, Fault, Finding, FullBuffer, Memory, MemoryModel,
    Mode, Place, ProcId, ProcedureId, Program, PropId, RegId, Start, Step, VarKind,
};

use crate::buffer::Entry;
use crate::eval::{evaluate, fit, position};
use crate::machine::Failure;
use crate::record::{LocalWrite, Record, Target, Write};
use crate::refusal::Refusal;
use crate::state::{Address, Frame, ProcessState, State};
use crate::view::OwnView;

/// Why a step does not lead to a state.
pub(crate) enum Stop {
    /// It cannot be taken.
    Refused(Refusal),
    /// It is taken and goes wrong.
    Found(Finding),
}

impl From<Fault> for Stop {
    fn from(fault: Fault) -> Stop {
        Stop::Found(Finding::Fault(fault))
    }
}

impl From<Refusal> for Stop {
    fn from(refusal: Refusal) -> Stop {
        Stop::Refused(refusal)
    }
}

/// A step that is being executed. Its process is started and at the step's source.
pub(crate) struct Execution<'p> {
    pub program: &'p Program,
    pub memory: Memory,
    pub process: ProcId,
    pub step: &'p Step,
    /// The state so far; after a stop, the state at the point where it stopped.
    pub state: State,
    /// What was done so far.
    pub record: Record,
}

/// An assignment whose index and value are known.
enum Resolved {
    Local { register: RegId, index: u32, value: i64 },
    Shared { address: Address, value: i64, atomic: bool },
}

impl<'p> Execution<'p> {
    /// Executes the step.
    pub fn run(&mut self) -> Result<(), Stop> {
        let step = self.step;
        self.check_buffers()?;
        if self.value(&step.guard)? == 0 {
            return Err(Refusal::GuardFalse.into());
        }
        for effect in &step.effects {
            self.effect(effect)?;
        }
        self.go(&step.target)
    }

    /// Under SC all buffers are always empty, so nothing here depends on the model.
    fn check_buffers(&self) -> Result<(), Refusal> {
        let drained = |p: ProcId| self.state.process(p).buffer.is_empty();
        let needs_own = self.step.mode != Mode::Plain || self.step.assignments().any(|a| a.atomic);
        if needs_own && !drained(self.process) {
            return Err(Refusal::OwnBufferNotEmpty);
        }
        let full = self.program.process_ids().find(|&p| !drained(p));
        match full {
            Some(p) if self.step.mode == Mode::Sync => Err(Refusal::BufferNotEmpty(p)),
            _ => Ok(()),
        }
    }

    fn value(&mut self, expr: &Expr) -> Result<i64, Fault> {
        let (state, process) = (&self.state, self.process);
        evaluate(expr, &mut OwnView { state, process, reads: &mut self.record.reads })
    }

    fn own(&mut self) -> &mut ProcessState {
        self.state.process_mut(self.process)
    }

    fn effect(&mut self, effect: &Effect) -> Result<(), Stop> {
        match effect {
            Effect::Assign(list) => self.assign(list),
            Effect::Assert { condition, property } => self.assert(condition, *property),
            Effect::StoreFence => {
                self.store_fence();
                Ok(())
            }
            Effect::Spawn { def, args } => self.spawn(*def, args),
        }
    }

    fn assign(&mut self, list: &[Assignment]) -> Result<(), Stop> {
        let mut resolved = Vec::new();
        for assignment in list {
            resolved.push(self.resolve(assignment)?);
        }
        for assignment in resolved {
            match assignment {
                Resolved::Local { register, index, value } => {
                    self.store_local(register, index, value)?;
                }
                Resolved::Shared { address, value, atomic } => {
                    self.store(address, value, atomic)?;
                }
            }
        }
        Ok(())
    }

    fn resolve(&mut self, assignment: &Assignment) -> Result<Resolved, Fault> {
        let index = match assignment.place.index() {
            Some(index) => self.value(index)?,
            None => 0,
        };
        match assignment.place {
            Place::Reg(register) | Place::RegElem(register, _) => {
                let len = self.own().registers[register.index()].len();
                let index = position(index, len)? as u32;
                Ok(Resolved::Local { register, index, value: self.value(&assignment.value)? })
            }
            Place::Var(var) | Place::VarElem(var, _) => {
                let index = position(index, self.state.memory[var.index()].len())? as u32;
                let value = self.value(&assignment.value)?;
                let atomic = assignment.atomic;
                Ok(Resolved::Shared { address: Address { var, index }, value, atomic })
            }
        }
    }

    fn store_local(&mut self, register: RegId, index: u32, value: i64) -> Result<(), Fault> {
        let value = fit(self.program.register(self.process, register).ty, value)?;
        self.own().registers[register.index()][index as usize] = value;
        self.record.locals.push(LocalWrite { register, index, value });
        Ok(())
    }

    fn store(&mut self, address: Address, value: i64, atomic: bool) -> Result<(), Stop> {
        let variable = self.program.var(address.var);
        let value = fit(variable.ty, value)?;
        let at_once = self.memory.model == MemoryModel::Sc
            || variable.kind == VarKind::Ghost
            || self.step.mode == Mode::Locked
            || atomic;
        let to = if at_once {
            self.state.set(address, value);
            Target::Memory
        } else {
            self.find_room(address)?;
            self.own().buffer.push_store(Entry { address, value });
            Target::Buffer
        };
        self.record.writes.push(Write { address, value, to });
        Ok(())
    }

    fn find_room(&self, address: Address) -> Result<(), Stop> {
        let Some(bound) = self.memory.bound else { return Ok(()) };
        let entries = self.state.process(self.process).buffer.entries();
        let held = match self.memory.model {
            MemoryModel::Pso => entries.filter(|e| e.address == address).count(),
            MemoryModel::Tso | MemoryModel::Sc => entries.count(),
        };
        match self.memory.full_buffer {
            _ if held < bound as usize => Ok(()),
            FullBuffer::Wait => Err(Refusal::BufferFull(address).into()),
            FullBuffer::Error => Err(Stop::Found(Finding::FullBuffer)),
        }
    }

    fn assert(&mut self, condition: &Expr, property: PropId) -> Result<(), Stop> {
        if self.value(condition)? == 0 {
            let failure =
                Failure { finding: Finding::Property(property), inside: self.state.clone() };
            self.record.failed.push(failure);
        }
        Ok(())
    }

    fn store_fence(&mut self) {
        if self.memory.model == MemoryModel::Pso {
            self.own().buffer.push_barrier();
        }
    }

    fn spawn(&mut self, def: DefId, args: &[Expr]) -> Result<(), Stop> {
        let program = self.program;
        let waits = |p: &ProcId| {
            let process = program.process(*p);
            process.def == def && process.start == Start::Spawned && !self.state.process(*p).started
        };
        let child = program.process_ids().find(waits).ok_or(Refusal::NoThreadLeft)?;
        let values = self.values(args)?;
        let mut started = ProcessState { started: true, ..ProcessState::resting(program, child) };
        for (i, value) in values.into_iter().enumerate() {
            started.registers[i][0] = fit(program.def_of(child).registers[i].ty, value)?;
        }
        *self.state.process_mut(child) = started;
        self.record.spawned.push(child);
        Ok(())
    }

    fn values(&mut self, args: &[Expr]) -> Result<Vec<i64>, Fault> {
        args.iter().map(|arg| self.value(arg)).collect()
    }

    fn go(&mut self, target: &Control) -> Result<(), Stop> {
        match target {
            Control::Goto(to) => self.own().location = *to,
            Control::Call { procedure, args, return_to } => {
                if self.own().stack.len() >= self.program.call_depth as usize {
                    return Err(Refusal::CallsTooDeep.into());
                }
                let values = self.values(args)?;
                let saved = self.enter(*procedure, values)?;
                self.own().stack.push(Frame {
                    procedure: *procedure,
                    return_to: *return_to,
                    saved,
                });
            }
            Control::Return => self.leave()?,
        }
        Ok(())
    }

    /// Gives a procedure its registers anew and goes to its entry; the old values are returned.
    fn enter(&mut self, id: ProcedureId, values: Vec<i64>) -> Result<Vec<Vec<i64>>, Fault> {
        let def = self.program.def_of(self.process);
        let procedure = &def.procedures[id.index()];
        let mut saved = Vec::new();
        for r in &procedure.registers {
            let initial = def.registers[r.index()].init.clone();
            saved.push(std::mem::replace(&mut self.own().registers[r.index()], initial));
        }
        for (&r, value) in procedure.registers.iter().zip(values) {
            self.store_local(r, 0, value)?;
        }
        self.own().location = procedure.entry;
        Ok(saved)
    }

    /// Goes back to the caller.
    fn leave(&mut self) -> Result<(), Refusal> {
        let frame = self.own().stack.pop().ok_or(Refusal::NothingToReturnTo)?;
        let procedure = &self.program.def_of(self.process).procedures[frame.procedure.index()];
        for (&register, values) in procedure.registers.iter().zip(frame.saved) {
            self.restore(register, values);
        }
        self.own().location = frame.return_to;
        Ok(())
    }

    fn restore(&mut self, register: RegId, values: Vec<i64>) {
        let old = std::mem::replace(&mut self.own().registers[register.index()], values.clone());
        for (i, (was, value)) in old.into_iter().zip(values).enumerate() {
            if was != value {
                let index = i as u32;
                self.record.locals.push(LocalWrite { register, index, value });
            }
        }
    }
}
