//! A program of the model as text: every process in graph form, every property.
//!
//! The text is read back as the same program, numbers included. Names that are no Taut names stand in
//! backticks; where a name alone would be read as something else, `var(x)`, `f.n` or `reg(3)` stands for
//! it. Whether it would is asked of the same [`Scope`] that the lowering reads names with. What has no syntax
//! has been found by [`crate::unprintable::check`] before anything is printed.

mod formula;

use taut_ir::{
    Assignment, BinaryOp, Control, DefId, Effect, Expr, Lvalue, Overflow, PointId, ProcId,
    ProcessDef, Program, PropertyKind, RegId, Register, Start, Step, Type, UnaryOp, VarId, VarKind,
    build::DEFAULT_CALL_DEPTH,
};
use taut_source::Span;

use crate::ast::{self, Base, ExprKind, ItemKind, Name, Number, Reference, TypeExpr, Which};
use crate::lower::scope::{self, Scope};

/// Why some arms are never reached.
const NO_SYNTAX: &str = "`unprintable::check` lets nothing without a syntax through";

/// The syntax tree of a program all of which has a syntax.
pub(crate) fn tree(program: &Program) -> ast::File {
    let _phase = taut_budget::phase("the program is written");
    let mut items = vec![ItemKind::Program(name(&program.name))];
    let procedures = program.defs.iter().any(|d| !d.procedures.is_empty());
    if procedures || program.call_depth != DEFAULT_CALL_DEPTH {
        items.push(ItemKind::CallDepth(int(i64::from(program.call_depth))));
    }
    items.extend(program.vars.iter().map(variable));
    items.extend((0..program.defs.len()).map(|i| graph(program, DefId::from(i))));
    items.extend(program.processes.iter().map(|p| instance(program, p)));
    items.extend(program.replicated.iter().map(|&d| ItemKind::Any(definition(program, d))));
    let printer = Printer { program, def: None, scope: Scope::property() };
    items.extend(program.properties.iter().map(|p| printer.property(p)));
    let items = items.into_iter().map(|kind| ast::Item { kind, span: Span::NONE }).collect();
    ast::File { items, end: Span::NONE }
}

fn name(text: &str) -> Name {
    Name { text: text.into(), span: Span::NONE }
}

fn number(value: u32) -> Number {
    Number { value, span: Span::NONE }
}

fn node(kind: ExprKind) -> ast::Expr {
    ast::Expr::new(kind, Span::NONE)
}

fn int(value: i64) -> ast::Expr {
    node(ExprKind::Int(value))
}

fn paren(inner: ast::Expr) -> ast::Expr {
    node(ExprKind::Paren(Box::new(inner)))
}

fn ty(ty: Type) -> TypeExpr {
    let wraps = |lo, hi| ty == Type { lo, hi, overflow: Overflow::Wrap };
    match ty {
        Type::INT => TypeExpr::Int,
        Type::INT64 => TypeExpr::Long,
        Type::BOOL => TypeExpr::Bool,
        _ if wraps(0, 255) => TypeExpr::Byte,
        _ if wraps(i64::from(i16::MIN), i64::from(i16::MAX)) => TypeExpr::Short,
        Type { lo, hi, overflow } => TypeExpr::Range {
            wrap: overflow == Overflow::Wrap,
            bounds: Box::new((int(lo), int(hi))),
        },
    }
}

fn declaration(word: ast::VarWord, register: &Register) -> ast::VarDecl {
    let values = &register.init;
    let same = values.windows(2).all(|pair| pair[0] == pair[1]);
    let init = match values.first() {
        Some(&first) if same => ast::Init::All(int(first)),
        _ => {
            let all = values.iter().map(|&v| ast::Init::All(int(v))).collect();
            ast::Init::List(all, Span::NONE)
        }
    };
    let dims = register.len.map(|len| int(i64::from(len))).into_iter().collect();
    let one = ast::Declarator { name: name(&register.name), dims, init: Some(init) };
    ast::VarDecl { word, ty: Some(ty(register.ty)), list: vec![one] }
}

fn variable(variable: &taut_ir::Variable) -> ItemKind {
    let word = match variable.kind {
        VarKind::Shared => ast::VarWord::Shared,
        VarKind::Ghost => ast::VarWord::Ghost,
    };
    let taut_ir::Variable { name, ty, len, init, .. } = variable.clone();
    ItemKind::Vars(declaration(word, &Register { name, ty, len, init, span: Span::NONE }))
}

fn definition(program: &Program, id: DefId) -> Which {
    let text = &program.defs[id.index()].name;
    match program.defs.iter().filter(|d| d.name == *text).count() {
        1 => Which::Name(name(text)),
        _ => Which::Number(number(id.0)),
    }
}

fn instance(program: &Program, process: &taut_ir::Process) -> ItemKind {
    ItemKind::Instance(ast::InstanceItem {
        slot: process.start == Start::Spawned,
        name: process_name(&process.name),
        def: definition(program, process.def),
        args: process.args.iter().map(|&v| int(v)).collect(),
    })
}

fn process_name(text: &str) -> ast::ProcessName {
    ast::ProcessName { base: name(text), index: None, span: Span::NONE }
}

fn graph(program: &Program, id: DefId) -> ItemKind {
    let def = &program.defs[id.index()];
    let scope = Scope::whole(scope::Place::Graph, def);
    let printer = Printer { program, def: Some(def), scope };
    let (params, locals) = def.registers.split_at(def.params as usize);
    ItemKind::Graph(ast::GraphItem {
        name: name(&def.name),
        params: params.iter().map(param).collect(),
        locals: locals.iter().map(|r| (declaration(ast::VarWord::Local, r), Span::NONE)).collect(),
        procedures: printer.procedures(def),
        entry: (def.entry != PointId(0)).then(|| number(def.entry.0)),
        sections: printer.sections(def),
        word: Span::NONE,
        end: Span::NONE,
    })
}

fn param(register: &Register) -> ast::Param {
    let natural = if register.ty.contains(0) { 0 } else { register.ty.lo };
    let init = register.init.first().filter(|&&v| v != natural).map(|&v| int(v));
    ast::Param { ty: Some(ty(register.ty)), name: name(&register.name), init }
}

/// Prints what stands in one process definition, or in a property.
struct Printer<'p> {
    program: &'p Program,
    def: Option<&'p ProcessDef>,
    scope: Scope,
}

impl Printer<'_> {
    fn property(&self, property: &taut_ir::Property) -> ItemKind {
        let asked = match &property.kind {
            PropertyKind::Assert => ast::Asked::Assertion,
            PropertyKind::Forbid(e) => ast::Asked::Forbid(self.expr(e)),
            PropertyKind::Cover(e) => ast::Asked::Cover(self.expr(e)),
            PropertyKind::Invariant(e) => ast::Asked::Invariant(self.expr(e)),
            PropertyKind::Ltl(ltl) => ast::Asked::Ltl(self.formula(&ltl.formula, &ltl.atoms)),
            PropertyKind::Never(_) => unreachable!("{NO_SYNTAX}"),
        };
        ItemKind::Property(ast::PropertyItem { name: name(&property.name), asked })
    }

    fn procedures(&self, def: &ProcessDef) -> Vec<ast::GraphProcedure> {
        // Here members cannot be named yet, so only names that are unique without procedures are used.
        let bare = ProcessDef { procedures: Vec::new(), ..def.clone() };
        let scope = Scope::whole(scope::Place::Graph, &bare);
        let printer = Printer { program: self.program, def: Some(&bare), scope };
        let one = |p: &taut_ir::Procedure| {
            let bases = |ids: &[RegId]| ids.iter().map(|&r| printer.register(r)).collect();
            let (params, registers) = p.registers.split_at(p.params as usize);
            ast::GraphProcedure {
                name: name(&p.name),
                params: bases(params),
                registers: bases(registers),
                entry: number(p.entry.0),
                span: Span::NONE,
            }
        };
        def.procedures.iter().map(one).collect()
    }

    /// Sections in the order of the steps; program points without steps stand where their number puts them.
    fn sections(&self, def: &ProcessDef) -> Vec<ast::Section> {
        let mut all: Vec<ast::Section> = Vec::new();
        let mut described = vec![false; def.points.len()];
        let mut busy = vec![false; def.points.len()];
        def.steps.iter().for_each(|s| busy[s.source.index()] = true);
        let mut describe = |index: usize| {
            let known = std::mem::replace(&mut described[index], true);
            section(def, index, known)
        };
        let mut idle = (0..def.points.len()).filter(|&i| !busy[i]).peekable();
        for step in &def.steps {
            let source = step.source.index();
            if all.last().is_none_or(|s| s.point.value as usize != source) {
                while let Some(index) = idle.next_if(|&i| i < source) {
                    all.push(describe(index));
                }
                all.push(describe(source));
            }
            all.last_mut().expect("a section was just begun").steps.push(self.step(step));
        }
        all.extend(idle.map(describe));
        all
    }

    fn step(&self, step: &Step) -> ast::GraphStep {
        taut_budget::tick();
        ast::GraphStep {
            guard: (step.guard != Expr::TRUE).then(|| self.expr(&step.guard)),
            mode: step.mode,
            effects: step.effects.iter().map(|e| self.effect(e)).collect(),
            target: self.target(&step.target),
            span: Span::NONE,
        }
    }

    fn exprs(&self, list: &[Expr]) -> Vec<ast::Expr> {
        list.iter().map(|e| self.expr(e)).collect()
    }

    fn effect(&self, effect: &Effect) -> ast::GraphEffect {
        match effect {
            Effect::Assign(list) => {
                let place = |a: &Assignment| (a.atomic, self.place(&a.place));
                let values = list.iter().map(|a| self.expr(&a.value)).collect();
                ast::GraphEffect::Assign(list.iter().map(place).collect(), values)
            }
            Effect::Assert { condition, property } => {
                let title = name(&self.program.property(*property).name);
                ast::GraphEffect::Assert(self.expr(condition), title)
            }
            Effect::StoreFence => ast::GraphEffect::Sfence,
            Effect::Fail(_) => unreachable!("{NO_SYNTAX}"),
            Effect::Spawn { def, args, .. } => {
                ast::GraphEffect::Spawn(definition(self.program, *def), self.exprs(args))
            }
        }
    }

    fn target(&self, target: &Control) -> ast::Target {
        match target {
            Control::Goto(to) => ast::Target::Goto(number(to.0)),
            Control::Return => ast::Target::Return,
            Control::Exit => unreachable!("{NO_SYNTAX}"),
            Control::Call { procedure, args, return_to } => {
                let all = self.def.map_or(&[][..], |d| &d.procedures);
                let text = &all[procedure.index()].name;
                let which = match all.iter().filter(|p| p.name == *text).count() {
                    1 => Which::Name(name(text)),
                    _ => Which::Number(number(procedure.0)),
                };
                ast::Target::Call(which, self.exprs(args), number(return_to.0))
            }
        }
    }

    fn place(&self, place: &Lvalue) -> Reference {
        match place {
            Lvalue::Reg(r) => self.reference(self.register(*r), None),
            Lvalue::RegElem(r, i) => self.reference(self.register(*r), Some(i)),
            Lvalue::Var(v) => self.reference(self.variable(*v), None),
            Lvalue::VarElem(v, i) => self.reference(self.variable(*v), Some(i)),
        }
    }

    fn reference(&self, base: Base, index: Option<&Expr>) -> Reference {
        let index = index.map(|i| Box::new(self.expr(i)));
        Reference { base, index, more: Vec::new(), span: Span::NONE }
    }

    /// A register by the shortest text that is read back as it.
    fn register(&self, id: RegId) -> Base {
        let is_it = |found: Option<Option<scope::Named>>| {
            found.flatten().is_some_and(|named| named.id == id)
        };
        let Some(def) = self.def else { return Base::Register(number(id.0)) };
        let text = &def.registers[id.index()].name;
        if is_it(self.scope.name(text)) {
            return Base::Name(name(text));
        }
        let owner = def.procedures.iter().find(|p| is_it(self.scope.member(&p.name, text)));
        match owner {
            Some(procedure) => Base::Member(name(&procedure.name), name(text)),
            None => Base::Register(number(id.0)),
        }
    }

    /// A variable, marked as one where a register has the same name.
    fn variable(&self, id: VarId) -> Base {
        let text = &self.program.var(id).name;
        match self.scope.name(text) {
            None => Base::Name(name(text)),
            Some(_) => Base::Variable(name(text)),
        }
    }

    fn expr(&self, expr: &Expr) -> ast::Expr {
        taut_budget::tick();
        match expr {
            Expr::Const(value) => int(*value),
            Expr::Reg(r) => self.read(self.register(*r), None),
            Expr::RegElem(r, i) => self.read(self.register(*r), Some(i)),
            Expr::Var(v) => self.read(self.variable(*v), None),
            Expr::VarElem(v, i) => self.read(self.variable(*v), Some(i)),
            Expr::Unary(op, a) => self.unary(*op, a),
            Expr::Binary(op, a, b) => self.binary(*op, a, b),
            Expr::Cond(c, a, b) => self.conditional(c, a, b),
            Expr::In(p, inner) => self.inside(*p, inner),
            Expr::At(p, points) => self.at(*p, points),
            Expr::Drained(p) => node(ExprKind::Drained(self.process(*p))),
            Expr::Enabled(p) => node(ExprKind::Enabled(self.process(*p))),
            Expr::Pid
            | Expr::Processes
            | Expr::Alive(_)
            | Expr::Timeout
            | Expr::Channel(..)
            | Expr::Poll(_) => unreachable!("{NO_SYNTAX}"),
        }
    }

    fn read(&self, base: Base, index: Option<&Expr>) -> ast::Expr {
        node(ExprKind::Ref(self.reference(base, index)))
    }

    /// Parentheses keep `-(5)`, an operator on a number, apart from the number `-5`.
    fn unary(&self, op: UnaryOp, a: &Expr) -> ast::Expr {
        let number = op == UnaryOp::Neg && matches!(a, Expr::Const(v) if *v >= 0);
        let operator = matches!(a, Expr::Binary(..) | Expr::Cond(..));
        let operand = self.expr(a);
        let operand = if number || operator { paren(operand) } else { operand };
        node(ExprKind::Unary(op, Box::new(operand)))
    }

    fn binary(&self, op: BinaryOp, a: &Expr, b: &Expr) -> ast::Expr {
        let own = op.precedence();
        let left = self.operand(a, own);
        let right = self.operand(b, own + 1);
        node(ExprKind::Binary(op, Box::new(left), Box::new(right)))
    }

    /// An operand, in parentheses if it binds less than what is around it.
    fn operand(&self, expr: &Expr, around: u8) -> ast::Expr {
        let loose = match expr {
            Expr::Binary(op, ..) => op.precedence() < around,
            Expr::Cond(..) => true,
            _ => false,
        };
        let operand = self.expr(expr);
        if loose { paren(operand) } else { operand }
    }

    fn conditional(&self, c: &Expr, a: &Expr, b: &Expr) -> ast::Expr {
        let condition = self.operand(c, 0);
        // A name before the `:` could be read as a process whose local comes after it.
        let yes = match a {
            Expr::Const(_) => self.expr(a),
            _ => paren(self.expr(a)),
        };
        let no = self.operand(b, 0);
        node(ExprKind::Cond(Box::new(condition), Box::new(yes), Box::new(no)))
    }

    fn process(&self, id: ProcId) -> ast::ProcessName {
        process_name(&self.program.process(id).name)
    }

    fn inside(&self, id: ProcId, inner: &Expr) -> ast::Expr {
        let def = self.program.def_of(id);
        let scope = Scope::whole(scope::Place::Inside, def);
        let printer = Printer { program: self.program, def: Some(def), scope };
        let process = self.process(id);
        let plain = |v: &VarId| Base::Name(name(&self.program.var(*v).name));
        node(match inner {
            Expr::Reg(r) => {
                ExprKind::LocalOf(process, printer.reference(printer.register(*r), None))
            }
            Expr::RegElem(r, i) => {
                ExprKind::LocalOf(process, printer.reference(printer.register(*r), Some(i)))
            }
            Expr::Var(v) => ExprKind::View(process, printer.reference(plain(v), None)),
            Expr::VarElem(v, i) => ExprKind::View(process, printer.reference(plain(v), Some(i))),
            // The model allows nothing else here.
            _ => return printer.expr(inner),
        })
    }

    fn at(&self, id: ProcId, points: &[PointId]) -> ast::Expr {
        let def = self.program.def_of(id);
        let labels = points.first().map(|l| &def.points[l.index()].labels);
        let label = labels.and_then(|all| all.iter().find(|l| def.labelled(l) == points));
        node(match label {
            Some(label) => ExprKind::At(self.process(id), name(label)),
            None => {
                let set = points.iter().map(|l| number(l.0)).collect();
                ExprKind::AtSet(self.process(id), set)
            }
        })
    }
}

/// An empty section; what belongs to its program point is said the first time.
fn section(def: &ProcessDef, index: usize, known: bool) -> ast::Section {
    let plain = taut_ir::ProgramPoint::new();
    let point = if known { &plain } else { &def.points[index] };
    ast::Section {
        point: number(index as u32),
        end: point.end,
        atomic: point.atomic,
        labels: point.labels.iter().map(|l| name(l)).collect(),
        steps: Vec::new(),
        head: Span::NONE,
    }
}
