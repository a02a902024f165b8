//! What a repair may do, and what that costs.

use taut_ir::{DefId, MemoryModel, StepId, VarId};
use taut_repair::{Kind, Place};

/// What may be put into a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum With {
    /// Fences and store fences.
    Fences,
    /// Atomic writes.
    Atomics,
    /// Both.
    Both,
}

impl With {
    /// What is usual for a memory model: the thesis mends delayed writes with atomic ones.
    pub fn usual(model: MemoryModel) -> With {
        if model == MemoryModel::Delayed { With::Atomics } else { With::Fences }
    }

    pub(super) fn has_fences(self) -> bool {
        self != With::Atomics
    }

    pub(super) fn has_atomics(self) -> bool {
        self != With::Fences
    }
}

/// What each change costs; more than nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Costs {
    /// A fence.
    pub fence: u64,
    /// A store fence.
    pub store_fence: u64,
    /// An atomic write.
    pub atomic: u64,
}

impl Default for Costs {
    fn default() -> Costs {
        Costs { fence: 3, store_fence: 1, atomic: 5 }
    }
}

impl Costs {
    fn of(self, kind: Kind) -> u64 {
        match kind {
            Kind::Fence | Kind::Barrier => self.fence,
            Kind::StoreFence => self.store_fence,
            Kind::AtomicWrite => self.atomic,
        }
    }
}

/// How a set is looked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Strategy {
    /// A cheapest one.
    #[default]
    Minimal,
    /// By the loop of Havel's thesis, with atomic writes only.
    Greedy,
}

/// What places a subject has.
#[derive(Clone, Copy)]
pub(super) struct Choice {
    pub(super) model: MemoryModel,
    pub(super) with: With,
    pub(super) costs: Costs,
}

impl Choice {
    /// The kinds of fences that do anything under the memory model.
    pub(super) fn fences(self) -> &'static [Kind] {
        match (self.with.has_fences(), self.model) {
            (false, _) => &[],
            (true, MemoryModel::Tso | MemoryModel::Sc) => &[Kind::Fence],
            (true, MemoryModel::Pso | MemoryModel::Delayed) => &[Kind::Fence, Kind::StoreFence],
        }
    }

    pub(super) fn place(self, kind: Kind, steps: Vec<(DefId, StepId)>, vars: Vec<VarId>) -> Place {
        Place { kind, steps, vars, cost: self.costs.of(kind) }
    }
}
