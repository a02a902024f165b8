//! Processes that come and go.
//!
//! A process that does not live has 0 bits everywhere: in its program point, where that means just this, and in
//! its registers, its call stack, its pid and its own channels, so that states are canonical.

use taut_ir::{DefId, Fault, ProcId, Type};
use taut_memory::{Field, MemorySystem};

use super::code::Code;
use super::destination::{Destination, assign};
use super::stop::Stop;
use super::{Bound, CompiledProcess, Machine};

/// A spawn with everything resolved.
pub(crate) struct Spawn {
    pub(crate) def: DefId,
    /// The processes it can take, in order.
    pub(crate) slots: Vec<SpawnSlot>,
    pub(crate) args: Vec<Code>,
    /// What gets the pid.
    pub(crate) pid: Option<Destination>,
}

/// A process that can be spawned.
pub(crate) struct SpawnSlot {
    pub(crate) pc: Field,
    /// The bits of `pc` at its first program point.
    pub(crate) entry: u64,
    /// Its parameters.
    pub(crate) params: Vec<(Field, Type)>,
    /// All of its fields and their bits at the start.
    pub(crate) fields: Vec<(Field, u64)>,
    /// Its pid, where processes have one.
    pub(crate) pid: Option<Field>,
}

/// What an exit must look at.
pub(crate) struct Exit {
    pub(crate) pid: Field,
    pub(crate) living: Field,
}

/// Starts a process.
pub(crate) fn spawn<M: MemorySystem>(
    machine: &Machine<M>,
    parent: ProcId,
    new: &Spawn,
    next: &mut [u64],
) -> Result<(), Stop> {
    let free = new.slots.iter().find(|slot| slot.pc.bits(next) == 0);
    let slot = free.ok_or(Stop::Blocked(Bound::Threads(new.def)))?;
    let values: Result<Vec<_>, _> =
        new.args.iter().map(|a| a.eval(&machine.memory, next)).collect();
    let values = values?;
    for (field, bits) in &slot.fields {
        field.set_bits(next, *bits);
    }
    for (value, (field, ty)) in values.into_iter().zip(&slot.params) {
        field.set(next, ty.fit(value).ok_or(Fault::Range)?);
    }
    slot.pc.set_bits(next, slot.entry);
    let Some(pid) = slot.pid else { return Ok(()) };
    let number = machine.living.get(next);
    pid.set(next, number);
    machine.living.set(next, number + 1);
    match &new.pid {
        Some(place) => assign(&machine.memory, parent, place, number, next),
        None => Ok(()),
    }
}

/// Whether a process is the youngest, so that it may exit.
#[inline]
pub(crate) fn is_youngest(exit: &Exit, state: &[u64]) -> bool {
    exit.pid.get(state) + 1 == exit.living.get(state)
}

/// Ends a process.
pub(crate) fn exit(target: &Exit, process: &CompiledProcess, next: &mut [u64]) -> Result<(), Stop> {
    if !is_youngest(target, next) {
        return Err(Stop::Outlived);
    }
    reset(process, next);
    target.living.set(next, target.living.get(next) - 1);
    Ok(())
}

/// Makes a process one that does not live.
pub(crate) fn reset(process: &CompiledProcess, state: &mut [u64]) {
    process.pc.set_bits(state, 0);
    process.fields.iter().for_each(|(field, _)| field.set_bits(state, 0));
}
