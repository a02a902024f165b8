//! What is asked of a program: all that an observer may look at.

use taut_ir::{Expr, Fairness, Finding, MemoryFairness, Program, PropId, Step};

/// What is asked of a program in one search.
#[derive(Clone, Debug)]
pub struct Question {
    /// The expressions that are looked at in stored states.
    exprs: Vec<Expr>,
    /// For each property, whether it is asked.
    asked: Vec<bool>,
    /// Whether states may be left out in which nothing that is asked has changed.
    may_pass: bool,
}

impl Question {
    /// All properties over states and assertions but those not asked.
    pub fn of_states(program: &Program, unasked: &[Finding]) -> Question {
        let asks = |id: PropId| {
            let of_runs = program.property(id).kind.is_temporal();
            !of_runs && !unasked.iter().any(|f| f.same_kind(Finding::Property(id)))
        };
        let asked: Vec<bool> = program.property_ids().map(asks).collect();
        let ids = program.property_ids().filter(|id| asked[id.index()]);
        let exprs = ids.flat_map(|id| program.property(id).kind.exprs()).cloned().collect();
        Question { exprs, asked, may_pass: true }
    }

    /// One property of runs, which can count steps or not.
    ///
    /// If it can, every state counts. And where the memory is one process that must serve who waits for his
    /// own buffer, a run may be fair only because somebody stops just before such a step.
    pub fn of_runs(
        program: &Program,
        property: PropId,
        counts_steps: bool,
        fairness: Fairness,
    ) -> Question {
        let asked = program.property_ids().map(|id| id == property).collect();
        let exprs: Vec<Expr> =
            program.property(property).kind.exprs().into_iter().cloned().collect();
        let mut steps = program.defs.iter().flat_map(|d| &d.steps);
        let is_served =
            fairness.memory == MemoryFairness::Process && steps.any(Step::needs_drained);
        Question { exprs, asked, may_pass: !counts_steps && !is_served }
    }

    /// The expressions that are looked at in stored states.
    pub(in crate::reduce) fn exprs(&self) -> &[Expr] {
        &self.exprs
    }

    /// Whether a property is asked.
    pub(super) fn asks(&self, property: PropId) -> bool {
        self.asked[property.index()]
    }

    /// Whether states may be left out in which nothing that is asked has changed.
    pub(super) fn may_pass(&self) -> bool {
        self.may_pass
    }
}
