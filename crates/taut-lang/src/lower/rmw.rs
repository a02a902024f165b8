//! Read-modify-writes: one locked step, and what comes before and after it.
//!
//! The instruction accesses one location at once. Its other operands, and the index of the location, are loaded
//! before it if they are in shared memory; a result that goes to shared memory is stored after it. Inside of
//! an atomic section, and with one statement per step, all of it is one step.

use taut_ir::{
    Assignment, Control, Effect, Expr, Granularity, Lvalue, Mode, PointId, RegId, VarKind,
};
use taut_source::{Diagnostic, Span};

use super::body::Builder;
use super::pools::loaded_before;
use crate::ast::{Rmw, RmwOp};
use crate::codes;

/// Where control goes after a read-modify-write.
pub(super) enum Ending {
    To(PointId),
    /// To one of two program points, by a test of its value.
    Branch {
        test: Box<dyn Fn(Expr) -> Expr>,
        ways: (PointId, PointId),
    },
}

/// One outcome of a read-modify-write.
struct OneOutcome {
    guard: Expr,
    assignments: Vec<Assignment>,
    /// Its value.
    value: Expr,
}

/// A read-modify-write with everything that it needs.
pub(super) struct Instruction {
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
        let mut here = from;
        let Some(instruction) = self.instruction(rmw, None, &mut here) else { return };
        self.perform(instruction, Ending::To(to), true, span, here);
    }

    /// The steps of a read-modify-write. `last` says that the statement ends with it.
    pub(super) fn perform(
        &mut self,
        mut instruction: Instruction,
        ending: Ending,
        last: bool,
        span: Span,
        from: PointId,
    ) {
        let mut around = Around::default();
        let whole = self.cx.options.granularity == Granularity::Statement;
        let before = self.taken.min(self.frame.hidden.len());
        if !whole && !self.frame.is_atomic() {
            self.separate(&mut instruction, &mut around);
        }
        let swapped = matches!(instruction.op, RmwOp::Cas | RmwOp::CasOld);
        let swapped = swapped.then(|| instruction.place.clone());
        self.told.instruction(span, self.here_span, swapped);
        if last {
            let earlier: Vec<RegId> = self.frame.hidden[..before].to_vec();
            match around.after {
                Some(_) => around.used_after.extend(earlier),
                None => around.used.extend(earlier),
            }
        }
        let mut here = from;
        if !around.before.is_empty() {
            here = self.between(self.head, span);
            let loads = vec![Effect::Assign(around.before)];
            self.step(from, Expr::TRUE, Mode::Plain, loads, Control::Goto(here), span);
        }
        let done = match (&around.after, &ending) {
            (Some(_), _) => self.between(self.head, span),
            (None, Ending::To(to)) => *to,
            (None, Ending::Branch { .. }) => here,
        };
        for OneOutcome { guard, assignments, value } in instruction.outcomes() {
            let effects = [assignments, self.resets(&around.used)];
            let effects = effects.into_iter().filter(|list| !list.is_empty());
            let effects: Vec<_> = effects.map(Effect::Assign).collect();
            let targets = match &ending {
                Ending::To(_) => vec![(guard, done)],
                Ending::Branch { test, ways } => {
                    let test = test(value);
                    vec![(guard.clone().and(test.clone()), ways.0), (guard.and(test.not()), ways.1)]
                }
            };
            for (guard, to) in targets.into_iter().filter(|(guard, _)| *guard != Expr::Const(0)) {
                let target = Control::Goto(to);
                self.step(here, guard, Mode::Locked, effects.clone(), target, span);
            }
        }
        if let (Some(store), Ending::To(to)) = (around.after, ending) {
            let mut all = vec![store];
            all.extend(self.resets(&around.used_after));
            let effects = vec![Effect::Assign(all)];
            self.step(done, Expr::TRUE, Mode::Plain, effects, Control::Goto(to), span);
        }
    }

    /// The effects of a read-modify-write in a locked block, which has no compare-and-swaps.
    pub(super) fn rmw_effects(&mut self, rmw: &Rmw, here: &mut PointId) -> Option<Vec<Effect>> {
        let outcome = self.instruction(rmw, None, here)?.outcomes().remove(0);
        Some(vec![Effect::Assign(outcome.assignments)])
    }

    /// A read-modify-write after what happens in its operands; its result goes to a place, or where the text says.
    pub(super) fn instruction(
        &mut self,
        rmw: &Rmw,
        result: Option<Lvalue>,
        here: &mut PointId,
    ) -> Option<Instruction> {
        let acts = rmw.args.iter().any(|e| self.is_effectful(e));
        let place = self.place_kept(&rmw.location, acts, here)?;
        if place.variable().is_none() {
            let message = format!("`{}` works on shared variables", rmw.op.word());
            let found = Diagnostic::error(codes::NOT_ASSIGNABLE, message, rmw.location.span);
            self.cx.report(found.label("this is a thread's own variable"));
            return None;
        }
        let args = self.values(&rmw.args.iter().collect::<Vec<_>>(), here);
        let result = match (&rmw.result, result) {
            (Some(result), None) => {
                let to = self.place_kept(result, false, here)?;
                if to == place {
                    self.cx.assigned_twice(result.span, rmw.location.span);
                }
                Some(to)
            }
            (_, result) => result,
        };
        Some(Instruction { op: rmw.op, place, args, result })
    }

    /// A program point in the middle of a statement.
    pub(super) fn between(&mut self, head: PointId, span: Span) -> PointId {
        let point = self.fresh(span);
        self.inner.push((point, head));
        point
    }

    /// Takes out of an instruction what is not an access of its location.
    fn separate(&mut self, instruction: &mut Instruction, around: &mut Around) {
        if let Lvalue::VarElem(_, index) = &mut instruction.place {
            let part = loaded_before(&self.cx.program.vars, index);
            let mut value = std::mem::replace(part, Expr::Const(0));
            self.load_before(&mut value, &mut around.before, &mut around.used);
            *loaded_before(&self.cx.program.vars, index) = value;
        }
        for arg in &mut instruction.args {
            self.load_before(arg, &mut around.before, &mut around.used);
        }
        let Some(result) = &mut instruction.result else { return };
        let shared = result.variable().is_some_and(|v| self.is_shared(v));
        let used = if shared { &mut around.used_after } else { &mut around.used };
        if let Lvalue::VarElem(_, index) | Lvalue::RegElem(_, index) = result {
            self.load_before(index, &mut around.before, used);
        }
        if shared {
            let register = self.hidden_register();
            around.used_after.push(register);
            let place = std::mem::replace(result, Lvalue::Reg(register));
            around.after = Some(Assignment { place, value: register.into(), atomic: false });
        }
    }

    /// Replaces an expression that reads shared memory by a register.
    fn load_before(
        &mut self,
        expr: &mut Expr,
        before: &mut Vec<Assignment>,
        used: &mut Vec<RegId>,
    ) {
        if !expr.variables().into_iter().any(|v| self.is_shared(v)) {
            return;
        }
        let register = self.hidden_register();
        used.push(register);
        let value = std::mem::replace(expr, register.into());
        before.push(Assignment { place: Lvalue::Reg(register), value, atomic: false });
    }

    pub(super) fn is_shared(&self, var: taut_ir::VarId) -> bool {
        self.cx.program.var(var).kind == VarKind::Shared
    }

    /// Assignments that put registers back.
    pub(super) fn resets(&self, registers: &[RegId]) -> Vec<Assignment> {
        let one =
            |&r: &RegId| Assignment { place: Lvalue::Reg(r), value: Expr::Const(0), atomic: false };
        registers.iter().map(one).collect()
    }
}

impl Instruction {
    /// All outcomes: one, or success and failure of a compare-and-swap.
    fn outcomes(self) -> Vec<OneOutcome> {
        let Instruction { op, place, args, result } = self;
        let read = read(&place);
        let assign = |place: Lvalue, value: Expr| Assignment { place, value, atomic: false };
        let results = |value: &Expr| {
            let value = value.clone();
            result.iter().cloned().map(move |to| assign(to, value.clone()))
        };
        let mut args = args.into_iter();
        let mut arg = || args.next().unwrap_or(Expr::Const(0));
        let new = match op {
            RmwOp::Cas | RmwOp::CasOld => {
                let equal = read.clone().equals(arg());
                let (yes, no) = match op {
                    RmwOp::Cas => (Expr::Const(1), Expr::Const(0)),
                    _ => (read.clone(), read),
                };
                let success = results(&yes).chain([assign(place, arg())]).collect();
                let failure = results(&no).collect();
                return vec![
                    OneOutcome { guard: equal.clone(), assignments: success, value: yes },
                    OneOutcome { guard: equal.not(), assignments: failure, value: no },
                ];
            }
            RmwOp::Fetch(op) => Expr::binary(op, read.clone(), arg()),
            RmwOp::Xchg => arg(),
        };
        let assignments = results(&read).chain([assign(place, new)]).collect();
        vec![OneOutcome { guard: Expr::TRUE, assignments, value: read }]
    }
}

/// The value of a place.
pub(super) fn read(place: &Lvalue) -> Expr {
    match place.clone() {
        Lvalue::Var(v) => Expr::Var(v),
        Lvalue::VarElem(v, index) => Expr::VarElem(v, Box::new(index)),
        Lvalue::Reg(r) => Expr::Reg(r),
        Lvalue::RegElem(r, index) => Expr::RegElem(r, Box::new(index)),
    }
}
