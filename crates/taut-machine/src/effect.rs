//! Compiled effects, and what each does to a state.

use std::sync::Arc;

use taut_ir::{Fault, ProcId, PropId, Type};
use taut_memory::{CellId, Field, MemorySystem};

use super::code::{Code, FirstFault};
use super::lifecycle::{Spawn, spawn};
use super::step::Stop;
use super::{Bound, Machine};

/// An effect with everything resolved.
pub(crate) enum CompiledEffect {
    Assign(Destination, Code),
    /// Several at the same time.
    Parallel(Vec<(Destination, Code)>),
    Assert(Code, PropId),
    StoreFence,
    Spawn(Box<Spawn>),
    Fail(Fault),
}

/// What an assignment does with its value.
#[derive(Clone, Debug)]
pub(crate) enum Destination {
    /// A register, or memory written at once.
    Field(Field, Fit),
    FieldElem {
        fields: Arc<[Field]>,
        index: Code,
        fit: Fit,
    },
    /// A store through the buffer.
    Store(CellId, Fit),
    StoreElem {
        first: CellId,
        len: u32,
        index: Code,
        fit: Fit,
    },
    /// An atomic write, which drops what waits in the buffer.
    Atomic(CellId, Fit),
    AtomicElem {
        first: CellId,
        len: u32,
        index: Code,
        fit: Fit,
    },
}

/// Which way a store takes to memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Route {
    /// Nothing stands before it.
    AtOnce,
    /// Through the buffer.
    Buffer,
    /// Past the buffer, where an older store may wait.
    PastBuffer,
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
    pub(crate) fn apply(self, value: i64, fault: &mut FirstFault) -> i64 {
        match self {
            Fit::Fits => value,
            Fit::Into(ty) => fault.fit(ty, value),
        }
    }
}

/// A destination whose index is known.
enum Resolved {
    Field(Field, Fit),
    Store(CellId, Fit),
    Atomic(CellId, Fit),
}

/// Runs an effect of a process.
#[inline]
pub(crate) fn run<M: MemorySystem>(
    machine: &Machine<M>,
    process: ProcId,
    effect: &CompiledEffect,
    next: &mut [u64],
    failed: &mut Vec<PropId>,
) -> Result<(), Stop> {
    match effect {
        CompiledEffect::Assign(destination, value) => {
            let mut fault = FirstFault::default();
            let resolved = destination.resolve(&machine.memory, next, &mut fault);
            let value = value.value(&machine.memory, next, &mut fault);
            fault.check()?;
            resolved.put(&machine.memory, process, value, next)
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
        CompiledEffect::Spawn(new) => spawn(machine, process, new, next),
        CompiledEffect::Fail(fault) => Err((*fault).into()),
    }
}

/// What goes wrong first counts: the index and the value of each assignment, and, once all assignments of
/// the effect are resolved, the range and the room in the buffer.
fn run_parallel<M: MemorySystem>(
    machine: &Machine<M>,
    process: ProcId,
    list: &[(Destination, Code)],
    next: &mut [u64],
) -> Result<(), Stop> {
    let mut fault = FirstFault::default();
    let mut resolved = Vec::with_capacity(list.len());
    for (destination, value) in list {
        let destination = destination.resolve(&machine.memory, next, &mut fault);
        resolved.push((destination, value.value(&machine.memory, next, &mut fault)));
    }
    fault.check()?;
    resolved.into_iter().try_for_each(|(to, value)| to.put(&machine.memory, process, value, next))
}

/// Assigns a value that is already known.
#[inline]
pub(crate) fn assign<M: MemorySystem>(
    memory: &M,
    process: ProcId,
    destination: &Destination,
    value: i64,
    next: &mut [u64],
) -> Result<(), Stop> {
    let mut fault = FirstFault::default();
    let resolved = destination.resolve(memory, next, &mut fault);
    fault.check()?;
    resolved.put(memory, process, value, next)
}

impl Destination {
    /// Computes the index, if there is one.
    #[inline]
    fn resolve<M: MemorySystem>(
        &self,
        memory: &M,
        state: &[u64],
        fault: &mut FirstFault,
    ) -> Resolved {
        match self {
            Destination::Field(field, fit) => Resolved::Field(*field, *fit),
            Destination::Store(place, fit) => Resolved::Store(*place, *fit),
            Destination::Atomic(place, fit) => Resolved::Atomic(*place, *fit),
            Destination::FieldElem { fields, index, fit } => {
                let index = index.value(memory, state, fault);
                Resolved::Field(fields[fault.index(index, fields.len())], *fit)
            }
            Destination::StoreElem { first, len, index, fit } => {
                let index = index.value(memory, state, fault);
                let index = fault.index(index, *len as usize) as u32;
                Resolved::Store(CellId(first.0 + index), *fit)
            }
            Destination::AtomicElem { first, len, index, fit } => {
                let index = index.value(memory, state, fault);
                let index = fault.index(index, *len as usize) as u32;
                Resolved::Atomic(CellId(first.0 + index), *fit)
            }
        }
    }
}

impl Resolved {
    #[inline]
    fn put<M: MemorySystem>(
        self,
        memory: &M,
        process: ProcId,
        value: i64,
        next: &mut [u64],
    ) -> Result<(), Stop> {
        let mut fault = FirstFault::default();
        match self {
            Resolved::Field(field, fit) => {
                let value = fit.apply(value, &mut fault);
                fault.check()?;
                field.set(next, value);
                Ok(())
            }
            Resolved::Store(place, fit) => {
                let value = fit.apply(value, &mut fault);
                fault.check()?;
                memory.store(next, process, place, value).map_err(|_| Stop::Held(Bound::Buffer))
            }
            Resolved::Atomic(place, fit) => {
                let value = fit.apply(value, &mut fault);
                fault.check()?;
                memory.write_atomically(next, process, place, value);
                Ok(())
            }
        }
    }
}
