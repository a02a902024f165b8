//! Expressions: names to variables and registers, operators to operators.

use taut_ir::{Expr, PointId, ProcId, Program, VarId};
use taut_source::{Diagnostic, Span};

use super::scope::{Named, Place, Scope};
use super::{Lowering, Symbol};
use crate::ast::{self, Base, ExprKind, Name, Number, ProcessIndex, ProcessName, Reference};
use crate::codes;
use crate::mistakes::{self, Where};

/// What a name stands for.
pub(super) enum Meaning {
    Constant(i64),
    Variable(VarId, Option<u32>),
    /// A constant array where a constant is needed.
    Table(VarId),
    Register(Named),
}

impl Meaning {
    fn len(&self, program: &Program) -> Option<u32> {
        match self {
            Meaning::Constant(_) => None,
            Meaning::Table(id) => program.var(*id).len,
            Meaning::Variable(_, len) => *len,
            Meaning::Register(named) => named.len,
        }
    }
}

/// What stands in for an expression that is wrong.
const NOTHING: Expr = Expr::Const(0);

impl Lowering<'_> {
    /// Lowers an expression; 0 after a mistake, which has been reported.
    pub(super) fn expr(&mut self, scope: &Scope, expr: &ast::Expr) -> Expr {
        taut_budget::tick();
        match &expr.kind {
            ExprKind::Int(value) => Expr::Const(*value),
            ExprKind::Bool(value) => Expr::Const(i64::from(*value)),
            ExprKind::Paren(inner) => self.expr(scope, inner),
            ExprKind::Ref(reference) => self.read(scope, reference).unwrap_or(NOTHING),
            ExprKind::Unary(op, a) => {
                let a = self.expr(scope, a);
                if scope.folds() { Expr::unary(*op, a) } else { Expr::Unary(*op, Box::new(a)) }
            }
            ExprKind::Binary(op, a, b) => {
                let (a, b) = (self.expr(scope, a), self.expr(scope, b));
                match scope.folds() {
                    true => Expr::binary(*op, a, b),
                    false => Expr::Binary(*op, Box::new(a), Box::new(b)),
                }
            }
            ExprKind::Cond(c, a, b) => {
                let (c, a, b) = (self.expr(scope, c), self.expr(scope, a), self.expr(scope, b));
                conditional(scope, c, a, b)
            }
            ExprKind::Rmw(_) | ExprKind::Call(..) | ExprKind::New(_) => self.acts_here(scope, expr),
            _ if !scope.place.asks() => self.property_only(expr.span),
            ExprKind::Enabled(_) if scope.place != Place::Temporal => self.temporal_only(expr.span),
            _ => self.asked(expr).unwrap_or(NOTHING),
        }
    }

    /// Reports a read-modify-write or a call where nothing can happen.
    fn acts_here(&mut self, scope: &Scope, expr: &ast::Expr) -> Expr {
        let message = "nothing can happen in this expression";
        let found = Diagnostic::error(codes::ACTS, message, expr.span);
        let (label, help) = match scope.place {
            Place::Statement => {
                ("in one step with other things", "put it before the block, or use `atomic { … }`")
            }
            Place::Constant => ("a constant is needed", "write the value"),
            _ => ("a property only looks", "let a process do it, and ask about the variable"),
        };
        self.report(found.label(label).help(help));
        NOTHING
    }

    fn property_only(&mut self, span: Span) -> Expr {
        let message = "only a property can look into a process";
        let found = Diagnostic::error(codes::PROPERTY_ONLY, message, span);
        self.report(found.label("not allowed here").help(
            "processes see shared variables and their own locals; `forbid` and `invariant` see all",
        ));
        NOTHING
    }

    fn temporal_only(&mut self, span: Span) -> Expr {
        let message = "only a temporal property can ask what is enabled";
        let found = Diagnostic::error(codes::TEMPORAL_ONLY, message, span);
        let help =
            "`forbid` and `invariant` look at one state; write `ltl NAME: [] <> !enabled(p);`";
        self.report(found.label("not allowed here").help(help));
        NOTHING
    }

    /// What only properties can ask.
    fn asked(&mut self, expr: &ast::Expr) -> Option<Expr> {
        match &expr.kind {
            ExprKind::View(process, what) => self.view(process, what),
            ExprKind::LocalOf(process, what) => self.local_of(process, what),
            ExprKind::At(process, label) => self.at_label(process, label),
            ExprKind::AtSet(process, set) => {
                let id = self.process(process)?;
                let points: Option<Vec<_>> = set.iter().map(|n| self.point(id, n)).collect();
                Some(Expr::At(id, points?))
            }
            ExprKind::Drained(process) => Some(Expr::Drained(self.process(process)?)),
            ExprKind::Enabled(process) => Some(Expr::Enabled(self.process(process)?)),
            _ => None,
        }
    }

    fn point(&mut self, process: ProcId, number: &Number) -> Option<PointId> {
        let count = self.program.def_of(process).points.len();
        if (number.value as usize) < count {
            return Some(PointId(number.value));
        }
        let name = &self.program.process(process).name;
        let message = format!("`{name}` has no program point #{}", number.value);
        let found = Diagnostic::error(codes::BAD_POINT, message, number.span);
        self.report(found.label(format!("there are {count}, counted from #0")));
        None
    }

    fn at_label(&mut self, process: &ProcessName, label: &Name) -> Option<Expr> {
        let id = self.process(process)?;
        let def = self.program.def_of(id);
        let points = def.labelled(&label.text);
        if points.is_empty() {
            let labels: Vec<_> = def.points.iter().flat_map(|l| l.labels.clone()).collect();
            let what = format!("label in process `{}` called", self.program.process(id).name);
            self.unknown(codes::UNKNOWN_LABEL, &what, label, labels.iter().map(String::as_str));
            return None;
        }
        Some(Expr::At(id, points))
    }

    /// `view(P, x)`: x is a variable; an index is computed as P sees it.
    fn view(&mut self, process: &ProcessName, what: &Reference) -> Option<Expr> {
        let id = self.process(process)?;
        let scope = Scope::whole(Place::Inside, self.program.def_of(id));
        let (Base::Name(name) | Base::Variable(name) | Base::Member(name, _)) = &what.base else {
            let found = Diagnostic::error(codes::UNKNOWN_NAME, "this is no variable", what.span);
            self.report(found.label("expected a shared variable"));
            return None;
        };
        let meaning =
            match what.more.is_empty() && matches!(what.base, Base::Name(_) | Base::Variable(_)) {
                true if !self.is_record(&name.text) => Some(self.variable(name)?),
                _ => None,
            };
        let read = self.element_in(&scope, what, meaning)?;
        if !matches!(read, Expr::Var(_) | Expr::VarElem(..)) {
            let found = Diagnostic::error(codes::UNKNOWN_NAME, "this is no variable", what.span);
            self.report(found.label("expected a shared variable"));
            return None;
        }
        Some(Expr::In(id, Box::new(read)))
    }

    /// `P:r`: r is a register of P; an index is computed as P sees it.
    fn local_of(&mut self, process: &ProcessName, what: &Reference) -> Option<Expr> {
        let id = self.process(process)?;
        let scope = Scope::whole(Place::Inside, self.program.def_of(id));
        let has_field = what.more.iter().any(|s| matches!(s, ast::Selector::Field(_)));
        let member = match &what.base {
            Base::Member(a, b) => scope.name(&format!("{}.{}", a.text, b.text)).is_some(),
            _ => false,
        };
        if has_field || member {
            let read = self.element_in(&scope, what, None)?;
            return Some(Expr::In(id, Box::new(read)));
        }
        let named = match &what.base {
            Base::Name(name) => match scope.name(&name.text) {
                None => {
                    let owner =
                        format!("local in process `{}` called", self.program.process(id).name);
                    self.unknown(codes::UNKNOWN_NAME, &owner, name, scope.all_names());
                    return None;
                }
                Some(named) => self.unambiguous(named, name)?,
            },
            base => self.register_base(&scope, base)?,
        };
        let read = self.element_in(&scope, what, Some(Meaning::Register(named)))?;
        Some(Expr::In(id, Box::new(read)))
    }

    /// The process that a property names.
    pub(super) fn process(&mut self, process: &ProcessName) -> Option<ProcId> {
        let name = self.process_text(process)?;
        if let Some(ProcessIndex::Instance(index)) = &process.index {
            let number = self.constant(index)?;
            self.add_named(&process.base.text, number);
        }
        if let Some(id) = self.program.find_process(&name) {
            return Some(id);
        }
        let all: Vec<String> = self.program.processes.iter().map(|p| p.name.clone()).collect();
        let instances = all.iter().filter(|p| p.starts_with(&format!("{name}["))).count();
        let wrong = Name { text: name, span: process.span };
        if process.index.is_none() && instances > 0 {
            self.which_instance(&wrong, instances);
        } else {
            let names = all.iter().map(String::as_str);
            self.unknown(codes::UNKNOWN_PROCESS, "running process", &wrong, names);
        }
        None
    }

    fn which_instance(&mut self, name: &Name, instances: usize) {
        let message = format!("there are {instances} processes `{}`", name.text);
        let found = Diagnostic::error(codes::UNKNOWN_PROCESS, message, name.span);
        self.report(found.label("which one?").help(format!("for example `{}[0]`", name.text)));
    }

    /// A process name as the model writes it.
    pub(super) fn process_text(&mut self, process: &ProcessName) -> Option<String> {
        let base = &process.base.text;
        Some(match &process.index {
            None => base.clone(),
            Some(ProcessIndex::Slot(number)) => format!("{base}#{number}"),
            Some(ProcessIndex::Instance(index)) => format!("{base}[{}]", self.constant(index)?),
        })
    }

    /// A variable, constant or register in an expression.
    fn read(&mut self, scope: &Scope, reference: &Reference) -> Option<Expr> {
        let (meaning, index) = self.resolve(scope, reference)?;
        self.element(meaning, index)
    }

    /// A reference in the view of a process, whose meaning may be known already.
    fn element_in(
        &mut self,
        scope: &Scope,
        reference: &Reference,
        meaning: Option<Meaning>,
    ) -> Option<Expr> {
        let (meaning, index) = match meaning {
            None => self.resolve(scope, reference)?,
            Some(meaning) => {
                let indices: Vec<_> = reference.indices().collect();
                let indices = indices.into_iter().map(|i| self.expr(scope, i)).collect();
                self.indexed(scope, reference, meaning, indices)?
            }
        };
        self.element(meaning, index)
    }

    /// Whether a name of the whole program is a record.
    fn is_record(&self, name: &str) -> bool {
        let prefix = format!("{name}.");
        let known = matches!(self.symbols.get(name), Some((Symbol::Record, _)));
        known
            || (!self.symbols.contains_key(name)
                && self.program.vars.iter().any(|v| v.name.starts_with(&prefix)))
    }

    /// An element from its meaning and its index.
    pub(super) fn element(&mut self, meaning: Meaning, index: Option<Expr>) -> Option<Expr> {
        Some(match (meaning, index) {
            (Meaning::Constant(value), _) => Expr::Const(value),
            (Meaning::Table(id), Some(Expr::Const(index))) => {
                let values = &self.program.var(id).init;
                Expr::Const(*usize::try_from(index).ok().and_then(|i| values.get(i))?)
            }
            (Meaning::Table(id) | Meaning::Variable(id, _), Some(index)) => {
                Expr::VarElem(id, Box::new(index))
            }
            (Meaning::Table(id) | Meaning::Variable(id, _), None) => Expr::Var(id),
            (Meaning::Register(named), None) => Expr::Reg(named.id),
            (Meaning::Register(named), Some(index)) => Expr::RegElem(named.id, Box::new(index)),
        })
    }

    /// The index of a reference to a scalar or an array of one dimension; `None` after a mistake, which has been
    /// reported.
    pub(super) fn one_index(
        &mut self,
        scope: &Scope,
        reference: &Reference,
        meaning: &Meaning,
        indices: Vec<Expr>,
    ) -> Option<Option<Expr>> {
        let len = meaning.len(&self.program);
        let count = indices.len();
        match (indices.into_iter().next(), len) {
            (None, None) => Some(None),
            (None, Some(len)) => {
                self.needs_index(reference, len);
                None
            }
            (Some(_), None) => {
                let found =
                    Diagnostic::error(codes::NOT_AN_ARRAY, "this is no array", reference.span);
                self.report(found.label("it has no elements"));
                None
            }
            (Some(_), Some(_)) if count > 1 => {
                let message = format!("this array has one dimension, not {count}");
                let found = Diagnostic::error(codes::NOT_AN_ARRAY, message, reference.span);
                self.report(found.label("an element of it has no elements"));
                None
            }
            (Some(lowered), Some(len)) => {
                if let Some(index) = reference.indices().next()
                    && scope.checks()
                {
                    self.check_index(&lowered, index.span, len)?;
                }
                Some(Some(lowered))
            }
        }
    }

    fn needs_index(&mut self, reference: &Reference, len: u32) {
        let message = format!("this is an array of {len} elements");
        let found = Diagnostic::error(codes::NEEDS_INDEX, message, reference.span);
        self.report(found.label("expected an index").help("for example `[0]` after the name"));
    }

    pub(super) fn check_index(&mut self, index: &Expr, span: Span, len: u32) -> Option<()> {
        match index {
            Expr::Const(value) if !(0..i64::from(len)).contains(value) => {
                let message = format!("index {value} is outside of the array");
                let found = Diagnostic::error(codes::INDEX_RANGE, message, span);
                self.report(found.label(format!("expected 0 to {}", len - 1)));
                None
            }
            _ => Some(()),
        }
    }

    /// What the base of a reference stands for, where it stands.
    pub(super) fn meaning(&mut self, scope: &Scope, base: &Base) -> Option<Meaning> {
        match base {
            Base::Variable(name) => self.variable(name),
            Base::Name(name) => match scope.name(&name.text) {
                Some(named) => Some(Meaning::Register(self.unambiguous(named, name)?)),
                None => self.global(scope, name),
            },
            base => Some(Meaning::Register(self.register_base(scope, base)?)),
        }
    }

    /// A name of the whole program.
    fn global(&mut self, scope: &Scope, name: &Name) -> Option<Meaning> {
        match self.symbols.get(name.text.as_str()).copied() {
            Some((Symbol::Constant(value), _)) => Some(Meaning::Constant(value)),
            Some((Symbol::Table(id), _)) if scope.place == Place::Constant => {
                Some(Meaning::Table(id))
            }
            Some((_, place)) if scope.place == Place::Constant => {
                self.not_constant(name, place);
                None
            }
            Some((Symbol::Variable(id) | Symbol::Table(id), _)) => {
                Some(Meaning::Variable(id, self.program.var(id).len))
            }
            // Both are reported before this.
            Some((Symbol::Record, place)) | Some((Symbol::Thread, place)) => {
                self.whose(name, place);
                None
            }
            None => {
                self.unknown_name(scope, name);
                None
            }
        }
    }

    /// A shared or ghost variable by its name.
    fn variable(&mut self, name: &Name) -> Option<Meaning> {
        if let Some((Symbol::Variable(id) | Symbol::Table(id), _)) =
            self.symbols.get(name.text.as_str())
        {
            return Some(Meaning::Variable(*id, self.program.var(*id).len));
        }
        let vars: Vec<_> = self.program.vars.iter().map(|v| v.name.clone()).collect();
        let candidates = vars.iter().map(String::as_str);
        self.unknown(codes::UNKNOWN_NAME, "shared variable", name, candidates);
        None
    }

    fn not_constant(&mut self, name: &Name, declared: Span) {
        let message = format!("`{}` is a variable, but a constant is needed here", name.text);
        let found = Diagnostic::error(codes::NOT_CONSTANT, message, name.span);
        self.report(found.label("not a constant").related(declared, "declared here"));
    }

    fn whose(&mut self, name: &Name, declared: Span) {
        let message = format!("every thread has its own `{}`", name.text);
        let found = Diagnostic::error(codes::WHOSE_LOCAL, message, name.span).label("whose?");
        let found = found.related(declared, "declared here");
        self.report(found.help(self.name_the_process(&name.text)));
    }

    pub(super) fn unknown_name(&mut self, scope: &Scope, name: &Name) {
        if self.diagnostics.is_full() {
            return;
        }
        let text = self.map.file(name.span.file).text();
        // Formulas may be about programs of other languages.
        if !scope.place.asks()
            && let Some(found) = mistakes::about(Where::Name, &name.text, name.span, text)
        {
            return self.report(found);
        }
        if scope.place.asks() && self.local_name(&name.text) {
            let message = format!("`{}` is a local of a process", name.text);
            let found = Diagnostic::error(codes::WHOSE_LOCAL, message, name.span).label("whose?");
            return self.report(found.help(self.name_the_process(&name.text)));
        }
        let constant = scope.place == Place::Constant;
        let globals = self
            .symbols
            .iter()
            .filter(|(_, (symbol, _))| !constant || matches!(symbol, Symbol::Constant(_)));
        let globals: Vec<String> = globals.map(|(name, _)| name.to_string()).collect();
        let candidates = globals.iter().map(String::as_str).chain(scope.all_names());
        if constant && self.declared_later(name) {
            let message = format!("the constant `{}` is not declared yet", name.text);
            let found = Diagnostic::error(codes::UNKNOWN_NAME, message, name.span).label("unknown");
            return self.report(found.help("declare constants before they are used"));
        }
        let what = if constant { "constant" } else { "variable or constant" };
        self.unknown(codes::UNKNOWN_NAME, what, name, candidates);
    }

    /// Whether a constant of this name is declared further down.
    fn declared_later(&self, name: &Name) -> bool {
        self.constants.contains(name.text.as_str())
    }

    /// A hint how to write a local in a property, with a process that has one.
    fn name_the_process(&self, name: &str) -> String {
        let has = |p: &&taut_ir::Process| {
            let def = &self.program.defs[p.def.index()];
            def.registers.iter().any(|r| r.name == name)
        };
        let owner = self.program.processes.iter().find(has).map_or("p", |p| p.name.as_str());
        format!("name the process: `{owner}:{name}`")
    }

    /// Whether some process has a local of this name.
    fn local_name(&self, name: &str) -> bool {
        self.program.defs.iter().any(|d| d.registers.iter().any(|r| r.name == name))
    }

    fn unambiguous(&mut self, named: Option<Named>, name: &Name) -> Option<Named> {
        if named.is_none() {
            let message = format!("several registers are called `{}`", name.text);
            let found = Diagnostic::error(codes::BAD_POINT, message, name.span).label("which one?");
            self.report(found.help("write `f.n` for register n of procedure f, or `reg(3)`"));
        }
        named
    }

    /// `f.n` or `reg(3)`
    pub(super) fn register_base(&mut self, scope: &Scope, base: &Base) -> Option<Named> {
        let (found, name) = match base {
            Base::Member(procedure, name) => {
                let found = scope.member(&procedure.text, &name.text);
                (found.flatten(), format!("{}.{}", procedure.text, name.text))
            }
            Base::Register(number) => (scope.number(number.value), format!("{}", number.value)),
            Base::Name(name) | Base::Variable(name) => {
                (scope.name(&name.text).flatten(), name.text.clone())
            }
        };
        if found.is_none() {
            let message = format!("there is no register `{name}` here");
            let found = Diagnostic::error(codes::BAD_POINT, message, base.span());
            self.report(found.label("unknown"));
        }
        found
    }
}

fn conditional(scope: &Scope, c: Expr, a: Expr, b: Expr) -> Expr {
    match c {
        Expr::Const(c) if scope.folds() => {
            if c != 0 {
                a
            } else {
                b
            }
        }
        c => Expr::Cond(Box::new(c), Box::new(a), Box::new(b)),
    }
}
