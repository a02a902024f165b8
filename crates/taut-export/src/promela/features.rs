//! Which of the two forms of an export a program needs, and what else has to be known before it is written.

use taut_ir::{Control, Effect, Expr, Lifecycle, PointId, ProcId, Program, Start, Step};

/// Whether a program needs the form with a single `machine` process: whether one process can move another (a
/// rendezvous), or must know what others can do (a timeout, priorities).
pub(super) fn needs_machine(program: &Program) -> bool {
    let mut steps = program.defs.iter().flat_map(|d| &d.steps);
    program.priorities.is_some()
        || program.channels.iter().any(|c| c.capacity == 0)
        || steps.any(|s| mentions(&s.guard, &|e| *e == Expr::Timeout))
}

/// The processes whose program point is kept in a variable: all in the form with one machine, else those that are
/// asked where they are, those that a bound may hold back for ever, and those that wait to be spawned again
/// without a step that says so.
pub(super) fn observed(program: &Program, one_machine: bool) -> Vec<bool> {
    let mut observed = vec![one_machine; program.processes.len()];
    let mut mark = |expr: &Expr| {
        expr.visit(&mut |e| {
            if let Expr::At(p, _) | Expr::Enabled(p) = e {
                observed[p.index()] = true;
            }
        });
    };
    program.properties.iter().flat_map(|p| p.kind.exprs()).for_each(&mut mark);
    let steps = program.defs.iter().flat_map(|d| &d.steps);
    steps.flat_map(Step::expressions).for_each(&mut mark);
    let atomic = has_atomic_points(program);
    for p in program.process_ids() {
        let bounded = atomic || program.def_of(p).steps.iter().any(is_bounded);
        observed[p.index()] |= bounded || is_reset(program, p);
    }
    observed
}

/// Whether a bound of the program may hold a step back.
fn is_bounded(step: &Step) -> bool {
    let spawns = step.effects.iter().any(|e| matches!(e, Effect::Spawn { .. }));
    spawns || matches!(step.target, Control::Call { .. })
}

/// Whether a process is gone as soon as it has finished, without a step, and waits to be spawned again.
pub(super) fn is_reset(program: &Program, process: ProcId) -> bool {
    let def = program.def_of(process);
    let slot = program.lifecycle == Lifecycle::Slots;
    slot && program.process(process).start == Start::Spawned
        && (0..def.points.len()).any(|l| def.is_final(PointId::from(l)))
}

/// Whether a process has program points that keep everybody waiting.
pub(super) fn has_atomic_points(program: &Program) -> bool {
    program.defs.iter().flat_map(|d| &d.points).any(|l| l.atomic)
}

/// Whether a process may hold the others after a step.
pub(super) fn has_holds(program: &Program) -> bool {
    program.defs.iter().flat_map(|d| &d.steps).any(|s| s.holds)
}

/// Whether something is asked in a step, or in what it yields to, that changes when nothing can happen.
pub(super) fn waits_for_timeout(steps: &[Step], step: &Step) -> bool {
    let asks = |e: &Expr| *e == Expr::Timeout;
    mentions(&step.guard, &asks)
        || step.yields_to.iter().any(|s| waits_for_timeout(steps, &steps[s.index()]))
}

/// Whether an expression, or one in it, is of some kind.
pub(super) fn mentions(expr: &Expr, kind: &impl Fn(&Expr) -> bool) -> bool {
    let mut found = false;
    expr.visit(&mut |e| found |= kind(e));
    found
}
