//! Ghosts that steer the program.
//!
//! A ghost observes; the program must do the same without it. It steers if its value gets into a guard, an index of a
//! variable that is no ghost, or the value of something that is no ghost. What only ghosts are assigned, and what
//! assertions and properties look at, is what ghosts are for. The analysis is per step: a ghost's value that a register gets
//! is a warning there already. The exception is a register for a value inside of a statement (`total += f()` keeps `total`
//! while `f` runs): what counts is where the statement puts it. A ghost that no step writes is a constant.

use std::collections::HashSet;

use taut_source::{Diagnostic, Span};

use super::{codes, push};
use crate::{Control, Effect, Expr, Lvalue, ProcessDef, Program, RegId, Step, VarId, VarKind};

/// Every place where a ghost steers, where the caller takes the ghost's name for one of the source.
pub fn steering_ghosts(
    program: &Program,
    is_named: impl Fn(Span, &str) -> bool,
) -> Vec<Diagnostic> {
    let mut list = Vec::new();
    let steps = || program.defs.iter().flat_map(|def| &def.steps);
    // An assertion may be decided in several steps, one per load; none of them steers.
    let asserts = |s: &&Step| s.effects.iter().any(|e| matches!(e, Effect::Assert { .. }));
    let asserting: HashSet<Span> = steps().filter(asserts).map(|s| s.span).collect();
    let written: HashSet<VarId> =
        steps().flat_map(Step::stores).filter_map(Lvalue::variable).collect();
    for def in &program.defs {
        let looks = |s: &&Step| !s.span.is_none() && !asserting.contains(&s.span);
        for step in def.steps.iter().filter(looks) {
            for (expr, how) in steered(program, def, step) {
                let read = expr.variables().into_iter();
                let ghosts = read.filter(|v| is_ghost(program, *v) && written.contains(v));
                for var in ghosts.map(|v| program.var(v)).filter(|v| is_named(v.span, &v.name)) {
                    push(&mut list, warning(&var.name, var.span, step.span, how));
                }
            }
        }
    }
    list
}

/// Whether a register holds a value inside of a statement that only ghosts get.
fn is_for_ghosts(program: &Program, def: &ProcessDef, within: Span, id: RegId) -> bool {
    let inner = def.registers[id.index()].name.ends_with('\'');
    let overlaps = |s: &&Step| {
        s.span.file == within.file && s.span.start < within.end && within.start < s.span.end
    };
    inner
        && def.steps.iter().filter(overlaps).all(|step| {
            let mut all = steered_beside(program, step, |place| *place != Lvalue::Reg(id));
            all.all(|(expr, _)| !expr.registers().contains(&id))
        })
}

fn warning(name: &str, declared: Span, at: Span, how: &str) -> Diagnostic {
    let message = format!("the ghost `{name}` steers the program");
    Diagnostic::warning(codes::STEERING_GHOST, message, at)
        .label(how)
        .related(declared, "a ghost is never buffered, so this is no program for a processor")
        .help("make it a shared variable, or read it in assertions and properties only")
}

fn is_ghost(program: &Program, var: VarId) -> bool {
    program.var(var).kind == VarKind::Ghost
}

/// The expressions of a step that the program depends on, and in which way.
fn steered<'s>(
    program: &Program,
    def: &ProcessDef,
    step: &'s Step,
) -> Vec<(&'s Expr, &'static str)> {
    let counts = |place: &Lvalue| match place {
        Lvalue::Reg(id) => !is_for_ghosts(program, def, step.span, *id),
        _ => true,
    };
    steered_beside(program, step, counts).collect()
}

/// The same, where an assignment to what is no ghost counts only if the caller says so.
fn steered_beside<'s>(
    program: &Program,
    step: &'s Step,
    counts: impl Fn(&Lvalue) -> bool,
) -> impl Iterator<Item = (&'s Expr, &'static str)> {
    let is_observer = |place: &Lvalue| place.variable().is_some_and(|v| is_ghost(program, v));
    let mut all = vec![(&step.guard, "it decides whether this step is taken")];
    if let Some(channel) = &step.channel {
        all.extend(channel.expressions().into_iter().map(|e| (e, "a channel gets its value")));
    }
    for effect in &step.effects {
        match effect {
            Effect::Assign(list) => {
                for a in list.iter().filter(|a| !is_observer(&a.place) && counts(&a.place)) {
                    all.extend(a.place.index().map(|e| (e, "it decides what is written")));
                    all.push((&a.value, "its value becomes a part of the program's state"));
                }
            }
            Effect::Spawn { args, .. } => {
                all.extend(args.iter().map(|e| (e, "a process gets its value")))
            }
            Effect::Assert { .. } | Effect::StoreFence | Effect::Fail(_) => {}
        }
    }
    if let Control::Call { args, .. } = &step.target {
        all.extend(args.iter().map(|e| (e, "a procedure gets its value")));
    }
    all.into_iter()
}
