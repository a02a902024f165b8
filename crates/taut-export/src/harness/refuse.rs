//! Programs that a processor cannot run, said before anything is written.

use taut_ir::{
    Assignment, Control, Effect, Expr, Lifecycle, Lvalue, Mode, Process, ProcessDef, Program, Span,
    Start, Step, VarKind,
};

use super::{HarnessRefusal, MOST_PROPERTIES};

/// Most threads.
const MOST_PROCESSES: usize = 64;

fn absent(there: bool, what: &str, span: Span) -> Result<(), HarnessRefusal> {
    if there { Err(HarnessRefusal { what: what.into(), span }) } else { Ok(()) }
}

pub(super) fn check(program: &Program) -> Result<(), HarnessRefusal> {
    let nowhere = Span::NONE;
    let channel = program.channels.first().map_or(nowhere, |c| c.span);
    absent(!program.channels.is_empty(), "channels", channel)?;
    absent(program.lifecycle == Lifecycle::Stack, "processes on a stack", nowhere)?;
    absent(program.priorities.is_some(), "priorities", nowhere)?;
    absent(program.event_trace.is_some(), "trace assertions", nowhere)?;
    absent(program.processes.is_empty(), "a program without processes", nowhere)?;
    let spawned = |p: &&Process| p.start == Start::Spawned;
    let spawned = program.processes.iter().find(spawned).map(|p| program.defs[p.def.index()].span);
    absent(spawned.is_some(), "spawned processes", spawned.unwrap_or(nowhere))?;
    absent(program.processes.len() > MOST_PROCESSES, "more than 64 processes", nowhere)?;
    let looked_at = program.properties.iter().filter(|p| !p.kind.is_temporal()).count();
    absent(looked_at > MOST_PROPERTIES, "more than 63 properties", nowhere)?;
    program.defs.iter().try_for_each(|def| check_def(program, def))
}

fn check_def(program: &Program, def: &ProcessDef) -> Result<(), HarnessRefusal> {
    for step in &def.steps {
        taut_budget::tick();
        let inside = def.points[step.source.index()].atomic;
        absent(inside, "atomic sections of several steps", step.span)?;
        check_step(program, step)?;
    }
    Ok(())
}

fn check_step(program: &Program, step: &Step) -> Result<(), HarnessRefusal> {
    let span = step.span;
    absent(step.channel.is_some(), "channels", span)?;
    absent(!step.yields_to.is_empty(), "steps that yield to others", span)?;
    absent(step.holds, "steps after which a process holds the others", span)?;
    absent(step.target == Control::Exit, "processes on a stack", span)?;
    absent(step.mode == Mode::Sync, "waiting for the buffers of all processes", span)?;
    let spawns = step.effects.iter().any(|e| matches!(e, Effect::Spawn { .. }));
    absent(spawns, "spawned processes", span)?;
    step.expressions().into_iter().try_for_each(|e| check_expr(e, span))?;
    if step.mode == Mode::Locked || step.whole {
        let locations = locations(program, step);
        let message = "an atomic step with several locations";
        absent(locations.len() > 1, message, span)?;
        let indices = locations.iter().any(|e| moves(program, step, e));
        absent(indices, "an atomic step whose location depends on what it assigns", span)?;
    }
    let ghost = |e: &Expr| e.variables().iter().any(|v| program.var(*v).kind == VarKind::Ghost);
    let passes = matches!(&step.target, Control::Call { args, .. } if args.iter().any(ghost));
    absent(passes, "a ghost as an argument of a call", span)?;
    let atomic = |a: &&Assignment| a.atomic;
    let several = step.assignments().filter(atomic).count() > 1;
    absent(several, "an atomic write of several locations", span)
}

fn check_expr(expr: &Expr, span: Span) -> Result<(), HarnessRefusal> {
    let mut found = None;
    expr.visit(&mut |e| {
        found = found.or(match e {
            Expr::In(..) | Expr::At(..) | Expr::Alive(_) => Some("steps that look at processes"),
            Expr::Drained(_) => Some("steps that look at buffers"),
            Expr::Enabled(_) => Some("asking what a process could do next"),
            Expr::Pid | Expr::Processes => Some("processes on a stack"),
            Expr::Timeout => Some("timeouts"),
            Expr::Channel(..) | Expr::Poll(_) => Some("channels"),
            _ => None,
        });
    });
    found.map_or(Ok(()), |what| absent(true, what, span))
}

/// The different locations in shared memory that a step names, as expressions.
pub(super) fn locations(program: &Program, step: &Step) -> Vec<Expr> {
    let mut all: Vec<Expr> = Vec::new();
    let mut add = |e: Expr| {
        if !all.contains(&e) {
            all.push(e);
        }
    };
    for place in step.stores() {
        match place {
            Lvalue::Var(v) if program.var(*v).kind == VarKind::Shared => add(Expr::Var(*v)),
            Lvalue::VarElem(v, i) if program.var(*v).kind == VarKind::Shared => {
                add(Expr::VarElem(*v, Box::new(i.clone())));
            }
            _ => {}
        }
    }
    for expr in step.expressions() {
        expr.visit(&mut |e| {
            if let Expr::Var(v) | Expr::VarElem(v, _) = e
                && program.var(*v).kind == VarKind::Shared
            {
                add(e.clone());
            }
        });
    }
    all
}

/// Whether the index of a location has a value that the step itself changes, or that is in shared memory.
fn moves(program: &Program, step: &Step, location: &Expr) -> bool {
    let Expr::VarElem(_, index) = location else { return false };
    let registers = index.registers();
    let assigned = step.stores().any(|place| match place {
        Lvalue::Reg(r) | Lvalue::RegElem(r, _) => registers.contains(r),
        Lvalue::Var(v) | Lvalue::VarElem(v, _) => index.variables().contains(v),
    });
    let in_memory = index.variables().iter().any(|v| program.var(*v).kind == VarKind::Shared);
    // A step with one effect computes all indices before it assigns anything.
    in_memory || (assigned && step.effects.len() > 1)
}
