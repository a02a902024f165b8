//! Objects with a copy per thread, for any number of threads: each becomes a register of every thread.
//!
//! A copy that only its own thread accesses is private, and a register is. That is so if no pointer leads to the object: then it
//! is alone in its class, and every access of a thread has the number of that thread, and nothing else, in its index. Otherwise the object stays, and
//! is refused (`any.rs`).

use taut_ir::{
    Assignment, Control, Effect, Expr, Lvalue, Program, RegId, Register, Step, VarId, Variable,
};

/// Makes a register of a variable with a copy per thread; false if it is accessed in any other way.
pub(super) fn make_register(program: &mut Program, var: VarId) -> bool {
    let is_own = |def: usize, index: Option<&Expr>| match index {
        // The thread of `main` has the first copy.
        None | Some(Expr::Const(0)) => def == 0,
        Some(index) => {
            let is_number = index.registers().iter().all(|r| r.index() == 0);
            def > 0 && is_number && index.variables().is_empty()
        }
    };
    for (def, code) in program.defs.iter().enumerate() {
        let are_own = code.steps.iter().all(|step| {
            accesses(step, var).into_iter().all(|index| is_own(def, index))
                && !is_at_once(step, var)
        });
        if !are_own {
            return false;
        }
    }
    let Variable { name, ty, init, span, .. } = program.var(var).clone();
    for def in &mut program.defs {
        let register = RegId::from(def.registers.len());
        let init = vec![init.first().copied().unwrap_or(0)];
        def.registers.push(Register { name: name.clone(), ty, len: None, init, span });
        def.steps.iter_mut().for_each(|step| replace(step, var, register));
    }
    true
}

/// The indices with which a step accesses a variable.
fn accesses(step: &Step, var: VarId) -> Vec<Option<&Expr>> {
    let mut all = Vec::new();
    for expr in step.expressions() {
        expr.visit(&mut |e| match e {
            Expr::Var(v) if *v == var => all.push(None),
            Expr::VarElem(v, index) if *v == var => all.push(Some(&**index)),
            _ => {}
        });
    }
    all.extend(step.stores().filter(|l| l.variable() == Some(var)).map(Lvalue::index));
    all
}

/// Whether a step stores to a variable in another way than by an ordinary assignment.
fn is_at_once(step: &Step, var: VarId) -> bool {
    let is_one = |place: &Lvalue| place.variable() == Some(var);
    let assigned = step.assignments().filter(|a| is_one(&a.place)).count();
    let at_once = step.assignments().any(|a| is_one(&a.place) && a.atomic);
    at_once || assigned != step.stores().filter(|place| is_one(place)).count()
}

fn replace(step: &mut Step, var: VarId, register: RegId) {
    let in_expr = |expr: &mut Expr| replace_in(expr, var, register);
    in_expr(&mut step.guard);
    for effect in &mut step.effects {
        match effect {
            Effect::Assign(list) => list.iter_mut().for_each(|a| assign(a, var, register)),
            Effect::Assert { condition, .. } => in_expr(condition),
            Effect::Spawn { args, .. } => args.iter_mut().for_each(in_expr),
            Effect::StoreFence | Effect::Fail(_) => {}
        }
    }
    if let Control::Call { args, .. } = &mut step.target {
        args.iter_mut().for_each(in_expr);
    }
}

fn assign(a: &mut Assignment, var: VarId, register: RegId) {
    if a.place.variable() == Some(var) {
        a.place = Lvalue::Reg(register);
    }
    match &mut a.place {
        Lvalue::VarElem(_, index) | Lvalue::RegElem(_, index) => replace_in(index, var, register),
        Lvalue::Var(_) | Lvalue::Reg(_) => {}
    }
    replace_in(&mut a.value, var, register);
}

fn replace_in(expr: &mut Expr, var: VarId, register: RegId) {
    match expr {
        Expr::Var(v) if *v == var => *expr = Expr::Reg(register),
        Expr::VarElem(v, _) if *v == var => *expr = Expr::Reg(register),
        Expr::RegElem(_, a) | Expr::VarElem(_, a) | Expr::Unary(_, a) | Expr::In(_, a) => {
            replace_in(a, var, register);
        }
        Expr::Binary(_, a, b) => {
            replace_in(a, var, register);
            replace_in(b, var, register);
        }
        Expr::Cond(a, b, c) => [a, b, c].into_iter().for_each(|e| replace_in(e, var, register)),
        // Neither channels nor questions about processes come from C.
        _ => {}
    }
}
