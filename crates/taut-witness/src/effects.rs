//! What a step changes: assignments and new processes.
//!
//! Within an assignment list, all indices and right sides are computed first, assignment by
//! assignment, the index (with its bounds) before the value; then the stores happen in order, and
//! only then do values have to fit types and stores have to find room. A spawn looks for a free
//! process before it computes its arguments, and stores the pid after the start.

use taut_ir::{
    Assignment, Buffers, DefId, Expr, Fault, Finding, FullBuffer, Lvalue, Mode, RegId, VarKind,
};

use crate::address::Address;
use crate::buffer::Entry;
use crate::eval::{fit, position};
use crate::execution::{Execution, Stop};
use crate::record::{LocalWrite, Target, Write};
use crate::refusal::Refusal;
use crate::state::ProcessState;

/// A place whose index is known.
#[derive(Clone, Copy)]
pub(crate) enum Spot {
    Local(RegId, u32),
    Shared(Address),
}

impl Execution<'_> {
    pub fn assign(&mut self, list: &[Assignment]) -> Result<(), Stop> {
        let mut resolved = Vec::new();
        for assignment in list {
            let spot = self.spot(&assignment.place)?;
            resolved.push((spot, self.value(&assignment.value)?, assignment.atomic));
        }
        for (spot, value, atomic) in resolved {
            self.put(spot, value, atomic)?;
        }
        Ok(())
    }

    /// A single store, as of a plain assignment: the index first, then the store.
    pub fn store_to(&mut self, place: &Lvalue, value: i64) -> Result<(), Stop> {
        let spot = self.spot(place)?;
        self.put(spot, value, false)
    }

    fn spot(&mut self, place: &Lvalue) -> Result<Spot, Fault> {
        let index = match place.index() {
            Some(index) => self.value(index)?,
            None => 0,
        };
        match *place {
            Lvalue::Reg(register) | Lvalue::RegElem(register, _) => {
                let len = self.own().registers[register.index()].len();
                Ok(Spot::Local(register, position(index, len)? as u32))
            }
            Lvalue::Var(var) | Lvalue::VarElem(var, _) => {
                let index = position(index, self.state.memory[var.index()].len())? as u32;
                Ok(Spot::Shared(Address { var, index }))
            }
        }
    }

    fn put(&mut self, spot: Spot, value: i64, atomic: bool) -> Result<(), Stop> {
        match spot {
            Spot::Local(register, index) => Ok(self.store_local(register, index, value)?),
            Spot::Shared(address) => self.store(address, value, atomic),
        }
    }

    pub fn store_local(&mut self, register: RegId, index: u32, value: i64) -> Result<(), Fault> {
        let value = fit(self.program.register(self.process, register).ty, value)?;
        self.own().registers[register.index()][index as usize] = value;
        self.record.locals.push(LocalWrite { register, index, value });
        Ok(())
    }

    fn store(&mut self, address: Address, value: i64, atomic: bool) -> Result<(), Stop> {
        let variable = self.program.var(address.var);
        let value = fit(variable.ty, value)?;
        let at_once = !self.memory.model.is_relaxed()
            || variable.kind == VarKind::Ghost
            || self.step.mode == Mode::Locked
            || atomic;
        if self.memory.model.overwrites() {
            // Whatever this store is, what waits for the place is never seen by others.
            self.own().buffer.take(address);
        }
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
        let held = match self.memory.model.buffers() {
            Buffers::PerCell => entries.filter(|e| e.address == address).count(),
            Buffers::PerProcess | Buffers::None => entries.count(),
            Buffers::Slot => return Ok(()),
        };
        match self.memory.full_buffer {
            _ if held < bound as usize => Ok(()),
            FullBuffer::Wait => Err(Refusal::BufferFull(address).into()),
            FullBuffer::Error => Err(Stop::Found(Finding::FullBuffer)),
        }
    }

    pub fn spawn(&mut self, def: DefId, args: &[Expr], pid: Option<&Lvalue>) -> Result<(), Stop> {
        let program = self.program;
        let vacant = program.spawn_slots(def).find(|&p| !self.state.process(p).started);
        let child = vacant.ok_or(Refusal::NoThreadLeft)?;
        let values = self.values(args)?;
        let parameters = program.def_of(child).registers.iter();
        let fitting = parameters.zip(values).map(|(register, value)| fit(register.ty, value));
        let fitting = fitting.collect::<Result<Vec<_>, _>>()?;
        let number = self.state.living() as u32;
        let started = ProcessState::starting(program, child, number, &fitting);
        self.state.replace(program, child, started);
        self.record.spawned.push(child);
        match pid {
            Some(place) => self.store_to(place, i64::from(number)),
            None => Ok(()),
        }
    }
}
