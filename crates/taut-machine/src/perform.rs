//! The two halves of a step: whether it is ready, and what it does once it is certain to be taken.

use taut_ir::{ProcId, PropId};
use taut_memory::{MemorySystem, Question};

use super::effect::run;
use super::lifecycle::{exit, is_youngest};
use super::procedure::{enter, leave};
use super::step::{CompiledStep, Guard, Needs, Target};
use super::stop::{StepContext, Stop};
use super::{CompiledProcess, Machine};

/// What follows once a step is certain to be taken: its effects, then where it goes.
#[inline]
pub(crate) fn finish<M: MemorySystem>(
    machine: &Machine<M>,
    process: &CompiledProcess,
    step: &CompiledStep,
    next: &mut [u64],
    failed: &mut Vec<PropId>,
) -> Result<(), Stop> {
    for effect in &step.effects {
        run(machine, process.id, effect, next, failed)?;
    }
    match &step.target {
        Target::Goto(bits) => process.pc.set_bits(next, *bits),
        Target::Call(call) => enter(machine, process, call, next)?,
        Target::Return(ret) => leave(process, ret, next),
        Target::Exit(target) => exit(target, process, next)?,
    }
    Ok(())
}

/// Whether buffers are as the step needs them, its process may exit if it is to, and its guard is true.
#[inline]
pub(crate) fn is_ready<M: MemorySystem>(
    machine: &Machine<M>,
    process: &CompiledProcess,
    step: &CompiledStep,
    moment: StepContext<'_>,
) -> Result<bool, Stop> {
    if !has_what_it_needs(machine, process.id, step.needs, moment.state)? {
        return Ok(false);
    }
    if let Target::Exit(exit) = &step.target
        && !is_youngest(exit, moment.state)
    {
        return Ok(false);
    }
    let guard = match &step.guard {
        Guard::True => return Ok(true),
        Guard::When(guard) => guard,
        Guard::Timed(guards) => &guards[usize::from(moment.timeout)],
    };
    Ok(guard.eval(&machine.memory, moment.state)? != 0)
}

#[inline]
fn has_what_it_needs<M: MemorySystem>(
    machine: &Machine<M>,
    process: ProcId,
    needs: Needs,
    state: &[u64],
) -> Result<bool, Question> {
    let drained = |process| machine.memory.drained(state, process).map_err(Into::into);
    match needs {
        Needs::Nothing => Ok(true),
        Needs::OwnDrained => drained(process),
        Needs::AllDrained => {
            for process in &machine.processes {
                if !drained(process.id)? {
                    return Ok(false);
                }
            }
            Ok(true)
        }
    }
}
