//! Channels: what is sent and what is received.
//!
//! A message of an untyped channel has as many values as its uses have, computed in the state before and handed
//! over as they are; those of a typed channel are cast to the types of its fields, which wraps. A channel
//! without values has one field that is always 0, since the program model knows no empty messages.
//!
//! What is received goes into variables of the process like any assignment of it. Where that is to be an atomic
//! write, the message is received into registers and written from there, field by field in the same order; the
//! registers are 0 again before anybody can look, so that they add no states.

use std::collections::HashMap;

use taut_ir::{
    Assignment, ChanId, ChannelOp, Effect, Expr, Lvalue, Overflow, Pattern, RegId, Register, Span,
    StepId, Type,
};
use taut_source::Diagnostic;

use super::Lowering;
use super::codes;
use super::expr::{Scope, expr};
use super::process::Body;
use crate::ast::{self, ChanDecl, Message, Process, Sync};

/// What an untyped channel carries.
const ANY: Type = Type::INT;

impl<'m> Lowering<'m> {
    /// The fields of the messages of a channel.
    pub(super) fn fields(&self, decl: &ChanDecl, values: usize) -> Vec<Type> {
        let cast = |ty: &ast::Type| {
            let (lo, hi) = ty.range();
            Type { lo, hi, overflow: Overflow::Wrap }
        };
        let fields = match &decl.types {
            Some(types) => types.iter().map(cast).collect(),
            None => vec![ANY; values],
        };
        if fields.is_empty() { vec![Type::range(0, 0)] } else { fields }
    }

    /// How many values the uses of each channel have.
    pub(super) fn values(&self) -> HashMap<ChanId, usize> {
        let mut values = HashMap::new();
        for process in &self.model.processes {
            for sync in process.transitions.iter().filter_map(|t| t.sync.as_ref()) {
                if let Some(channel) = self.channel(process, sync) {
                    values.insert(channel, sync.message.arity());
                }
            }
        }
        values
    }

    fn channel(&self, process: &Process, sync: &Sync) -> Option<ChanId> {
        let owner = sync.process.as_ref().map(|p| p.text.as_str());
        self.names.channel(&process.name.text, owner, &sync.channel.text)
    }

    /// What a step does with a channel. `before` and `after` are the scopes of the state before and of the
    /// effects; what has to be done first among these is put into `effects`.
    pub(super) fn sync(
        &mut self,
        body: &mut Body<'m>,
        id: StepId,
        sync: &'m Sync,
        (before, after): (Scope<'_>, Scope<'_>),
        effects: &mut Vec<Effect>,
    ) -> Result<ChannelOp, Box<Diagnostic>> {
        let Some(channel) = self.channel(body.process, sync) else {
            let text = format!("there is no channel `{}`", sync.channel);
            return Err(Box::new(Diagnostic::error(codes::BROKEN_TREE, text, sync.span)));
        };
        let fields = self.program.channels[channel.index()].fields.clone();
        let channel = Expr::Const(channel.value());
        match &sync.message {
            Message::Send(values) => {
                let message = values.iter().map(|v| expr(&self.names, before, v));
                let message = message.collect::<Result<_, _>>()?;
                Ok(ChannelOp::Send { channel, message, sorted: false })
            }
            Message::Receive(places) => {
                let mut pattern = Vec::new();
                for place in places {
                    pattern.push(self.place(after, place)?);
                }
                let atomic: Vec<_> =
                    (0..places.len()).map(|i| self.chosen.receive(body.id, id, i)).collect();
                let pattern = match atomic.contains(&true) {
                    false => pattern.into_iter().map(Pattern::Bind).collect(),
                    true => write_received(body, (&fields, &atomic), pattern, effects),
                };
                Ok(ChannelOp::Receive { channel, pattern, anywhere: false, keep: false })
            }
        }
    }
}

/// Receives into registers, and writes from there.
fn write_received(
    body: &mut Body<'_>,
    (fields, atomic): (&[Type], &[bool]),
    places: Vec<Lvalue>,
    effects: &mut Vec<Effect>,
) -> Vec<Pattern> {
    let mut pattern = Vec::new();
    for (i, (place, &atomic)) in places.into_iter().zip(atomic).enumerate() {
        let register = body.received(i, fields.get(i).copied().unwrap_or(ANY));
        pattern.push(Pattern::Bind(Lvalue::Reg(register)));
        let atomic = atomic && place.variable().is_some();
        let value = Expr::Reg(register);
        effects.push(Effect::Assign(vec![Assignment { place, value, atomic }]));
        effects.push(Effect::assign(Lvalue::Reg(register), 0));
    }
    pattern
}

impl Body<'_> {
    /// The register for a field of a received message, wide enough for it.
    fn received(&mut self, field: usize, ty: Type) -> RegId {
        while self.received.len() <= field {
            let mut name = format!("received_{}", self.received.len());
            while self.registers.iter().any(|r| r.name == name) {
                name.push('_');
            }
            self.received.push(RegId::from(self.registers.len()));
            let init = vec![0];
            self.registers.push(Register { name, ty, len: None, init, span: Span::NONE });
        }
        let register = self.received[field];
        let known = &mut self.registers[register.index()].ty;
        *known = Type { lo: known.lo.min(ty.lo), hi: known.hi.max(ty.hi), ..*known };
        register
    }
}
