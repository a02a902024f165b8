//! Rendezvous: a send on a channel of capacity 0 together with a receive of another process.
//!
//! The sender's guard and message and the receiver's guard and channel are computed in the state before.
//! Then the two parts happen in the order of the channel ([`EffectOrder`]): the sender's effects, then the
//! receiver's part, which sees them, as in SPIN; or the receiver's part, its matches decided in the state
//! before, then the sender's effects, as in DiVinE.

use taut_ir::{Action, EffectOrder, ProcId, PropId};
use taut_memory::{MemorySystem, Question};

use super::code::NoValue;
use super::message::{ChannelAction, Receive, Send};
use super::perform::{finish, is_ready};
use super::step::CompiledStep;
use super::stop::{StepContext, Stop, copy};
use super::{CompiledProcess, Machine};

/// One side of a rendezvous.
#[derive(Clone, Copy)]
pub(crate) struct Side<'m> {
    pub(crate) process: &'m CompiledProcess,
    pub(crate) step: &'m CompiledStep,
}

impl<'m> Side<'m> {
    fn send(self) -> &'m Send {
        match &self.step.channel {
            Some(ChannelAction::Send(send)) => send,
            _ => unreachable!("a sender sends"),
        }
    }

    fn receive(self) -> &'m Receive {
        match &self.step.channel {
            Some(ChannelAction::Receive(receive)) => receive,
            _ => unreachable!("a receiver receives"),
        }
    }
}

/// The action of a rendezvous.
pub(crate) fn action(sender: Side<'_>, receiver: Side<'_>) -> Action {
    let id = |side: Side<'_>| (side.process.id, side.step.id());
    Action::handshake(id(sender), id(receiver))
}

/// Takes a rendezvous on a channel whose sender is ready; the outcome is in `next`.
pub(crate) fn shake<M: MemorySystem>(
    machine: &Machine<M>,
    (sender, receiver): (Side<'_>, Side<'_>),
    channel: usize,
    moment: StepContext<'_>,
    (next, failed, message): (&mut [u64], &mut Vec<PropId>, &mut Vec<i64>),
) -> Result<(), Stop> {
    if !receiver.expects(machine, channel, moment)? {
        return Err(Stop::Disabled);
    }
    sender.send().compute(machine, channel, moment.state, message)?;
    copy(moment.state, next);
    let order = machine.channels[channel].order;
    if order == EffectOrder::SenderFirst {
        finish(machine, sender.process, sender.step, next, failed)?;
    }
    if receiver.is_outranked(machine, channel, moment, (message, next))? {
        return Err(Stop::Disabled);
    }
    let receive = receiver.receive();
    if !receive.accepts(&machine.memory, message, next)? {
        return Err(Stop::Disabled);
    }
    receive.bind(&machine.memory, receiver.process.id, message, next)?;
    finish(machine, receiver.process, receiver.step, next, failed)?;
    match order {
        EffectOrder::SenderFirst => Ok(()),
        EffectOrder::ReceiverFirst => finish(machine, sender.process, sender.step, next, failed),
    }
}

impl Side<'_> {
    /// Whether a receive is ready for a message on a channel. One that cannot say which channel it is
    /// about goes wrong only if its guard is true.
    fn expects<M: MemorySystem>(
        self,
        machine: &Machine<M>,
        channel: usize,
        moment: StepContext<'_>,
    ) -> Result<bool, Stop> {
        let expected = self.receive().channel.find(machine, moment.state);
        if let Err(open @ NoValue::Open(_)) = expected {
            return Err(open.into());
        }
        if expected.is_ok_and(|expected| expected != channel)
            || !is_ready(machine, self.process, self.step, moment)?
        {
            return Ok(false);
        }
        expected?;
        Ok(true)
    }

    /// Whether a step that this receive yields to would receive the message, or go wrong over it. That
    /// step must be ready in the state before; what it wants of the message is computed where this one's
    /// wishes are: in the state before, or after the sender's part if that comes first.
    fn is_outranked<M: MemorySystem>(
        self,
        machine: &Machine<M>,
        channel: usize,
        moment: StepContext<'_>,
        (message, after): (&[i64], &[u64]),
    ) -> Result<bool, Question> {
        let at = self.process.pc.bits(moment.state) as usize;
        let (steps, rendezvous) = (&self.process.steps[at], &self.process.rendezvous[at]);
        for &i in rendezvous.iter().filter(|&&i| self.step.yields.includes(i)) {
            let other = Side { step: &steps[i as usize], ..self };
            if other.would_receive(machine, channel, moment, (message, after))? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether a receive that is ready in a state would receive a message, or go wrong over it; what it wants of the
    /// message is computed in the state `after`.
    fn would_receive<M: MemorySystem>(
        self,
        machine: &Machine<M>,
        channel: usize,
        moment: StepContext<'_>,
        (message, after): (&[i64], &[u64]),
    ) -> Result<bool, Question> {
        match self.expects(machine, channel, moment) {
            Ok(false) => return Ok(false),
            Ok(true) => {}
            Err(Stop::Open(question)) => return Err(question),
            Err(_) => return Ok(true),
        }
        match self.receive().accepts(&machine.memory, message, after) {
            Ok(accepts) => Ok(accepts),
            Err(NoValue::Open(question)) => Err(question),
            Err(NoValue::Fault(_)) => Ok(true),
        }
    }
}

/// Whether some process would receive what a ready sender sends, or anything would go wrong over it.
pub(crate) fn is_received<M: MemorySystem>(
    machine: &Machine<M>,
    sender: Side<'_>,
    channel: usize,
    moment: StepContext<'_>,
) -> Result<bool, Question> {
    let mut message = Vec::new();
    match sender.send().compute(machine, channel, moment.state, &mut message) {
        Ok(()) => {}
        Err(NoValue::Fault(_)) => return Ok(true),
        Err(NoValue::Open(question)) => return Err(question),
    }
    for receiver in machine.partners(sender.process.id, channel, moment.state) {
        if receiver.would_receive(machine, channel, moment, (&message, moment.state))? {
            return Ok(true);
        }
    }
    Ok(false)
}

impl<M: MemorySystem> Machine<M> {
    /// The receives at hand that may meet a sender on a channel.
    #[inline]
    pub(crate) fn partners<'m>(
        &'m self,
        sender: ProcId,
        channel: usize,
        state: &'m [u64],
    ) -> impl Iterator<Item = Side<'m>> {
        let processes = self.receivers[channel].iter().map(|&p| &self.processes[p as usize]);
        processes.filter(move |p| p.id != sender).flat_map(move |process| {
            let at = process.pc.bits(state) as usize;
            let steps = process.rendezvous[at].iter().map(move |&i| &process.steps[at][i as usize]);
            steps.map(move |step| Side { process, step })
        })
    }
}
