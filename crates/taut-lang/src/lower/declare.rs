//! Declarations: constants, types, variables, and the names of processes and procedures.

use std::collections::{HashMap, HashSet};

use taut_ir::{DefId, Overflow, Register, ShownCell, Type, VarId, VarKind, Variable};
use taut_source::{Diagnostic, Span};

use super::pools::Pool;
use super::scope::Scope;
use super::{Code, Definition, Lowering, MOST_VARIABLES, ProcedureInfo, Symbol, types};
use crate::ast::{
    Block, Declarator, Expr, File, Init, ItemKind, Name, Param, ProcedureHead, ProcedureItem, Stmt,
    StmtKind, TypeExpr, VarDecl, VarWord,
};
use crate::codes;

/// The longest array.
const LONGEST: i64 = 65_536;
/// Most dimensions of an array.
const MOST_DIMENSIONS: usize = 16;

const BYTE: Type = Type { lo: 0, hi: 255, overflow: Overflow::Wrap };
const SHORT: Type = Type { lo: i16::MIN as i64, hi: i16::MAX as i64, overflow: Overflow::Wrap };

/// The parameters and locals of a body, and where they are declared.
type OwnNames<'a> = HashMap<&'a str, Span>;

/// What a declaration reserves: a variable or register of the model.
#[derive(Clone, PartialEq)]
pub(super) struct Cells {
    name: String,
    /// The form of a reference, with empty indices.
    form: String,
    dims: Vec<u32>,
    ty: Type,
    table: Option<usize>,
    len: Option<u32>,
    init: Vec<i64>,
}

impl Cells {
    fn register(self, span: Span) -> Register {
        let Cells { name, ty, len, init, .. } = self;
        Register { name, ty, len, init, span }
    }
}

/// A local that is declared without a word, perhaps several times, and the blocks around it.
#[derive(Default)]
struct Declared {
    cells: Vec<Cells>,
    /// The blocks around its declarations.
    paths: HashSet<Vec<u32>>,
    /// The blocks around those.
    around: HashSet<Vec<u32>>,
}

impl Declared {
    /// Whether no declaration is in a block of another one, and all are alike.
    fn is_apart(&self, path: &[u32], cells: &[Cells]) -> bool {
        let inside = (0..=path.len()).any(|n| self.paths.contains(&path[..n]));
        self.cells == cells && !inside && !self.around.contains(path)
    }

    fn add(&mut self, path: &[u32]) {
        self.paths.insert(path.to_vec());
        self.around.extend((0..path.len()).map(|n| path[..n].to_vec()));
    }
}

impl<'a> Lowering<'a> {
    /// Declares everything of the top level.
    pub(super) fn declare(&mut self, file: &'a File) {
        self.constants = constants(file);
        for item in &file.items {
            if let ItemKind::Pool(pool) = &item.kind
                && self.pools.insert(&pool.name.text, Pool::new(pool)).is_some()
            {
                let message = format!("there are two pools of `{}`", pool.name.text);
                let found = Diagnostic::error(codes::DECLARED_TWICE, message, pool.name.span);
                self.report(found.label("declared again here"));
            }
        }
        for item in &file.items {
            match &item.kind {
                ItemKind::Program(name) => self.program.name = name.text.clone(),
                ItemKind::CallDepth(depth) => self.call_depth(depth),
                ItemKind::Const(ty, list) => {
                    for one in list {
                        self.constant_item(ty.as_ref(), one);
                    }
                }
                ItemKind::Enum(item) => self.enumeration(item),
                ItemKind::Struct(item) => self.record(item),
                ItemKind::Pool(pool) => self.pool(pool),
                ItemKind::Vars(declared) => self.variables(declared),
                _ => {}
            }
        }
        self.declare_code(file);
    }

    /// `N = 2`, or an array of constants: a ghost variable that nothing assigns.
    fn constant_item(&mut self, ty: Option<&TypeExpr>, one: &'a Declarator) {
        let known = ty.and_then(|ty| self.plain_type(Some(ty), one.name.span));
        if one.dims.is_empty() {
            let value = match (&one.init, known) {
                (Some(Init::All(value)), Some(ty)) => self.initial(value, ty),
                (Some(Init::All(value)), None) => self.constant(value).unwrap_or(0),
                (Some(Init::List(values, span)), _) => {
                    self.wrong_list(one, *span, values.len(), None);
                    0
                }
                (None, _) => 0,
            };
            return self.symbol(&one.name, Symbol::Constant(value));
        }
        let meaning = types::Meaning::Plain(known.unwrap_or(Type::INT64), None);
        let Some(mut cells) = self.cells(one, &meaning, false) else { return };
        let Some(mut cell) = cells.pop() else { return };
        if known.is_none() {
            // As narrow as its values, so that it takes no room.
            let (lo, hi) = (cell.init.iter().min(), cell.init.iter().max());
            let (lo, hi) = (lo.copied().unwrap_or(0), hi.copied().unwrap_or(0));
            cell.ty = Type { lo, hi, overflow: Overflow::Fault };
        }
        let id = VarId::from(self.program.vars.len());
        self.symbol(&one.name, Symbol::Table(id));
        self.add_variable(cell, VarKind::Ghost, one.name.span);
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
                    let value = self.value_type(p);
                    self.procedures.push(ProcedureInfo { item: p, registers, value });
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

    /// The type of the value of a procedure, if it has one.
    fn value_type(&mut self, item: &ProcedureItem) -> Option<Type> {
        let mut returns = false;
        super::visit(&item.body.stmts, &mut |stmt| {
            returns |= matches!(stmt.kind, StmtKind::Return(Some(_)));
        });
        match &item.head {
            ProcedureHead::Void => None,
            ProcedureHead::Word => returns.then_some(Type::INT),
            ProcedureHead::Type(ty) => {
                if !returns {
                    let message = format!("`{}` never returns a value", item.name.text);
                    let found = Diagnostic::error(codes::NO_VALUE, message, item.name.span);
                    let found = found.label("it is declared with the type of one");
                    self.report(found.help("end it with `return e;`, or declare it `void`"));
                }
                self.plain_type(Some(ty), item.name.span)
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

    pub(super) fn declared_twice(&mut self, what: &str, name: &Name, first: Span) {
        let message = format!("{what} `{}` is declared twice", name.text);
        self.report(
            Diagnostic::error(codes::DECLARED_TWICE, message, name.span)
                .label("declared again here")
                .related(first, "first declared here"),
        );
    }

    /// Gives a name of the whole program its meaning.
    pub(super) fn symbol(&mut self, name: &'a Name, symbol: Symbol) {
        if let Some((_, first)) = self.symbols.insert(&name.text, (symbol, name.span)) {
            self.declared_twice("the name", name, first);
        }
    }

    fn variables(&mut self, declared: &'a VarDecl) {
        let Some(ty) = self.type_of(declared.ty.as_ref()) else { return };
        for one in &declared.list {
            if self.hopeless() {
                return;
            }
            let Some(cells) = self.cells(one, &ty, false) else { continue };
            let kind = match declared.word {
                VarWord::Svar | VarWord::Shared => VarKind::Shared,
                VarWord::Ghost => VarKind::Ghost,
                VarWord::Gvar | VarWord::Local | VarWord::Bare => {
                    self.threads.extend(cells.into_iter().map(|c| c.register(one.name.span)));
                    self.symbol(&one.name, Symbol::Thread);
                    continue;
                }
            };
            self.symbol(
                &one.name,
                match ty {
                    types::Meaning::Plain(..) => {
                        Symbol::Variable(VarId::from(self.program.vars.len()))
                    }
                    types::Meaning::Record(_) => Symbol::Record,
                },
            );
            for cell in cells {
                self.add_variable(cell, kind, one.name.span);
            }
        }
    }

    /// Adds a variable of the model.
    pub(super) fn add_variable(&mut self, cell: Cells, kind: VarKind, span: Span) {
        if self.program.vars.len() == MOST_VARIABLES {
            self.too_large(span, "variables", MOST_VARIABLES);
        }
        let Cells { name, form, dims, ty, table, len, init } = cell;
        let plain = name == form || dims.len() == 1 && form == format!("{name}[]");
        if !plain || table.is_some() {
            let names = super::cells::cell_names(&form, &dims);
            let cells = names.into_iter().map(|name| ShownCell { name, table }).collect();
            self.program.shown.name_cells(VarId::from(self.program.vars.len()), cells);
        }
        self.program.vars.push(Variable { name, kind, ty, len, init, span });
    }

    /// What a type stands for.
    pub(super) fn type_of(&mut self, ty: Option<&TypeExpr>) -> Option<types::Meaning> {
        let plain = match ty {
            None | Some(TypeExpr::Int) => Type::INT,
            Some(TypeExpr::Bool) => Type::BOOL,
            Some(TypeExpr::Byte) => BYTE,
            Some(TypeExpr::Short) => SHORT,
            Some(TypeExpr::Long) => Type::INT64,
            Some(TypeExpr::Range { wrap, bounds }) => self.range(*wrap, &bounds.0, &bounds.1),
            Some(TypeExpr::Named(name)) => return self.named_type(name),
            Some(TypeExpr::Ref(name)) => return self.reference_type(name),
        };
        Some(types::Meaning::Plain(plain, None))
    }

    /// A type of numbers; a record is reported.
    fn plain_type(&mut self, ty: Option<&TypeExpr>, span: Span) -> Option<Type> {
        match self.type_of(ty)? {
            types::Meaning::Plain(ty, _) => Some(ty),
            types::Meaning::Record(_) => {
                let message = "a record cannot be passed on or kept as one value";
                let found = Diagnostic::error(codes::WHOLE_RECORD, message, span);
                let found = found.label("expected a type of numbers");
                self.report(found.help("pass the index of a record in its array"));
                None
            }
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

    /// The lengths of all dimensions of a declaration; `None` if they are too many together.
    pub(super) fn dimensions(&mut self, one: &Declarator) -> Option<Vec<u32>> {
        let dims: Vec<u32> = one.dims.iter().map(|len| self.array_length(len)).collect();
        self.check_length(&dims, one).then_some(dims)
    }

    fn check_length(&mut self, dims: &[u32], one: &Declarator) -> bool {
        if dims.len() > MOST_DIMENSIONS {
            let message = format!("`{}` has more than {MOST_DIMENSIONS} dimensions", one.name.text);
            let found = Diagnostic::error(codes::ARRAY_LENGTH, message, one.name.span);
            self.report(found.label("too many, those of its fields included"));
            return false;
        }
        let product = |all: i64, &len: &u32| all.saturating_mul(i64::from(len));
        let count = dims.iter().fold(1, product);
        if count > LONGEST {
            let message = format!("`{}` would have {count} elements", one.name.text);
            let found = Diagnostic::error(codes::ARRAY_LENGTH, message, one.name.span);
            self.report(found.label(format!("expected at most {LONGEST} in all dimensions")));
        }
        count <= LONGEST
    }

    /// What a declaration reserves, with its initial values; `in_place` says that those are assigned later.
    pub(super) fn cells(
        &mut self,
        one: &Declarator,
        ty: &types::Meaning,
        in_place: bool,
    ) -> Option<Vec<Cells>> {
        let dims = self.dimensions(one)?;
        let leaves = ty.spread(&dims);
        for leaf in &leaves {
            let size = leaf.dims.iter().map(|&d| d as usize).product();
            if !self.check_length(&leaf.dims, one) || !self.take_cells(size, one.name.span) {
                return None;
            }
        }
        let spread = types::Spread::new(ty, &dims, one.init.as_ref().filter(|_| !in_place));
        self.check_spread(one, &dims, &spread);
        let mut all = Vec::new();
        for (leaf, values) in leaves.into_iter().zip(spread.cells) {
            let types::Leaf { path, suffix, dims, ty, table } = leaf;
            let name = format!("{}{suffix}", one.name.text);
            let form = format!("{}{path}", one.name.text);
            let len = (!dims.is_empty()).then(|| dims.iter().product());
            let init = self.initial_values(&values, ty);
            self.layouts.add(one.name.span.start, &name, form.clone(), &dims);
            self.note_reference(one.name.span, &name, table);
            self.note_words(one.name.span, &name, table);
            all.push(Cells { name, form, dims, ty, table, len, init });
        }
        Some(all)
    }

    /// Initial values. Neighbours that come from one expression are computed once.
    fn initial_values(&mut self, values: &[Option<&Expr>], ty: Type) -> Vec<i64> {
        let mut last: Option<(Span, i64)> = None;
        let mut one = |value: &Option<&Expr>| match (value, last) {
            (None, _) => default(ty),
            (Some(value), Some((span, known))) if span == value.span => known,
            (Some(value), _) => {
                let number = self.initial(value, ty);
                last = Some((value.span, number));
                number
            }
        };
        values.iter().map(&mut one).collect()
    }

    /// Reports a list of initial values that does not fit.
    pub(super) fn check_spread(
        &mut self,
        one: &Declarator,
        dims: &[u32],
        spread: &types::Spread<'_>,
    ) {
        if let Some((span, found, wanted)) = spread.wrong {
            let size = dims.iter().map(|&d| d as usize).product();
            let plain = dims.len() == 1 && wanted == Some(size);
            self.wrong_list(one, span, found, if plain { Some(size) } else { wanted });
        }
    }

    fn wrong_list(&mut self, one: &Declarator, span: Span, found: usize, wanted: Option<usize>) {
        let name = &one.name.text;
        let message = match wanted {
            Some(size) if one.dims.len() == 1 => {
                format!("`{name}` has {size} elements but {found} initial values")
            }
            Some(size) => format!("this part of `{name}` has {size} values, not {found}"),
            None if one.dims.is_empty() => {
                format!("`{name}` is no array but has a list of initial values")
            }
            None => format!("a list of initial values where `{name}` has one value"),
        };
        let report = Diagnostic::error(codes::INITIAL_VALUES, message, span);
        self.report(match wanted {
            Some(size) => report
                .label(format!("expected {size}, found {found}"))
                .help("`= 0` without braces gives every element the same value"),
            None => report.label("expected one value, without braces"),
        });
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

    /// Parameters and locals of a body, which must not hide names of the whole program.
    pub(super) fn registers(&mut self, params: &'a [Param], body: &'a Block) -> Vec<Register> {
        let (mut all, mut known) = self.params(params);
        let mut declared = Vec::new();
        locals(&body.stmts, &mut Vec::new(), &mut declared);
        let mut shared: HashMap<&str, Declared> = HashMap::new();
        for (list, path) in declared {
            if self.hopeless() {
                break;
            }
            let Some(ty) = self.type_of(list.ty.as_ref()) else { continue };
            let bare = list.word == VarWord::Bare;
            for one in &list.list {
                let Some(cells) = self.cells(one, &ty, bare) else { continue };
                // As C has it: `for (int i = 0; …)` twice. The two are never alive at once, and are one register.
                if let Some(earlier) = shared.get_mut(one.name.text.as_str())
                    && bare
                    && earlier.is_apart(&path, &cells)
                {
                    earlier.add(&path);
                    continue;
                }
                if bare && !known.contains_key(one.name.text.as_str()) {
                    let mut first = Declared { cells: cells.clone(), ..Declared::default() };
                    first.add(&path);
                    shared.insert(&one.name.text, first);
                }
                self.own_name(&one.name, &mut known);
                all.extend(cells.into_iter().map(|c| c.register(one.name.span)));
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

    /// Remembers what holds references to records of a pool.
    fn note_reference(&mut self, at: Span, name: &str, table: Option<usize>) {
        if let Some(pool) = table.and_then(|table| self.pool_tables.get(&table)) {
            self.layouts.refer(at.start, name, pool);
        }
    }

    /// Remembers the words for the values of a local or a parameter.
    fn note_words(&mut self, at: Span, name: &str, table: Option<usize>) {
        if let Some(table) = table {
            self.program.shown.name_register(at.start, name, table);
        }
    }

    fn param(&mut self, param: &Param) -> Register {
        if let Some(TypeExpr::Ref(_) | TypeExpr::Named(_)) = &param.ty
            && let Some(types::Meaning::Plain(_, table)) = self.type_of(param.ty.as_ref())
        {
            self.note_reference(param.name.span, &param.name.text, table);
            self.note_words(param.name.span, &param.name.text, table);
        }
        let ty = self.plain_type(param.ty.as_ref(), param.name.span).unwrap_or(Type::INT);
        let init = param.init.as_ref().map_or(default(ty), |value| self.initial(value, ty));
        let (name, span) = (param.name.text.clone(), param.name.span);
        Register { name, ty, len: None, init: vec![init], span }
    }

    /// The registers of a graph's `local` declarations.
    pub(super) fn graph_registers(&mut self, declared: &VarDecl) -> Vec<Register> {
        let Some(ty) = self.type_of(declared.ty.as_ref()) else { return Vec::new() };
        let mut all = Vec::new();
        for one in &declared.list {
            let cells = self.cells(one, &ty, false).unwrap_or_default();
            all.extend(cells.into_iter().map(|c| c.register(one.name.span)));
        }
        all
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

/// The declarations of a body, each with the blocks around it.
fn locals<'s>(stmts: &'s [Stmt], path: &mut Vec<u32>, all: &mut Vec<(&'s VarDecl, Vec<u32>)>) {
    for stmt in stmts {
        path.push(stmt.span.start);
        if let StmtKind::For(parts) = &stmt.kind
            && let Some(Stmt { kind: StmtKind::Local(declared), .. }) = &parts.init
        {
            all.push((declared, path.clone()));
        }
        for block in stmt.blocks() {
            path.push(block.open.start);
            locals(&block.stmts, path, all);
            path.pop();
        }
        path.pop();
        if let StmtKind::Local(declared) = &stmt.kind {
            all.push((declared, path.clone()));
        }
    }
}

/// The names of all constants of a file.
fn constants(file: &File) -> HashSet<&str> {
    let mut all = HashSet::new();
    for item in &file.items {
        match &item.kind {
            ItemKind::Const(_, list) => all.extend(list.iter().map(|one| one.name.text.as_str())),
            ItemKind::Enum(e) => all.extend(e.members.iter().map(|(name, _)| name.text.as_str())),
            _ => {}
        }
    }
    all
}

/// The initial value of what has none.
pub(super) fn default(ty: Type) -> i64 {
    if ty.contains(0) { 0 } else { ty.lo }
}
