//! Compiled sends and receives.
//!
//! On a channel that holds messages, either is part of one step. On a channel of capacity 0 a send finds
//! out that it needs a partner ([`Stop::Meeting`]), and a receive waits to be one
//! ([`super::handshake`]).

use taut_ir::ProcId;
use taut_memory::MemorySystem;

use super::Machine;
use super::code::{Code, FirstFault, NoValue};
use super::destination::{Destination, assign};
use super::stop::{Stop, copy};

/// What a step does with a channel, with everything resolved.
pub(crate) enum ChannelAction {
    Send(Box<Send>),
    Receive(Box<Receive>),
}

/// Which channel.
pub(crate) enum Which {
    /// Always this one.
    Known(usize),
    /// The one whose value this is.
    Computed(Code),
}

/// A send.
pub(crate) struct Send {
    pub(crate) channel: Which,
    pub(crate) message: Box<[Code]>,
    /// Whether every value certainly fits its field.
    pub(crate) fits: bool,
    pub(crate) sorted: bool,
}

/// A receive. Fields of a message are named by their position.
pub(crate) struct Receive {
    pub(crate) channel: Which,
    pub(crate) matches: Box<[(u32, Code)]>,
    pub(crate) binds: Box<[(u32, Destination)]>,
    pub(crate) anywhere: bool,
    pub(crate) keep: bool,
    /// The channels on which it may be, or go wrong as, a partner in a rendezvous.
    pub(crate) meets_on: Box<[u32]>,
}

impl Which {
    /// The channel in a state.
    #[inline]
    pub(crate) fn find<M: MemorySystem>(
        &self,
        machine: &Machine<M>,
        state: &[u64],
    ) -> Result<usize, NoValue> {
        match self {
            Which::Known(channel) => Ok(*channel),
            Which::Computed(code) => {
                let mut fault = FirstFault::default();
                let value = code.value(&machine.memory, state, &mut fault);
                fault.check()?;
                let channel = fault.channel(value, machine.channels.len());
                fault.check().map(|()| channel)
            }
        }
    }
}

impl ChannelAction {
    pub(crate) fn channel(&self) -> &Which {
        match self {
            ChannelAction::Send(send) => &send.channel,
            ChannelAction::Receive(receive) => &receive.channel,
        }
    }

    /// Copies the state into `next` and sends or receives there.
    #[inline]
    pub(crate) fn perform<M: MemorySystem>(
        &self,
        machine: &Machine<M>,
        process: ProcId,
        state: &[u64],
        next: &mut [u64],
    ) -> Result<(), Stop> {
        match self {
            ChannelAction::Send(send) => send.perform(machine, state, next),
            ChannelAction::Receive(receive) => receive.perform(machine, process, state, next),
        }
    }
}

impl Send {
    #[inline]
    fn perform<M: MemorySystem>(
        &self,
        machine: &Machine<M>,
        state: &[u64],
        next: &mut [u64],
    ) -> Result<(), Stop> {
        let index = self.channel.find(machine, state)?;
        let channel = &machine.channels[index];
        if channel.len.bits(state) == channel.capacity {
            let meets = channel.capacity == 0;
            return Err(if meets { Stop::Meeting(index) } else { Stop::Disabled });
        }
        copy(state, next);
        let mut fault = FirstFault::default();
        channel.append(next, |_, field, ty| {
            let Some(code) = self.message.get(field) else { return 0 };
            let value = code.value(&machine.memory, state, &mut fault);
            if self.fits { value } else { fault.fit(ty, value) }
        });
        fault.check()?;
        if self.sorted {
            channel.sort_last(next, &self.given(machine, channel.fields.len(), state));
        }
        Ok(())
    }

    /// The values of a message before they are made to fit; nothing goes wrong any more.
    fn given<M: MemorySystem>(
        &self,
        machine: &Machine<M>,
        fields: usize,
        state: &[u64],
    ) -> Vec<i64> {
        let mut fault = FirstFault::default();
        let given = self.message.iter().take(fields);
        let mut given: Vec<_> =
            given.map(|code| code.value(&machine.memory, state, &mut fault)).collect();
        given.resize(fields, 0);
        given
    }

    /// The message that would be sent on a channel.
    pub(crate) fn compute<M: MemorySystem>(
        &self,
        machine: &Machine<M>,
        channel: usize,
        state: &[u64],
        message: &mut Vec<i64>,
    ) -> Result<(), NoValue> {
        let mut fault = FirstFault::default();
        message.clear();
        for (i, field) in machine.channels[channel].fields.iter().enumerate() {
            let value = match self.message.get(i) {
                Some(code) => code.value(&machine.memory, state, &mut fault),
                None => 0,
            };
            message.push(if self.fits { value } else { fault.fit(field.ty, value) });
        }
        fault.check()
    }
}

impl Receive {
    #[inline]
    fn perform<M: MemorySystem>(
        &self,
        machine: &Machine<M>,
        process: ProcId,
        state: &[u64],
        next: &mut [u64],
    ) -> Result<(), Stop> {
        let channel = &machine.channels[self.channel.find(machine, state)?];
        let mut fault = FirstFault::default();
        let memory = &machine.memory;
        let found = channel.matching(&self.matches, self.anywhere, memory, state, &mut fault);
        fault.check()?;
        let at = found.ok_or(Stop::Disabled)?;
        copy(state, next);
        for (field, destination) in &self.binds {
            assign(memory, process, destination, channel.value(state, at, *field), next)?;
        }
        if !self.keep {
            channel.remove(next, at);
        }
        Ok(())
    }

    /// Whether a message is one this waits for. All values to match are computed.
    pub(crate) fn accepts<M: MemorySystem>(
        &self,
        memory: &M,
        message: &[i64],
        state: &[u64],
    ) -> Result<bool, NoValue> {
        let mut fault = FirstFault::default();
        let mut all = true;
        for (field, code) in &self.matches {
            all &= code.value(memory, state, &mut fault) == value_of(message, *field);
        }
        fault.check().map(|()| all)
    }

    /// Assigns the fields of a message.
    pub(crate) fn bind<M: MemorySystem>(
        &self,
        memory: &M,
        process: ProcId,
        message: &[i64],
        next: &mut [u64],
    ) -> Result<(), Stop> {
        self.binds.iter().try_for_each(|(field, destination)| {
            assign(memory, process, destination, value_of(message, *field), next)
        })
    }
}

/// A field of a message; 0 if messages do not have it.
fn value_of(message: &[i64], field: u32) -> i64 {
    message.get(field as usize).copied().unwrap_or(0)
}
