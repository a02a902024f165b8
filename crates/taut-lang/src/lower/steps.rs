//! Statements that are steps: assignments, read-modify-writes, fences, assertions, calls, spawns.

use taut_ir::{Assignment, BinaryOp, Control, DefId, Effect, Expr, Lvalue, Mode, PointId};
use taut_source::{Diagnostic, Span};

use super::body::Builder;
use super::expr::Meaning;
use super::scope::Scope;
use super::{Lowering, Symbol};
use crate::ast::{self, Assign, AssignSign, Base, Name, Reference, Stmt, StmtKind, VarDecl};
use crate::codes;
use crate::mistakes::{self, Where};

/// The most values a choice can be between.
const MOST_CHOICES: i128 = 256;

impl Builder<'_, '_> {
    /// A statement of one step, or of one a value or outcome.
    pub(super) fn simple(&mut self, stmt: &Stmt, from: PointId, to: PointId) {
        let next = Control::Goto(to);
        let mut guard = Expr::TRUE;
        let mut here = from;
        self.begin(from);
        self.here_span = stmt.span;
        let mode = match &stmt.kind {
            StmtKind::Assume(condition, _) if self.is_effectful(condition) => {
                // A loop: what the condition does is done in every round.
                return self.decide(condition, from, (to, from), stmt.span);
            }
            StmtKind::Assume(condition, _) => {
                guard = self.expr(condition);
                Mode::Plain
            }
            StmtKind::Fence => Mode::Fence,
            StmtKind::Sync => {
                self.check_sync(stmt.span);
                Mode::Sync
            }
            StmtKind::Rmw(rmw) => return self.rmw(rmw, stmt.span, from, to),
            StmtKind::Assign(assign) if self.takes(assign, stmt.span, from, to) => return,
            StmtKind::Free(_) => Mode::Locked,
            StmtKind::ChooseValue(place, bounds) => {
                return self.choose_value(place, bounds, stmt.span, from, to);
            }
            StmtKind::Call(name, args, _) => return self.call(name, args, stmt.span, from, to),
            StmtKind::Return(Some(value)) => return self.return_value(value, stmt.span, from),
            StmtKind::Local(declared) if declared.assigns() => {
                return self.assign_initial_values(declared, from, to);
            }
            _ => Mode::Plain,
        };
        let mut effects = self.effects(stmt, &mut here).unwrap_or_default();
        effects.extend(self.resets_of_statement());
        self.step(here, guard, mode, effects, next, stmt.span);
    }

    fn check_sync(&mut self, span: Span) {
        if self.frame.is_atomic() {
            let message = "`sync` cannot stand in an atomic section";
            let found = Diagnostic::error(codes::SYNC_IN_ATOMIC, message, span);
            let found = found.label("nothing commits here, so it could wait for ever");
            self.cx.report(found.help("put it before the section"));
        }
    }

    /// The effects of a statement that is nothing but effects.
    pub(super) fn effects(&mut self, stmt: &Stmt, here: &mut PointId) -> Option<Vec<Effect>> {
        match &stmt.kind {
            StmtKind::Assign(assign) => self.assign(assign, stmt.span, here),
            StmtKind::Rmw(rmw) => self.rmw_effects(rmw, here),
            StmtKind::Free(freed) => self.free(freed, here),
            StmtKind::Local(declared) => {
                let all = self.initial_assignments(declared);
                Some(all.into_iter().filter_map(|one| one.effect(self, here)).collect())
            }
            StmtKind::Assert(condition, _) => {
                let condition = self.value(condition, here);
                let property = *self.cx.assertions.get(&stmt.span.start)?;
                Some(vec![Effect::Assert { condition, property }])
            }
            StmtKind::Sfence => Some(vec![Effect::StoreFence]),
            StmtKind::Spawn(name, args) => {
                let (def, args) = self.spawn(name, args, stmt.span, here)?;
                Some(vec![Effect::Spawn { def, args, pid: None }])
            }
            _ => Some(Vec::new()),
        }
    }

    /// `r := new node` with a local `r`, which is one step; false for other assignments.
    fn takes(&mut self, assign: &Assign, span: Span, from: PointId, to: PointId) -> bool {
        let ([place], [ast::Expr { kind: ast::ExprKind::New(pool), .. }]) =
            (&*assign.places, &*assign.values)
        else {
            return false;
        };
        let is_plain = assign.sign == AssignSign::Set && place.indices().next().is_none();
        let Base::Name(name) = &place.base else { return false };
        match self.frame.scope.name(&name.text) {
            Some(Some(named)) if is_plain && named.len.is_none() && place.more.is_empty() => {
                self.take(pool, Lvalue::Reg(named.id), span, from, to);
                true
            }
            _ => false,
        }
    }

    fn assign(&mut self, assign: &Assign, span: Span, here: &mut PointId) -> Option<Vec<Effect>> {
        if let AssignSign::With(op) | AssignSign::Step(op) = assign.sign {
            return self.update(assign, op, here);
        }
        // Indices of places come before values, and stay what they were if something happens after them.
        let indices = assign.places.iter().skip(1).flat_map(Reference::indices);
        let keep = indices.chain(&assign.values).any(|e| self.is_effectful(e));
        let places = assign.places.iter();
        let lowered: Vec<_> = places.map(|place| self.place_kept(place, keep, here)).collect();
        let values: Vec<_> = assign.values.iter().collect();
        let values = self.values(&values, here);
        let (cx, places) = (&mut *self.cx, &assign.places);
        cx.even(places.len(), values.len(), span)?;
        let lowered: Vec<_> = lowered.into_iter().collect::<Option<_>>()?;
        cx.check_distinct(places, &lowered);
        if assign.atomic && lowered.iter().all(|p| p.variable().is_none()) {
            cx.atomic_local(places[0].span);
        }
        let one = |(place, value): (Lvalue, Expr)| {
            let atomic = assign.atomic && place.variable().is_some();
            Assignment { place, value, atomic }
        };
        Some(vec![Effect::Assign(lowered.into_iter().zip(values).map(one).collect())])
    }

    /// `x += e`: the index of the place is computed once, then the old value is loaded, then comes `e`.
    fn update(&mut self, assign: &Assign, op: BinaryOp, here: &mut PointId) -> Option<Vec<Effect>> {
        let ([place], [value]) = (&*assign.places, &*assign.values) else { return None };
        let keep = place.indices().any(|i| self.is_effectful(i) || self.loads(i))
            || self.cx.follows(&self.frame.scope, place);
        let place = self.place_kept(place, keep, here)?;
        let mut old = super::rmw::read(&place);
        if self.is_effectful(value) {
            old = self.save(old, here);
        }
        let value = self.value(value, here);
        Some(vec![Effect::assign(place, Expr::binary(op, old, value))])
    }

    /// The assignments of a declaration with values, one after the other.
    fn assign_initial_values(&mut self, declared: &VarDecl, from: PointId, to: PointId) {
        let all = self.initial_assignments(declared);
        let mut at = from;
        for (index, one) in all.iter().enumerate() {
            self.begin(at);
            let next = if index + 1 == all.len() { to } else { self.between(from, one.span) };
            let mut here = at;
            let mut effects: Vec<_> = one.effect(self, &mut here).into_iter().collect();
            effects.extend(self.resets_of_statement());
            self.step(here, Expr::TRUE, Mode::Plain, effects, Control::Goto(next), one.span);
            at = next;
        }
        if all.is_empty() {
            self.step(
                from,
                Expr::TRUE,
                Mode::Plain,
                vec![],
                Control::Goto(to),
                declared.list[0].name.span,
            );
        }
    }

    /// `r := choose(lo..hi)`: one step a value.
    fn choose_value(
        &mut self,
        place: &Reference,
        (lo, hi): &(ast::Expr, ast::Expr),
        span: Span,
        from: PointId,
        to: PointId,
    ) {
        let mut here = from;
        let place = self.place_kept(place, false, &mut here);
        let (Some(low), Some(high)) = (self.cx.constant(lo), self.cx.constant(hi)) else { return };
        if low > high {
            return self.cx.empty_range(low, high, lo.span.to(hi.span));
        }
        let count = i128::from(high) - i128::from(low) + 1;
        if count > MOST_CHOICES {
            let message = format!("a choice between {count} values");
            let found = Diagnostic::error(codes::TOO_MANY_CHOICES, message, lo.span.to(hi.span));
            return self.cx.report(found.label(format!("at most {MOST_CHOICES} are possible")));
        }
        let Some(place) = place else { return };
        for value in low..=high {
            let mut effects = vec![Effect::assign(place.clone(), value)];
            effects.extend(self.resets_of_statement());
            self.step(here, Expr::TRUE, Mode::Plain, effects, Control::Goto(to), span);
        }
    }

    fn call(&mut self, name: &Name, args: &[ast::Expr], span: Span, from: PointId, to: PointId) {
        let mut here = from;
        let args: Vec<_> = self.values(&args.iter().collect::<Vec<_>>(), &mut here);
        let Some(index) = self.called(name, args.len(), span) else { return };
        let procedure = self.procedure_copy(index, self.frame.is_atomic());
        let target = Control::Call { procedure, args, return_to: to };
        self.step(here, Expr::TRUE, Mode::Plain, vec![], target, span);
    }

    /// The procedure that a call names, with the right number of arguments.
    pub(super) fn called(&mut self, name: &Name, args: usize, span: Span) -> Option<usize> {
        let Some(&index) = self.cx.procedure_names.get(name.text.as_str()) else {
            if self.cx.definition_names.contains_key(name.text.as_str()) {
                let message = format!("`{}` is a process, not a procedure", name.text);
                let found = Diagnostic::error(codes::UNKNOWN_PROCEDURE, message, name.span);
                let found = found.label("expected a procedure");
                self.cx.report(found.help(format!("start it with `spawn {}`", name.text)));
                return None;
            }
            let text = self.cx.map.file(name.span.file).text();
            if let Some(found) = mistakes::about(Where::Call, &name.text, name.span, text) {
                self.cx.report(found);
                return None;
            }
            let names: Vec<_> = self.cx.procedure_names.keys().copied().collect();
            self.cx.unknown(codes::UNKNOWN_PROCEDURE, "procedure", name, names);
            return None;
        };
        let item = self.cx.procedures[index].item;
        let what = format!("procedure `{}`", name.text);
        self.cx.count_arguments(&what, args, item.params.len(), span, item.name.span);
        Some(index)
    }

    fn spawn(
        &mut self,
        name: &Name,
        args: &[ast::Expr],
        span: Span,
        here: &mut PointId,
    ) -> Option<(DefId, Vec<Expr>)> {
        let args: Vec<_> = self.values(&args.iter().collect::<Vec<_>>(), here);
        let def = self.cx.definition_named(name)?;
        let definition = &self.cx.definitions[def.index()];
        let (params, place) = (definition.params.len(), definition.name.span);
        if definition.is_main() {
            let message = format!("`{}` is `main` and cannot be spawned", name.text);
            let found = Diagnostic::error(codes::SPAWNED_MAIN, message, name.span);
            self.cx.report(found.label("expected a process").related(place, "declared here"));
            return None;
        }
        let what = format!("process `{}`", name.text);
        self.cx.count_arguments(&what, args.len(), params, span, place);
        Some((def, args))
    }
}

impl Lowering<'_> {
    /// The definition with a name.
    pub(super) fn definition_named(&mut self, name: &Name) -> Option<DefId> {
        let found = self.definition_names.get(name.text.as_str()).copied();
        if found.is_none() {
            let names: Vec<_> = self.definition_names.keys().copied().collect();
            self.unknown(codes::UNKNOWN_PROCESS, "process", name, names);
        }
        found
    }

    /// Reports a wrong number of arguments.
    pub(super) fn count_arguments(
        &mut self,
        what: &str,
        found: usize,
        wanted: usize,
        span: Span,
        declared: Span,
    ) {
        if found != wanted {
            let plural = if wanted == 1 { "" } else { "s" };
            let message = format!("{what} takes {wanted} argument{plural}, not {found}");
            let label = format!("expected {wanted}, found {found}");
            let found = Diagnostic::error(codes::ARGUMENTS, message, span).label(label);
            self.report(found.related(declared, "declared here"));
        }
    }

    /// Reports a parallel assignment whose sides differ.
    pub(super) fn even(&mut self, places: usize, values: usize, span: Span) -> Option<()> {
        if places == values {
            return Some(());
        }
        let message = format!("{places} on the left of `:=` but {values} on the right");
        let found = Diagnostic::error(codes::UNEVEN, message, span);
        self.report(found.label("both sides need the same number"));
        None
    }

    fn atomic_local(&mut self, span: Span) {
        let message = "an atomic write to a thread's own variable";
        let found = Diagnostic::error(codes::ATOMIC_LOCAL, message, span);
        self.report(found.label("expected a shared variable").help("leave out `atomic`"));
    }

    fn check_distinct(&mut self, references: &[Reference], places: &[Lvalue]) {
        for (i, place) in places.iter().enumerate() {
            let constant = place.index().is_none_or(|e| matches!(e, Expr::Const(_)));
            let earlier = places[..i].iter().position(|p| constant && p == place);
            if let Some(first) = earlier {
                self.assigned_twice(references[i].span, references[first].span);
            }
        }
    }

    pub(super) fn assigned_twice(&mut self, span: Span, first: Span) {
        let message = "one variable gets two values at the same time";
        self.report(
            Diagnostic::error(codes::ASSIGNED_TWICE, message, span)
                .label("assigned again")
                .related(first, "first here"),
        );
    }

    /// Something that can be assigned.
    pub(super) fn place(&mut self, scope: &Scope, reference: &Reference) -> Option<Lvalue> {
        self.check_assignable(reference)?;
        let (meaning, index) = self.resolve(scope, reference)?;
        lvalue(meaning, index)
    }

    /// Reports an assignment to a constant.
    pub(super) fn check_assignable(&mut self, reference: &Reference) -> Option<()> {
        let Base::Name(name) = &reference.base else { return Some(()) };
        match self.symbols.get(name.text.as_str()) {
            Some(&(Symbol::Constant(_) | Symbol::Table(_), declared)) => {
                let message = format!("`{}` is a constant and cannot be assigned", name.text);
                let found = Diagnostic::error(codes::NOT_ASSIGNABLE, message, name.span);
                let found = found.label("expected a variable");
                self.report(found.related(declared, "declared here"));
                None
            }
            _ => Some(()),
        }
    }
}

/// Something that can be assigned, from its meaning and its index.
pub(super) fn lvalue(meaning: Meaning, index: Option<Expr>) -> Option<Lvalue> {
    Some(match (meaning, index) {
        (Meaning::Constant(_) | Meaning::Table(_), _) => return None,
        (Meaning::Variable(id, _), None) => Lvalue::Var(id),
        (Meaning::Variable(id, _), Some(index)) => Lvalue::VarElem(id, index),
        (Meaning::Register(named), None) => Lvalue::Reg(named.id),
        (Meaning::Register(named), Some(index)) => Lvalue::RegElem(named.id, index),
    })
}
