//! Rendezvous: two steps of two processes as one option of the machine.
//!
//! In the model the sender's step happens first, and then the receiver says whether the message matches. An
//! option cannot take back what it did, so here the match is decided before; pairs of steps where that could
//! make a difference are refused.

use taut_ir::{Buffers, ChanId, ChannelOp, Effect, Expr, Lifecycle, Lvalue, ProcId, Step, VarId};

use super::Exporter;
use super::channel::wanted;
use super::conditions::{Moment, conjunction};
use super::effects::{FAULT, fitted};
use super::expr::either;
use super::features::mentions;
use super::options::{Choice, close_option, open_option};
use crate::ExportError;
use crate::text::Text;

impl Exporter<'_> {
    /// Everything that a send can lead to together with a receive of another process.
    pub(super) fn handshakes(
        &self,
        choice: &mut Choice,
        sender: Moment,
    ) -> Result<(), ExportError> {
        let Some(ChannelOp::Send { channel, .. }) = &sender.step.channel else { return Ok(()) };
        let channels = self.ranges.channels(sender.process, channel);
        let channels: Vec<_> = channels.filter(|&c| self.capacity(c) == 0).collect();
        if channels.is_empty() {
            return Ok(());
        }
        for process in self.program.process_ids().filter(|&p| p != sender.process) {
            for step in &self.program.def_of(process).steps {
                let receiver = Moment { process, step, ..sender };
                let late = self.is_late(sender) || self.is_late(receiver);
                if takes_part(step) && (late || !sender.timeout) {
                    self.partner_fault(choice, sender, receiver, &channels);
                    for &id in &channels {
                        self.handshake(choice, sender, receiver, id)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// That a receiver is at hand; nobody asks what its step yields to.
    fn expects(&self, receiver: Moment) -> Vec<String> {
        let mut all = vec![self.is_at(receiver.process, receiver.step.source)];
        all.extend(self.mode(receiver.process, receiver.step));
        all
    }

    /// That a sender could start if somebody received, on one of these channels.
    fn offers(&self, sender: Moment, channels: &[ChanId]) -> Vec<String> {
        let mut all = self.startable(sender);
        let Some(op) = &sender.step.channel else { return all };
        let scope = sender.scope();
        all.extend(self.channel_fault(scope, op.channel()).map(|fault| format!("!({fault})")));
        let is: Vec<_> =
            channels.iter().map(|&c| self.is_channel(scope, op.channel(), c)).collect();
        if let Some(is) = is.into_iter().collect::<Option<Vec<_>>>() {
            all.push(format!("({})", is.join(" || ")));
        }
        all
    }

    /// A receiver that faults when it is asked whether it would receive at all.
    fn partner_fault(
        &self,
        choice: &mut Choice,
        sender: Moment,
        receiver: Moment,
        channels: &[ChanId],
    ) {
        let Some(op) = &receiver.step.channel else { return };
        let scope = receiver.scope();
        let of_channel = self.channel_fault(scope, op.channel()).map(|fault| {
            let all = self.guarded(receiver).into_iter().chain([fault]);
            format!("({})", conjunction(all))
        });
        let Some(fault) = either(self.fault(scope, &receiver.step.guard), of_channel) else {
            return;
        };
        let mut when = self.offers(sender, channels);
        when.extend(self.expects(receiver));
        self.wrong_option(choice, sender, when.into_iter().chain([fault]));
    }

    fn handshake(
        &self,
        choice: &mut Choice,
        sender: Moment,
        receiver: Moment,
        id: ChanId,
    ) -> Result<(), ExportError> {
        let Some(op @ ChannelOp::Receive { channel, .. }) = &receiver.step.channel else {
            return Ok(());
        };
        if !self.ranges.channels(receiver.process, channel).any(|c| c == id) {
            return Ok(());
        }
        self.check_pair(sender, receiver, op)?;
        let mut waits = self.offers(sender, &[id]);
        waits.extend(self.expects(receiver));
        waits.extend(self.guarded(receiver));
        let fault = self.channel_fault(receiver.scope(), channel);
        waits.extend(fault.map(|fault| format!("!({fault})")));
        waits.extend(self.is_channel(receiver.scope(), channel, id));
        let mut waits = self.within_bounds(choice, sender, waits, self.bounds(sender));
        waits.extend(self.agrees(sender, receiver, op, id));
        let bounds = self.bounds(receiver);
        let waits = self.within_bounds(choice, receiver, waits, bounds);
        open_option(&mut choice.text, sender.site, &conjunction(waits));
        self.hand_over(&mut choice.text, sender, receiver, id);
        close_option(&mut choice.text, sender.site);
        Ok(())
    }

    /// Both steps, once it is clear that they happen.
    fn hand_over(&self, text: &mut Text, sender: Moment, receiver: Moment, id: ChanId) {
        self.show(text, sender);
        self.compose(text, sender.scope(), sent(sender.step), id);
        self.effects(text, sender);
        self.go(text, sender);
        self.show(text, receiver);
        if let Some(op @ ChannelOp::Receive { pattern, .. }) = &receiver.step.channel {
            self.unless_fault(text, self.match_fault(receiver.scope(), op), |_| {});
            self.bind(text, receiver, pattern, id);
        }
        self.effects(text, receiver);
        self.go(text, receiver);
        self.finish(text, receiver, receiver.step.holds);
    }

    /// That the message is what the receiver wants. A message or a match that faults is found out later.
    fn agrees(
        &self,
        sender: Moment,
        receiver: Moment,
        op: &ChannelOp,
        id: ChanId,
    ) -> Option<String> {
        let (scope, fields) = (sender.scope(), &self.program.channel(id).fields);
        let mut fault = self.match_fault(receiver.scope(), op);
        let mut values = Vec::new();
        for (value, &ty) in sent(sender.step).iter().zip(fields) {
            let range = self.ranges.expr(scope.process, value);
            let (text, outside) = fitted(ty, self.expr(scope, value), range);
            fault = either(fault, either(self.fault(scope, value), outside));
            values.push(text);
        }
        let wanted = wanted(op);
        let equal = wanted.iter().enumerate().filter_map(|(i, wanted)| {
            let value = values.get(i).map_or("0", String::as_str);
            wanted.map(|e| format!("{value} == {}", self.expr(receiver.scope(), e)))
        });
        let equal: Vec<_> = equal.collect();
        let equal = (!equal.is_empty()).then(|| format!("({})", equal.join(" && ")));
        equal.map(|equal| either(fault, Some(equal)).expect("one of two"))
    }

    /// Refuses two steps whose rendezvous cannot be decided before it happens.
    fn check_pair(
        &self,
        sender: Moment,
        receiver: Moment,
        op: &ChannelOp,
    ) -> Result<(), ExportError> {
        let mut sending = Text::default();
        self.effects(&mut sending, sender);
        self.go(&mut sending, sender);
        let faults = sending.mentions(&format!("goto {FAULT}"));
        let wanted: Vec<_> = wanted(op).into_iter().flatten().collect();
        let (send, receive) = (sender.step, receiver.step);
        let places = self.buffered_stores(receive);
        let room_per_cell = self.memory.model.buffers() == Buffers::PerCell;
        let moved =
            room_per_cell && places.iter().filter_map(|p| p.index()).any(|i| may_change(send, i));
        let sender_goes = self.goes_unseen(sender.process);
        let why = if faults && !wanted.is_empty() {
            "the sender's step can go wrong before the receiver matches"
        } else if wanted.into_iter().any(|e| may_change(send, e)) || moved {
            "the sender's step can change what the receiver looks at"
        } else if spawns(receive) && (spawns(send) || sender_goes) {
            "the receiver spawns while the sender spawns or goes"
        } else if sender_goes && looks_around(receive) {
            "the receiver looks at processes while the sender goes"
        } else {
            return Ok(());
        };
        let [p, q] = [sender, receiver].map(|m| &self.program.process(m.process).name);
        Err(ExportError::new(format!("a rendezvous of `{p}` with `{q}`: {why}")))
    }

    /// Whether a process may be gone without an exit: in the model after the whole rendezvous, here as soon
    /// as it is at its end.
    fn goes_unseen(&self, process: ProcId) -> bool {
        self.program.lifecycle == Lifecycle::Slots && self.is_spawned(process)
    }
}

fn spawns(step: &Step) -> bool {
    step.effects.iter().any(|e| matches!(e, Effect::Spawn { .. }))
}

/// Whether a step asks about other processes.
fn looks_around(step: &Step) -> bool {
    let asks = |e: &Expr| matches!(e, Expr::In(..) | Expr::At(..) | Expr::Alive(_));
    step.expressions().into_iter().any(|e| mentions(e, &asks))
}

/// Whether a step is a receive that a rendezvous can be made with.
fn takes_part(step: &Step) -> bool {
    matches!(step.channel, Some(ChannelOp::Receive { keep: false, .. }))
}

/// The message of a step that sends.
fn sent(step: &Step) -> &[Expr] {
    match &step.channel {
        Some(ChannelOp::Send { message, .. }) => message,
        _ => &[],
    }
}

/// Whether a step of one process may change the value of an expression of another.
fn may_change(step: &Step, expr: &Expr) -> bool {
    let assigned = |v: VarId| assigned_places(step).any(|p| p.variable() == Some(v));
    mentions(expr, &|e| match e {
        Expr::Var(v) | Expr::VarElem(v, _) => assigned(*v),
        Expr::In(..) | Expr::At(..) | Expr::Drained(_) => true,
        Expr::Processes | Expr::Alive(_) | Expr::Channel(..) | Expr::Poll(_) => {
            !step.effects.is_empty()
        }
        _ => false,
    })
}

/// The places that the effects of a step assign.
pub(super) fn assigned_places(step: &Step) -> impl Iterator<Item = &Lvalue> {
    let of_spawns = step.effects.iter().filter_map(|e| match e {
        Effect::Spawn { pid, .. } => pid.as_ref(),
        _ => None,
    });
    step.assignments().map(|a| &a.place).chain(of_spawns)
}
