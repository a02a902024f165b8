//! Two steps as one: a send and a receive on a channel that holds nothing.
//!
//! Both must be able to start in the state before. Of the steps that the receiver's yields to only those
//! count that would receive this very message. Then the sender's message is computed, and what follows is up
//! to the channel. If the sender's part comes first, its effects happen and it goes where it goes; in that
//! state the receiver decides whether the message matches, and only then is the rendezvous known to be
//! possible. If the receiver's part comes first, it decides in the state before, takes the message and does
//! all that its step does; the sender goes on in the state after that.

use taut_ir::{ChanId, ChannelOp, EffectOrder, Expr, Pattern, ProcId, StepId};

use crate::eval::matches;
use crate::execution::{Execution, Stop};
use crate::outcome::{Move, Outcome};
use crate::record::{Failure, Record, Transfer};
use crate::refusal::Refusal;
use crate::state::State;

/// A rendezvous that is being executed. Both processes live and are at the sources of their steps, and
/// both executions are given the state before.
pub(crate) struct Rendezvous<'p> {
    pub sender: Execution<'p>,
    pub receiver: Execution<'p>,
}

impl Rendezvous<'_> {
    /// Executes both steps; the state that is returned has yet to be brought into canonical form.
    pub fn run(mut self) -> Result<Move, Refusal> {
        let outcome = match self.hand_over() {
            Ok(state) => Outcome::State(state),
            Err((_, Stop::Refused(refusal))) => return Err(refusal),
            Err((process, Stop::Found(finding))) => {
                let receiver_failed = process == self.receiver.process;
                let at = if receiver_failed { self.receiver.state } else { self.sender.state };
                Outcome::Failure(Failure { finding, process, inside: at })
            }
        };
        let partner = Some(Box::new(self.receiver.record));
        Ok(Move { outcome, record: Record { partner, ..self.sender.record } })
    }

    /// The state after both parts; on failure, says who is to blame.
    fn hand_over(&mut self) -> Result<State, (ProcId, Stop)> {
        let (p, q) = (self.sender.process, self.receiver.process);
        // Who does not send or receive at all is none of the two, whatever else is wrong with them.
        let Some(send @ ChannelOp::Send { message, .. }) = &self.sender.step.channel else {
            return Err((p, Refusal::NoRendezvous.into()));
        };
        let receive = self.receiver.step.channel.as_ref();
        let Some(receive @ ChannelOp::Receive { pattern, keep: false, .. }) = receive else {
            return Err((q, Refusal::PartnerNotReady(q).into()));
        };
        let channel = self.sender.offers(send).map_err(|stop| (p, stop))?;
        self.receiver.expects(receive, channel).map_err(|stop| (q, stop))?;
        let values = self.sender.give(channel, message).map_err(|stop| (p, stop))?;
        let before = self.receiver.state.clone();
        match self.sender.program.channel(channel).order {
            EffectOrder::SenderFirst => {
                self.sender.finish().map_err(|stop| (p, stop))?;
                self.receiver.state = self.sender.state.clone();
                self.receiver.get(&before, channel, pattern, &values).map_err(|stop| (q, stop))?;
                Ok(self.receiver.state.clone())
            }
            EffectOrder::ReceiverFirst => {
                self.receiver.get(&before, channel, pattern, &values).map_err(|stop| (q, stop))?;
                self.sender.state = self.receiver.state.clone();
                self.sender.finish().map_err(|stop| (p, stop))?;
                Ok(self.sender.state.clone())
            }
        }
    }
}

impl<'p> Execution<'p> {
    /// Whether the step could start if somebody received; on which channel.
    fn offers(&mut self, send: &ChannelOp) -> Result<ChanId, Stop> {
        self.check_mode()?;
        self.check_guard()?;
        self.check_yields()?;
        let channel = self.channel(send)?;
        match self.program.channel(channel).capacity {
            0 => Ok(channel),
            _ => Err(Refusal::NoRendezvous.into()),
        }
    }

    /// Whether the step is ready to receive from a channel. A step that is about another channel is
    /// none of this rendezvous's business, whatever its guard does; one that cannot say which channel
    /// it is about goes wrong only if its guard is true.
    fn expects(&mut self, receive: &ChannelOp, channel: ChanId) -> Result<(), Stop> {
        let not_ready = Refusal::PartnerNotReady(self.process);
        self.check_mode().map_err(|_| not_ready)?;
        let own = self.channel(receive);
        if own.is_ok_and(|own| own != channel) {
            return Err(not_ready.into());
        }
        match self.check_guard() {
            Err(Stop::Refused(_)) => Err(not_ready.into()),
            guarded => guarded.and(own.map(|_| ()).map_err(Stop::from)),
        }
    }

    /// Whether a step that this one yields to would receive the message, or go wrong over it. `before` is
    /// the state before the rendezvous; in the execution's own the sender's part has happened, if it comes
    /// first.
    fn is_outranked(&self, before: &State, channel: ChanId, values: &[i64]) -> bool {
        let steps = &self.program.def_of(self.process).steps;
        let first = |id: &StepId| {
            let (step, state) = (&steps[id.index()], before.clone());
            let mut other = Execution { step, state, record: Record::default(), ..*self };
            let Some(receive @ ChannelOp::Receive { pattern, keep: false, .. }) = &step.channel
            else {
                return false;
            };
            match other.expects(receive, channel) {
                Err(Stop::Refused(_)) => return false,
                Err(Stop::Found(_)) => return true,
                Ok(()) => {}
            }
            other.state = self.state.clone();
            // What outranks that one would receive the message as well.
            other.wanted(pattern).map_or(true, |wanted| matches(&wanted, values))
        };
        self.step.yields_to.iter().any(first)
    }

    /// Whether somebody would receive what the step sends, or anything would go wrong over it.
    pub fn is_received(&mut self, channel: ChanId) -> bool {
        let Some(ChannelOp::Send { message, .. }) = &self.step.channel else { return false };
        let Ok(values) = self.message(channel, message) else { return true };
        let program = self.program;
        let others = program.process_ids().filter(|&q| q != self.process);
        let living = others.filter(|&q| self.state.process(q).started);
        living.flat_map(|q| self.receivers(q)).any(|mut receiver| {
            let Some(receive @ ChannelOp::Receive { pattern, keep: false, .. }) =
                &receiver.step.channel
            else {
                return false;
            };
            match receiver.expects(receive, channel) {
                Err(Stop::Refused(_)) => false,
                Err(Stop::Found(_)) => true,
                Ok(()) => receiver.wanted(pattern).map_or(true, |w| matches(&w, &values)),
            }
        })
    }

    /// The steps that leave the program point of a process, about to be executed in this state.
    fn receivers(&self, process: ProcId) -> Vec<Execution<'p>> {
        let steps = self.program.def_of(process).steps_from(self.state.process(process).point);
        steps
            .map(|(_, step)| Execution {
                process,
                step,
                state: self.state.clone(),
                record: Record::default(),
                ..*self
            })
            .collect()
    }

    /// The message.
    fn give(&mut self, channel: ChanId, message: &[Expr]) -> Result<Vec<i64>, Stop> {
        let values = self.message(channel, message)?;
        self.note(channel, &values, Transfer::Sent);
        Ok(values)
    }

    /// Takes the message, unless a step that comes first would, and does all that the step does.
    fn get(
        &mut self,
        before: &State,
        channel: ChanId,
        pattern: &[Pattern],
        values: &[i64],
    ) -> Result<(), Stop> {
        if self.is_outranked(before, channel, values) {
            return Err(Refusal::PartnerWantsOther(self.process).into());
        }
        self.take(channel, pattern, values)?;
        self.finish()
    }
}
