//! What an assignment does with its value.

use std::sync::Arc;

use taut_ir::{ProcId, Type};
use taut_memory::{CellId, Field, MemorySystem};

use super::Bound;
use super::code::{Code, FirstFault};
use super::stop::Stop;

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
pub(crate) enum Resolved {
    Field(Field, Fit),
    Store(CellId, Fit),
    Atomic(CellId, Fit),
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
    pub(crate) fn resolve<M: MemorySystem>(
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
    /// Puts a value there.
    #[inline]
    pub(crate) fn put<M: MemorySystem>(
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
                memory.store(next, process, place, value).map_err(|_| Stop::Blocked(Bound::Buffer))
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
