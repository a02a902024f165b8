//! Sends, receives and questions about channels.

use taut_ir::{
    BinaryOp, ChanId, ChannelOp, ChannelQuery, Expr, Interval, Lvalue, Overflow, Pattern, Poll,
    ProcId, Step,
};
use taut_memory::MemorySystem;

use super::expr::field;
use super::{Compiler, Scope};
use crate::CompiledProcess;
use crate::code::{ChannelCode, Code, PollCode};
use crate::destination::Destination;
use crate::message::{ChannelAction, Receive, Send, Which};
use crate::step::CompiledStep;

impl<M: MemorySystem> Compiler<'_, M> {
    pub(super) fn channel_op(
        &mut self,
        scope: Scope,
        step: &Step,
        op: &ChannelOp,
    ) -> ChannelAction {
        match op {
            ChannelOp::Send { channel, message, sorted } => {
                let send = self.send(scope, channel, message, *sorted);
                ChannelAction::Send(Box::new(send))
            }
            ChannelOp::Receive { channel, pattern, anywhere, keep } => {
                let which = self.which(scope, channel);
                let receive = Receive {
                    meets_on: self.meets_on(scope, channel, &which, *keep),
                    channel: which,
                    matches: self.matches(scope, pattern),
                    binds: self.binds(scope, step, channel, pattern),
                    anywhere: *anywhere,
                    keep: *keep,
                };
                ChannelAction::Receive(Box::new(receive))
            }
        }
    }

    fn send(&mut self, scope: Scope, channel: &Expr, message: &[Expr], sorted: bool) -> Send {
        let mut fits = true;
        for c in self.possible(scope.process, channel) {
            for (value, ty) in message.iter().zip(&self.program.channel(c).fields) {
                let inside = ty.interval().includes(self.parts.ranges.expr(scope.process, value));
                fits &= inside;
                self.may_fault |= !inside && ty.overflow == Overflow::Fault;
            }
        }
        Send {
            channel: self.which(scope, channel),
            message: message.iter().map(|value| self.expr(scope, value)).collect(),
            fits,
            sorted,
        }
    }

    fn matches(&mut self, scope: Scope, pattern: &[Pattern]) -> Box<[(u32, Code)]> {
        let mut matches = Vec::new();
        for (i, field) in pattern.iter().enumerate() {
            if let Pattern::Match(value) = field {
                matches.push((i as u32, self.expr(scope, value)));
            }
        }
        matches.into()
    }

    fn binds(
        &mut self,
        scope: Scope,
        step: &Step,
        channel: &Expr,
        pattern: &[Pattern],
    ) -> Box<[(u32, Destination)]> {
        let mut binds = Vec::new();
        for (i, field) in pattern.iter().enumerate() {
            if let Pattern::Bind(place) = field {
                let destination = self.bind(scope, step, place, self.received(scope, channel, i));
                binds.push((i as u32, destination));
            }
        }
        binds.into()
    }

    fn bind(&mut self, scope: Scope, step: &Step, place: &Lvalue, values: Interval) -> Destination {
        let fit = self.fit(self.type_of(scope, place), values);
        let route = self.route(step, place);
        self.destination(scope, place, route, fit)
    }

    /// The values that a receive can find in a field.
    fn received(&self, scope: Scope, channel: &Expr, field: usize) -> Interval {
        let values = self.possible(scope.process, channel).into_iter().map(|c| {
            let has = field < self.program.channel(c).fields.len();
            if has { self.parts.ranges.field(c, field) } else { Interval::single(0) }
        });
        values.reduce(Interval::join).unwrap_or(Interval::single(0))
    }

    fn possible(&self, process: ProcId, channel: &Expr) -> Vec<ChanId> {
        self.parts.ranges.channels(process, channel).collect()
    }

    fn which(&mut self, scope: Scope, channel: &Expr) -> Which {
        match self.channel_code(scope, channel) {
            (Some(known), _) => Which::Known(known),
            (None, code) => Which::Computed(code),
        }
    }

    /// A channel: its position if it is always the same, and its value.
    fn channel_code(&mut self, scope: Scope, channel: &Expr) -> (Option<usize>, Code) {
        let count = self.program.channels.len();
        let code = self.expr(scope, channel);
        let known = match code {
            Code::Const(value) => ChanId::of_value(value, count).map(ChanId::index),
            _ => None,
        };
        let all = Interval { lo: 1, hi: count as i64 };
        let certain = all.includes(self.parts.ranges.expr(scope.process, channel));
        self.may_fault |= known.is_none() && !certain;
        (known, code)
    }

    pub(super) fn query(&mut self, scope: Scope, query: ChannelQuery, channel: &Expr) -> Code {
        let (known, code) = self.channel_code(scope, channel);
        let Some(known) = known else {
            let channels = self.parts.channels.clone();
            return Code::Query(query, Box::new(ChannelCode { code, channels }));
        };
        let channel = &self.parts.channels[known];
        let compare = |number: u64| match field(channel.len) {
            Code::Const(len) => Code::Const(i64::from(len == number as i64)),
            _ => Code::Compute { field: channel.len, op: BinaryOp::Eq, number: number as i64 },
        };
        match query {
            ChannelQuery::Length => field(channel.len),
            ChannelQuery::Empty => compare(0),
            ChannelQuery::Full => compare(channel.capacity),
        }
    }

    pub(super) fn poll(&mut self, scope: Scope, poll: &Poll) -> Code {
        let (_, code) = self.channel_code(scope, &poll.channel);
        let mut matches = Vec::new();
        for (i, value) in poll.pattern.iter().enumerate() {
            if let Some(value) = value {
                matches.push((i as u32, self.expr(scope, value)));
            }
        }
        let channel = ChannelCode { code, channels: self.parts.channels.clone() };
        Code::Poll(Box::new(PollCode { channel, matches: matches.into(), anywhere: poll.anywhere }))
    }

    /// The channels of capacity 0 on which a receive may be a partner. One that may go wrong in saying
    /// which channel it is about does so to every sender.
    fn meets_on(&mut self, scope: Scope, channel: &Expr, which: &Which, keep: bool) -> Box<[u32]> {
        let all = (0..self.program.channels.len()).map(ChanId::from);
        let channels: Vec<ChanId> = match which {
            _ if keep => Vec::new(),
            Which::Known(known) => vec![ChanId::from(*known)],
            Which::Computed(_) if self.channel_may_fault(scope, channel) => all.collect(),
            Which::Computed(_) => self.possible(scope.process, channel),
        };
        let meeting = channels.into_iter().filter(|&c| self.program.channel(c).capacity == 0);
        meeting.map(|c| c.0).collect()
    }

    fn channel_may_fault(&mut self, scope: Scope, channel: &Expr) -> bool {
        let before = std::mem::replace(&mut self.may_fault, false);
        self.channel_code(scope, channel);
        std::mem::replace(&mut self.may_fault, before)
    }
}

impl CompiledStep {
    fn meets_on(&self) -> &[u32] {
        match &self.channel {
            Some(ChannelAction::Receive(receive)) => &receive.meets_on,
            _ => &[],
        }
    }
}

/// The positions of the steps of a program point that can receive in a rendezvous.
pub(super) fn rendezvous(steps: &[CompiledStep]) -> Box<[u32]> {
    let positions = (0..steps.len()).filter(|&i| !steps[i].meets_on().is_empty());
    positions.map(|i| i as u32).collect()
}

/// For each channel, the processes that can receive on it in a rendezvous.
pub(super) fn receivers(channels: usize, processes: &[CompiledProcess]) -> Vec<Box<[u32]>> {
    let mut receivers: Vec<Vec<u32>> = vec![Vec::new(); channels];
    for process in processes {
        for &channel in process.steps.iter().flatten().flat_map(CompiledStep::meets_on) {
            let list = &mut receivers[channel as usize];
            if list.last() != Some(&process.id.0) {
                list.push(process.id.0);
            }
        }
    }
    receivers.into_iter().map(Vec::into).collect()
}
