//! The steps that an edit of a text changes: found by reading the text with the edit and without.
//!
//! Both readings must be the same program except for stores that are atomic in one of them. (A release store also keeps
//! stores in order, which an atomic write does in any case.) So a store is known by what it means, whatever stands
//! around it in its statement, and however often the text is copied.

use taut_ir::{DefId, Effect, Program, Step, StepId, VarId};
use taut_source::Span;

/// The steps of a store and the variables they store to.
pub(super) type Stored = (Vec<(DefId, StepId)>, Vec<VarId>);

/// The steps whose stores are atomic in one program and not in the other, and the variables they store to; none if the
/// programs differ in anything else.
pub(super) fn changed_stores(a: &Program, b: &Program) -> Option<Stored> {
    let same_size = a.defs.len() == b.defs.len()
        && a.vars.len() == b.vars.len()
        && a.processes.len() == b.processes.len()
        && a.properties.len() == b.properties.len();
    if !same_size {
        return None;
    }
    let (mut steps, mut vars) = (Vec::new(), Vec::new());
    for (d, (a, b)) in a.defs.iter().zip(&b.defs).enumerate() {
        if a.steps.len() != b.steps.len() || a.points.len() != b.points.len() || a.entry != b.entry
        {
            return None;
        }
        for (s, (a, b)) in a.steps.iter().zip(&b.steps).enumerate() {
            taut_budget::tick();
            if plain(a) != plain(b) {
                return None;
            }
            let changed: Vec<VarId> = changed(a, b).collect();
            if !changed.is_empty() {
                steps.push((DefId::from(d), StepId::from(s)));
                vars.extend(changed);
            }
        }
    }
    vars.sort();
    vars.dedup();
    Some((steps, vars))
}

/// A step without its place, with plain stores and without store fences.
fn plain(step: &Step) -> Step {
    let mut step = Step { span: Span::NONE, text: None, ..step.clone() };
    step.effects.retain(|effect| *effect != Effect::StoreFence);
    for effect in &mut step.effects {
        if let Effect::Assign(list) = effect {
            list.iter_mut().for_each(|assignment| assignment.atomic = false);
        }
    }
    step
}

/// The variables that one of two steps stores to at once and the other does not.
fn changed(a: &Step, b: &Step) -> impl Iterator<Item = VarId> {
    let pairs = a.assignments().zip(b.assignments());
    let differs = pairs.filter(|(a, b)| a.atomic != b.atomic);
    differs.filter_map(|(a, _)| a.place.variable()).collect::<Vec<_>>().into_iter()
}
