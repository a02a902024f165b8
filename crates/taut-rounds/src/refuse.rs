//! What has no translation, said before anything is translated.
//!
//! Rounds are about one process at a time, so what two processes do at once is in no round of either
//! (rendezvous), and what depends on everybody being stuck (`timeout`) is not known inside of one. Buffered
//! channels could be carried over, and are not yet. Properties of runs speak of every state of a run, and between rounds most of them are missing.

use std::collections::BTreeSet;

use taut_ir::{
    Assignment, Control, Effect, Expr, Lvalue, PointId, ProcessDef, Program, PropertyKind, Span,
    Step, VarId,
};

use crate::copies::buffered;
use crate::error::TranslateError;
use crate::layout::call_of;
use crate::scope::Scope;

type Check = Result<(), TranslateError>;

fn absent(there: bool, what: &str, span: Span) -> Check {
    if there { Err(TranslateError::not_translated(what, span)) } else { Ok(()) }
}

/// How many values the registers that are added may hold, in all definitions together.
const MOST_COPIES: u64 = 1 << 20;

/// Whether there is room for the copies of all that is stored through buffers.
fn check_size(program: &Program, scope: Scope) -> Check {
    let stored = |def: &ProcessDef| -> BTreeSet<VarId> {
        let places = def.steps.iter().flat_map(|s| buffered(program, s));
        places.filter_map(Lvalue::variable).collect()
    };
    let places = program.defs.iter().flat_map(stored).map(|v| u64::from(program.var(v).size()));
    let needed = places.sum::<u64>().saturating_mul(2 * (u64::from(scope.k()) + 2));
    match needed {
        0..=MOST_COPIES => Ok(()),
        _ => Err(TranslateError::whole(format!(
            "the translation needs {needed} values for copies of shared variables, and {MOST_COPIES} is \
             the most that is possible"
        ))),
    }
}

/// Whether everything in a valid program has a translation.
pub(crate) fn check(program: &Program, scope: Scope) -> Check {
    check_size(program, scope)?;
    let span = program.priorities.map_or(Span::NONE, |id| program.var(id).span);
    absent(program.priorities.is_some(), "priorities of processes", span)?;
    let channel = program.channels.first();
    absent(channel.is_some(), "channels", channel.map_or(Span::NONE, |c| c.span))?;
    for def in &program.defs {
        for step in &def.steps {
            check_step(program, def, step)?;
            check_holds(program, def, step)?;
            check_atomic(program, def, step)?;
        }
    }
    program.properties.iter().try_for_each(|p| match &p.kind {
        PropertyKind::Assert => Ok(()),
        PropertyKind::Forbid(e) | PropertyKind::Cover(e) | PropertyKind::Invariant(e) => {
            check_expr(e, false, p.span)
        }
        PropertyKind::Ltl(_) | PropertyKind::Never(_) => {
            let what = "a property of runs: states inside of a round are not those of the run";
            absent(true, what, p.span)
        }
    })
}

fn check_step(program: &Program, def: &ProcessDef, step: &Step) -> Check {
    let span = step.span;
    absent(step.channel.is_some(), "a message on a channel", span)?;
    check_yields(program, def, step)?;
    step.expressions().into_iter().try_for_each(|e| check_expr(e, true, span))?;
    let plain = buffered(program, step);
    let late = !plain.is_empty() && step.expressions().into_iter().skip(1).any(asks_where);
    absent(late, "a step that stores and asks where a process is", span)?;
    let pid = step.effects.iter().any(|e| match e {
        Effect::Spawn { pid, .. } => pid.as_ref().and_then(Lvalue::variable).is_some(),
        _ => false,
    });
    absent(pid, "a pid that is stored in a shared variable", span)?;
    let atomic = step.assignments().any(|a| a.atomic);
    let what = "a step with atomic writes and with stores that wait in the buffer";
    absent(atomic && !plain.is_empty(), what, span)?;
    let twice = step.effects.iter().any(|e| match e {
        Effect::Assign(list) => !plain.is_empty() && stores_twice(list),
        _ => false,
    });
    absent(twice, "an assignment that may store twice to one place at once", span)
}

/// Whether an expression asks where a process is.
fn asks_where(expr: &Expr) -> bool {
    let mut asks = false;
    expr.visit(&mut |e| asks |= matches!(e, Expr::At(..)));
    asks
}

/// Whether the own buffer is empty after a step.
fn leaves_drained(program: &Program, step: &Step) -> bool {
    step.needs_drained() && buffered(program, step).is_empty()
}

/// Whether the own buffer is empty at a program point, whichever way the process got there.
fn is_drained_at(program: &Program, def: &ProcessDef, point: PointId) -> bool {
    let calls = def.steps.iter().filter_map(call_of);
    let entered = def.procedures.iter().map(|p| p.entry).chain(calls.map(|(_, to)| to));
    let stays = |s: &Step| s.source == point && buffered(program, s).is_empty();
    let mut into = def.steps.iter().filter(|s| s.target == Control::Goto(point));
    point != def.entry
        && !entered.into_iter().any(|l| l == point)
        && into.all(|s| leaves_drained(program, s) || stays(s))
}

/// What a step yields to must not depend on what of the own buffer has reached memory within a round.
fn check_yields(program: &Program, def: &ProcessDef, step: &Step) -> Check {
    let waits = step.yields_to.iter().any(|s| def.steps[s.index()].needs_drained());
    let drained = waits && !is_drained_at(program, def, step.source);
    absent(drained, "a step that yields to one that waits for an empty buffer", step.span)
}

/// While a process holds the others nothing commits, so it must not wait for that, unless its buffer is empty
/// for sure: because it was before and this step stores nothing there.
fn check_holds(program: &Program, def: &ProcessDef, step: &Step) -> Check {
    let goes_on = matches!(step.target, Control::Goto(_));
    if !step.holds || goes_on && leaves_drained(program, step) {
        return Ok(());
    }
    let Control::Goto(to) = step.target else {
        return absent(true, "a call while the process holds the others", step.span);
    };
    let mut next = def.steps.iter().filter(|s| s.source == to);
    let waits = next.find(|s| s.needs_drained());
    let what = "a step that waits for an empty buffer while its process holds the others";
    absent(waits.is_some(), what, waits.map_or(step.span, |s| s.span))
}

/// Whether two stores of one simultaneous assignment may be to one place.
fn stores_twice(list: &[Assignment]) -> bool {
    let apart = |a: &Lvalue, b: &Lvalue| match (a, b) {
        (Lvalue::VarElem(v, i), Lvalue::VarElem(w, j)) => {
            v != w || matches!((i, j), (Expr::Const(i), Expr::Const(j)) if i != j)
        }
        (a, b) => a.variable() != b.variable(),
    };
    let shared: Vec<&Lvalue> =
        list.iter().map(|a| &a.place).filter(|p| p.variable().is_some()).collect();
    shared.iter().enumerate().any(|(n, a)| shared[..n].iter().any(|b| !apart(a, b)))
}

/// Nothing waits inside of an atomic section: the steps into it need an empty buffer, and those inside
/// leave none behind. The Taut language has no others.
fn check_atomic(program: &Program, def: &ProcessDef, step: &Step) -> Check {
    let is_atomic = |l: PointId| def.points[l.index()].atomic;
    let from = is_atomic(step.source);
    let into = match &step.target {
        Control::Goto(to) => is_atomic(*to),
        Control::Call { procedure, return_to, .. } => {
            is_atomic(*return_to) || is_atomic(def.procedures[procedure.index()].entry)
        }
        Control::Return => returns_into_atomic(def, step),
        Control::Exit => false,
    };
    let may_wait = !buffered(program, step).is_empty() || !(from || step.needs_drained());
    let what = "an atomic section in which stores may wait in the buffer";
    absent((from || into) && may_wait, what, step.span)
}

fn returns_into_atomic(def: &ProcessDef, step: &Step) -> bool {
    let calls = def.steps.iter().filter_map(call_of);
    let mut calls = calls.filter(|(_, to)| def.points[to.index()].atomic).peekable();
    if calls.peek().is_none() {
        return false;
    }
    let own = def.procedure_of()[step.source.index()];
    calls.any(|(procedure, _)| Some(procedure) == own)
}

fn check_expr(expr: &Expr, step: bool, span: Span) -> Check {
    let mut found = None;
    expr.visit(&mut |e| {
        let what = match e {
            Expr::In(_, inner) if step && !matches!(**inner, Expr::Reg(_)) => {
                "a step that looks into another process"
            }
            Expr::Drained(_) if step => "a step that looks into another process",
            Expr::Enabled(_) => "asking what a process could do next",
            Expr::Timeout => "a timeout",
            Expr::Channel(..) | Expr::Poll(_) => "channels",
            _ => return,
        };
        found = found.or(Some(what));
    });
    found.map_or(Ok(()), |what| absent(true, what, span))
}
