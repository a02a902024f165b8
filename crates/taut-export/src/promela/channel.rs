//! Channels: SPIN's own, where they hold messages.
//!
//! A channel as a value is its number, as in the model. An operation on a channel that is computed is written
//! once for each channel it can be; [`taut_ir::ranges::Ranges::channels`] says which. A channel of capacity 0
//! holds nothing and is no SPIN channel: see [`super::handshake`].
//!
//! A pattern can be longer than the messages of the channel. The fields that a message does not have are 0, in a
//! match and in an assignment. SPIN refuses such a receive, so this part of the pattern is written beside it.

use taut_ir::{ChanId, ChannelOp, ChannelQuery, Expr, Interval, Pattern, Poll};

use super::Exporter;
use super::conditions::{Moment, conjunction};
use super::declare::typed;
use super::effects::fitted;
use super::expr::{Scope, either};
use crate::ExportError;
use crate::text::Text;

impl Exporter<'_> {
    pub(super) fn declare_channels(&self, text: &mut Text) -> Result<(), ExportError> {
        for (i, channel) in self.program.channels.iter().enumerate() {
            let id = ChanId::from(i);
            let name = self.names.channel(id);
            if channel.capacity == 0 {
                text.line(&format!("/* {name}: rendezvous */"));
                continue;
            }
            let types = (0..channel.fields.len())
                .map(|f| typed(&format!("a field of channel `{name}`"), self.ranges.field(id, f)));
            let types = types.collect::<Result<Vec<_>, _>>()?.join(", ");
            text.line(&format!(
                "chan {name} = [{}] of {{ {types} }}; /* {} */",
                channel.capacity,
                id.value()
            ));
        }
        for i in 0..self.most_fields() {
            text.line(&format!("int msg{i}; /* 0 between steps */"));
        }
        Ok(())
    }

    /// How many fields a message has at most.
    fn most_fields(&self) -> usize {
        self.program.channels.iter().map(|c| c.fields.len()).max().unwrap_or(0)
    }

    pub(super) fn capacity(&self, channel: ChanId) -> u32 {
        self.program.channel(channel).capacity
    }

    /// The number of fields of a message in a channel.
    fn fields(&self, channel: ChanId) -> usize {
        self.program.channel(channel).fields.len()
    }

    /// When a channel is asked for that there is not.
    pub(super) fn channel_fault(&self, scope: Scope, channel: &Expr) -> Option<String> {
        let count = self.program.channels.len();
        let inside = Interval { lo: 1, hi: count as i64 };
        let outside = (!inside.includes(self.ranges.expr(scope.process, channel))).then(|| {
            let value = self.expr(scope, channel);
            format!("({value} < 1 || {value} > {count})")
        });
        either(self.fault(scope, channel), outside)
    }

    /// That a channel that is computed is this one; nothing if it can be no other.
    pub(super) fn is_channel(&self, scope: Scope, channel: &Expr, id: ChanId) -> Option<String> {
        let only = self.ranges.expr(scope.process, channel) == Interval::single(id.value());
        (!only).then(|| format!("{} == {}", self.expr(scope, channel), id.value()))
    }

    /// Whether a channel that holds messages is ready for a send or a receive; a fault counts as ready.
    pub(super) fn is_ready(&self, scope: Scope, op: &ChannelOp) -> String {
        let mut any: Vec<_> = self.channel_fault(scope, op.channel()).into_iter().collect();
        let candidates = self.ranges.channels(scope.process, op.channel());
        for id in candidates.filter(|&id| self.capacity(id) > 0) {
            let mut all: Vec<_> = self.is_channel(scope, op.channel(), id).into_iter().collect();
            all.push(self.has_room_or_message(op, id));
            if let Some(matches) = self.matches(scope, op, id) {
                let fault = self.match_fault(scope, op);
                all.push(either(fault, Some(matches)).expect("one of two"));
            }
            any.push(format!("({})", conjunction(all)));
        }
        if any.is_empty() { "false".into() } else { format!("({})", any.join(" || ")) }
    }

    pub(super) fn has_room_or_message(&self, op: &ChannelOp, id: ChanId) -> String {
        let name = self.names.channel(id);
        match op {
            ChannelOp::Send { .. } => format!("len({name}) < {}", self.capacity(id)),
            ChannelOp::Receive { .. } => format!("len({name}) > 0"),
        }
    }

    /// When computing what a receive wants faults.
    pub(super) fn match_fault(&self, scope: Scope, op: &ChannelOp) -> Option<String> {
        wanted(op).into_iter().flatten().map(|e| self.fault(scope, e)).fold(None, either)
    }

    /// That there is a message which a receive wants; nothing if it takes any.
    pub(super) fn matches(&self, scope: Scope, op: &ChannelOp, id: ChanId) -> Option<String> {
        let anywhere = matches!(op, ChannelOp::Receive { anywhere: true, .. });
        self.poll(scope, id, &wanted(op), anywhere)
    }

    /// That a channel with messages has one with the wanted values; nothing if any value will do.
    fn poll(
        &self,
        scope: Scope,
        id: ChanId,
        wanted: &[Option<&Expr>],
        anywhere: bool,
    ) -> Option<String> {
        let (held, beyond) = wanted.split_at(wanted.len().min(self.fields(id)));
        let mut all = Vec::new();
        if held.iter().any(Option::is_some) {
            all.push(self.poll_held(scope, id, held, anywhere));
        }
        all.extend(beyond.iter().flatten().map(|e| format!("({} == 0)", self.expr(scope, e))));
        (!all.is_empty()).then(|| all.join(" && "))
    }

    /// The part of a poll that is about fields which messages have.
    fn poll_held(
        &self,
        scope: Scope,
        id: ChanId,
        wanted: &[Option<&Expr>],
        anywhere: bool,
    ) -> String {
        debug_assert!(wanted.len() <= self.fields(id), "SPIN refuses longer patterns");
        let fields = (0..self.fields(id)).map(|i| {
            let value = wanted.get(i).copied().flatten();
            value.map_or("_".into(), |e| format!("eval({})", self.expr(scope, e)))
        });
        let sign = if anywhere { "??" } else { "?" };
        let fields = fields.collect::<Vec<_>>().join(", ");
        format!("{}{sign}[{fields}]", self.names.channel(id))
    }

    /// Sends or receives, on a channel that is ready.
    pub(super) fn transfer(&self, text: &mut Text, moment: Moment, id: ChanId) {
        match &moment.step.channel {
            Some(ChannelOp::Send { message, sorted, .. }) => {
                self.compose(text, moment.scope(), message, id);
                let count = self.fields(id);
                let fields: Vec<_> = (0..count).map(|i| format!("msg{i}")).collect();
                let sign = if *sorted { "!!" } else { "!" };
                text.line(&format!("{}{sign}{};", self.names.channel(id), fields.join(", ")));
                clear_message(text, count);
            }
            Some(op @ ChannelOp::Receive { pattern, anywhere, keep, .. }) => {
                let fields = self.taken_fields(moment.scope(), op, id, *anywhere);
                let sign = if *anywhere { "??" } else { "?" };
                let (open, close) = if *keep { ("<", ">") } else { ("", "") };
                text.line(&format!("{}{sign}{open}{fields}{close};", self.names.channel(id)));
                self.bind(text, moment, pattern, id);
            }
            None => {}
        }
    }

    /// The arguments of a receive. What it wants has been found at the head, so only a receive from anywhere
    /// says it again.
    fn taken_fields(&self, scope: Scope, op: &ChannelOp, id: ChanId, anywhere: bool) -> String {
        let pattern = match op {
            ChannelOp::Receive { pattern, .. } => pattern.as_slice(),
            ChannelOp::Send { .. } => &[],
        };
        let fields = (0..self.fields(id)).map(|i| match pattern.get(i) {
            Some(Pattern::Bind(_)) => format!("msg{i}"),
            Some(Pattern::Match(e)) if anywhere => format!("eval({})", self.expr(scope, e)),
            _ => "_".into(),
        });
        fields.collect::<Vec<_>>().join(", ")
    }

    /// Computes a message, each field made to fit.
    pub(super) fn compose(&self, text: &mut Text, scope: Scope, message: &[Expr], id: ChanId) {
        let fields = &self.program.channel(id).fields;
        for (i, (value, &ty)) in message.iter().zip(fields).enumerate() {
            self.unless_fault(text, self.fault(scope, value), |text| {
                let range = self.ranges.expr(scope.process, value);
                let (value, fault) = fitted(ty, self.expr(scope, value), range);
                self.unless_fault(text, fault, |text| text.line(&format!("msg{i} = {value};")));
            });
        }
    }

    /// Assigns the fields of a message, in order.
    pub(super) fn bind(&self, text: &mut Text, moment: Moment, pattern: &[Pattern], id: ChanId) {
        let count = self.fields(id);
        for (i, field) in pattern.iter().enumerate() {
            let Pattern::Bind(place) = field else { continue };
            if i < count {
                let range = self.ranges.field(id, i);
                self.store_to(text, moment, place, &format!("msg{i}"), range);
            } else {
                self.store_to(text, moment, place, "0", Interval::single(0));
            }
        }
        clear_message(text, count);
    }

    pub(super) fn empty_channel(&self, text: &mut Text, id: ChanId) {
        if self.capacity(id) == 0 {
            return;
        }
        let name = self.names.channel(id);
        let fields = vec!["_"; self.fields(id)].join(", ");
        text.line(&format!("do :: (len({name}) > 0) -> {name}?{fields} :: else -> break od;"));
    }

    /// A question about a channel.
    pub(super) fn query(&self, scope: Scope, query: ChannelQuery, channel: &Expr) -> String {
        self.by_channel(scope, channel, |id| {
            let (name, capacity) = (self.names.channel(id), self.capacity(id));
            match query {
                ChannelQuery::Length if capacity == 0 => "0".into(),
                ChannelQuery::Full | ChannelQuery::Empty if capacity == 0 => "1".into(),
                ChannelQuery::Length => format!("len({name})"),
                ChannelQuery::Full => format!("(len({name}) == {capacity})"),
                ChannelQuery::Empty => format!("(len({name}) == 0)"),
            }
        })
    }

    pub(super) fn polled(&self, scope: Scope, poll: &Poll) -> String {
        let wanted: Vec<_> = poll.pattern.iter().map(Option::as_ref).collect();
        self.by_channel(scope, &poll.channel, |id| {
            if self.capacity(id) == 0 {
                return "0".into();
            }
            let there = format!("len({}) > 0", self.names.channel(id));
            match self.poll(scope, id, &wanted, poll.anywhere) {
                Some(matches) => format!("({there} && {matches})"),
                None => format!("({there})"),
            }
        })
    }

    /// When a poll faults: where there is no such channel, or where there is a message to be compared with
    /// something that faults.
    pub(super) fn poll_fault(&self, scope: Scope, poll: &Poll) -> Option<String> {
        let wanted = poll.pattern.iter().flatten();
        let fault = wanted.map(|e| self.fault(scope, e)).fold(None, either);
        let mut candidates = self.ranges.channels(scope.process, &poll.channel);
        let holds_messages = candidates.any(|id| self.capacity(id) > 0);
        let compared = fault.filter(|_| holds_messages).map(|fault| {
            self.by_channel(scope, &poll.channel, |id| match self.capacity(id) {
                0 => "0".into(),
                _ => format!("(len({}) > 0 && {fault})", self.names.channel(id)),
            })
        });
        either(self.channel_fault(scope, &poll.channel), compared)
    }

    /// Something about a channel that is computed: a choice among those that it can be.
    fn by_channel(&self, scope: Scope, channel: &Expr, what: impl Fn(ChanId) -> String) -> String {
        let mut all = "0".to_string();
        let candidates: Vec<_> = self.ranges.channels(scope.process, channel).collect();
        for id in candidates.into_iter().rev() {
            all = match self.is_channel(scope, channel, id) {
                Some(is) => format!("(({is}) -> {} : {all})", what(id)),
                None => what(id),
            };
        }
        all
    }
}

/// The values that a receive wants, field by field; also in fields that the messages of its channel do not have.
pub(super) fn wanted(op: &ChannelOp) -> Vec<Option<&Expr>> {
    let pattern = match op {
        ChannelOp::Send { .. } => &[][..],
        ChannelOp::Receive { pattern, .. } => pattern,
    };
    let wanted = pattern.iter().map(|p| match p {
        Pattern::Match(value) => Some(value),
        Pattern::Bind(_) | Pattern::Any => None,
    });
    wanted.collect()
}

pub(super) fn clear_message(text: &mut Text, count: usize) {
    for i in 0..count {
        text.line(&format!("msg{i} = 0;"));
    }
}
