//! What is asked of a program: all that an observer may look at.

use std::collections::BTreeSet;

use taut_ir::{
    DefId, Expr, Fairness, Finding, Locations, MemoryFairness, Observed, Program, PropId, Step,
    VarId, Visibility,
};

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

/// What can be seen of processes from outside: by what is asked, and by the steps of all processes, which may name
/// another's registers and program points. A step that names its own process in this way counts as another.
pub(super) struct Seen {
    /// By definition.
    processes: Vec<Observed>,
    /// The variables that are asked for.
    vars: BTreeSet<VarId>,
    /// Whether it is asked what is enabled.
    pub(super) enabled: bool,
}

impl Seen {
    pub(super) fn of(program: &Program, question: &Question) -> Seen {
        let mut visibility = Visibility::of(program, question.exprs());
        // A deadlock depends on where the trace assertion is.
        let state = program.event_trace.as_ref().map(|trace| trace.state);
        visibility.memory.extend(state.map(|var| Locations { var, index: Some(0) }));
        let vars = visibility.variables();
        visibility.observe_steps(program);
        let enabled = visibility.enabled;
        Seen { processes: visibility.by_definition(program), vars, enabled }
    }

    /// What is seen of the processes of a definition.
    pub(super) fn of_def(&self, def: DefId) -> &Observed {
        &self.processes[def.index()]
    }

    /// Whether a variable is asked for.
    pub(super) fn var(&self, var: VarId) -> bool {
        self.vars.contains(&var)
    }
}
