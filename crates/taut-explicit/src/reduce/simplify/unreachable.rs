//! Steps that no process can ever take.
//!
//! A step is out if its guard can only be false, or if no steps that are not out lead to its source. It is
//! emptied, not removed: numbers stay, and a program point that such a step leaves is still one at which nobody has
//! *finished*. What it would have stored then counts for no range, its stores take no place in a buffer, and
//! what only it would have read may be dropped.
//!
//! Nothing changes, as the step is never taken: its guard, now 0, is false where it was false, and a guard that
//! could fault is never taken for false. Whether a process *waits* at a fence, which fairness asks, is told by
//! the steps that leave its program point, whatever their guards: steps that need an empty buffer stay as they are.

use taut_ir::{Cfg, Control, DefId, Expr, Faults, Program, Step, StepId};

/// Ranges get tighter when steps are gone, and then more may be; after so many rounds that is enough.
const ROUNDS: usize = 3;

/// Empties the steps that nobody can take.
pub(super) fn empty(program: &mut Program) {
    for _ in 0..ROUNDS {
        let out = out(program);
        let mut changed = false;
        for (def, out) in program.defs.iter_mut().zip(out) {
            for (step, _) in def.steps.iter_mut().zip(out).filter(|(_, is_out)| *is_out) {
                changed |= clear(step);
            }
        }
        if !changed {
            return;
        }
    }
}

/// For each definition and step, whether nobody can take it and it can be emptied.
fn out(program: &Program) -> Vec<Vec<bool>> {
    let faults = Faults::of(program);
    let of_def = |(i, def): (usize, &taut_ir::ProcessDef)| {
        let id = DefId::from(i);
        let is_false: Vec<bool> =
            def.steps.iter().map(|step| faults.is_false_in(id, &step.guard)).collect();
        let can_be_true = |step: StepId| !is_false[step.index()];
        let reachable = Cfg::of(def).reachable_from_entry(can_be_true);
        let is_out = |(step, is_false): (&Step, bool)| {
            let nowhere = !reachable[step.source.index()];
            nowhere || (is_false && !step.needs_drained())
        };
        def.steps.iter().zip(is_false).map(is_out).collect()
    };
    program.defs.iter().enumerate().map(of_def).collect()
}

/// Makes a step one that is never taken and would do nothing. False if it was one.
fn clear(step: &mut Step) -> bool {
    let source = step.source;
    let emptied = Step {
        guard: Expr::Const(0),
        yields_to: step.yields_to.clone(),
        text: step.text.clone(),
        ..Step::skip(source, source, step.span)
    };
    debug_assert_eq!(emptied.target, Control::Goto(source));
    let changed = *step != emptied;
    *step = emptied;
    changed
}
