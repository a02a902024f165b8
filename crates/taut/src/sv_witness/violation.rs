//! The content of a violation witness: the statements of a violating run, in their order.

use taut_ir::{Action, ProcId};
use taut_source::Span;
use taut_witness::State;

use super::Subject;
use super::globals::globals;
use super::yaml::{Place, Waypoint};
use crate::verdict::Witness;

/// One segment per statement that was executed, the violation last. A statement that takes several steps is one.
/// None if it is in no statement of the program.
pub(super) fn segments(subject: &Subject<'_>, witness: &Witness) -> Option<Vec<Waypoint>> {
    let program = &*witness.program;
    let globals = globals(program, subject.text.as_ref());
    let values = |state: &State| {
        let each = globals.iter().map(|g| format!("{} == {}", g.name, g.value(state)));
        let all = each.collect::<Vec<_>>().join(" && ");
        if all.is_empty() { "1".to_string() } else { all }
    };
    let mut all: Vec<Waypoint> = Vec::new();
    let mut last: Option<(ProcId, Place)> = None;
    let mut before = &witness.run.initial;
    for row in &witness.run.rows {
        if let Some((process, span)) = step_of(program, row.action)
            && let Some(place) = subject.place(span)
        {
            let here = Some((process, place.clone()));
            if here != last {
                all.push(Waypoint { place, assumption: Some(values(before)) });
                last = here;
            }
        }
        before = &row.after;
    }
    let (_, span) = step_of(program, witness.run.rows.last()?.action)?;
    let is_last = |waypoint: &&mut Waypoint| subject.place(span).as_ref() == Some(&waypoint.place);
    all.last_mut().filter(is_last)?.assumption = None;
    Some(all)
}

/// The process of an action and the span of its step.
fn step_of(program: &taut_ir::Program, action: Action) -> Option<(ProcId, Span)> {
    match action {
        Action::Step { process, step, .. } | Action::Handshake { process, step, .. } => {
            Some((process, program.def_of(process).steps[step.index()].span))
        }
        Action::Commit { .. } => None,
    }
}
