//! Compiled steps, and taking one.

use std::sync::atomic::{AtomicBool, Ordering};

use taut_ir::{Action, Fault, Finding, ProcId, PropId, StepId};
use taut_memory::MemorySystem;

use super::code::Code;
use super::effect::{CompiledEffect, run};
use super::flat::Flat;
use super::handshake::Side;
use super::lifecycle::{Exit, exit, is_youngest};
use super::message::{ChannelAction, could_act};
use super::procedure::{Call, Return, enter, leave};
use super::{Bound, CompiledProcess, Machine};

/// A step with everything resolved.
pub struct CompiledStep {
    pub(crate) action: Action,
    /// The buffers that must be empty.
    pub needs: Needs,
    pub(crate) guard: Guard,
    pub(crate) yields: Yields,
    /// Whether another step yields to it.
    pub(crate) has_followers: bool,
    pub(crate) channel: Option<ChannelAction>,
    pub(crate) effects: Vec<CompiledEffect>,
    pub(crate) target: Target,
    /// Whether the process holds the others after it.
    pub(crate) holds: bool,
    /// Whether other steps lead where it leads, so that a held state after it may be one seen before.
    pub(crate) joins: bool,
    pub(crate) reached: Reached,
    /// The quick way to take it, if there is one.
    pub(crate) flat: Option<Flat>,
}

impl CompiledStep {
    pub(crate) fn id(&self) -> StepId {
        match self.action {
            Action::Step { step, .. } => step,
            _ => unreachable!("a step is a step"),
        }
    }
}

/// Whether a step was ever taken.
#[derive(Default)]
pub(crate) struct Reached(AtomicBool);

impl Reached {
    /// Notes that it was. Looking first keeps the cache line clean in all but the first case.
    #[inline]
    pub(crate) fn note(&self) {
        if !self.get() {
            self.0.store(true, Ordering::Relaxed);
        }
    }

    /// Forgets it.
    pub(crate) fn clear(&self) {
        self.0.store(false, Ordering::Relaxed);
    }

    #[inline]
    pub(crate) fn get(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Which buffers must be empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Needs {
    /// None.
    Nothing,
    /// That of the process itself.
    OwnDrained,
    /// Those of all processes.
    AllDrained,
}

/// What must be true.
pub(crate) enum Guard {
    True,
    When(Code),
    /// It asks for a timeout: the condition as long as there is none, and when there is one.
    Timed(Box<[Code; 2]>),
}

/// To which steps of the same program point a step yields. Steps are sorted so that those come before it.
pub(crate) enum Yields {
    Nobody,
    /// One bit for each of the first 64 steps of the program point.
    ToEarly(u64),
    /// Positions among the steps of the program point.
    To(Box<[u32]>),
}

impl Yields {
    /// Whether the step at a position is one of them.
    pub(crate) fn includes(&self, position: u32) -> bool {
        match self {
            Yields::Nobody => false,
            Yields::ToEarly(mask) => mask.checked_shr(position).is_some_and(|m| m & 1 == 1),
            Yields::To(others) => others.contains(&position),
        }
    }
}

/// Where the process goes.
pub(crate) enum Target {
    /// The new bits of `pc`.
    Goto(u64),
    Call(Box<Call>),
    Return(Box<Return>),
    Exit(Box<Exit>),
}

/// Why a step was not taken.
#[derive(Debug)]
pub(crate) enum Stop {
    Disabled,
    /// It could start, but its own effects stand in its way: they started a younger process.
    Outlived,
    /// It sends on this channel of capacity 0: it needs a process that receives.
    Meeting(usize),
    Held(Bound),
    Finding(Finding),
}

impl From<Fault> for Stop {
    fn from(fault: Fault) -> Stop {
        Stop::Finding(Finding::Fault(fault))
    }
}

/// The state in which a step is tried, and what is known about it.
#[derive(Clone, Copy)]
pub(crate) struct StepContext<'s> {
    pub(crate) state: &'s [u64],
    /// Whether nothing can happen without a timeout.
    pub(crate) timeout: bool,
    /// Which of the first 64 steps of the program point could start; right for those that come before the one
    /// that is tried.
    pub(crate) could_start: u64,
}

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
    if !is_ready(machine, process, step, moment)? || yields(machine, process, step, moment) {
        return Err(Stop::Disabled);
    }
    match &step.channel {
        None => copy(moment.state, next),
        Some(action) => action.perform(machine, process.id, moment.state, next)?,
    }
    finish(machine, process, step, next, failed)
}

/// What follows once a step is certain to be taken: its effects, then where it goes.
#[inline]
pub(crate) fn finish<M: MemorySystem>(
    machine: &Machine<M>,
    process: &CompiledProcess,
    step: &CompiledStep,
    next: &mut [u64],
    failed: &mut Vec<PropId>,
) -> Result<(), Stop> {
    for effect in &step.effects {
        run(machine, process.id, effect, next, failed)?;
    }
    match &step.target {
        Target::Goto(bits) => process.pc.set_bits(next, *bits),
        Target::Call(call) => enter(machine, process, call, next)?,
        Target::Return(ret) => leave(process, ret, next),
        Target::Exit(target) => exit(target, process, next)?,
    }
    Ok(())
}

/// Whether buffers are as the step needs them, its process may exit if it is to, and its guard is true.
#[inline]
pub(crate) fn is_ready<M: MemorySystem>(
    machine: &Machine<M>,
    process: &CompiledProcess,
    step: &CompiledStep,
    moment: StepContext<'_>,
) -> Result<bool, Stop> {
    if !has_what_it_needs(machine, process.id, step.needs, moment.state) {
        return Ok(false);
    }
    if let Target::Exit(exit) = &step.target
        && !is_youngest(exit, moment.state)
    {
        return Ok(false);
    }
    let guard = match &step.guard {
        Guard::True => return Ok(true),
        Guard::When(guard) => guard,
        Guard::Timed(guards) => &guards[usize::from(moment.timeout)],
    };
    Ok(guard.eval(&machine.memory, moment.state)? != 0)
}

/// Whether a step that this one yields to could start.
#[inline]
fn yields<M: MemorySystem>(
    machine: &Machine<M>,
    process: &CompiledProcess,
    step: &CompiledStep,
    moment: StepContext<'_>,
) -> bool {
    match &step.yields {
        Yields::Nobody => false,
        Yields::ToEarly(mask) => moment.could_start & mask != 0,
        Yields::To(others) => {
            let steps = &process.steps[process.pc.bits(moment.state) as usize];
            others.iter().any(|&i| could_start(machine, process, &steps[i as usize], moment))
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
) -> bool {
    match is_ready(machine, process, step, moment) {
        Err(_) => true,
        Ok(false) => false,
        Ok(true) => {
            !yields(machine, process, step, moment)
                && could_act(machine, Side { process, step }, moment)
        }
    }
}

#[inline]
fn has_what_it_needs<M: MemorySystem>(
    machine: &Machine<M>,
    process: ProcId,
    needs: Needs,
    state: &[u64],
) -> bool {
    match needs {
        Needs::Nothing => true,
        Needs::OwnDrained => machine.memory.is_drained(state, process),
        Needs::AllDrained => {
            machine.processes.iter().all(|p| machine.memory.is_drained(state, p.id))
        }
    }
}

/// Copies a state. Most states are one to three words, for which a call of `memcpy`, or a loop that is made
/// ready for many, costs more than all the rest of a step.
#[inline]
pub(crate) fn copy(from: &[u64], to: &mut [u64]) {
    match (from, to) {
        ([a], [x]) => *x = *a,
        ([a, b], [x, y]) => (*x, *y) = (*a, *b),
        ([a, b, c], [x, y, z]) => (*x, *y, *z) = (*a, *b, *c),
        (from, to) => to.copy_from_slice(from),
    }
}
