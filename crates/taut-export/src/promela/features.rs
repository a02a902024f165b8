//! Which of the two forms of an export a program needs.

use taut_ir::{Control, Expr, Lifecycle, Program, PropertyKind, Step};

/// Whether a program needs the form with a single `machine` process: whether one process can move another
/// (a rendezvous), must know what others can do (a timeout, a hold that is lost), looks into others, or
/// comes and goes by number.
pub(super) fn needs_machine(program: &Program) -> bool {
    let mut steps = program.defs.iter().flat_map(|d| &d.steps);
    let mut properties = program.properties.iter().filter_map(|p| match &p.kind {
        PropertyKind::Assert => None,
        PropertyKind::Forbid(e) | PropertyKind::Invariant(e) => Some(e),
    });
    program.lifecycle == Lifecycle::Stack
        || !program.channels.is_empty()
        || steps.any(is_special)
        || properties.any(|e| mentions(e, &is_new))
}

fn is_special(step: &Step) -> bool {
    let remote = |e: &Expr| is_new(e) || matches!(e, Expr::In(..) | Expr::At(..));
    step.channel.is_some()
        || !step.yields_to.is_empty()
        || step.holds
        || step.target == Control::Exit
        || step.expressions().into_iter().any(|e| mentions(e, &remote))
}

/// What no process can ask about itself alone.
fn is_new(expr: &Expr) -> bool {
    matches!(
        expr,
        Expr::Pid
            | Expr::Processes
            | Expr::Alive(_)
            | Expr::Timeout
            | Expr::Channel(..)
            | Expr::Poll(_)
    )
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
