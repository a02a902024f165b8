//! What a repair may do, and what that costs.

use taut_ir::{Atomics, DefId, MemoryModel, StepId, VarId};
use taut_repair::{RepairKind, RepairSite, Standing};

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
    /// The usual choice for a memory model: atomic writes where they pass the buffer, as the thesis does for delayed
    /// writes, and fences elsewhere.
    pub fn usual(model: MemoryModel) -> With {
        match model.atomics() {
            Atomics::PassBuffer => With::Atomics,
            Atomics::Drain => With::Fences,
        }
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
    /// What a change costs more for each loop around it, as a factor; 1 if loops do not count. The main loop of a
    /// process, an outermost loop that is never left, is not counted.
    pub in_loop: u64,
}

/// The most that one change costs, however deep in loops it is.
const MOST: u64 = 1_000_000;

impl Default for Costs {
    fn default() -> Costs {
        Costs { fence: 3, store_fence: 1, atomic: 5, in_loop: 2 }
    }
}

impl Costs {
    /// What a change costs in so many loops below the main loop.
    pub fn of(self, kind: RepairKind, depth: u32) -> u64 {
        let once = match kind {
            RepairKind::Fence | RepairKind::Barrier => self.fence,
            RepairKind::StoreFence => self.store_fence,
            RepairKind::AtomicWrite => self.atomic,
        };
        once.saturating_mul(self.in_loop.saturating_pow(depth)).min(MOST)
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
    /// Whether a memory model has store fences that do something.
    pub(super) store_fences: bool,
    pub(super) with: With,
    pub(super) costs: Costs,
}

impl Choice {
    /// The kinds of fences that do anything under the memory model.
    pub(super) fn fences(self) -> &'static [RepairKind] {
        match (self.with.has_fences(), self.store_fences) {
            (false, _) => &[],
            (true, false) => &[RepairKind::Fence],
            (true, true) => &[RepairKind::Fence, RepairKind::StoreFence],
        }
    }

    /// A place that stands somewhere.
    pub(super) fn place(
        self,
        kind: RepairKind,
        steps: Vec<(DefId, StepId)>,
        vars: Vec<VarId>,
        standing: Standing,
    ) -> RepairSite {
        RepairSite { kind, steps, vars, cost: self.costs.of(kind, standing.depth), standing }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_loop_multiplies_the_cost_up_to_a_limit() {
        let costs = Costs { in_loop: 10, ..Costs::default() };
        assert_eq!([0, 1, 2].map(|depth| costs.of(RepairKind::Fence, depth)), [3, 30, 300]);
        assert_eq!(costs.of(RepairKind::AtomicWrite, 100), MOST);
        let flat = Costs { in_loop: 1, ..costs };
        assert_eq!(flat.of(RepairKind::StoreFence, 9), 1);
    }
}
