//! Leaving out steps that do nothing.
//!
//! A step that does nothing and is the only one to leave its source is left out by going to its target
//! wherever one went to its source. So a fence that was not chosen costs a variant no state. Steps and program points
//! keep their numbers; those left out are unreachable.

use std::collections::{BTreeMap, BTreeSet};

use taut_ir::{Control, DefId, PointId, ProcessDef, Program, StepId};

/// Some steps, each of its definition.
pub(crate) type Steps = BTreeSet<(DefId, StepId)>;

/// Leaves out some steps that do nothing.
pub(crate) fn contract(program: &mut Program, idle: &Steps) {
    for (i, def) in program.defs.iter_mut().enumerate() {
        let passages = passages(def, DefId::from(i), idle);
        if !passages.is_empty() {
            redirect(def, |at| last(&passages, at).unwrap_or(at));
        }
    }
}

/// Which of some steps that do nothing are left out.
pub(crate) fn left_out(program: &Program, idle: &Steps) -> Steps {
    let mut all = Steps::new();
    for (i, def) in program.defs.iter().enumerate() {
        let id = DefId::from(i);
        let passages = passages(def, id, idle);
        let is_passage = |&&(of, step): &&(DefId, StepId)| {
            of == id && passages.contains_key(&def.steps[step.index()].source)
        };
        all.extend(idle.iter().filter(is_passage));
    }
    all
}

/// From which program points steps that are left out lead where. Those that lead into a circle are not among them:
/// who goes round in it takes its steps.
fn passages(def: &ProcessDef, id: DefId, idle: &Steps) -> BTreeMap<PointId, PointId> {
    let ours = idle.iter().filter(|(of, _)| *of == id);
    let all: BTreeMap<_, _> = ours.filter_map(|&(_, step)| passage(def, step)).collect();
    all.iter().filter(|(at, _)| last(&all, **at).is_some()).map(|(&at, &to)| (at, to)).collect()
}

/// The source and the target of a step that can be left out. A program point with a name stays: somebody may ask who is
/// there.
fn passage(def: &ProcessDef, step: StepId) -> Option<(PointId, PointId)> {
    let step = &def.steps[step.index()];
    let source = &def.points[step.source.index()];
    let is_alone = def.steps_from(step.source).count() == 1;
    let is_plain = source.labels.is_empty() && !source.end && !source.atomic && !step.holds;
    let Control::Goto(target) = step.target else { return None };
    (is_alone && is_plain).then_some((step.source, target))
}

/// Where the passages from a program point lead in the end; nowhere if in a circle.
fn last(passages: &BTreeMap<PointId, PointId>, from: PointId) -> Option<PointId> {
    let mut at = from;
    let mut passed = BTreeSet::new();
    while let Some(&to) = passages.get(&at) {
        if !passed.insert(at) {
            return None;
        }
        at = to;
    }
    Some(at)
}

fn redirect(def: &mut ProcessDef, to: impl Fn(PointId) -> PointId) {
    def.entry = to(def.entry);
    for procedure in &mut def.procedures {
        procedure.entry = to(procedure.entry);
    }
    for step in &mut def.steps {
        match &mut step.target {
            Control::Goto(at) | Control::Call { return_to: at, .. } => *at = to(*at),
            Control::Return | Control::Exit => {}
        }
    }
}
