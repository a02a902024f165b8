//! What the steps and program points of a translation stand for.

use taut_ir::{DefId, PointId, StepId};

use crate::layout::Layout;

/// What a step of the translation stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// A process goes to begin a round, or has begun it.
    Begin,
    /// `init_round`: what waits for the new round reaches memory.
    Flush,
    /// The guard of a step with stores that may wait. Only what goes wrong in it happens in the original.
    Open(StepId),
    /// The destination of a store of the step is one later. Stores are counted from 0.
    Advance(usize),
    /// The destination of a store of the step begins where that of the one before it ended.
    Follow(usize),
    /// A step of the original.
    Take(StepId),
    /// A round ends.
    End,
}

/// What the steps and program points of a translation stand for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Map {
    pub(crate) defs: Vec<DefMap>,
}

/// The same for one definition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct DefMap {
    pub roles: Vec<Role>,
    pub layout: Layout,
}

impl Map {
    /// What a step stands for.
    pub fn role(&self, def: DefId, step: StepId) -> Option<Role> {
        self.defs.get(def.index())?.roles.get(step.index()).copied()
    }

    /// The program point of the original that a process is at when it is at this program point between rounds; `None`
    /// for program points inside of rounds.
    pub fn between_rounds(&self, def: DefId, point: PointId) -> Option<PointId> {
        self.defs.get(def.index())?.layout.original(point)
    }

    /// The program point of the original that a process is at when it is at this program point inside of a round; `None`
    /// for program points between rounds and in the middle of a step. Where an open call comes back to is such a
    /// program point.
    pub fn inside_round(&self, def: DefId, point: PointId) -> Option<PointId> {
        self.defs.get(def.index())?.layout.original_inside(point)
    }
}
