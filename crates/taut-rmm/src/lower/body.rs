//! The text of a process as a graph of steps.
//!
//! A label is the program point before its statement, and every other statement has a point of its own. A `goto` without a label
//! is no step: what comes before it leads to its label. The alternatives of `either` leave one point, so an alternative
//! whose first statement waits is chosen when that can go on; one that begins with a label, a loop or a jump begins
//! with a step that does nothing.

use std::collections::HashMap;

use taut_ir::{
    BinaryOp, Effect, Expr, Mode, PointId, ProcessDef, ProgramPoint, RegId, Span, Step, UnaryOp,
};
use taut_source::{Diagnostic, SourceFile, nearest, shown};

use super::Found;
use super::act::{Act, fits, place_fits};
use super::names::{self, Names, Place};
use crate::ast::{self, ExprKind, Fence, Loc, LocKind, Name, Stmt, StmtKind, Store};
use crate::codes;

/// The most ways through a `locked` block.
const MOST_ACTS: usize = 1_000;

pub(super) struct Body<'a, 'f> {
    source: &'a SourceFile,
    names: &'a Names<'f>,
    number: usize,
    group: usize,
    def: ProcessDef,
    labels: HashMap<&'f str, PointId>,
    found: &'a mut Found,
}

impl<'a, 'f> Body<'a, 'f> {
    pub(super) fn new(
        source: &'a SourceFile,
        names: &'a Names<'f>,
        number: usize,
        group: usize,
        found: &'a mut Found,
    ) -> Body<'a, 'f> {
        let registers = names.registers[group].iter().map(|r| taut_ir::Register {
            name: r.name.clone(),
            ty: names::inside(r.low, r.high),
            len: None,
            init: vec![r.init.unwrap_or(r.low)],
            span: r.span,
        });
        let def = ProcessDef {
            name: format!("P{number}"),
            registers: registers.collect(),
            params: 0,
            points: Vec::new(),
            entry: PointId(0),
            steps: Vec::new(),
            procedures: Vec::new(),
            channel_registers: Vec::new(),
            span: names.file.processes[group].span,
        };
        Body { source, names, number, group, def, labels: HashMap::new(), found }
    }

    /// Lowers the whole text; tells where it begins.
    pub(super) fn whole(&mut self) -> PointId {
        let body = &self.names.file.processes[self.group].body;
        body.iter().for_each(|stmt| self.find_labels(stmt));
        let Some(first) = body.first() else { return self.point() };
        let entry = self.entry_of(first);
        let end = self.point();
        self.def.points[end.index()].end = true;
        self.sequence(body, entry, end);
        entry
    }

    pub(super) fn finish(self) -> ProcessDef {
        self.def
    }

    fn point(&mut self) -> PointId {
        self.def.points.push(ProgramPoint::default());
        PointId::from(self.def.points.len() - 1)
    }

    fn find_labels(&mut self, stmt: &'f Stmt) {
        let mut all: Vec<&'f Name> = Vec::new();
        stmt.visit(&mut |s| all.extend(&s.label));
        for label in all {
            if self.labels.contains_key(label.text.as_str()) {
                let message = format!("the label {} is there twice", shown(&label.text));
                let found = Diagnostic::error(codes::DECLARED_TWICE, message, label.span);
                self.found.errors.push(found.label("again").help("rename one of them"));
                continue;
            }
            let point = self.point();
            self.def.points[point.index()].labels.push(label.text.clone());
            self.labels.insert(&label.text, point);
        }
    }

    /// The point of a label that a `goto` names.
    fn target(&mut self, label: &Name) -> PointId {
        if let Some(&point) = self.labels.get(label.text.as_str()) {
            return point;
        }
        let message = format!("unknown label {}", shown(&label.text));
        let found = Diagnostic::error(codes::UNKNOWN_LABEL, message, label.span).label("unknown");
        self.found.errors.push(match nearest(&label.text, self.labels.keys().copied()) {
            Some(near) => found.help(format!("did you mean `{near}`?")),
            None => found.help("labels belong to one process: `LABEL: statement`"),
        });
        self.point()
    }

    /// The point before a statement, which is new unless the statement has a label or is a jump.
    fn entry_of(&mut self, stmt: &'f Stmt) -> PointId {
        if let Some(label) = &stmt.label {
            let known = self.labels.get(label.text.as_str()).copied();
            return known.unwrap_or_else(|| self.point());
        }
        match &stmt.kind {
            StmtKind::Goto(label) => self.target(label),
            StmtKind::Block(list) => match list.first() {
                Some(first) => self.entry_of(first),
                None => self.point(),
            },
            _ => self.point(),
        }
    }

    /// Statements from a point that belongs to the first of them to another point.
    fn sequence(&mut self, list: &'f [Stmt], source: PointId, target: PointId) {
        let mut here = source;
        for (index, stmt) in list.iter().enumerate() {
            let after = match list.get(index + 1) {
                Some(next) => self.entry_of(next),
                None => target,
            };
            self.labelled(stmt, here, after);
            here = after;
        }
    }

    /// A statement from a point that belongs to it: that of its label, if it has one.
    fn labelled(&mut self, stmt: &'f Stmt, source: PointId, target: PointId) {
        taut_budget::tick();
        let source = match stmt.label.as_ref().and_then(|l| self.labels.get(l.text.as_str())) {
            Some(&own) => {
                if own != source {
                    self.skip(source, own, stmt.span);
                }
                own
            }
            None => source,
        };
        self.statement(stmt, source, target);
    }

    fn statement(&mut self, stmt: &'f Stmt, source: PointId, target: PointId) {
        match &stmt.kind {
            StmtKind::If(condition, then, otherwise) => {
                let condition = self.condition(condition);
                let first = self.entry_of(then);
                self.test(stmt, condition.clone(), source, first);
                self.labelled(then, first, target);
                let second = match otherwise {
                    Some(otherwise) => self.entry_of(otherwise),
                    None => target,
                };
                self.test(stmt, condition.not(), source, second);
                if let Some(otherwise) = otherwise {
                    self.labelled(otherwise, second, target);
                }
            }
            StmtKind::While(condition, body) => {
                let condition = self.condition(condition);
                let first = self.entry_of(body);
                self.test(stmt, condition.clone(), source, first);
                self.labelled(body, first, source);
                self.test(stmt, condition.not(), source, target);
            }
            StmtKind::Goto(label) => {
                let to = self.target(label);
                // Without a label of its own, the point before a jump is that of its target.
                if stmt.label.is_some() || to != source {
                    self.skip(source, to, stmt.span);
                }
            }
            StmtKind::Either(all) => {
                all.iter().for_each(|list| self.alternative(list, source, target));
            }
            StmtKind::Block(list) => self.sequence(list, source, target),
            StmtKind::Fence(fence) => self.fence(*fence, stmt.span, source, target),
            _ => self.acts(stmt, source, target),
        }
    }

    /// Statements from a point that others leave, too.
    fn alternative(&mut self, list: &'f [Stmt], source: PointId, target: PointId) {
        let Some(first) = list.first() else { return };
        if self.needs_own_point(first) {
            let entry = self.entry_of(first);
            self.skip(source, entry, first.span);
            return self.sequence(list, entry, target);
        }
        self.sequence(list, source, target);
    }

    fn needs_own_point(&self, stmt: &Stmt) -> bool {
        stmt.label.is_some()
            || match &stmt.kind {
                StmtKind::While(..) | StmtKind::Goto(_) => true,
                StmtKind::Block(list) => list.first().is_some_and(|s| self.needs_own_point(s)),
                _ => false,
            }
    }

    /// A statement that is one step per way through it.
    fn acts(&mut self, stmt: &'f Stmt, source: PointId, target: PointId) {
        let mode = match &stmt.kind {
            StmtKind::Cas(..) | StmtKind::Locked(_) => Mode::Locked,
            StmtKind::Store(Store { is_locked: true, .. }) => Mode::Locked,
            _ => Mode::Plain,
        };
        let text = self.said(stmt.span);
        for act in self.through(stmt, vec![Act::new()]) {
            if act.is_too_large {
                self.too_many(stmt.span);
                return;
            }
            let (guard, effects) = (act.guard.clone(), act.effects());
            self.step(Step {
                guard,
                mode,
                effects,
                text: Some(text.clone()),
                ..Step::skip(source, target, stmt.span)
            });
        }
    }

    fn too_many(&mut self, span: Span) {
        let message = "there are too many ways through this block, or they compute too much";
        let found =
            Diagnostic::error(codes::MANY_PATHS, message, span).label("one step is too much");
        self.found.errors.push(found.help("use fewer alternatives, or smaller expressions"));
    }

    /// All ways through a statement, after some ways through what comes before it.
    fn through(&mut self, stmt: &Stmt, before: Vec<Act>) -> Vec<Act> {
        taut_budget::tick();
        match &stmt.kind {
            StmtKind::Nop | StmtKind::Fence(_) => before,
            StmtKind::Assume(condition) => self.each(before, |body, mut act| {
                let condition = body.value(condition, &act).0;
                act.require(condition);
                vec![act]
            }),
            StmtKind::Set(register, value) => {
                let Some(id) = self.register(&register.text, register.span) else { return before };
                self.each(before, |body, mut act| {
                    let (value, known) = body.value(value, &act);
                    body.set(&mut act, id, value, known, stmt.span);
                    vec![act]
                })
            }
            StmtKind::Load(register, loc) => {
                let Some(id) = self.register(&register.text, register.span) else { return before };
                self.each(before, |body, act| {
                    let load = |body: &mut Self, mut act: Act, place: Place| {
                        let (low, high) = body.domain(id);
                        let (value, fit) =
                            (act.value(place.cell), place_fits(&act, place, low, high));
                        act.require(fit);
                        act.set(id, value);
                        act
                    };
                    body.at(loc, act, load)
                })
            }
            StmtKind::Await(loc, value) => self.each(before, |body, act| {
                body.at(loc, act, |body, mut act, place| {
                    let expected = body.value(value, &act).0;
                    act.require(act.value(place.cell).equals(expected));
                    act
                })
            }),
            StmtKind::Store(Store { place, value, .. }) => self.each(before, |body, act| {
                body.at(place, act, |body, act, place| body.store(act, place, value, stmt.span))
            }),
            StmtKind::Cas(loc, expected, new) => self.each(before, |body, act| {
                body.at(loc, act, |body, mut act, place| {
                    let expected = body.value(expected, &act).0;
                    act.require(act.value(place.cell).equals(expected));
                    body.store(act, place, new, stmt.span)
                })
            }),
            StmtKind::If(condition, then, otherwise) => {
                let (mut yes, mut no) = (before.clone(), before);
                for (acts, wanted) in [(&mut yes, true), (&mut no, false)] {
                    for act in acts {
                        let condition = self.value(condition, act).0;
                        act.require(if wanted { condition } else { condition.not() });
                    }
                }
                let mut all = self.inside(then, yes);
                all.extend(match otherwise {
                    Some(otherwise) => self.inside(otherwise, no),
                    None => no,
                });
                self.bounded(all, stmt.span)
            }
            StmtKind::Either(all) | StmtKind::Locked(all) => {
                let mut acts = Vec::new();
                for list in all {
                    acts.extend(self.list_inside(list, before.clone()));
                }
                self.bounded(acts, stmt.span)
            }
            StmtKind::Block(list) => self.list_inside(list, before),
            StmtKind::While(..) | StmtKind::Goto(_) => {
                self.not_in_locked(stmt.span, "a loop or a jump");
                Vec::new()
            }
        }
    }

    fn list_inside(&mut self, list: &[Stmt], before: Vec<Act>) -> Vec<Act> {
        list.iter().fold(before, |acts, stmt| self.inside(stmt, acts))
    }

    /// A statement of a `locked` block.
    fn inside(&mut self, stmt: &Stmt, before: Vec<Act>) -> Vec<Act> {
        if let Some(label) = &stmt.label {
            self.not_in_locked(label.span, "a label");
        }
        self.through(stmt, before)
    }

    fn not_in_locked(&mut self, span: Span, what: &str) {
        let message = format!("{what} in a `locked` block, which is one step");
        let found = Diagnostic::error(codes::IN_LOCKED, message, span).label("not in here");
        self.found.errors.push(found.help("use `either { … or … }` and `if` only"));
    }

    fn bounded(&mut self, mut acts: Vec<Act>, span: Span) -> Vec<Act> {
        if acts.len() > MOST_ACTS || acts.iter().any(|act| act.is_too_large) {
            self.too_many(span);
            acts.clear();
        }
        acts
    }

    fn each(
        &mut self,
        before: Vec<Act>,
        mut f: impl FnMut(&mut Self, Act) -> Vec<Act>,
    ) -> Vec<Act> {
        before.into_iter().flat_map(|act| f(self, act)).collect()
    }

    /// Something done at a place: at each place that a pointer may point to.
    fn at(
        &mut self,
        loc: &Loc,
        act: Act,
        mut f: impl FnMut(&mut Self, Act, Place) -> Act,
    ) -> Vec<Act> {
        let LocKind::Pointer(pointer) = &loc.kind else {
            return match self.names.place(self.number, loc) {
                Ok(place) => vec![f(self, act, place)],
                Err(found) => {
                    self.found.errors.push(*found);
                    Vec::new()
                }
            };
        };
        let (value, (low, high)) = self.value(pointer, &act);
        let globals = self.names.globals.iter().copied().enumerate();
        let possible: Vec<_> =
            globals.filter(|(i, _)| (low..=high).contains(&(*i as i64))).collect();
        if possible.is_empty() {
            let message = "this pointer can point to no variable";
            let found = Diagnostic::error(codes::NO_TARGET, message, loc.span);
            self.found.errors.push(found.label("points to nothing").help(
                "`[0]` is the first variable of the whole program, `[1]` the second, and so on",
            ));
        }
        let at_each = |(index, place): (usize, Place)| {
            let mut act = act.clone();
            act.require(value.clone().equals(Expr::Const(index as i64)));
            f(self, act, place)
        };
        possible.into_iter().map(at_each).collect()
    }

    fn store(&mut self, mut act: Act, place: Place, value: &ast::Expr, span: Span) -> Act {
        let (value, known) = self.value(value, &act);
        self.warn(known, place.low, place.high, span);
        act.require(fits(&value, known, place.low, place.high));
        act.store(place.cell, value);
        act
    }

    fn set(&mut self, act: &mut Act, id: RegId, value: Expr, known: (i64, i64), span: Span) {
        let (low, high) = self.domain(id);
        self.warn(known, low, high, span);
        act.require(fits(&value, known, low, high));
        act.set(id, value);
    }

    /// A value that cannot be in the domain is hardly meant.
    fn warn(&mut self, known: (i64, i64), low: i64, high: i64, span: Span) {
        if known.0 > high || known.1 < low {
            let message = format!("the value never is from {low} to {high}: this blocks for ever");
            let found = Diagnostic::warning(codes::NEVER_FITS, message, span);
            self.found.warnings.push(found.label("outside of the domain"));
        }
    }

    fn domain(&self, id: RegId) -> (i64, i64) {
        let register = &self.names.registers[self.group][id.index()];
        (register.low, register.high)
    }

    fn register(&mut self, name: &str, span: Span) -> Option<RegId> {
        let registers = &self.names.registers[self.group];
        if let Some(index) = registers.iter().position(|r| r.name == name) {
            return Some(RegId::from(index));
        }
        let message = format!("unknown register {}", shown(&format!("${name}")));
        let found = Diagnostic::error(codes::UNKNOWN_REGISTER, message, span).label("unknown");
        self.found.errors.push(match nearest(name, registers.iter().map(|r| r.name.as_str())) {
            Some(near) => found.help(format!("did you mean `${near}`?")),
            None => found.help(format!("declare it below `registers`: `${name} = 0 : [0:1]`")),
        });
        None
    }

    fn condition(&mut self, expr: &ast::Expr) -> Expr {
        self.value(expr, &Act::new()).0
    }

    /// An expression after an act, and an interval in which its values are.
    fn value(&mut self, expr: &ast::Expr, act: &Act) -> (Expr, (i64, i64)) {
        match &expr.kind {
            ExprKind::Number(value) => (Expr::Const(*value), (*value, *value)),
            ExprKind::Register(name) => match self.register(name, expr.span) {
                Some(id) => (act.register(id), self.domain(id)),
                None => (Expr::Const(0), (0, 0)),
            },
            ExprKind::Negated(inner) => {
                let (inner, (low, high)) = self.value(inner, act);
                (Expr::unary(UnaryOp::Neg, inner), (-high, -low))
            }
            ExprKind::Not(inner) => (self.value(inner, act).0.not(), (0, 1)),
            ExprKind::Binary(op, a, b) => {
                let (a, (a_low, a_high)) = self.value(a, act);
                let (b, (b_low, b_high)) = self.value(b, act);
                let known = match op {
                    BinaryOp::Add => (a_low + b_low, a_high + b_high),
                    BinaryOp::Sub => (a_low - b_high, a_high - b_low),
                    _ => (0, 1),
                };
                (Expr::binary(*op, a, b), known)
            }
        }
    }

    fn fence(&mut self, fence: Fence, span: Span, source: PointId, target: PointId) {
        let (mode, effects) = match fence {
            Fence::Full => (Mode::Fence, Vec::new()),
            Fence::Store => (Mode::Plain, vec![Effect::StoreFence]),
            Fence::Load => (Mode::Plain, Vec::new()),
        };
        let text = Some(self.said(span));
        self.step(Step { mode, effects, text, ..Step::skip(source, target, span) });
    }

    /// A branch of `if` or `while`.
    fn test(&mut self, stmt: &Stmt, guard: Expr, source: PointId, target: PointId) {
        let condition = match &stmt.kind {
            StmtKind::If(condition, ..) | StmtKind::While(condition, _) => condition.span,
            _ => stmt.span,
        };
        let span = Span { end: condition.end.max(stmt.span.start), ..stmt.span };
        let text = Some(self.said(span));
        self.step(Step { guard, text, ..Step::skip(source, target, span) });
    }

    fn skip(&mut self, source: PointId, target: PointId, span: Span) {
        let text = Some(self.said(span));
        self.step(Step { text, ..Step::skip(source, target, span) });
    }

    fn step(&mut self, step: Step) {
        self.def.steps.push(Step { whole: true, ..step });
    }

    /// The text of a place in one line.
    fn said(&self, span: Span) -> String {
        let text = self.source.text().get(span.start as usize..span.end as usize);
        let words: Vec<_> = text.unwrap_or_default().split_whitespace().collect();
        taut_source::layout::shortened(&words.join(" "))
    }
}
