//! Expressions in which something happens: read-modify-writes and calls.
//!
//! The model's expressions only read. So an expression that does more is taken apart: what happens in it becomes
//! steps, from left to right, whose results are in hidden registers; what is left over reads only. A value that is
//! read before something happens is kept in a hidden register, too, as it could change: `x + cas(x, 0, 1)` loads
//! `x` first. `&&`, `||` and `?:` become branches, so that what they do not need does not happen.
//!
//! Hidden registers of a procedure belong to the procedure, as its locals do: a call in the middle of an
//! expression may come back to the same procedure. The step that ends the statement puts them back to 0.
//!
//! A reference with several dimensions whose index is in shared memory is treated alike: the index is checked
//! before it is used, and both must see one load.

use taut_ir::{
    Assignment, BinaryOp, Control, Effect, Expr, Lvalue, Mode, PointId, RegId, Register, UnaryOp,
    VarKind,
};
use taut_source::{Diagnostic, Span};

use super::body::Builder;
use super::rmw::Ending;
use super::steps::lvalue;
use super::{Symbol, types};
use crate::ast::{self, Base, Declarator, ExprKind, Name, Reference, Rmw, VarDecl};
use crate::codes;

/// One assignment of a declaration with values.
pub(super) struct Initial<'s> {
    place: Lvalue,
    value: &'s ast::Expr,
    pub span: Span,
}

impl Initial<'_> {
    /// The effect, after what has to happen before it.
    pub(super) fn effect(
        &self,
        builder: &mut Builder<'_, '_>,
        here: &mut PointId,
    ) -> Option<Effect> {
        let value = builder.value(self.value, here);
        Some(Effect::assign(self.place.clone(), value))
    }
}

impl Builder<'_, '_> {
    /// Begins a statement, or the condition of one, at a program point.
    pub(super) fn begin(&mut self, head: PointId) {
        self.head = head;
        self.taken = 0;
    }

    /// Whether an expression has to be taken apart.
    pub(super) fn is_effectful(&self, expr: &ast::Expr) -> bool {
        taut_budget::tick();
        let mut found = false;
        expr.visit(&mut |e| {
            found |= match &e.kind {
                ExprKind::Rmw(_) | ExprKind::Call(..) | ExprKind::New(_) => true,
                ExprKind::Ref(r) => !self.in_one_step && self.is_checked_twice(r),
                _ => false,
            };
        });
        found
    }

    /// Whether a reference has several dimensions and loads an index.
    fn is_checked_twice(&self, reference: &Reference) -> bool {
        !self.frame.is_atomic()
            && reference.indices().count() > 1
            && reference.indices().any(|i| self.loads(i))
    }

    /// Whether an expression loads from shared memory.
    pub(super) fn loads(&self, expr: &ast::Expr) -> bool {
        let mut found = false;
        expr.visit(&mut |e| {
            let ExprKind::Ref(reference) = &e.kind else { return };
            found |= self.cx.follows(&self.frame.scope, reference);
            let base = &reference.base;
            let (Base::Name(name) | Base::Member(name, _) | Base::Variable(name)) = base else {
                return;
            };
            let local = self.frame.scope.name(&name.text).is_some();
            found |= !local
                && match self.cx.symbols.get(name.text.as_str()) {
                    Some((Symbol::Variable(id), _)) => {
                        self.cx.program.var(*id).kind == VarKind::Shared
                    }
                    Some((Symbol::Record, _)) => true,
                    _ => false,
                };
        });
        found
    }

    /// What is left of an expression after all that happens in it.
    pub(super) fn value(&mut self, expr: &ast::Expr, here: &mut PointId) -> Expr {
        taut_budget::tick();
        if !self.is_effectful(expr) {
            return self.expr(expr);
        }
        match &expr.kind {
            ExprKind::Paren(inner) => self.value(inner, here),
            ExprKind::Unary(op, a) => {
                let a = self.value(a, here);
                Expr::unary(*op, a)
            }
            ExprKind::Binary(BinaryOp::And | BinaryOp::Or, _, b) if self.is_effectful(b) => {
                self.truth(expr, here)
            }
            ExprKind::Binary(op, a, b) => {
                let mut both = self.values(&[a, b], here).into_iter();
                match (both.next(), both.next()) {
                    (Some(a), Some(b)) => Expr::binary(*op, a, b),
                    _ => Expr::Const(0),
                }
            }
            ExprKind::Cond(c, a, b) if self.is_effectful(a) || self.is_effectful(b) => {
                self.alternatives([c, a, b], here)
            }
            ExprKind::Cond(c, a, b) => {
                let c = self.value(c, here);
                let (a, b) = (self.expr(a), self.expr(b));
                Expr::Cond(Box::new(c), Box::new(a), Box::new(b))
            }
            ExprKind::Ref(reference) => self.reference(reference, here).unwrap_or(Expr::Const(0)),
            ExprKind::Rmw(rmw) => self.rmw_value(rmw, expr.span, here),
            ExprKind::Call(name, args) => self.call_value(name, args, expr.span, here),
            ExprKind::New(pool) => self.new_value(pool, expr.span, here),
            _ => self.expr(expr),
        }
    }

    /// The values of several expressions, in order.
    pub(super) fn values(&mut self, list: &[&ast::Expr], here: &mut PointId) -> Vec<Expr> {
        let last = list.iter().rposition(|e| self.is_effectful(e));
        let mut all = Vec::new();
        for (index, expr) in list.iter().enumerate() {
            let value = self.value(expr, here);
            let keep = last.is_some_and(|last| index < last);
            all.push(if keep { self.save(value, here) } else { value });
        }
        all
    }

    /// Keeps a value in a hidden register, unless it cannot change.
    pub(super) fn save(&mut self, value: Expr, here: &mut PointId) -> Expr {
        let kept = match &value {
            Expr::Const(_) => true,
            Expr::Reg(r) => self.frame.hidden.contains(r),
            _ => false,
        };
        if kept {
            return value;
        }
        let register = self.hidden_register();
        let next = self.between(self.head, self.def.span);
        let effects = vec![Effect::assign(Lvalue::Reg(register), value)];
        let span = self.here_span;
        self.step(*here, Expr::TRUE, Mode::Plain, effects, Control::Goto(next), span);
        *here = next;
        register.into()
    }

    /// A condition as 1 or 0, by branches.
    fn truth(&mut self, expr: &ast::Expr, here: &mut PointId) -> Expr {
        let span = expr.span;
        let register = self.hidden_register();
        let (yes, no) = (self.between(self.head, span), self.between(self.head, span));
        let after = self.between(self.head, span);
        self.branch(expr, *here, (yes, no), false, span);
        for (at, value) in [(yes, 1), (no, 0)] {
            let effects = vec![Effect::assign(Lvalue::Reg(register), value)];
            self.step(at, Expr::TRUE, Mode::Plain, effects, Control::Goto(after), span);
        }
        *here = after;
        register.into()
    }

    /// `c ? a : b` in whose branches something happens.
    fn alternatives(&mut self, [c, a, b]: [&ast::Expr; 3], here: &mut PointId) -> Expr {
        let span = c.span;
        let register = self.hidden_register();
        let (yes, no) = (self.between(self.head, span), self.between(self.head, span));
        let after = self.between(self.head, span);
        self.branch(c, *here, (yes, no), false, span);
        for (expr, mut at) in [(a, yes), (b, no)] {
            let value = self.value(expr, &mut at);
            let effects = vec![Effect::assign(Lvalue::Reg(register), value)];
            self.step(at, Expr::TRUE, Mode::Plain, effects, Control::Goto(after), expr.span);
        }
        *here = after;
        register.into()
    }

    /// The steps of a condition that a statement ends with.
    pub(super) fn decide(
        &mut self,
        condition: &ast::Expr,
        from: PointId,
        ways: (PointId, PointId),
        span: Span,
    ) {
        self.begin(from);
        self.here_span = span;
        self.told.decision(span, ways);
        self.branch(condition, from, ways, true, span);
    }

    /// Branches on a condition. `last` says that the statement ends with it.
    fn branch(
        &mut self,
        condition: &ast::Expr,
        from: PointId,
        (yes, no): (PointId, PointId),
        last: bool,
        span: Span,
    ) {
        taut_budget::tick();
        if self.is_effectful(condition) {
            match &condition.kind {
                ExprKind::Paren(inner) => return self.branch(inner, from, (yes, no), last, span),
                ExprKind::Unary(UnaryOp::Not, a) => {
                    return self.branch(a, from, (no, yes), last, span);
                }
                ExprKind::Binary(BinaryOp::And, a, b) => {
                    let middle = self.between(self.head, span);
                    self.branch(a, from, (middle, no), last, span);
                    return self.branch(b, middle, (yes, no), last, span);
                }
                ExprKind::Binary(BinaryOp::Or, a, b) => {
                    let middle = self.between(self.head, span);
                    self.branch(a, from, (yes, middle), last, span);
                    return self.branch(b, middle, (yes, no), last, span);
                }
                _ if self.branch_on_rmw(condition, from, (yes, no), last) => return,
                _ => {}
            }
        }
        let mut here = from;
        let value = self.value(condition, &mut here);
        let resets = if last { self.resets_of_statement() } else { None };
        for (guard, to) in [(value.clone(), yes), (value.not(), no)] {
            if guard != Expr::Const(0) {
                let effects = resets.clone().into_iter().collect();
                self.step(here, guard, Mode::Plain, effects, Control::Goto(to), span);
            }
        }
    }

    /// A read-modify-write, perhaps compared with something that is no load, decides in the step that it is.
    fn branch_on_rmw(
        &mut self,
        condition: &ast::Expr,
        from: PointId,
        ways: (PointId, PointId),
        last: bool,
    ) -> bool {
        use BinaryOp::{Eq, Ge, Gt, Le, Lt, Ne};
        let (rmw, span, compared) = match &condition.kind {
            ExprKind::Rmw(rmw) => (rmw, condition.span, None),
            ExprKind::Binary(op @ (Eq | Ne | Lt | Le | Gt | Ge), a, b) => {
                match (&a.kind, &b.kind) {
                    (ExprKind::Rmw(rmw), _) => (rmw, a.span, Some((*op, b, false))),
                    (_, ExprKind::Rmw(rmw)) => (rmw, b.span, Some((*op, a, true))),
                    _ => return false,
                }
            }
            _ => return false,
        };
        if compared.is_some_and(|(_, other, _)| self.is_effectful(other) || self.loads(other)) {
            return false;
        }
        let other = compared.map(|(op, other, left)| (op, self.expr(other), left));
        let test = move |value: Expr| match other.clone() {
            None => value,
            Some((op, other, true)) => Expr::binary(op, other, value),
            Some((op, other, false)) => Expr::binary(op, value, other),
        };
        let mut here = from;
        let Some(instruction) = self.instruction(rmw, None, &mut here) else { return true };
        let ending = Ending::Branch { test: Box::new(test), ways };
        self.perform(instruction, ending, last, span, here);
        true
    }

    fn rmw_value(&mut self, rmw: &Rmw, span: Span, here: &mut PointId) -> Expr {
        let register = self.hidden_register();
        let result = Some(Lvalue::Reg(register));
        let Some(instruction) = self.instruction(rmw, result, here) else {
            return Expr::Const(0);
        };
        let next = self.between(self.head, span);
        self.perform(instruction, Ending::To(next), false, span, *here);
        *here = next;
        register.into()
    }

    /// The value of a call: the procedure leaves it in a register of the process, from which it is taken at once.
    fn call_value(
        &mut self,
        name: &Name,
        args: &[ast::Expr],
        span: Span,
        here: &mut PointId,
    ) -> Expr {
        let args = self.values(&args.iter().collect::<Vec<_>>(), here);
        let Some(index) = self.called(name, args.len(), span) else { return Expr::Const(0) };
        let Some(from) = self.result_register(index) else {
            let declared = self.cx.procedures[index].item.name.span;
            let message = format!("`{}` gives no value", name.text);
            let found =
                Diagnostic::error(codes::NO_VALUE, message, span).label("a value is needed");
            let found = found.related(declared, "declared here");
            self.cx.report(found.help("end it with `return e;`, or write the call as a statement"));
            return Expr::Const(0);
        };
        let procedure = self.procedure_copy(index, self.frame.is_atomic());
        let back = self.between(self.head, span);
        let target = Control::Call { procedure, args, return_to: back };
        self.step(*here, Expr::TRUE, Mode::Plain, vec![], target, span);
        let register = self.hidden_register();
        let next = self.between(self.head, span);
        let assign = |place: RegId, value: Expr| Assignment {
            place: Lvalue::Reg(place),
            value,
            atomic: false,
        };
        let initial = Expr::Const(self.def.registers[from.index()].init[0]);
        let both = vec![assign(register, from.into()), assign(from, initial)];
        self.step(
            back,
            Expr::TRUE,
            Mode::Plain,
            vec![Effect::Assign(both)],
            Control::Goto(next),
            span,
        );
        *here = next;
        register.into()
    }

    /// The register for the value of a procedure, if it has one.
    pub(super) fn result_register(&mut self, index: usize) -> Option<RegId> {
        let info = &self.cx.procedures[index];
        let ty = info.value?;
        if let Some(&known) = self.results.get(&index) {
            return Some(known);
        }
        let (name, span) = (format!("{}()", info.item.name.text), info.item.name.span);
        let init = vec![super::declare::default(ty)];
        let added = self.add_registers(vec![Register { name, ty, len: None, init, span }]);
        let id = added.first().copied()?;
        self.hidden.push(id);
        self.results.insert(index, id);
        Some(id)
    }

    /// `return e`
    pub(super) fn return_value(&mut self, value: &ast::Expr, span: Span, from: PointId) {
        let mut here = from;
        let value = self.value(value, &mut here);
        let place = self.frame.index.and_then(|index| self.result_register(index));
        let Some(place) = place else {
            let message = "this `return` has a value that nothing takes";
            let found = Diagnostic::error(codes::NO_VALUE, message, span);
            let found = found.label("a process, or a `void` procedure");
            return self.cx.report(found.help("only procedures give values; write `return;`"));
        };
        let mut effects = vec![Effect::assign(Lvalue::Reg(place), value)];
        effects.extend(self.resets_of_statement());
        self.step(here, Expr::TRUE, Mode::Plain, effects, Control::Return, span);
    }

    /// A reference whose indices may do something.
    fn reference(&mut self, reference: &Reference, here: &mut PointId) -> Option<Expr> {
        let indices = self.index_values(reference, false, here);
        let (meaning, index) = self.cx.resolve_with(&self.frame.scope, reference, indices)?;
        self.cx.element(meaning, index)
    }

    /// A place whose indices may do something; `keep` keeps their values.
    pub(super) fn place_kept(
        &mut self,
        reference: &Reference,
        keep: bool,
        here: &mut PointId,
    ) -> Option<Lvalue> {
        let twice = !self.in_one_step && self.is_checked_twice(reference);
        if !keep && !twice && !reference.indices().any(|i| self.is_effectful(i)) {
            return self.cx.place(&self.frame.scope, reference);
        }
        self.cx.check_assignable(reference)?;
        let follows = self.cx.follows(&self.frame.scope, reference);
        let indices = self.index_values(reference, keep, here);
        let (meaning, index) = self.cx.resolve_with(&self.frame.scope, reference, indices)?;
        let index = match keep && follows && !self.in_one_step {
            true => self.keep_reference(index, here),
            false => index,
        };
        lvalue(meaning, index)
    }

    fn index_values(&mut self, reference: &Reference, keep: bool, here: &mut PointId) -> Vec<Expr> {
        let twice = !self.in_one_step && self.is_checked_twice(reference);
        let list: Vec<_> = reference.indices().collect();
        let values = self.values(&list, here);
        let mut all = Vec::new();
        for value in values {
            let loads = value.variables().into_iter().any(|v| self.is_shared(v));
            let keep = !self.in_one_step && (keep || twice && loads);
            all.push(if keep { self.save(value, here) } else { value });
        }
        all
    }

    /// The assignments of a declaration with values, in order.
    pub(super) fn initial_assignments<'s>(&mut self, declared: &'s VarDecl) -> Vec<Initial<'s>> {
        let Some(ty) = self.cx.type_of(declared.ty.as_ref()) else { return Vec::new() };
        let with_values = declared.list.iter().filter(|one| one.init.is_some());
        with_values.flat_map(|one| self.initial_of(one, &ty)).collect()
    }

    fn initial_of<'s>(&mut self, one: &'s Declarator, ty: &types::Meaning) -> Vec<Initial<'s>> {
        let Some(dims) = self.cx.dimensions(one) else { return Vec::new() };
        let spread = types::Spread::new(ty, &dims, one.init.as_ref());
        self.cx.check_spread(one, &dims, &spread);
        let mut all = Vec::new();
        for (leaf, cells) in ty.spread(&dims).iter().zip(spread.cells) {
            let name = format!("{}{}", one.name.text, leaf.suffix);
            let Some(Some(named)) = self.frame.scope.name(&name) else { continue };
            for (index, value) in cells.into_iter().enumerate() {
                let Some(value) = value else { continue };
                let place = match named.len {
                    None => Lvalue::Reg(named.id),
                    Some(_) => Lvalue::RegElem(named.id, Expr::Const(index as i64)),
                };
                all.push(Initial { place, value, span: one.name.span.to(value.span) });
            }
        }
        all
    }

    /// The next hidden register of a statement; statements of one body use the same ones.
    pub(super) fn hidden_register(&mut self) -> RegId {
        self.taken += 1;
        if let Some(&register) = self.frame.hidden.get(self.taken - 1) {
            return register;
        }
        let name = format!("operand{}", "'".repeat(self.taken));
        let span = self.def.span;
        let ty = taut_ir::Type::INT64;
        let added = self.add_registers(vec![Register { name, ty, len: None, init: vec![0], span }]);
        let id = added.first().copied().unwrap_or(RegId(0));
        self.frame.hidden.push(id);
        self.hidden.push(id);
        if let Some(procedure) = self.frame.procedure
            && !added.is_empty()
        {
            self.def.procedures[procedure.index()].registers.push(id);
        }
        id
    }

    /// Puts the hidden registers of the statement back.
    pub(super) fn resets_of_statement(&mut self) -> Option<Effect> {
        let used: Vec<RegId> =
            self.frame.hidden[..self.taken.min(self.frame.hidden.len())].to_vec();
        let all = self.resets(&used);
        (!all.is_empty()).then_some(Effect::Assign(all))
    }
}
