//! What the question can be asked of: refusals.

use taut_ir::{Control, Effect, Expr, MemoryModel, ProcessDef, Program, Span, Step};

/// A program that the question cannot be asked of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotDecided {
    /// Where the reason stands.
    pub span: Span,
    /// The reason, as in "robustness is not decided for programs with …".
    pub words: &'static str,
}

/// The first reason not to ask.
pub(crate) fn refuse(program: &Program, model: MemoryModel) -> Result<(), NotDecided> {
    if let Some(var) = program.priorities {
        let span = program.var(var).span;
        return Err(NotDecided { span, words: "priorities of processes" });
    }
    if let Some(def) = program.replicated.first() {
        let span = program.defs[def.index()].span;
        return Err(NotDecided { span, words: "any number of processes" });
    }
    for def in &program.defs {
        for step in &def.steps {
            refuse_step(program, def, step, model)
                .map_or(Ok(()), |words| Err(NotDecided { span: step.span, words }))?;
        }
    }
    Ok(())
}

fn refuse_step(
    program: &Program,
    def: &ProcessDef,
    step: &Step,
    model: MemoryModel,
) -> Option<&'static str> {
    let mut words = None;
    for expr in step.expressions() {
        expr.visit(&mut |part| match part {
            Expr::Timeout => words = Some("`timeout`"),
            Expr::In(..) | Expr::At(..) | Expr::Drained(_) | Expr::Enabled(_) => {
                words = Some("steps that look into other processes");
            }
            _ => {}
        });
    }
    let yielded = || step.yields_to.iter().map(|id| &def.steps[id.index()]);
    if yielded().any(|other| model.needs_drained(other)) {
        words = words.or(Some("an alternative to a step that waits for the store buffer"));
    }
    let meets = program.channels.iter().any(|c| c.capacity == 0);
    if meets && yielded().any(|other| other.channel.is_some()) {
        words = words.or(Some("an alternative to a rendezvous"));
    }
    words.or_else(|| may_wait_inside(def, step, model))
}

/// A step in the middle of what is done at once must be followed by one that can always be taken: a block that waits
/// in its middle lets the others in.
fn may_wait_inside(def: &ProcessDef, step: &Step, model: MemoryModel) -> Option<&'static str> {
    if !step.holds {
        return None;
    }
    let words = Some("an atomic block that may wait in its middle");
    let Control::Goto(to) = step.target else { return words };
    let always = |next: &Step| {
        matches!(next.guard, Expr::Const(value) if value != 0)
            && next.channel.is_none()
            && !model.needs_drained(next)
            && !next.effects.iter().any(|e| matches!(e, Effect::Spawn { .. }))
    };
    let mut next = def.steps_from(to).map(|(_, next)| next).peekable();
    let ends = next.peek().is_none();
    (!ends && !next.any(always)).then_some(words).flatten()
}
