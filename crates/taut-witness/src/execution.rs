//! One step of one process, from its mode to where it goes.
//!
//! The first thing that stands in the way counts, in this order: the mode (buffers that must be
//! empty, an exit that must wait), the guard, the steps it yields to, its channel, the effects one
//! after the other, then the call, return or exit. What stands in the way is either a [`Refusal`]
//! (the step cannot be taken) or a [`Finding`] (it is taken and goes wrong).
//!
//! A rendezvous is two executions, one after the other on the same state; `rendezvous` puts them
//! together from the same parts.
//!
//! An assertion that fails stands in nobody's way: it is noted in the record and the step goes on, so that
//! what is said of other properties covers the runs past it, too.

use taut_ir::{
    Atomics, Control, Effect, Expr, Fault, Finding, Memory, Mode, ProcId, ProcedureId, Program,
    PropId, RegId, Step,
};

use crate::eval::evaluate;
use crate::record::{Failure, LocalWrite, Record};
use crate::refusal::Refusal;
use crate::state::{Frame, ProcessState, State};
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

/// A step that is being executed. Its process lives and is at the step's source.
pub(crate) struct Execution<'p> {
    pub program: &'p Program,
    pub memory: Memory,
    /// Whether nothing else can happen.
    pub timeout: bool,
    pub process: ProcId,
    pub step: &'p Step,
    /// The state so far; after a stop, the state at the point where it stopped.
    pub state: State,
    /// What was done so far.
    pub record: Record,
}

impl<'p> Execution<'p> {
    /// Executes the step.
    pub fn run(&mut self) -> Result<(), Stop> {
        self.check_mode()?;
        self.check_guard()?;
        self.check_yields()?;
        self.use_channel()?;
        self.finish()
    }

    /// The effects and where the process goes.
    pub fn finish(&mut self) -> Result<(), Stop> {
        let step = self.step;
        for effect in &step.effects {
            self.effect(effect)?;
        }
        self.go(&step.target)
    }

    /// Under SC all buffers are always empty, so that need not be told apart.
    pub fn check_mode(&self) -> Result<(), Refusal> {
        let drained = |p: ProcId| self.state.process(p).buffer.is_empty();
        let exits = self.step.target == Control::Exit;
        // An atomic write that passes the buffer drops what would come after it, and need not wait. Channels
        // leave such a buffer alone, too.
        let at_once = self.step.drains || self.step.assignments().any(|a| a.atomic);
        let flushes = self.memory.model.atomics() == Atomics::Drain && at_once;
        let needs_own = self.step.mode != Mode::Plain || flushes || exits;
        if needs_own && !drained(self.process) {
            return Err(Refusal::OwnBufferNotEmpty);
        }
        if let Some(full) = self.program.process_ids().find(|&p| !drained(p))
            && self.step.mode == Mode::Sync
        {
            return Err(Refusal::BufferNotEmpty(full));
        }
        if exits { self.check_youngest() } else { Ok(()) }
    }

    fn check_youngest(&self) -> Result<(), Refusal> {
        let pid = self.state.process(self.process).pid as usize;
        if pid + 1 == self.state.living() { Ok(()) } else { Err(Refusal::NotYoungest) }
    }

    pub fn check_guard(&mut self) -> Result<(), Stop> {
        match self.value(&self.step.guard)? {
            0 => Err(Refusal::GuardFalse.into()),
            _ => Ok(()),
        }
    }

    pub fn check_yields(&self) -> Result<(), Refusal> {
        let steps = &self.program.def_of(self.process).steps;
        let first = self.step.yields_to.iter().find(|id| self.could_start(&steps[id.index()]));
        match first {
            Some(&step) => Err(Refusal::Yields { process: self.process, to: step }),
            None => Ok(()),
        }
    }

    /// Whether nothing stands in the way of another step of the process before it is taken. One that
    /// goes wrong at that point counts; a send of a rendezvous does if somebody would receive it, and a
    /// receive of one never does.
    pub fn could_start(&self, step: &'p Step) -> bool {
        let mut other =
            Execution { step, state: self.state.clone(), record: Record::default(), ..*self };
        if other.check_mode().is_err() {
            return false;
        }
        let ready = other.check_guard().and_then(|()| Ok(other.check_yields()?));
        match ready.and_then(|()| other.plan()) {
            Ok(_) | Err(Stop::Found(_)) => true,
            Err(Stop::Refused(Refusal::NeedsPartner(channel))) => other.is_received(channel),
            Err(Stop::Refused(_)) => false,
        }
    }

    pub fn value(&mut self, expr: &Expr) -> Result<i64, Fault> {
        let (program, state, process) = (self.program, &self.state, self.process);
        let (timeout, reads) = (self.timeout, &mut self.record.reads);
        evaluate(expr, &mut OwnView { program, state, process, timeout, reads })
    }

    pub fn values(&mut self, all: &[Expr]) -> Result<Vec<i64>, Fault> {
        all.iter().map(|expr| self.value(expr)).collect()
    }

    pub fn own(&mut self) -> &mut ProcessState {
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
            Effect::Spawn { def, args, pid } => self.spawn(*def, args, pid.as_ref()),
            Effect::Fail(fault) => Err((*fault).into()),
        }
    }

    fn assert(&mut self, condition: &Expr, property: PropId) -> Result<(), Stop> {
        if self.value(condition)? == 0 {
            let finding = Finding::Property(property);
            let (process, inside) = (self.process, self.state.clone());
            self.record.failed.push(Failure { finding, process, inside });
        }
        Ok(())
    }

    fn store_fence(&mut self) {
        if self.memory.model.has_store_fences() {
            self.own().buffer.push_barrier();
        }
    }

    fn go(&mut self, target: &Control) -> Result<(), Stop> {
        match target {
            Control::Goto(to) => self.own().point = *to,
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
            Control::Exit => {
                // Once more: its own effects may have started a younger one.
                self.check_youngest()?;
                let gone = ProcessState::resting(self.program, self.process);
                self.state.replace(self.program, self.process, gone);
            }
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
        self.own().point = procedure.entry;
        Ok(saved)
    }

    /// Goes back to the caller.
    fn leave(&mut self) -> Result<(), Refusal> {
        let frame = self.own().stack.pop().ok_or(Refusal::NothingToReturnTo)?;
        let procedure = &self.program.def_of(self.process).procedures[frame.procedure.index()];
        for (&register, values) in procedure.registers.iter().zip(frame.saved) {
            self.restore(register, values);
        }
        self.own().point = frame.return_to;
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
