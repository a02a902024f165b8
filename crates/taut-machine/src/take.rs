//! Taking a step, as the trees of code do it: it must be ready, and no step that it yields to could start.

use taut_ir::PropId;
use taut_memory::{MemorySystem, Question};

use super::code::{FirstFault, NoValue};
use super::handshake::{Side, is_received};
use super::message::ChannelAction;
use super::perform::{finish, is_ready};
use super::step::{CompiledStep, Yields};
use super::stop::{StepContext, Stop, copy};
use super::{CompiledProcess, Machine};

/// Takes a step of a process; the outcome is in `next`. Assertions that fail are put into `failed`, and
/// the step goes on past them.
#[inline]
pub(crate) fn take<M: MemorySystem>(
    machine: &Machine<M>,
    process: &CompiledProcess,
    step: &CompiledStep,
    moment: StepContext<'_>,
    next: &mut [u64],
    failed: &mut Vec<PropId>,
) -> Result<(), Stop> {
    if !is_ready(machine, process, step, moment)? || yields(machine, process, step, moment)? {
        return Err(Stop::Disabled);
    }
    match &step.channel {
        None => copy(moment.state, next),
        Some(action) => action.perform(machine, process.id, moment.state, next)?,
    }
    finish(machine, process, step, next, failed)
}

/// Whether a step that this one yields to could start.
#[inline]
fn yields<M: MemorySystem>(
    machine: &Machine<M>,
    process: &CompiledProcess,
    step: &CompiledStep,
    moment: StepContext<'_>,
) -> Result<bool, Question> {
    match &step.yields {
        Yields::Nobody => Ok(false),
        Yields::ToEarly(mask) => Ok(moment.could_start & mask != 0),
        Yields::To(others) => {
            let steps = &process.steps[process.pc.bits(moment.state) as usize];
            for &i in others {
                if could_start(machine, process, &steps[i as usize], moment)? {
                    return Ok(true);
                }
            }
            Ok(false)
        }
    }
}

/// Whether nothing stands in the way of a step before it is taken. What goes wrong then counts as nothing
/// in the way. The send of a rendezvous could if somebody would receive it; the receive of one never could.
pub(crate) fn could_start<M: MemorySystem>(
    machine: &Machine<M>,
    process: &CompiledProcess,
    step: &CompiledStep,
    moment: StepContext<'_>,
) -> Result<bool, Question> {
    match is_ready(machine, process, step, moment) {
        Err(Stop::Open(question)) => Err(question),
        Err(_) => Ok(true),
        Ok(false) => Ok(false),
        Ok(true) => Ok(!yields(machine, process, step, moment)?
            && could_act(machine, Side { process, step }, moment)?),
    }
}

/// Whether what a step does with a channel, if anything, could be done; a fault on the way counts as that.
fn could_act<M: MemorySystem>(
    machine: &Machine<M>,
    side: Side<'_>,
    moment: StepContext<'_>,
) -> Result<bool, Question> {
    let (Some(action), state) = (&side.step.channel, moment.state) else { return Ok(true) };
    let index = match action.channel().find(machine, state) {
        Ok(index) => index,
        Err(NoValue::Fault(_)) => return Ok(true),
        Err(NoValue::Open(question)) => return Err(question),
    };
    let channel = &machine.channels[index];
    match action {
        ChannelAction::Send(_) if channel.capacity == 0 => {
            is_received(machine, side, index, moment)
        }
        ChannelAction::Send(_) => Ok(channel.len.bits(state) < channel.capacity),
        ChannelAction::Receive(receive) => {
            let mut fault = FirstFault::default();
            let (matches, anywhere) = (&receive.matches, receive.anywhere);
            let found = channel.matching(matches, anywhere, &machine.memory, state, &mut fault);
            fault.check_open()?;
            Ok(found.is_some() || !fault.is_none())
        }
    }
}
