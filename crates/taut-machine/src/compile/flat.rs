//! From a compiled step to its flat code.

use taut_ir::BinaryOp;
use taut_memory::Field;

use crate::channel::ChannelLayout;
use crate::code::Code;
use crate::effect::CompiledEffect;
use crate::flat::Flat;
use crate::flat::decision::Decision;
use crate::flat::write::{Patch, Write, Writes};
use crate::message::{ChannelAction, Receive, Send, Which};
use crate::step::{CompiledStep, Guard, Needs, Target, Yields};

impl Flat {
    /// The flat code of a step of a process with its program point in `pc`; none for a step that waits for what is
    /// no condition here.
    pub(crate) fn of(step: &CompiledStep, pc: Field, channels: &[ChannelLayout]) -> Option<Flat> {
        let drained = match step.needs {
            Needs::Nothing => false,
            Needs::OwnDrained => true,
            Needs::AllDrained => return None,
        };
        let yields_to = match step.yields {
            Yields::Nobody => 0,
            Yields::ToEarly(mask) => mask,
            Yields::To(_) => return None,
        };
        let guard = match &step.guard {
            Guard::True => None,
            Guard::When(guard) => Some(guard),
            Guard::Timed(_) => return None,
        };
        let body = Body::of(step, pc, channels).or_else(|| {
            // Whether it can be taken is still decided here, as far as a guard does.
            guard.map(|_| Body { writes: Box::new([Write::GiveUp]), ..Body::default() })
        })?;
        let guard = Decision::all(guard.into_iter().chain(&body.waits_for).collect())?;
        let Body { performs, writes, patches, .. } = body;
        Some(Flat { drained, guard, yields_to, performs, writes, patches })
    }
}

/// What a step does.
#[derive(Default)]
struct Body {
    /// What it waits for beside its guard.
    waits_for: Vec<Code>,
    performs: bool,
    writes: Box<[Write]>,
    patches: Box<[Patch]>,
}

impl Body {
    /// None if the step does what is left to the trees.
    fn of(step: &CompiledStep, pc: Field, channels: &[ChannelLayout]) -> Option<Body> {
        let Target::Goto(target) = step.target else { return None };
        let (mut waits_for, mut writes) = (Vec::new(), Writes::default());
        let mut performs = false;
        if let Some(action) = &step.channel {
            if meets(action, channels) {
                return None;
            }
            performs = communicate(action, channels, &mut waits_for, &mut writes).is_none();
        }
        for effect in &step.effects {
            writes.push_effect(effect)?;
        }
        writes.set_bits(pc, target);
        let (writes, patches) = writes.finish();
        Some(Body { waits_for, performs, writes, patches })
    }
}

impl Writes {
    fn push_effect(&mut self, effect: &CompiledEffect) -> Option<()> {
        match effect {
            CompiledEffect::Assign(destination, value) => {
                self.assign(destination.clone(), value.clone());
            }
            CompiledEffect::Assert(condition, _) => {
                self.push(Write::Assert(Decision::all(vec![condition])?));
            }
            CompiledEffect::StoreFence => self.push(Write::StoreFence),
            CompiledEffect::Parallel(_) | CompiledEffect::Spawn(_) | CompiledEffect::Fail(_) => {
                return None;
            }
        }
        Some(())
    }
}

/// Whether an action is the send of a rendezvous, which looks for a partner.
fn meets(action: &ChannelAction, channels: &[ChannelLayout]) -> bool {
    let rendezvous = |which: &Which| matches!(*which, Which::Known(c) if channels[c].capacity == 0);
    matches!(action, ChannelAction::Send(send) if rendezvous(&send.channel))
}

/// A send or receive as conditions and writes; none if the trees must do it: on a channel that is known only when
/// the program runs, of a message in the middle of a channel, or in a rendezvous.
fn communicate(
    action: &ChannelAction,
    channels: &[ChannelLayout],
    waits_for: &mut Vec<Code>,
    writes: &mut Writes,
) -> Option<()> {
    let Which::Known(index) = *action.channel() else { return None };
    let channel = &channels[index];
    if channel.capacity == 0 {
        return None;
    }
    match action {
        ChannelAction::Send(send) => send.flatten(index, channel, waits_for, writes),
        ChannelAction::Receive(receive) => receive.flatten(index, channel, waits_for, writes),
    }
}

impl Send {
    fn flatten(
        &self,
        index: usize,
        channel: &ChannelLayout,
        waits_for: &mut Vec<Code>,
        writes: &mut Writes,
    ) -> Option<()> {
        if self.sorted {
            return None;
        }
        let number = channel.capacity as i64;
        waits_for.push(Code::Compute { field: channel.len, op: BinaryOp::Lt, number });
        let (message, fits) = (self.message.clone(), self.fits);
        writes.push(Write::Append { channel: index as u32, message, fits });
        Some(())
    }
}

impl Receive {
    fn flatten(
        &self,
        index: usize,
        channel: &ChannelLayout,
        waits_for: &mut Vec<Code>,
        writes: &mut Writes,
    ) -> Option<()> {
        if self.anywhere {
            return None;
        }
        let matches =
            self.matches.iter().map(|(field, value)| equal(Code::first(channel, *field), value));
        let matches: Vec<_> = matches.collect::<Option<_>>()?;
        waits_for.push(Code::Compute { field: channel.len, op: BinaryOp::Gt, number: 0 });
        waits_for.extend(matches);
        for (field, destination) in &self.binds {
            writes.assign(destination.clone(), Code::first(channel, *field));
        }
        if !self.keep {
            writes.push(Write::RemoveFirst { channel: index as u32 });
        }
        Some(())
    }
}

/// Whether a field of a message has a value that cannot go wrong. All of them are computed, whether or not an
/// earlier one decides, so one that can go wrong is not for tests that end with the first that fails.
fn equal(first: Code, value: &Code) -> Option<Code> {
    let op = BinaryOp::Eq;
    match (first, value) {
        (Code::Field(field), Code::Const(number)) => {
            Some(Code::Compute { field, op, number: *number })
        }
        (Code::Const(number), Code::Field(field)) => {
            Some(Code::Compute { field: *field, op, number })
        }
        (first, Code::Const(_) | Code::Field(_) | Code::Load { .. }) => {
            Some(Code::Binary(op, Box::new(first), Box::new(value.clone())))
        }
        _ => None,
    }
}
