//! Steps that yield, said with guards, for languages that know no yielding.
//!
//! A step that yields can be taken if none of the others can. Another can be taken if its guard is true
//! and none of those can that it yields to itself. Where all those are among the others anyway, as in a list of
//! options of which the first possible one is taken, its guard alone is enough: the first of the others that
//! could be taken would be one whose guard is true. So guards stay short there.

use taut_ir::{Expr, ProcessDef, StepId};

/// Replaces yielding by guards.
pub(crate) fn without_yields(def: &mut ProcessDef) {
    let guards: Vec<Expr> = (0..def.steps.len()).map(|s| guard(def, StepId::from(s))).collect();
    for (step, guard) in def.steps.iter_mut().zip(guards) {
        step.guard = guard;
        step.yields_to.clear();
    }
}

/// When a step can be taken. Steps yield in no circle.
fn guard(def: &ProcessDef, step: StepId) -> Expr {
    let step = &def.steps[step.index()];
    let others = &step.yields_to;
    let stays_inside = |other: &StepId| {
        def.steps[other.index()].yields_to.iter().all(|further| others.contains(further))
    };
    let closed = others.iter().all(stays_inside);
    let cannot = others.iter().map(|&other| match closed {
        true => def.steps[other.index()].guard.clone().not(),
        false => guard(def, other).not(),
    });
    cannot.fold(step.guard.clone(), |guard, cannot| guard.and(cannot))
}
