//! Read-modify-writes: one locked step, and what comes before and after it.
//!
//! The instruction accesses one location at once. Its other operands, and the index of the location, are loaded
//! before it if they are in shared memory; a result that goes to shared memory is stored after it. Inside of
//! an atomic section, and with one statement per step, all of it is one step.

use taut_ir::{
    Assignment, BinaryOp, Control, Effect, Expr, Granularity, Lvalue, Mode, PointId, RegId,
    Register, Type, VarKind,
};
use taut_source::{Diagnostic, Span};

use super::body::Builder;
use crate::ast::{Rmw, RmwOp};
use crate::codes;

/// A read-modify-write with everything that it needs.
struct Instruction {
    op: RmwOp,
    place: Lvalue,
    args: Vec<Expr>,
    result: Option<Lvalue>,
}

/// What is done around the instruction.
#[derive(Default)]
struct Around {
    /// Operands in shared memory, loaded before.
    before: Vec<Assignment>,
    /// The result, stored after.
    after: Option<Assignment>,
    /// Registers that are free after the instruction, and after the store of the result.
    used: Vec<RegId>,
    used_after: Vec<RegId>,
}

impl Builder<'_, '_> {
    /// The steps of a read-modify-write that is a statement of its own.
    pub(super) fn rmw(&mut self, rmw: &Rmw, span: Span, from: PointId, to: PointId) {
        let Some(mut instruction) = self.instruction(rmw) else { return };
        let mut around = Around::default();
        let whole = self.cx.options.granularity == Granularity::Statement;
        if !whole && !self.frame.is_atomic() {
            self.separate(&mut instruction, &mut around);
        }
        let mut here = from;
        if !around.before.is_empty() {
            here = self.between(from, span);
            let loads = vec![Effect::Assign(around.before)];
            self.step(from, Expr::TRUE, Mode::Plain, loads, Control::Goto(here), span);
        }
        let done = if around.after.is_some() { self.between(from, span) } else { to };
        for (guard, all) in instruction.outcomes() {
            let effects = [all, self.resets(&around.used)];
            let effects = effects.into_iter().filter(|list| !list.is_empty());
            let effects = effects.map(Effect::Assign).collect();
            self.step(here, guard, Mode::Locked, effects, Control::Goto(done), span);
        }
        if let Some(store) = around.after {
            let mut all = vec![store];
            all.extend(self.resets(&around.used_after));
            let effects = vec![Effect::Assign(all)];
            self.step(done, Expr::TRUE, Mode::Plain, effects, Control::Goto(to), span);
        }
    }

    /// The effects of a read-modify-write in a locked block, which has no compare-and-swaps.
    pub(super) fn rmw_effects(&mut self, rmw: &Rmw) -> Option<Vec<Effect>> {
        let (_, all) = self.instruction(rmw)?.outcomes().remove(0);
        Some(vec![Effect::Assign(all)])
    }

    fn instruction(&mut self, rmw: &Rmw) -> Option<Instruction> {
        let place = self.cx.place(&self.frame.scope, &rmw.location)?;
        if place.variable().is_none() {
            let message = format!("`{}` works on shared variables", rmw.op.word());
            let found = Diagnostic::error(codes::NOT_ASSIGNABLE, message, rmw.location.span);
            self.cx.report(found.label("this is a thread's own variable"));
            return None;
        }
        let args = rmw.args.iter().map(|e| self.expr(e)).collect();
        let result = match &rmw.result {
            Some(result) => {
                let to = self.cx.place(&self.frame.scope, result)?;
                if to == place {
                    self.cx.assigned_twice(result.span, rmw.location.span);
                }
                Some(to)
            }
            None => None,
        };
        Some(Instruction { op: rmw.op, place, args, result })
    }

    /// A program point in the middle of a statement.
    fn between(&mut self, head: PointId, span: Span) -> PointId {
        let point = self.fresh(span);
        self.inner.push((point, head));
        point
    }

    /// Takes out of an instruction what is not an access of its location.
    fn separate(&mut self, instruction: &mut Instruction, around: &mut Around) {
        let mut taken = 0;
        if let Lvalue::VarElem(_, index) = &mut instruction.place {
            self.load_before(index, &mut taken, &mut around.before, &mut around.used);
        }
        for arg in &mut instruction.args {
            self.load_before(arg, &mut taken, &mut around.before, &mut around.used);
        }
        let Some(result) = &mut instruction.result else { return };
        let shared = result.variable().is_some_and(|v| self.is_shared(v));
        let used = if shared { &mut around.used_after } else { &mut around.used };
        if let Lvalue::VarElem(_, index) | Lvalue::RegElem(_, index) = result {
            self.load_before(index, &mut taken, &mut around.before, used);
        }
        if shared {
            let register = self.hidden_register(&mut taken);
            around.used_after.push(register);
            let place = std::mem::replace(result, Lvalue::Reg(register));
            around.after = Some(Assignment { place, value: register.into(), atomic: false });
        }
    }

    /// Replaces an expression that reads shared memory by a register.
    fn load_before(
        &mut self,
        expr: &mut Expr,
        taken: &mut usize,
        before: &mut Vec<Assignment>,
        used: &mut Vec<RegId>,
    ) {
        if !expr.variables().into_iter().any(|v| self.is_shared(v)) {
            return;
        }
        let register = self.hidden_register(taken);
        used.push(register);
        let value = std::mem::replace(expr, register.into());
        before.push(Assignment { place: Lvalue::Reg(register), value, atomic: false });
    }

    fn is_shared(&self, var: taut_ir::VarId) -> bool {
        self.cx.program.var(var).kind == VarKind::Shared
    }

    /// The next hidden register of a statement; statements use the same ones.
    fn hidden_register(&mut self, taken: &mut usize) -> RegId {
        *taken += 1;
        if let Some(&register) = self.hidden.get(*taken - 1) {
            return register;
        }
        let name = format!("operand{}", "'".repeat(*taken));
        let span = self.def.span;
        let register = Register { name, ty: Type::INT64, len: None, init: vec![0], span };
        let added = self.add_registers(vec![register]);
        let id = added.first().copied().unwrap_or(RegId(0));
        self.hidden.push(id);
        id
    }

    fn resets(&self, registers: &[RegId]) -> Vec<Assignment> {
        let one =
            |&r: &RegId| Assignment { place: Lvalue::Reg(r), value: Expr::Const(0), atomic: false };
        registers.iter().map(one).collect()
    }
}

impl Instruction {
    /// The guards and assignments of all outcomes: one, or success and failure of a compare-and-swap.
    fn outcomes(self) -> Vec<(Expr, Vec<Assignment>)> {
        let Instruction { op, place, args, result } = self;
        let read = match place.clone() {
            Lvalue::Var(v) => Expr::Var(v),
            Lvalue::VarElem(v, index) => Expr::VarElem(v, Box::new(index)),
            Lvalue::Reg(r) => Expr::Reg(r),
            Lvalue::RegElem(r, index) => Expr::RegElem(r, Box::new(index)),
        };
        let assign = |place: Lvalue, value: Expr| Assignment { place, value, atomic: false };
        let results = |value: Expr| result.iter().cloned().map(move |to| assign(to, value.clone()));
        let mut args = args.into_iter();
        let mut arg = || args.next().unwrap_or(Expr::Const(0));
        let value = match op {
            RmwOp::Cas => {
                let equal = read.equals(arg());
                let success = results(Expr::Const(1)).chain([assign(place, arg())]).collect();
                let failure = results(Expr::Const(0)).collect();
                return vec![(equal.clone(), success), (equal.not(), failure)];
            }
            RmwOp::FetchAdd => Expr::binary(BinaryOp::Add, read.clone(), arg()),
            _ => arg(),
        };
        vec![(Expr::TRUE, results(read).chain([assign(place, value)]).collect())]
    }
}
