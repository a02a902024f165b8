//! Which processes are equal, by a look at the code.
//!
//! Two processes are if they have the same code, start in the same way with the same arguments, no step names one of them,
//! and what is asked says the same when each is put for the other ([`super::invariant`]). Being so is an
//! equivalence: to change two of three is to change each with the third.
//!
//! Processes that can be spawned are equal, too: a spawn takes the first that waits, which of them is all one if all of
//! the definition are equal. If what is asked tells one of them apart, it makes a difference which of the others wait:
//! whether the spawn takes that one depends on it. Then none of them are equal. And where processes live on a stack and
//! come and go, their numbers order them: the one that exits must be the youngest. A process with channels of its own
//! cannot change places without them.

use taut_fault::{Fault, is_on};
use taut_ir::{Control, Effect, Expr, Lifecycle, ProcId, Program, Start, Step};

use super::super::simplify::Question;
use super::invariant::is_invariant;

/// Groups of two or more equal processes.
pub(super) fn equal(program: &Program, question: &Question) -> Vec<Vec<ProcId>> {
    if has_numbers(program, question) {
        return Vec::new();
    }
    let named = named(program);
    let is_named = |p: &ProcId| named[p.index()] && !is_on(Fault::NamesAreAlike);
    let can_change = |p: &ProcId| !is_named(p) && program.process(*p).channels.is_empty();
    let mut groups: Vec<Vec<ProcId>> = Vec::new();
    for p in program.process_ids().filter(can_change) {
        match groups.iter_mut().find(|group| are_equal(program, question, group[0], p)) {
            Some(group) => group.push(p),
            None => groups.push(vec![p]),
        }
    }
    groups.retain(|group| group.len() > 1 && has_all_slots(program, group));
    groups
}

/// Whether a group of processes that can be spawned has all of their definition.
fn has_all_slots(program: &Program, group: &[ProcId]) -> bool {
    let first = program.process(group[0]);
    first.start != Start::Spawned || program.spawn_slots(first.def).all(|p| group.contains(&p))
}

fn are_equal(program: &Program, question: &Question, p: ProcId, q: ProcId) -> bool {
    taut_budget::tick();
    let (a, b) = (program.process(p), program.process(q));
    let are_given_alike = a.args == b.args || is_on(Fault::ArgumentsAreAlike);
    let alike = (a.def, a.start) == (b.def, b.start) && are_given_alike;
    let may_change = |expr: &Expr| is_invariant(expr, p, q) || is_on(Fault::QuestionsAreAlike);
    alike && question.exprs().iter().all(may_change)
}

/// Whether processes have numbers that somebody looks at, or that decide who may exit.
fn has_numbers(program: &Program, question: &Question) -> bool {
    let mut asked = false;
    for expr in exprs(program).chain(question.exprs()) {
        expr.visit(&mut |e| asked |= matches!(e, Expr::Pid));
    }
    let moves = |step: &Step| {
        let spawns = step.effects.iter().any(|e| matches!(e, Effect::Spawn { .. }));
        spawns || step.target == Control::Exit
    };
    let mut steps = program.defs.iter().flat_map(|d| &d.steps);
    asked || (program.lifecycle == Lifecycle::Stack && steps.any(moves))
}

/// For each process whether some step names it.
fn named(program: &Program) -> Vec<bool> {
    let mut named = vec![false; program.processes.len()];
    for expr in exprs(program) {
        expr.visit(&mut |e| {
            if let Expr::In(p, _)
            | Expr::At(p, _)
            | Expr::Alive(p)
            | Expr::Drained(p)
            | Expr::Enabled(p) = e
            {
                named[p.index()] = true;
            }
        });
    }
    named
}

/// All expressions of steps.
fn exprs(program: &Program) -> impl Iterator<Item = &Expr> {
    program.defs.iter().flat_map(|d| &d.steps).flat_map(Step::expressions)
}
