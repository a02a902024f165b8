//! Questions about program points after a program is split: a process in the middle of a statement is still at the
//! program point that the statement starts at.

use crate::{
    ChannelOp, Control, Effect, Expr, Lvalue, Pattern, PointId, Program, PropertyKind, Step,
};

/// Adds the new program points of each definition to every set of program points that has their heads.
pub(super) fn extend(program: &mut Program, heads: &[Vec<(PointId, PointId)>]) {
    let of_process: Vec<usize> = program.processes.iter().map(|p| p.def.index()).collect();
    let mut add = |e: &mut Expr| {
        let Expr::At(process, points) = e else { return };
        let new = &heads[of_process[process.index()]];
        let inside = new.iter().filter(|(_, head)| points.contains(head)).map(|(l, _)| *l);
        let inside: Vec<PointId> = inside.collect();
        points.extend(inside);
    };
    for step in program.defs.iter_mut().flat_map(|d| &mut d.steps) {
        expressions(step).into_iter().for_each(|e| visit(e, &mut add));
    }
    for property in &mut program.properties {
        match &mut property.kind {
            PropertyKind::Assert => {}
            PropertyKind::Forbid(e) | PropertyKind::Cover(e) | PropertyKind::Invariant(e) => {
                visit(e, &mut add)
            }
            PropertyKind::Ltl(ltl) => {
                ltl.atoms.iter_mut().for_each(|a| visit(&mut a.expr, &mut add));
            }
            PropertyKind::Never(never) => {
                never.atoms.iter_mut().for_each(|a| visit(&mut a.expr, &mut add));
            }
        }
    }
}

/// Visits an expression and all in it.
fn visit(e: &mut Expr, f: &mut impl FnMut(&mut Expr)) {
    f(e);
    match e {
        Expr::Const(_)
        | Expr::Reg(_)
        | Expr::Var(_)
        | Expr::At(..)
        | Expr::Drained(_)
        | Expr::Enabled(_)
        | Expr::Pid
        | Expr::Processes
        | Expr::Alive(_)
        | Expr::Timeout => {}
        Expr::RegElem(_, a)
        | Expr::VarElem(_, a)
        | Expr::Unary(_, a)
        | Expr::In(_, a)
        | Expr::Channel(_, a) => visit(a, f),
        Expr::Binary(_, a, b) => {
            visit(a, f);
            visit(b, f);
        }
        Expr::Cond(a, b, c) => [a, b, c].into_iter().for_each(|e| visit(e, f)),
        Expr::Poll(poll) => {
            visit(&mut poll.channel, f);
            poll.pattern.iter_mut().flatten().for_each(|e| visit(e, f));
        }
    }
}

/// The outermost expressions of a step.
fn expressions(step: &mut Step) -> Vec<&mut Expr> {
    let mut all = vec![&mut step.guard];
    match &mut step.channel {
        Some(ChannelOp::Send { channel, message, .. }) => {
            all.push(channel);
            all.extend(message);
        }
        Some(ChannelOp::Receive { channel, pattern, .. }) => {
            all.push(channel);
            all.extend(pattern.iter_mut().filter_map(|field| match field {
                Pattern::Match(value) => Some(value),
                Pattern::Bind(place) => index(place),
                Pattern::Any => None,
            }));
        }
        None => {}
    }
    for effect in &mut step.effects {
        match effect {
            Effect::Assign(list) => {
                for a in list {
                    all.extend(index(&mut a.place));
                    all.push(&mut a.value);
                }
            }
            Effect::Assert { condition, .. } => all.push(condition),
            Effect::StoreFence | Effect::Fail(_) => {}
            Effect::Spawn { args, pid, .. } => {
                all.extend(args);
                all.extend(pid.as_mut().and_then(index));
            }
        }
    }
    if let Control::Call { args, .. } = &mut step.target {
        all.extend(args);
    }
    all
}

fn index(place: &mut Lvalue) -> Option<&mut Expr> {
    match place {
        Lvalue::RegElem(_, index) | Lvalue::VarElem(_, index) => Some(index),
        Lvalue::Reg(_) | Lvalue::Var(_) => None,
    }
}
