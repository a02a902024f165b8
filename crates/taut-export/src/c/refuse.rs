//! What has no C, said before anything is written.

use taut_ir::{Control, Effect, Expr, Lifecycle, Program, Step};

use crate::ExportError;

fn absent(there: bool, what: &str) -> Result<(), ExportError> {
    if there { Err(ExportError::new(format!("there is no C for {what}"))) } else { Ok(()) }
}

pub(super) fn check(program: &Program) -> Result<(), ExportError> {
    absent(!program.channels.is_empty(), "channels")?;
    absent(program.lifecycle == Lifecycle::Stack, "processes on a stack")?;
    for property in &program.properties {
        absent(property.kind.is_temporal(), "properties of runs")?;
        property.kind.exprs().into_iter().try_for_each(check_expr)?;
    }
    program.defs.iter().flat_map(|d| &d.steps).try_for_each(check_step)
}

fn check_step(step: &Step) -> Result<(), ExportError> {
    absent(step.channel.is_some(), "channels")?;
    absent(!step.yields_to.is_empty(), "steps that yield to others")?;
    absent(step.holds, "steps after which a process holds the others")?;
    absent(step.target == Control::Exit, "processes on a stack")?;
    let spawns = step.effects.iter().filter(|e| matches!(e, Effect::Spawn { .. })).count();
    absent(spawns > 1, "two spawns in one step")?;
    step.expressions().into_iter().try_for_each(check_expr)
}

fn check_expr(expr: &Expr) -> Result<(), ExportError> {
    let mut found = None;
    expr.visit(&mut |e| {
        found = found.or(match e {
            Expr::Enabled(_) => Some("asking what a process could do next"),
            Expr::Pid | Expr::Processes => Some("processes on a stack"),
            Expr::Timeout => Some("timeouts"),
            Expr::Channel(..) | Expr::Poll(_) => Some("channels"),
            _ => None,
        });
    });
    found.map_or(Ok(()), |what| absent(true, what))
}
