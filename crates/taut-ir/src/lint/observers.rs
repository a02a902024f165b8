//! Shared variables that look like observers.
//!
//! The usual counter of processes in the critical section is incremented, decremented, and asserted. If it is a shared
//! variable, its stores wait in buffers like all others: assertions about it then fail, or fences are added that protect
//! nothing but the counter. Such a variable should be a ghost.
//!
//! A variable looks like an observer if every store to it adds or subtracts a constant, some add and some subtract,
//! nothing reads it but those stores, assertions and properties, and at least one of the latter does.

use crate::{BinaryOp, Control, Effect, Expr, Lvalue, Program, Step, VarId};

/// The shared variables that look like observers.
pub fn observers(program: &Program) -> Vec<VarId> {
    let shared = program.var_ids().filter(|&v| program.var(v).kind.is_buffered());
    shared.filter(|&v| looks_like_one(program, v)).collect()
}

fn looks_like_one(program: &Program, var: VarId) -> bool {
    let (mut counts, mut watched) = (false, false);
    for step in program.defs.iter().flat_map(|def| &def.steps) {
        match use_in(program, step, var) {
            Use::None => {}
            Use::Counts => counts = true,
            Use::Watched => watched = true,
            Use::Other => return false,
        }
    }
    let asked = program.properties.iter().flat_map(|p| p.kind.exprs());
    watched |= asked.into_iter().any(|e| reads(e, var));
    counts && watched && [1, -1].iter().all(|&sign| is_counted(program, var, sign))
}

/// Whether some step counts a variable up (1) or down (-1). What is only counted up is data of the program: where its
/// updates can get lost, a ghost would hide that.
fn is_counted(program: &Program, var: VarId, sign: i64) -> bool {
    let steps = program.defs.iter().flat_map(|def| &def.steps);
    let mut stores = steps.flat_map(Step::assignments).filter(|a| a.place.variable() == Some(var));
    stores.any(|a| change(&a.value, |_| true).is_some_and(|by| by.signum() == sign))
}

/// What a step does with a variable.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Use {
    None,
    Counts,
    Watched,
    Other,
}

fn use_in(program: &Program, step: &Step, var: VarId) -> Use {
    let mut found = Use::None;
    let in_channel = step.channel.iter().flat_map(|c| c.expressions()).any(|e| reads(e, var));
    let received = step.channel.iter().flat_map(|c| c.places()).any(|p| p.variable() == Some(var));
    let in_call = match &step.target {
        Control::Call { args, .. } => args.iter().any(|e| reads(e, var)),
        _ => false,
    };
    if reads(&step.guard, var) || in_channel || received || in_call {
        return Use::Other;
    }
    for effect in &step.effects {
        match effect {
            Effect::Assert { condition, .. } if reads(condition, var) => found = Use::Watched,
            Effect::Assign(list) => {
                for a in list {
                    let touches = a.place.variable() == Some(var)
                        || reads(&a.value, var)
                        || a.place.index().is_some_and(|e| reads(e, var));
                    match touches {
                        false => {}
                        true if counts(&a.place, &a.value) || is_half(program, step, var) => {
                            found = Use::Counts;
                        }
                        true => return Use::Other,
                    }
                }
            }
            Effect::Spawn { args, pid, .. } => {
                let stored = pid.as_ref().and_then(Lvalue::variable) == Some(var);
                if stored || args.iter().any(|e| reads(e, var)) {
                    return Use::Other;
                }
            }
            _ => {}
        }
    }
    found
}

fn reads(expr: &Expr, var: VarId) -> bool {
    expr.variables().contains(&var)
}

/// Whether an assignment adds or subtracts a constant.
fn counts(place: &Lvalue, value: &Expr) -> bool {
    let own = match place {
        Lvalue::Var(v) => Expr::Var(*v),
        Lvalue::VarElem(v, index) => Expr::VarElem(*v, Box::new(index.clone())),
        Lvalue::Reg(_) | Lvalue::RegElem(..) => return false,
    };
    is_sum(value, |e| *e == own)
}

fn is_sum(value: &Expr, is_old: impl Fn(&Expr) -> bool) -> bool {
    change(value, is_old).is_some()
}

/// The constant that is added to an old value; `None` if the expression is something else.
fn change(value: &Expr, is_old: impl Fn(&Expr) -> bool) -> Option<i64> {
    match value {
        Expr::Binary(BinaryOp::Add, a, b) => match (&**a, &**b) {
            (old, Expr::Const(by)) | (Expr::Const(by), old) if is_old(old) => Some(*by),
            _ => None,
        },
        Expr::Binary(BinaryOp::Sub, a, b) => match (&**a, &**b) {
            (old, Expr::Const(by)) if is_old(old) => by.checked_neg(),
            _ => None,
        },
        _ => None,
    }
}

/// Whether a step is a half of an increment that is performed access by access: a load into a register and, at the same
/// place of the source, a store of the register plus a constant.
fn is_half(program: &Program, step: &Step, var: VarId) -> bool {
    if step.span.is_none() {
        return false;
    }
    let at_same_place = || {
        let all = program.defs.iter().flat_map(|def| &def.steps);
        all.filter(|other| other.span == step.span).flat_map(Step::assignments)
    };
    let is_register = |e: &Expr| matches!(e, Expr::Reg(_));
    let is_load = |value: &Expr| matches!(value, Expr::Var(v) | Expr::VarElem(v, _) if *v == var);
    let mut stores = at_same_place().filter(|a| a.place.variable() == Some(var)).peekable();
    let loads = at_same_place().any(|a| matches!(a.place, Lvalue::Reg(_)) && is_load(&a.value));
    let only_loads = at_same_place()
        .filter(|a| reads(&a.value, var))
        .all(|a| matches!(a.place, Lvalue::Reg(_)) && is_load(&a.value));
    stores.peek().is_some() && loads && only_loads && stores.all(|a| is_sum(&a.value, is_register))
}
