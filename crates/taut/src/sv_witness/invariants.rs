//! The content of a correctness witness: what global variables hold where.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use taut_budget::tick;
use taut_ir::{Footprint, Program};
use taut_witness::{Machine, Outcome, State};

use super::Subject;
use super::globals::{Global, globals, one_of};
use super::yaml::{Invariant, Place};
use crate::outcome::Report;

/// A place, and whether it is that of a loop.
type At = (Place, bool);

/// The invariants of all places, by every state that can be reached.
pub(super) fn invariants(subject: &Subject<'_>, report: &Report) -> Vec<Invariant> {
    let _phase = taut_budget::phase("invariants are collected");
    let program = &*report.program;
    let globals = globals(program, subject.text.as_ref());
    let places = places(subject, program);
    let mut seen: BTreeMap<&At, Vec<BTreeSet<i64>>> = BTreeMap::new();
    for_each_state(Machine::new(program, report.memory), |state| {
        for (process, own) in program.process_ids().zip(&state.processes) {
            let def = program.process(process).def.index();
            for at in places[def][own.point.index()].iter().filter(|_| own.started) {
                let values = seen.entry(at).or_insert_with(|| vec![BTreeSet::new(); globals.len()]);
                values.iter_mut().zip(&globals).for_each(|(values, global)| {
                    values.insert(global.value(state));
                });
            }
        }
    });
    let invariant = |((place, is_loop), values): (&At, Vec<BTreeSet<i64>>)| {
        let each = globals.iter().zip(&values);
        let conditions: Vec<String> =
            each.filter_map(|(Global { name, .. }, values)| one_of(name, values)).collect();
        let value = conditions.join(" && ");
        (!value.is_empty()).then(|| Invariant { place: place.clone(), is_loop: *is_loop, value })
    };
    seen.into_iter().filter_map(invariant).collect()
}

/// For each definition and program point, the places at which a process there is.
fn places(subject: &Subject<'_>, program: &Program) -> Vec<Vec<BTreeSet<At>>> {
    let of_def = |def: &taut_ir::ProcessDef| {
        let mut places = vec![BTreeSet::new(); def.points.len()];
        for (step, footprint) in def.steps.iter().zip(Footprint::of_steps(program, def)) {
            let own = footprint.reads.is_empty()
                && footprint.writes.is_empty()
                && footprint.stores.is_empty();
            let at = match &subject.text {
                // A step without an access may stand for a part of the statements that it comes from.
                Some(_) if own => None,
                Some(text) => text
                    .statement_at(step.span.start as usize)
                    .filter(|statement| statement.is_stop && step.span.file == subject.loaded.file)
                    .and_then(|statement| Some((subject.place(step.span)?, statement.is_loop))),
                None => subject.place(step.span).map(|place| (place, false)),
            };
            places[step.source.index()].extend(at);
        }
        places
    };
    program.defs.iter().map(of_def).collect()
}

/// Calls a function with every state that can be reached, also those in which a process holds the others.
fn for_each_state(machine: Machine<'_>, mut f: impl FnMut(&State)) {
    let mut seen = HashSet::from([machine.initial()]);
    let mut left = vec![machine.initial()];
    while let Some(state) = left.pop() {
        tick();
        f(&state);
        for (_, done) in machine.successors(&state).moves {
            if let Outcome::State(after) = done.outcome
                && !seen.contains(&after)
            {
                seen.insert(after.clone());
                left.push(after);
            }
        }
    }
}
