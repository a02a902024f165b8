//! Compiled steps.

use std::sync::atomic::{AtomicBool, Ordering};

use taut_ir::{Action, StepId};

use super::code::Code;
use super::effect::CompiledEffect;
use super::flat::Flat;
use super::lifecycle::Exit;
use super::message::ChannelAction;
use super::procedure::{Call, Return};

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
    /// Whether other steps lead where it leads, so that a transient state after it may be one seen before.
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
