//! Statements that no path leads to, such as those after an endless loop.
//!
//! Guards are not looked at: what is left is what stays unreachable whatever the values are. Of a piece of such code only
//! its first statement is named.

use taut_source::Diagnostic;

use super::{codes, push};
use crate::{Control, PointId, ProcessDef, Program, Step};

/// The first statement of each piece of code that no path leads to.
pub fn unreachable(program: &Program) -> Vec<Diagnostic> {
    let reached: Vec<Vec<bool>> = program.defs.iter().map(reached).collect();
    // An inline may stand in several places; one that is reached anywhere is not dead.
    let is_alive = |dead: &Step| {
        let mut all = program.defs.iter().zip(&reached);
        all.any(|(def, reached)| {
            def.steps.iter().any(|step| step.span == dead.span && reached[step.source.index()])
        })
    };
    let mut list = Vec::new();
    for (def, reached) in program.defs.iter().zip(&reached) {
        let is_dead = |step: &&Step| {
            let is_statement = !step.span.is_none() && step.span != def.span;
            is_statement && !reached[step.source.index()]
        };
        let dead: Vec<&Step> = def.steps.iter().filter(is_dead).filter(|s| !is_alive(s)).collect();
        for step in dead.iter().filter(|step| is_first(step, &dead)) {
            push(&mut list, warning(step));
        }
    }
    list
}

/// Whether no other dead statement leads to this one, unless from behind, as in a loop.
fn is_first(step: &Step, dead: &[&Step]) -> bool {
    let leads_here = |other: &&&Step| other.target == Control::Goto(step.source);
    !dead.iter().filter(leads_here).any(|other| other.span < step.span)
}

fn warning(step: &Step) -> Diagnostic {
    Diagnostic::warning(codes::UNREACHABLE, "this statement can never run", step.span)
        .label("no path leads here")
        .help(
            "a loop before it never ends: leave it with `break` or `goto`, or remove what follows",
        )
}

/// The program points that paths lead to.
fn reached(def: &ProcessDef) -> Vec<bool> {
    let mut leaving: Vec<Vec<&Step>> = vec![Vec::new(); def.points.len()];
    def.steps.iter().for_each(|step| leaving[step.source.index()].push(step));
    let mut reached = vec![false; def.points.len()];
    let mut open: Vec<PointId> = def.procedures.iter().map(|p| p.entry).collect();
    open.push(def.entry);
    while let Some(at) = open.pop() {
        taut_budget::tick();
        if std::mem::replace(&mut reached[at.index()], true) {
            continue;
        }
        open.extend(leaving[at.index()].iter().filter_map(|step| match &step.target {
            Control::Goto(to) | Control::Call { return_to: to, .. } => Some(*to),
            Control::Return | Control::Exit => None,
        }));
    }
    reached
}
