//! The control-flow graph of a definition, calls and returns included.

use taut_ir::{Control, PointId, ProcessDef, Step};

/// Where the steps of a definition lead.
pub(super) struct Flow {
    /// For each step, where its process may be next. A return leads to wherever some call comes back to.
    pub(super) targets: Vec<Vec<PointId>>,
    /// For each program point, the positions of the steps that leave it.
    pub(super) leaving: Vec<Vec<usize>>,
}

impl Flow {
    pub(super) fn of(def: &ProcessDef) -> Flow {
        let called = def.steps.iter().filter_map(|step| match step.target {
            Control::Call { return_to, .. } => Some(return_to),
            _ => None,
        });
        let returns: Vec<PointId> = called.collect();
        let targets = |step: &Step| match &step.target {
            Control::Goto(to) => vec![*to],
            Control::Call { procedure, .. } => vec![def.procedures[procedure.index()].entry],
            Control::Return => returns.clone(),
            Control::Exit => vec![],
        };
        let mut leaving = vec![Vec::new(); def.points.len()];
        for (i, step) in def.steps.iter().enumerate() {
            leaving[step.source.index()].push(i);
        }
        Flow { targets: def.steps.iter().map(targets).collect(), leaving }
    }

    /// The program points that can be reached from the entry by steps that are not ruled out.
    pub(super) fn reachable(&self, def: &ProcessDef, is_out: impl Fn(usize) -> bool) -> Vec<bool> {
        let mut seen = vec![false; def.points.len()];
        let mut todo = vec![def.entry];
        while let Some(at) = todo.pop() {
            taut_budget::tick();
            if !std::mem::replace(&mut seen[at.index()], true) {
                let steps = self.leaving[at.index()].iter().filter(|&&s| !is_out(s));
                todo.extend(steps.flat_map(|&s| &self.targets[s]));
            }
        }
        seen
    }
}
