//! Declarations: constants, types, variables, and the names of processes and procedures.

use std::collections::{HashMap, HashSet};

use taut_ir::{DefId, Overflow, Register, Type, VarId, VarKind, Variable};
use taut_source::{Diagnostic, Span};

use super::scope::Scope;
use super::{Code, Definition, Lowering, MOST_VARIABLES, ProcedureInfo, Symbol};
use crate::ast::{
    Block, Declarator, Expr, File, Init, ItemKind, Name, Param, StmtKind, TypeExpr, VarDecl,
    VarWord,
};
use crate::codes;

/// The longest array.
const LONGEST: i64 = 65_536;

const BYTE: Type = Type { lo: 0, hi: 255, overflow: Overflow::Wrap };
const SHORT: Type = Type { lo: i16::MIN as i64, hi: i16::MAX as i64, overflow: Overflow::Wrap };

/// The parameters and locals of a body, and where they are declared.
type OwnNames<'a> = HashMap<&'a str, Span>;

/// What a declaration reserves: a variable or register without its name.
struct Storage {
    len: Option<u32>,
    init: Vec<i64>,
}

impl<'a> Lowering<'a> {
    /// Declares everything of the top level.
    pub(super) fn declare(&mut self, file: &'a File) {
        self.constants = constants(file);
        for item in &file.items {
            match &item.kind {
                ItemKind::Program(name) => self.program.name = name.text.clone(),
                ItemKind::CallDepth(depth) => self.call_depth(depth),
                ItemKind::Const(list) => {
                    for (name, value) in list {
                        let value = self.constant(value).unwrap_or(0);
                        self.symbol(name, Symbol::Constant(value));
                    }
                }
                ItemKind::Vars(declared) => self.variables(declared),
                _ => {}
            }
        }
        self.declare_code(file);
    }

    fn call_depth(&mut self, depth: &Expr) {
        let Some(value) = self.constant(depth) else { return };
        match u32::try_from(value) {
            Ok(value) => self.program.call_depth = value,
            Err(_) => self.report(
                Diagnostic::error(codes::OUTSIDE_TYPE, "this is no call depth", depth.span)
                    .label(format!("{value} is not a 32-bit number of calls")),
            ),
        }
    }

    /// Processes and procedures, once all variables are known.
    fn declare_code(&mut self, file: &'a File) {
        for item in &file.items {
            match &item.kind {
                ItemKind::Process(p) => {
                    self.definition(&p.name, Code::Statements(p), &p.params, item.span);
                }
                ItemKind::Graph(g) => {
                    self.definition(&g.name, Code::Graph(g), &g.params, item.span)
                }
                ItemKind::Procedure(p) => {
                    let registers = self.registers(&p.params, &p.body);
                    self.procedures.push(ProcedureInfo { item: p, registers });
                    self.procedure_used.push(false);
                    let index = self.procedures.len() - 1;
                    if let Some(first) = self.procedure_names.insert(&p.name.text, index) {
                        let span = self.procedures[first].item.name.span;
                        self.declared_twice("procedure", &p.name, span);
                    }
                }
                _ => {}
            }
        }
    }

    fn definition(&mut self, name: &'a Name, code: Code<'a>, params: &'a [Param], span: Span) {
        let mut params = match code {
            Code::Statements(item) => self.registers(params, &item.body),
            Code::Graph(_) => self.graph_params(params),
        };
        let locals = match code {
            Code::Statements(item) => params.split_off(item.params.len()),
            Code::Graph(_) => Vec::new(),
        };
        let id = DefId::from(self.definitions.len());
        match self.definition_names.get(name.text.as_str()) {
            None => {
                self.definition_names.insert(&name.text, id);
            }
            Some(first) => {
                let first = &self.definitions[first.index()];
                // Other front ends may call two definitions alike; graphs refer to them by number.
                let graphs = [first.code, code].iter().all(|c| matches!(c, Code::Graph(_)));
                let place = first.name.span;
                if !graphs {
                    self.declared_twice("process", name, place);
                }
            }
        }
        self.definitions.push(Definition { name, code, params, locals, span });
    }

    fn declared_twice(&mut self, what: &str, name: &Name, first: Span) {
        let message = format!("{what} `{}` is declared twice", name.text);
        self.report(
            Diagnostic::error(codes::DECLARED_TWICE, message, name.span)
                .label("declared again here")
                .related(first, "first declared here"),
        );
    }

    /// Gives a name of the whole program its meaning.
    fn symbol(&mut self, name: &'a Name, symbol: Symbol) {
        if let Some((_, first)) = self.symbols.insert(&name.text, (symbol, name.span)) {
            self.declared_twice("the name", name, first);
        }
    }

    fn variables(&mut self, declared: &'a VarDecl) {
        let ty = self.optional_type(declared.ty.as_ref());
        for one in &declared.list {
            if self.hopeless() {
                return;
            }
            let storage = self.storage(one, ty);
            let kind = match declared.word {
                VarWord::Svar | VarWord::Shared => VarKind::Shared,
                VarWord::Ghost => VarKind::Ghost,
                VarWord::Gvar | VarWord::Local => {
                    self.threads.push(register(&one.name, ty, storage));
                    self.symbol(&one.name, Symbol::Thread);
                    continue;
                }
            };
            self.symbol(&one.name, Symbol::Variable(VarId::from(self.program.vars.len())));
            if self.program.vars.len() == MOST_VARIABLES {
                self.too_large(one.name.span, "variables", MOST_VARIABLES);
            }
            let Storage { len, init } = storage;
            let (name, span) = (one.name.text.clone(), one.name.span);
            self.program.vars.push(Variable { name, kind, ty, len, init, span });
        }
    }

    fn optional_type(&mut self, ty: Option<&TypeExpr>) -> Type {
        match ty {
            None | Some(TypeExpr::Int) => Type::INT,
            Some(TypeExpr::Bool) => Type::BOOL,
            Some(TypeExpr::Byte) => BYTE,
            Some(TypeExpr::Short) => SHORT,
            Some(TypeExpr::Long) => Type::INT64,
            Some(TypeExpr::Range { wrap, bounds }) => self.range(*wrap, &bounds.0, &bounds.1),
        }
    }

    fn range(&mut self, wrap: bool, lo: &Expr, hi: &Expr) -> Type {
        let (Some(low), Some(high)) = (self.constant(lo), self.constant(hi)) else {
            return Type::INT;
        };
        if low > high {
            self.empty_range(low, high, lo.span.to(hi.span));
            return Type::INT;
        }
        let overflow = if wrap { Overflow::Wrap } else { Overflow::Fault };
        Type { lo: low, hi: high, overflow }
    }

    /// Reports a range that holds nothing.
    pub(super) fn empty_range(&mut self, lo: i64, hi: i64, span: Span) {
        let message = format!("the range {lo}..{hi} holds no value");
        let found = Diagnostic::error(codes::EMPTY_RANGE, message, span);
        self.report(found.label("the first bound must not exceed the second"));
    }

    /// The length and the initial values of a declaration.
    fn storage(&mut self, one: &Declarator, ty: Type) -> Storage {
        let len = one.len.as_ref().map(|len| self.array_length(len));
        if !self.take_cells(len.unwrap_or(1) as usize, one.name.span) {
            return Storage { len: None, init: vec![ty.lo] };
        }
        let size = len.unwrap_or(1) as usize;
        let init = match &one.init {
            None => vec![default(ty); size],
            Some(Init::All(value)) => vec![self.initial(value, ty); size],
            Some(Init::List(values, span)) => self.initial_list(one, values, ty, size, *span),
        };
        Storage { len, init }
    }

    fn array_length(&mut self, len: &Expr) -> u32 {
        let Some(value) = self.constant(len) else { return 1 };
        if (1..=LONGEST).contains(&value) {
            return value as u32;
        }
        let message = format!("an array cannot have {value} elements");
        let found = Diagnostic::error(codes::ARRAY_LENGTH, message, len.span);
        self.report(found.label(format!("expected a length from 1 to {LONGEST}")));
        1
    }

    fn initial(&mut self, value: &Expr, ty: Type) -> i64 {
        let Some(number) = self.constant(value) else { return default(ty) };
        if ty.contains(number) {
            return number;
        }
        let message = format!("the initial value {number} is outside of the type");
        let found = Diagnostic::error(codes::OUTSIDE_TYPE, message, value.span);
        self.report(found.label(format!("expected a value in {}..{}", ty.lo, ty.hi)));
        default(ty)
    }

    fn initial_list(
        &mut self,
        one: &Declarator,
        values: &[Expr],
        ty: Type,
        size: usize,
        span: Span,
    ) -> Vec<i64> {
        let init: Vec<i64> = values.iter().map(|v| self.initial(v, ty)).collect();
        if init.len() == size {
            return init;
        }
        let name = &one.name.text;
        let message = match one.len {
            Some(_) => format!("`{name}` has {size} elements but {} initial values", init.len()),
            None => format!("`{name}` is no array but has a list of initial values"),
        };
        let found = Diagnostic::error(codes::INITIAL_VALUES, message, span);
        self.report(match one.len {
            Some(_) => found
                .label(format!("expected {size}, found {}", init.len()))
                .help("`= 0` without braces gives every element the same value"),
            None => found.label("expected one value, without braces"),
        });
        vec![default(ty); size]
    }

    /// Parameters and locals of a body, which must not hide names of the whole program.
    pub(super) fn registers(&mut self, params: &'a [Param], body: &'a Block) -> Vec<Register> {
        let (mut all, mut known) = self.params(params);
        let mut declared = Vec::new();
        super::visit(&body.stmts, &mut |stmt| {
            if let StmtKind::Local(list) = &stmt.kind {
                declared.push(list);
            }
        });
        for list in declared {
            if self.hopeless() {
                break;
            }
            let ty = self.optional_type(list.ty.as_ref());
            for one in &list.list {
                let storage = self.storage(one, ty);
                self.own_name(&one.name, &mut known);
                all.push(register(&one.name, ty, storage));
            }
        }
        all
    }

    /// Parameters, and the local names so far.
    fn params(&mut self, params: &'a [Param]) -> (Vec<Register>, OwnNames<'a>) {
        let (mut all, mut known) = (Vec::new(), OwnNames::new());
        for param in params {
            self.own_name(&param.name, &mut known);
            all.push(self.param(param));
        }
        (all, known)
    }

    /// Parameters of a graph, which may be called anything.
    fn graph_params(&mut self, params: &'a [Param]) -> Vec<Register> {
        params.iter().map(|param| self.param(param)).collect()
    }

    fn param(&mut self, param: &Param) -> Register {
        let ty = self.optional_type(param.ty.as_ref());
        let init = param.init.as_ref().map_or(default(ty), |value| self.initial(value, ty));
        register(&param.name, ty, Storage { len: None, init: vec![init] })
    }

    /// The registers of a graph's `local` declarations.
    pub(super) fn graph_registers(&mut self, declared: &VarDecl) -> Vec<Register> {
        let ty = self.optional_type(declared.ty.as_ref());
        let one = |one: &Declarator| {
            let storage = self.storage(one, ty);
            register(&one.name, ty, storage)
        };
        declared.list.iter().map(one).collect()
    }

    /// Checks that a local name is new.
    fn own_name(&mut self, name: &'a Name, known: &mut OwnNames<'a>) {
        if let Some(first) = known.insert(&name.text, name.span) {
            return self.declared_twice("the name", name, first);
        }
        if let Some(&(_, first)) = self.symbols.get(name.text.as_str()) {
            let message = format!("`{}` is already a name of the whole program", name.text);
            self.report(
                Diagnostic::error(codes::HIDES, message, name.span)
                    .label("would hide it")
                    .related(first, "declared here")
                    .help("choose another name for the local"),
            );
        }
    }

    /// The value of an expression that must be known now.
    pub(super) fn constant(&mut self, expr: &Expr) -> Option<i64> {
        let before = self.diagnostics.iter().count();
        let value = self.expr(&Scope::constant(), expr);
        if self.diagnostics.iter().count() > before {
            return None;
        }
        if let taut_ir::Expr::Const(value) = value {
            return Some(value);
        }
        if !self.hopeless() {
            let found = Diagnostic::error(codes::CONSTANT_FAULT, "this has no value", expr.span);
            self.report(found.label("division by zero, or a shift that is too far"));
        }
        None
    }
}

/// The names of all constants of a file.
fn constants(file: &File) -> HashSet<&str> {
    let lists = file.items.iter().filter_map(|item| match &item.kind {
        ItemKind::Const(list) => Some(list),
        _ => None,
    });
    lists.flatten().map(|(name, _)| name.text.as_str()).collect()
}

/// The initial value of what has none.
fn default(ty: Type) -> i64 {
    if ty.contains(0) { 0 } else { ty.lo }
}

fn register(name: &Name, ty: Type, storage: Storage) -> Register {
    let Storage { len, init } = storage;
    Register { name: name.text.clone(), ty, len, init, span: name.span }
}
