//! SPIN's list of unreached statements: per proctype, those that no process took, with the end of the process.
//!
//! It stands in the JSON of Promela models, for tools that read SPIN's output; for everything else see
//! [`Report::vacuity`]. A statement may have become several steps, such as the two ways a compare-and-swap can go, and an inline
//! may stand in several places. It counts as reached if a process took any step that stands at its place in
//! the source.

use std::collections::BTreeMap;

use taut_ir::{Control, PointId, ProcessDef, Step};
use taut_source::Span;

use crate::outcome::Report;

/// What was not reached of one process definition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreached {
    /// The name of the definition.
    pub name: String,
    /// The statements that were not reached, in the order of the source.
    pub statements: Vec<Statement>,
    /// How many statements the definition has.
    pub total: usize,
}

/// A statement that was not reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Statement {
    /// Where it stands; of the end of a process, where the process stands.
    pub span: Span,
    /// It is the end of the process, which SPIN calls `-end-`.
    pub is_end: bool,
}

impl Report {
    /// What was not reached, for every definition that has such statements; none if the search was not
    /// complete, as it might have reached them later.
    pub fn unreached(&self) -> Option<Vec<Unreached>> {
        let defs = self.program.defs.iter().zip(&self.reached);
        let all = defs.map(|(def, reached)| of_definition(def, reached));
        self.complete.then(|| all.filter(|u| !u.statements.is_empty()).collect())
    }
}

fn of_definition(def: &ProcessDef, reached: &[bool]) -> Unreached {
    let mut places: BTreeMap<Span, bool> = BTreeMap::new();
    let taken = def.steps.iter().zip(reached);
    for (step, &taken) in taken.filter(|(step, _)| !step.span.is_none() && !is_end(def, step)) {
        *places.entry(step.span).or_default() |= taken;
    }
    let missed = places.iter().filter(|(_, reached)| !**reached);
    let mut statements: Vec<_> =
        missed.map(|(&span, _)| Statement { span, is_end: false }).collect();
    if !reaches_end(def, reached) {
        statements.push(Statement { span: def.span, is_end: true });
    }
    Unreached { name: def.name.clone(), statements, total: places.len() + 1 }
}

/// Whether a step is the end of the process: it stands nowhere but where the whole process stands.
fn is_end(def: &ProcessDef, step: &Step) -> bool {
    step.target == Control::Exit && step.span == def.span
}

/// Whether a process came to its end. It need not be gone: it may have to wait for younger ones.
fn reaches_end(def: &ProcessDef, reached: &[bool]) -> bool {
    let ends = def.steps.iter().filter(|step| is_end(def, step));
    let sources: Vec<PointId> = ends.map(|step| step.source).collect();
    let mut taken = def.steps.iter().zip(reached).filter(|(_, taken)| **taken);
    sources.contains(&def.entry)
        || taken.any(|(step, _)| match step.target {
            Control::Goto(to) => sources.contains(&to),
            Control::Exit => true,
            _ => false,
        })
}
