//! A printer of typed programs, for tests: every conversion and every place is visible.

use std::fmt::Write;

use taut_c::hir::{
    Argument, Block, Callee, Constant, Expr, ExprKind, Function, Place, PlaceKind, Stmt, StmtKind,
    Unit,
};
use taut_c::types::{QualTy, Ty};

/// The whole program.
pub fn unit(unit: &Unit) -> String {
    let mut out = String::new();
    for global in unit.globals.iter().filter(|g| !g.name.is_empty()) {
        let local = if global.thread_local { "thread " } else { "" };
        let _ = write!(out, "{local}{} {}", qualified(&global.ty), global.name);
        for (cell, constant) in &global.init {
            let _ = write!(out, " [{cell}]={}", constant_text(unit, constant));
        }
        out.push('\n');
    }
    for function in unit.functions.iter().filter(|f| f.body.is_some()) {
        out += &self::function(unit, function);
    }
    out
}

/// One function.
pub fn function(unit: &Unit, function: &Function) -> String {
    let printer = Printer { unit, function };
    let params = &function.locals[..function.params as usize];
    let params: Vec<_> =
        params.iter().map(|p| format!("{} {}", qualified(&p.ty), p.name)).collect();
    let mut out = format!("{} {}({})\n", ty(&function.result), function.name, params.join(", "));
    for stmt in function.body.iter().flatten() {
        printer.stmt(stmt, 1, &mut out);
    }
    out
}

fn constant_text(unit: &Unit, constant: &Constant) -> String {
    match constant {
        Constant::Int(value) => value.to_string(),
        Constant::Address(g, cell) => format!("&{}+{cell}", global_name(unit, g.0)),
        Constant::Function(f) => format!("&{}", unit.functions[f.0 as usize].name),
    }
}

fn global_name(unit: &Unit, id: u32) -> String {
    let global = &unit.globals[id as usize];
    if global.name.is_empty() { format!("g{id}") } else { global.name.clone() }
}

/// A type, short.
pub fn ty(of: &Ty) -> String {
    match of {
        Ty::Void => "void".to_string(),
        Ty::Int(int) if int.bits == 1 => "bool".to_string(),
        Ty::Int(int) => format!("{}{}", if int.signed { "i" } else { "u" }, int.bits),
        Ty::Pointer(to) => format!("{}*", qualified(to)),
        Ty::Array(element, len) => format!("{}[{len}]", qualified(element)),
        Ty::Struct(id) => format!("s{}", id.0),
        Ty::Function(f) => {
            let params: Vec<_> = f.params.iter().map(ty).collect();
            format!("({})->{}", params.join(","), ty(&f.result))
        }
        Ty::Unmodelled(what) => format!("<{}>", what.what),
    }
}

fn qualified(of: &QualTy) -> String {
    let atomic = if of.atomic { "A:" } else { "" };
    let volatile = if of.volatile { "V:" } else { "" };
    format!("{atomic}{volatile}{}", ty(&of.ty))
}

struct Printer<'u> {
    unit: &'u Unit,
    function: &'u Function,
}

impl Printer<'_> {
    fn block(&self, block: &Block, depth: usize, out: &mut String) {
        block.iter().for_each(|s| self.stmt(s, depth, out));
    }

    fn stmt(&self, stmt: &Stmt, depth: usize, out: &mut String) {
        let pad = "  ".repeat(depth);
        let mut line = |text: String| {
            let _ = writeln!(out, "{pad}{text}");
        };
        match &stmt.kind {
            StmtKind::Expr(e) => line(self.expr(e)),
            StmtKind::Declare(id) => line(format!("declare {}", self.local(id.0))),
            StmtKind::Init(id, cells) => {
                let cells: Vec<_> =
                    cells.iter().map(|(c, e)| format!("[{c}]={}", self.expr(e))).collect();
                line(format!("init {} {}", self.local(id.0), cells.join(" ")));
            }
            StmtKind::If(c, a, b) => {
                line(format!("if {}", self.expr(c)));
                self.block(a, depth + 1, out);
                if !b.is_empty() {
                    let _ = writeln!(out, "{pad}else");
                    self.block(b, depth + 1, out);
                }
            }
            StmtKind::While(c, body) => {
                line(format!("while {}", self.expr(c)));
                self.block(body, depth + 1, out);
            }
            StmtKind::DoWhile(body, c) => {
                line(format!("do-while {}", self.expr(c)));
                self.block(body, depth + 1, out);
            }
            StmtKind::For(start, c, step, body) => {
                let part = |e: &Option<Expr>| e.as_ref().map_or(String::new(), |e| self.expr(e));
                line(format!("for {}; {}", part(c), part(step)));
                self.block(start, depth + 2, out);
                self.block(body, depth + 1, out);
            }
            StmtKind::Switch(value, body) => {
                line(format!("switch {}", self.expr(value)));
                self.block(body, depth + 1, out);
            }
            StmtKind::Case(low, high) => line(format!("case {low}..{high}")),
            StmtKind::Default => line("default".to_string()),
            StmtKind::Label(name) => line(format!("{name}:")),
            StmtKind::Goto(name) => line(format!("goto {name}")),
            StmtKind::Break => line("break".to_string()),
            StmtKind::Continue => line("continue".to_string()),
            StmtKind::Return(None) => line("return".to_string()),
            StmtKind::Return(Some(e)) => line(format!("return {}", self.expr(e))),
            StmtKind::ReturnStruct(p) => line(format!("return {}", self.place(p))),
            StmtKind::Block(block) => {
                line("block".to_string());
                self.block(block, depth + 1, out);
            }
            StmtKind::Asm(asm) => line(format!("asm {:?} {:?}", asm.template, asm.clobbers)),
        }
    }

    fn local(&self, id: u32) -> String {
        let name = &self.function.locals[id as usize].name;
        if name.is_empty() { format!("t{id}") } else { name.clone() }
    }

    fn expr(&self, e: &Expr) -> String {
        let list = |all: &[Expr]| all.iter().map(|e| self.expr(e)).collect::<Vec<_>>().join(", ");
        match &e.kind {
            ExprKind::Int(0) if matches!(e.ty, Ty::Pointer(_)) => "null".to_string(),
            ExprKind::Int(value) => value.to_string(),
            ExprKind::Function(f) => format!("&{}", self.unit.functions[f.0 as usize].name),
            ExprKind::Load(place) => self.place(place),
            ExprKind::AddressOf(place) => format!("&{}", self.place(place)),
            ExprKind::Unary(op, a) => format!("{op:?}({})", self.expr(a)),
            ExprKind::Binary(op, a, b) => {
                format!("{op:?}.{}({}, {})", ty(&a.ty), self.expr(a), self.expr(b))
            }
            ExprKind::PtrAdd(p, n) => format!("({} + {})", self.expr(p), self.expr(n)),
            ExprKind::CellOffset(p, n) => format!("{}({} cells {n})", ty(&e.ty), self.expr(p)),
            ExprKind::PtrSub(a, b) => format!("({} - {})", self.expr(a), self.expr(b)),
            ExprKind::Convert(a) => format!("{}({})", ty(&e.ty), self.expr(a)),
            ExprKind::And(a, b) => format!("({} && {})", self.expr(a), self.expr(b)),
            ExprKind::Or(a, b) => format!("({} || {})", self.expr(a), self.expr(b)),
            ExprKind::Cond(c, a, b) => {
                format!("({} ? {} : {})", self.expr(c), self.expr(a), self.expr(b))
            }
            ExprKind::Comma(all) => format!("({})", list(all)),
            ExprKind::Assign(p, v) => format!("{} = {}", self.place(p), self.expr(v)),
            ExprKind::CompoundAssign(p, op, v, t) => {
                format!("{} {op:?}.{}= {}", self.place(p), ty(t), self.expr(v))
            }
            ExprKind::PointerAssign(p, n) => format!("{} += {}", self.place(p), self.expr(n)),
            ExprKind::Step(p, by, old) => {
                format!("step({}, {by}, {})", self.place(p), if *old { "old" } else { "new" })
            }
            ExprKind::AssignStruct(a, b) => format!("{} := {}", self.place(a), self.place(b)),
            ExprKind::Call(callee, arguments, to) => self.call(callee, arguments, to.as_deref()),
            ExprKind::Statements(block, value) => {
                let mut inner = String::new();
                self.block(block, 0, &mut inner);
                let value = value.as_ref().map_or(String::new(), |v| self.expr(v));
                format!("({{{}}} {value})", inner.trim().replace('\n', "; "))
            }
        }
    }

    fn call(&self, callee: &Callee, arguments: &[Argument], to: Option<&Place>) -> String {
        let callee = match callee {
            Callee::Function(f) => self.unit.functions[f.0 as usize].name.clone(),
            Callee::Builtin(name) => format!("@{name}"),
            Callee::Pointer(e) => format!("(*{})", self.expr(e)),
        };
        let argument = |a: &Argument| match a {
            Argument::Value(e) => self.expr(e),
            Argument::Struct(p) => format!("struct {}", self.place(p)),
            Argument::Type(t) => format!("type {}", ty(t)),
        };
        let arguments: Vec<_> = arguments.iter().map(argument).collect();
        let to = to.map_or(String::new(), |p| format!(" -> {}", self.place(p)));
        format!("{callee}({}){to}", arguments.join(", "))
    }

    fn place(&self, place: &Place) -> String {
        match &place.kind {
            PlaceKind::Local(id) => self.local(id.0),
            PlaceKind::Global(id) => global_name(self.unit, id.0),
            PlaceKind::Deref(e) => format!("*{}", self.expr(e)),
            PlaceKind::Field(inner, cell) => format!("{}.{cell}", self.place(inner)),
            PlaceKind::Index(inner, index) => {
                format!("{}[{}]", self.place(inner), self.expr(index))
            }
        }
    }
}
