//! Compiled steps, and taking one.

use taut_ir::{Action, Fault, Finding, ProcId, PropId, Type};
use taut_memory::{Field, MemorySystem, PlaceId};

use super::code::{Code, FirstFault};
use super::layout::Stack;
use super::{Bound, CompiledProcess, Machine};

/// A step with everything resolved.
pub(crate) struct CompiledStep {
    pub(crate) action: Action,
    pub(crate) needs: Needs,
    /// `None` if it is always true.
    pub(crate) guard: Option<Code>,
    pub(crate) effects: Vec<CompiledEffect>,
    pub(crate) target: Target,
}

/// Which buffers must be empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Needs {
    Nothing,
    OwnDrained,
    AllDrained,
}

/// An effect with everything resolved.
pub(crate) enum CompiledEffect {
    Assign(Destination, Code),
    /// Several at the same time.
    Parallel(Vec<(Destination, Code)>),
    Assert(Code, PropId),
    StoreFence,
    Spawn {
        slots: Vec<SpawnSlot>,
        args: Vec<Code>,
    },
}

/// A process that can be spawned.
pub(crate) struct SpawnSlot {
    pub(crate) pc: Field,
    /// The bits of `pc` at its first location.
    pub(crate) entry: u64,
    /// Its parameters.
    pub(crate) params: Vec<(Field, Type)>,
    /// All of its fields and their bits at the start.
    pub(crate) fields: Vec<(Field, u64)>,
}

/// What an assignment does with its value.
pub(crate) enum Destination {
    /// A register, or memory written at once.
    Field(Field, Fit),
    FieldElem {
        fields: Box<[Field]>,
        index: Code,
        fit: Fit,
    },
    /// A store through the buffer.
    Store(PlaceId, Fit),
    StoreElem {
        first: PlaceId,
        len: u32,
        index: Code,
        fit: Fit,
    },
}

/// How a value is made to fit its variable.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Fit {
    /// It always does: the range analysis says so.
    Fits,
    Into(Type),
}

impl Fit {
    #[inline]
    fn apply(self, value: i64, fault: &mut FirstFault) -> i64 {
        match self {
            Fit::Fits => value,
            Fit::Into(ty) => fault.fit(ty, value),
        }
    }
}

/// Where the process goes.
pub(crate) enum Target {
    /// The new bits of `pc`.
    Goto(u64),
    Call(Box<Call>),
    Return(Box<Return>),
}

/// A call with everything resolved.
pub(crate) struct Call {
    pub(crate) stack: Stack,
    pub(crate) return_to: u64,
    pub(crate) entry: u64,
    /// The procedure's own registers and their bits at the start; the parameters come first.
    pub(crate) own: Vec<(Field, u64)>,
    pub(crate) args: Vec<(Code, Fit)>,
}

/// A return with everything resolved.
pub(crate) struct Return {
    pub(crate) stack: Stack,
    /// The procedure's own registers, to be restored.
    pub(crate) own: Vec<Field>,
    /// What to add to a location to get the bits of `pc`.
    pub(crate) pc_offset: u64,
}

/// Why a step was not taken.
pub(crate) enum Stop {
    Disabled,
    Held(Bound),
    Finding(Finding),
}

impl From<Fault> for Stop {
    fn from(fault: Fault) -> Stop {
        Stop::Finding(Finding::Fault(fault))
    }
}

/// A value on its way to a place that is already known.
enum Resolved {
    Field(Field, Fit, i64),
    Store(PlaceId, Fit, i64),
}

/// Takes a step of a process in a state; the outcome is in `next`. Assertions that fail are put into
/// `failed`, and the step goes on past them.
#[inline]
pub(crate) fn take<M: MemorySystem>(
    machine: &Machine<M>,
    process: &CompiledProcess,
    step: &CompiledStep,
    state: &[u64],
    next: &mut [u64],
    failed: &mut Vec<PropId>,
) -> Result<(), Stop> {
    if !has_what_it_needs(machine, process.id, step.needs, state) {
        return Err(Stop::Disabled);
    }
    if let Some(guard) = &step.guard
        && guard.eval(&machine.memory, state)? == 0
    {
        return Err(Stop::Disabled);
    }
    copy(state, next);
    for effect in &step.effects {
        run(machine, process.id, effect, next, failed)?;
    }
    match &step.target {
        Target::Goto(bits) => process.pc.set_bits(next, *bits),
        Target::Call(call) => enter(machine, process, call, next)?,
        Target::Return(ret) => leave(process, ret, next),
    }
    Ok(())
}

fn has_what_it_needs<M: MemorySystem>(
    machine: &Machine<M>,
    process: ProcId,
    needs: Needs,
    state: &[u64],
) -> bool {
    match needs {
        Needs::Nothing => true,
        Needs::OwnDrained => machine.memory.is_drained(state, process),
        Needs::AllDrained => {
            machine.processes.iter().all(|p| machine.memory.is_drained(state, p.id))
        }
    }
}

/// Copies a state. States are a few words: a loop in place beats a call of `memcpy`.
#[inline]
pub(crate) fn copy(from: &[u64], to: &mut [u64]) {
    for (to, from) in to.iter_mut().zip(from) {
        *to = *from;
    }
}

#[inline]
fn run<M: MemorySystem>(
    machine: &Machine<M>,
    process: ProcId,
    effect: &CompiledEffect,
    next: &mut [u64],
    failed: &mut Vec<PropId>,
) -> Result<(), Stop> {
    match effect {
        CompiledEffect::Assign(destination, value) => {
            let mut fault = FirstFault::default();
            let resolved = resolve(&machine.memory, destination, value, next, &mut fault);
            fault.check()?;
            put(&machine.memory, process, resolved, next)
        }
        CompiledEffect::Parallel(list) => run_parallel(machine, process, list, next),
        CompiledEffect::Assert(condition, property) => {
            if condition.eval(&machine.memory, next)? == 0 {
                failed.push(*property);
            }
            Ok(())
        }
        CompiledEffect::StoreFence => {
            machine.memory.store_fence(next, process);
            Ok(())
        }
        CompiledEffect::Spawn { slots, args } => spawn(machine, slots, args, next),
    }
}

fn run_parallel<M: MemorySystem>(
    machine: &Machine<M>,
    process: ProcId,
    list: &[(Destination, Code)],
    next: &mut [u64],
) -> Result<(), Stop> {
    let mut fault = FirstFault::default();
    let mut resolved = Vec::with_capacity(list.len());
    for (destination, value) in list {
        resolved.push(resolve(&machine.memory, destination, value, next, &mut fault));
    }
    fault.check()?;
    resolved.into_iter().try_for_each(|r| put(&machine.memory, process, r, next))
}

/// Computes where an assignment goes, then its value. What goes wrong first counts: the index, the value,
/// and, once all assignments of the effect are resolved, the range and the room in the buffer.
#[inline]
fn resolve<M: MemorySystem>(
    memory: &M,
    destination: &Destination,
    value: &Code,
    state: &[u64],
    fault: &mut FirstFault,
) -> Resolved {
    match destination {
        Destination::Field(field, fit) => {
            Resolved::Field(*field, *fit, value.value(memory, state, fault))
        }
        Destination::Store(place, fit) => {
            Resolved::Store(*place, *fit, value.value(memory, state, fault))
        }
        Destination::FieldElem { fields, index, fit } => {
            let index = index.value(memory, state, fault);
            let index = fault.index(index, fields.len());
            Resolved::Field(fields[index], *fit, value.value(memory, state, fault))
        }
        Destination::StoreElem { first, len, index, fit } => {
            let index = index.value(memory, state, fault);
            let index = fault.index(index, *len as usize) as u32;
            Resolved::Store(PlaceId(first.0 + index), *fit, value.value(memory, state, fault))
        }
    }
}

#[inline]
fn put<M: MemorySystem>(
    memory: &M,
    process: ProcId,
    resolved: Resolved,
    next: &mut [u64],
) -> Result<(), Stop> {
    let mut fault = FirstFault::default();
    match resolved {
        Resolved::Field(field, fit, value) => {
            let value = fit.apply(value, &mut fault);
            fault.check()?;
            field.set(next, value);
            Ok(())
        }
        Resolved::Store(place, fit, value) => {
            let value = fit.apply(value, &mut fault);
            fault.check()?;
            memory.store(next, process, place, value).map_err(|_| Stop::Held(Bound::Buffer))
        }
    }
}

fn spawn<M: MemorySystem>(
    machine: &Machine<M>,
    slots: &[SpawnSlot],
    args: &[Code],
    next: &mut [u64],
) -> Result<(), Stop> {
    let free = slots.iter().find(|slot| slot.pc.bits(next) == 0);
    let slot = free.ok_or(Stop::Held(Bound::Threads))?;
    let values: Result<Vec<_>, _> = args.iter().map(|a| a.eval(&machine.memory, next)).collect();
    let values = values?;
    for (field, bits) in &slot.fields {
        field.set_bits(next, *bits);
    }
    for (value, (field, ty)) in values.into_iter().zip(&slot.params) {
        field.set(next, ty.fit(value).ok_or(Fault::Range)?);
    }
    slot.pc.set_bits(next, slot.entry);
    Ok(())
}

fn enter<M: MemorySystem>(
    machine: &Machine<M>,
    process: &CompiledProcess,
    call: &Call,
    next: &mut [u64],
) -> Result<(), Stop> {
    let depth = call.stack.depth.bits(next);
    let frame = call.stack.frames.get(depth as usize).ok_or(Stop::Held(Bound::Calls))?;
    let value = |(code, _): &(Code, Fit)| code.eval(&machine.memory, next);
    let values: Vec<i64> = call.args.iter().map(value).collect::<Result<_, Fault>>()?;
    frame.return_to.set_bits(next, call.return_to);
    for ((own, start), saved) in call.own.iter().zip(&frame.saved) {
        saved.set_bits(next, own.bits(next));
        own.set_bits(next, *start);
    }
    for (((param, _), (_, fit)), value) in call.own.iter().zip(&call.args).zip(values) {
        let mut fault = FirstFault::default();
        let value = fit.apply(value, &mut fault);
        fault.check()?;
        param.set(next, value);
    }
    call.stack.depth.set_bits(next, depth + 1);
    process.pc.set_bits(next, call.entry);
    Ok(())
}

fn leave(process: &CompiledProcess, ret: &Return, next: &mut [u64]) {
    let depth = ret.stack.depth.bits(next) - 1;
    let frame = &ret.stack.frames[depth as usize];
    process.pc.set_bits(next, frame.return_to.bits(next) + ret.pc_offset);
    frame.return_to.set_bits(next, 0);
    for (own, saved) in ret.own.iter().zip(&frame.saved) {
        own.set_bits(next, saved.bits(next));
    }
    frame.saved.iter().for_each(|saved| saved.set_bits(next, 0));
    ret.stack.depth.set_bits(next, depth);
}
