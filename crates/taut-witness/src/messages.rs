//! What a step does with its channel.
//!
//! A channel that holds messages is first asked whether it is ready (room for a send, a message that
//! matches for a receive), which is all that other steps look at when they yield; only then are
//! messages computed or fields assigned. A receive from an empty channel computes no pattern. All of
//! the pattern's values are computed before any is compared, and all are compared before the first
//! field is assigned; the message leaves the channel after the last. A field that a message does not
//! have is 0.

use taut_ir::{ChanId, ChannelOp, Expr, Fault, Pattern};

use crate::eval::{field_of, fit, matches};
use crate::execution::{Execution, Stop};
use crate::record::{Message, Transfer};
use crate::refusal::Refusal;

/// What a step will do with a channel that is ready.
pub(crate) enum Plan {
    /// Nothing: it has no business with one.
    Nothing,
    /// Put a message in.
    Send(ChanId),
    /// Take, or copy, the message at this position.
    Receive(ChanId, usize),
}

impl<'p> Execution<'p> {
    /// What the step will do with its channel, if the channel is ready.
    pub fn plan(&mut self) -> Result<Plan, Stop> {
        let Some(op) = &self.step.channel else { return Ok(Plan::Nothing) };
        let channel = self.channel(op)?;
        let capacity = self.program.channel(channel).capacity as usize;
        if capacity == 0 {
            return Err(Refusal::NeedsPartner(channel).into());
        }
        match op {
            ChannelOp::Send { .. } if self.state.channel(channel).len() < capacity => {
                Ok(Plan::Send(channel))
            }
            ChannelOp::Send { .. } => Err(Refusal::ChannelFull(channel).into()),
            ChannelOp::Receive { pattern, anywhere, .. } => {
                self.find_message(channel, pattern, *anywhere)
            }
        }
    }

    /// Which channel it is about.
    pub fn channel(&mut self, op: &ChannelOp) -> Result<ChanId, Fault> {
        let value = self.value(op.channel())?;
        ChanId::of_value(value, self.program.channels.len()).ok_or(Fault::Channel)
    }

    fn find_message(
        &mut self,
        channel: ChanId,
        pattern: &[Pattern],
        anywhere: bool,
    ) -> Result<Plan, Stop> {
        if self.state.channel(channel).is_empty() {
            return Err(Refusal::ChannelEmpty(channel).into());
        }
        let wanted = self.wanted(pattern)?;
        let tried = if anywhere { self.state.channel(channel).len() } else { 1 };
        let messages = &self.state.channel(channel)[..tried];
        match messages.iter().position(|message| matches(&wanted, message)) {
            Some(at) => Ok(Plan::Receive(channel, at)),
            None => Err(Refusal::NoMatch(channel).into()),
        }
    }

    /// The value that each field must have; none for fields that may have any.
    pub fn wanted(&mut self, pattern: &[Pattern]) -> Result<Vec<Option<i64>>, Fault> {
        let one = |part: &Pattern| match part {
            Pattern::Match(expr) => self.value(expr).map(Some),
            Pattern::Bind(_) | Pattern::Any => Ok(None),
        };
        pattern.iter().map(one).collect()
    }

    /// Sends or receives, on a channel that holds messages.
    pub fn use_channel(&mut self) -> Result<(), Stop> {
        match (self.plan()?, &self.step.channel) {
            (Plan::Send(channel), Some(ChannelOp::Send { message, sorted, .. })) => {
                let (given, values) = self.given_and_held(channel, message)?;
                self.note(channel, &values, Transfer::Sent);
                let queue = self.state.channel_mut(channel);
                let greater = queue.iter().position(|other| *sorted && *other > given);
                queue.insert(greater.unwrap_or(queue.len()), values);
                Ok(())
            }
            (Plan::Receive(channel, at), Some(ChannelOp::Receive { pattern, keep, .. })) => {
                let values = self.state.channel(channel)[at].clone();
                let how = if *keep { Transfer::Copied } else { Transfer::Received };
                self.note(channel, &values, how);
                self.bind(pattern, &values)?;
                if !keep {
                    self.state.channel_mut(channel).remove(at);
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// A message as the channel holds it.
    pub fn message(&mut self, channel: ChanId, message: &[Expr]) -> Result<Vec<i64>, Fault> {
        self.given_and_held(channel, message).map(|(_, held)| held)
    }

    /// A message as it is given and as the channel holds it.
    fn given_and_held(
        &mut self,
        channel: ChanId,
        message: &[Expr],
    ) -> Result<(Vec<i64>, Vec<i64>), Fault> {
        let fields = &self.program.channel(channel).fields;
        let (mut given, mut held) = (vec![0; fields.len()], vec![0; fields.len()]);
        for (i, (&ty, expr)) in fields.iter().zip(message).enumerate() {
            given[i] = self.value(expr)?;
            held[i] = fit(ty, given[i])?;
        }
        Ok((given, held))
    }

    /// Takes a message that another process hands over, if it matches.
    pub fn take(
        &mut self,
        channel: ChanId,
        pattern: &[Pattern],
        values: &[i64],
    ) -> Result<(), Stop> {
        let wanted = self.wanted(pattern)?;
        if !matches(&wanted, values) {
            return Err(Refusal::PartnerWantsOther(self.process).into());
        }
        self.note(channel, values, Transfer::Received);
        self.bind(pattern, values)
    }

    fn bind(&mut self, pattern: &[Pattern], values: &[i64]) -> Result<(), Stop> {
        for (field, part) in pattern.iter().enumerate() {
            if let Pattern::Bind(place) = part {
                self.store_to(place, field_of(values, field))?;
            }
        }
        Ok(())
    }

    pub fn note(&mut self, channel: ChanId, values: &[i64], how: Transfer) {
        self.record.message = Some(Message { channel, values: values.to_vec(), how });
    }
}
