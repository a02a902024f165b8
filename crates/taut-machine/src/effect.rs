//! Compiled effects, and what each does to a state.

use taut_ir::{Fault, ProcId, PropId};
use taut_memory::MemorySystem;

use super::Machine;
use super::code::{Code, FirstFault};
use super::destination::Destination;
use super::lifecycle::{Spawn, spawn};
use super::stop::Stop;

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
