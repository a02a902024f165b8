//! What the engine does not know, said before anything is searched.

use taut_engine::Unsupported;
use taut_ir::{
    Control, Effect, Expr, Lifecycle, Lvalue, MemoryModel, Mode, ProcId, ProcessDef, Program,
    PropertyKind, Span, Start, Step, VarKind,
};

use crate::locals::users_of_ghosts;
use crate::start::starts;

/// The code of the messages.
pub(crate) const CODE: &str = "E0019";
/// How the messages begin.
pub(crate) const PREFIX: &str = "the dual engine does not support ";

type Check = Result<(), Unsupported>;

fn absent(there: bool, what: &str, span: Span, label: &'static str) -> Check {
    if !there {
        return Ok(());
    }
    let text = format!("{PREFIX}{what}");
    Err(Unsupported::new(text)
        .at(CODE, span)
        .label(label)
        .help("use `--engine symbolic` or `--engine explicit`"))
}

/// Whether the engine is for a memory model.
pub(crate) fn knows(model: MemoryModel) -> bool {
    model == MemoryModel::Tso
}

/// Whether the engine knows everything in a valid program.
pub(crate) fn check(program: &Program) -> Check {
    let priorities = program.priorities.map(|id| program.var(id).span);
    absent(
        priorities.is_some(),
        "priorities of processes",
        priorities.unwrap_or(Span::NONE),
        "a priority",
    )?;
    let channel = program.channels.first().map(|c| c.span);
    absent(channel.is_some(), "channels", channel.unwrap_or(Span::NONE), "a channel")?;
    absent(program.event_trace.is_some(), "trace assertions", Span::NONE, "here")?;
    check_processes(program)?;
    check_ghosts(program)?;
    for process in program.process_ids() {
        let def = program.def_of(process);
        for step in &def.steps {
            check_step(program, process, def, step)?;
        }
    }
    program.properties.iter().try_for_each(|p| match &p.kind {
        PropertyKind::Forbid(e) | PropertyKind::Cover(e) | PropertyKind::Invariant(e) => {
            check_property(program, e, p.span)
        }
        PropertyKind::Assert | PropertyKind::Ltl(_) | PropertyKind::Never(_) => Ok(()),
    })
}

/// A process that was started and has not begun does not keep others from moving (`start.rs`).
fn check_processes(program: &Program) -> Check {
    let is_inside = |p: &ProcId| {
        let def = program.def_of(*p);
        program.process(*p).start == Start::Spawned && def.points[def.entry.index()].atomic
    };
    let inside = program.process_ids().find(is_inside);
    absent(
        inside.is_some(),
        "processes that are started in an atomic section",
        inside.map_or(Span::NONE, |p| program.def_of(p).span),
        "begins in an atomic section",
    )
}

/// Whether a program with any number of processes has neither processes that others start nor procedures.
pub(crate) fn check_single(program: &Program) -> Check {
    let spawned = program.processes.iter().find(|p| p.start == Start::Spawned);
    let span = spawned.map_or(Span::NONE, |p| program.defs[p.def.index()].span);
    let what = "processes that are started by others";
    absent(spawned.is_some(), what, span, "a process that is started")?;
    for step in program.defs.iter().flat_map(|def| &def.steps) {
        absent(starts(step), what, step.span, "a process is started here")?;
        let calls = matches!(step.target, Control::Call { .. } | Control::Return);
        absent(calls, "procedures", step.span, "a call or a return")?;
    }
    Ok(())
}

/// A ghost changes when a step is taken, a store of the dual semantics happens when it reaches memory. Ghosts of several
/// processes would tell in which order steps are taken, which dual runs do not know. Those of locked steps are shared
/// variables by now (`ghosts.rs`).
fn check_ghosts(program: &Program) -> Check {
    let users = users_of_ghosts(program);
    let shared = users.iter().filter(|(_, users)| users.len() > 1).map(|(var, _)| *var).min();
    let span = shared.map_or(Span::NONE, |var| program.var(var).span);
    absent(
        shared.is_some(),
        "a ghost that several processes use in steps that are not locked",
        span,
        "used by several processes",
    )
}

fn check_step(program: &Program, process: ProcId, def: &ProcessDef, step: &Step) -> Check {
    let span = step.span;
    let here = |there: bool, what: &str, label: &'static str| absent(there, what, span, label);
    here(step.channel.is_some(), "messages on channels", "a message")?;
    here(
        step.holds,
        "steps that hold other processes (`atomic` and `d_step` of Promela)",
        "in such a sequence",
    )?;
    let gets_pid = |e: &Effect| matches!(e, Effect::Spawn { pid: Some(_), .. });
    let spawns = program.spawns();
    let asks_pid = |e: &&Expr| spawns && asks_pid(e);
    here(
        step.effects.iter().any(gets_pid) || step.expressions().iter().any(asks_pid),
        "numbers of processes that are started by others",
        "depends on the number of a process",
    )?;
    check_exit(program, step)?;
    check_yields(def, step)?;
    check_atomic(program, def, step)?;
    for expr in step.expressions() {
        let mut strange = false;
        expr.visit(&mut |e| {
            strange |= match e {
                Expr::In(p, _) => *p != process,
                Expr::At(..) | Expr::Alive(_) | Expr::Drained(_) => true,
                Expr::Enabled(_) | Expr::Processes => true,
                Expr::Timeout | Expr::Channel(..) | Expr::Poll(_) => true,
                _ => false,
            }
        });
        here(strange, "steps that look at other processes", "looks at other processes")?;
    }
    check_sync(program, step)
}

/// A process that has finished stays where it is instead of exiting. A property over program points could tell.
fn check_exit(program: &Program, step: &Step) -> Check {
    if step.target != Control::Exit || program.lifecycle != Lifecycle::Stack {
        return Ok(());
    }
    let mut tells = false;
    for expr in
        program.properties.iter().filter(|p| !p.kind.is_temporal()).flat_map(|p| p.kind.exprs())
    {
        expr.visit(&mut |e| {
            tells |= matches!(e, Expr::At(..) | Expr::In(..) | Expr::Alive(_) | Expr::Drained(_))
        });
    }
    absent(tells, "properties about processes that exit", step.span, "the process exits here")
}

/// A step that yields to one that waits for an empty buffer must wait for it itself: otherwise whether it can be
/// taken depends on the buffer.
fn check_yields(def: &ProcessDef, step: &Step) -> Check {
    let waits = |other: &Step| other.needs_drained();
    let unlike = step.yields_to.iter().any(|id| waits(&def.steps[id.index()]) && !waits(step));
    absent(
        unlike,
        "`else` beside a step that waits for an empty buffer",
        step.span,
        "depends on the buffer",
    )
}

/// Steps of an atomic section act on memory.
fn check_atomic(program: &Program, def: &ProcessDef, step: &Step) -> Check {
    let is_atomic = |point: taut_ir::PointId| def.points[point.index()].atomic;
    let inside = is_atomic(step.source)
        || matches!(step.target, Control::Goto(target) if is_atomic(target))
        || is_atomic(def.entry);
    // A `sync` would wait there for commits that do not happen.
    let waits_or_leaves = step.mode == Mode::Sync
        || step.mode != Mode::Locked
            && (!step.needs_drained() || buffered_stores(program, step) > 0);
    absent(
        inside && waits_or_leaves,
        "plain steps in atomic sections",
        step.span,
        "in an atomic section",
    )
}

/// Between two stores of one step TSO has one in the buffer; a `sync` of another process cannot happen there.
fn check_sync(program: &Program, step: &Step) -> Check {
    let syncs = program.defs.iter().flat_map(|d| &d.steps).any(|s| s.mode == Mode::Sync);
    let stores = buffered_stores(program, step);
    let several = stores > 1 || stores > 0 && step.needs_drained();
    let what = "`sync` in a program with steps that store several times";
    absent(syncs && several, what, step.span, "stores several times")
}

fn buffered_stores(program: &Program, step: &Step) -> usize {
    let shared =
        |place: &&Lvalue| place.variable().is_some_and(|v| program.var(v).kind == VarKind::Shared);
    step.plain_stores().filter(shared).count()
}

/// Whether an expression has the number of a process.
fn asks_pid(expr: &Expr) -> bool {
    let mut asks = false;
    expr.visit(&mut |e| asks |= matches!(e, Expr::Pid));
    asks
}

fn check_property(program: &Program, expr: &Expr, span: Span) -> Check {
    let mut strange = asks_pid(expr) && program.spawns();
    expr.visit(&mut |e| {
        strange |= matches!(
            e,
            Expr::Enabled(_) | Expr::Processes | Expr::Timeout | Expr::Channel(..) | Expr::Poll(_)
        );
    });
    absent(strange, "this in properties", span, "asks about channels or about what can happen")
}
