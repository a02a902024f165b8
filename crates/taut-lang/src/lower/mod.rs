//! Lowering: from what was written to the program model.
//!
//! In this order, because each needs the one before: constants and variables ([`declare`]), the names
//! and parameters of processes and procedures, the names of properties and assertions ([`assertions`]),
//! the code of each process ([`body`] for statements, [`graph`] for the graph form), the list of
//! processes that run ([`instances`]), and last what properties ask ([`properties`], [`claims`]).

mod assertions;
mod atomic;
mod body;
mod cells;
mod claims;
mod declare;
mod evaluate;
mod expr;
mod formula;
mod graph;
mod instances;
mod labels;
mod loops;
mod pools;
mod properties;
mod rmw;
pub(crate) mod scope;
mod steps;
mod texts;
mod tidy;
mod types;

pub(crate) use body::{breaks, leaves};
pub(crate) use cells::Layouts;

use std::collections::{HashMap, HashSet};

use taut_ir::{DefId, ProcessDef, Program, PropId, Property, Register, Type, VarId};
use taut_source::{Diagnostic, Diagnostics, SourceMap, Span, shown};

use crate::ast::{self, File, GraphItem, ItemKind, Name, ProcedureItem, ProcessItem};
use crate::codes;
use crate::{Claim, Options};

/// Most control program points in all processes together.
const MOST_POINTS: usize = 1 << 16;
/// Most steps in all processes together.
const MOST_STEPS: usize = 1 << 18;
/// Most shared and ghost variables.
const MOST_VARIABLES: usize = 10_000;
/// Most processes.
const MOST_PROCESSES: usize = 4_096;
/// Most properties, assertions included.
const MOST_PROPERTIES: usize = 10_000;
/// Most values that all variables and registers hold together.
const MOST_CELLS: usize = 1 << 22;

/// The names of a file that its program does not have, and which properties from outside may use.
#[derive(Clone, Debug, Default)]
pub(crate) struct Constants {
    values: Vec<(String, i64)>,
    layouts: Layouts,
}

impl Constants {
    /// Moves the places of declarations.
    pub(crate) fn move_places(&mut self, to: impl Fn(u32) -> u32) {
        self.layouts.move_places(to);
    }
}

/// Lowers a file; `None` if something is wrong with it.
pub(crate) fn lower<'a>(
    map: &'a SourceMap,
    file: &'a File,
    options: &'a Options,
    claims: &[Claim],
    diagnostics: &'a mut Diagnostics,
) -> Option<(Program, Constants)> {
    let name = map.file(file.end.file).name().into();
    let program = Program { name, call_depth: options.call_depth, ..Program::default() };
    let mut lowering = Lowering::new(map, program, options, diagnostics);
    lowering.declare(file);
    for phase in [Lowering::name_properties, Lowering::code, Lowering::start, Lowering::ask] {
        if !lowering.hopeless() {
            phase(&mut lowering, file);
        }
    }
    if !lowering.diagnostics.has_errors() {
        lowering.claims(claims);
    }
    let constants = lowering.declared_constants();
    let program = lowering.finish(Span { start: 0, end: 0, ..file.end })?;
    Some((program, constants))
}

/// What claims ask of a program that is there already; `None` if something is wrong with them.
pub(crate) fn claims<'a>(
    map: &'a SourceMap,
    program: &'a Program,
    constants: &'a Constants,
    claims: &[Claim],
    diagnostics: &'a mut Diagnostics,
) -> Option<Vec<Property>> {
    let options = Options::default();
    let mut lowering = Lowering::new(map, program.clone(), &options, diagnostics);
    for (index, var) in program.vars.iter().enumerate() {
        let symbol = Symbol::Variable(VarId::from(index));
        lowering.symbols.insert(&var.name, (symbol, var.span));
    }
    lowering.layouts = constants.layouts.clone();
    for (name, value) in &constants.values {
        lowering.symbols.insert(name, (Symbol::Constant(*value), Span::NONE));
    }
    lowering.claims(claims);
    let mut asked = lowering.finish(Span::NONE)?;
    Some(asked.properties.split_off(program.properties.len()))
}

/// What a name of the whole program stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Symbol {
    Constant(i64),
    Variable(VarId),
    /// A constant array: a ghost variable that nothing assigns.
    Table(VarId),
    /// A thread variable, by its number; every process has a register for it.
    Thread,
    /// A record, or an array of records: its fields are variables.
    Record,
}

/// The code of a process definition as it was written.
#[derive(Clone, Copy)]
enum Code<'a> {
    Statements(&'a ProcessItem),
    Graph(&'a GraphItem),
}

/// A process definition.
struct Definition<'a> {
    name: &'a Name,
    code: Code<'a>,
    /// Its parameters, as registers.
    params: Vec<Register>,
    /// Its other registers, except thread variables; empty for a graph.
    locals: Vec<Register>,
    span: Span,
}

impl Definition<'_> {
    fn is_main(&self) -> bool {
        matches!(self.code, Code::Statements(item) if item.main)
    }
}

/// A procedure.
struct ProcedureInfo<'a> {
    item: &'a ProcedureItem,
    /// Its parameters and locals.
    registers: Vec<Register>,
    /// The type of its value, if it has one.
    value: Option<Type>,
}

struct Lowering<'a> {
    map: &'a SourceMap,
    options: &'a Options,
    diagnostics: &'a mut Diagnostics,
    program: Program,
    symbols: HashMap<&'a str, (Symbol, Span)>,
    /// The names of all constants, also of those that are not declared yet.
    constants: HashSet<&'a str>,
    /// The types that the file declares.
    types: HashMap<&'a str, (types::Meaning, Span)>,
    /// The pools that the file declares.
    pools: HashMap<&'a str, pools::Pool<'a>>,
    /// The pool whose references have the names of a table.
    pool_tables: HashMap<usize, String>,
    /// Where elements and fields are.
    layouts: Layouts,
    /// A template for the register of each thread variable.
    threads: Vec<Register>,
    definitions: Vec<Definition<'a>>,
    /// Definitions by name; the first one if there are several.
    definition_names: HashMap<&'a str, DefId>,
    procedures: Vec<ProcedureInfo<'a>>,
    procedure_names: HashMap<&'a str, usize>,
    /// Which procedures some process has a copy of.
    procedure_used: Vec<bool>,
    /// The property of each `assert`, by where its statement starts.
    assertions: HashMap<u32, PropId>,
    /// Properties of the kind assert by name.
    assertion_names: HashMap<String, PropId>,
    /// The properties that items declare, in order.
    declared_properties: Vec<PropId>,
    /// Texts of the source, which the copies of a procedure share.
    snippets: texts::Snippets,
    /// What is used of the limits above.
    points: usize,
    steps: usize,
    cells: usize,
    too_large: bool,
}

impl<'a> Lowering<'a> {
    fn new(
        map: &'a SourceMap,
        program: Program,
        options: &'a Options,
        diagnostics: &'a mut Diagnostics,
    ) -> Lowering<'a> {
        Lowering {
            map,
            options,
            diagnostics,
            program,
            symbols: HashMap::new(),
            constants: HashSet::new(),
            types: HashMap::new(),
            pools: HashMap::new(),
            pool_tables: HashMap::new(),
            layouts: Layouts::default(),
            threads: Vec::new(),
            definitions: Vec::new(),
            definition_names: HashMap::new(),
            procedures: Vec::new(),
            procedure_names: HashMap::new(),
            procedure_used: Vec::new(),
            assertions: HashMap::new(),
            assertion_names: HashMap::new(),
            declared_properties: Vec::new(),
            snippets: texts::Snippets::default(),
            points: 0,
            steps: 0,
            cells: 0,
            too_large: false,
        }
    }

    /// The constants that are declared.
    fn declared_constants(&self) -> Constants {
        let values = self.symbols.iter().filter_map(|(name, (symbol, _))| match symbol {
            Symbol::Constant(value) => Some(((*name).to_owned(), *value)),
            _ => None,
        });
        Constants { values: values.collect(), layouts: self.layouts.clone() }
    }

    fn report(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    /// Whether going on makes no sense: too many mistakes, or too large a program.
    fn hopeless(&self) -> bool {
        self.too_large || self.diagnostics.is_full()
    }

    /// Reports a name that stands for nothing, with the nearest one that does.
    fn unknown<'c>(
        &mut self,
        code: &'static str,
        what: &str,
        name: &Name,
        candidates: impl IntoIterator<Item = &'c str>,
    ) {
        if self.diagnostics.is_full() {
            return;
        }
        let message = format!("there is no {what} {}", shown(&name.text));
        let found = Diagnostic::error(code, message, name.span).label("unknown");
        let nearest = taut_source::nearest(&name.text, candidates);
        self.diagnostics.push(match nearest {
            Some(meant) => found.help(format!("did you mean `{meant}`?")),
            None => found,
        });
    }

    fn too_large(&mut self, span: Span, what: &str, most: usize) {
        if !self.too_large {
            let message = format!("the program has more than {most} {what}");
            self.report(Diagnostic::error(codes::TOO_LARGE, message, span).label("too large here"));
        }
        self.too_large = true;
    }

    /// Counts values that variables hold; false if they are too many.
    fn take_cells(&mut self, count: usize, span: Span) -> bool {
        self.cells += count;
        if self.cells > MOST_CELLS {
            self.too_large(span, "values in variables and registers", MOST_CELLS);
        }
        !self.too_large
    }

    /// Lowers the code of all definitions, and of procedures nobody calls for their mistakes only.
    fn code(&mut self, _: &'a File) {
        for index in 0..self.definitions.len() {
            if self.hopeless() {
                return;
            }
            let def = match self.definitions[index].code {
                Code::Statements(item) => body::process(self, index, item),
                Code::Graph(item) => graph::process(self, index, item),
            };
            self.program.defs.push(def);
        }
        for index in 0..self.procedures.len() {
            if !self.procedure_used[index] && !self.hopeless() {
                body::uncalled(self, index);
            }
        }
    }

    /// The program, unless a mistake was found. What the model refuses and nothing above has reported is
    /// reported at the given place.
    fn finish(self, start: Span) -> Option<Program> {
        if self.diagnostics.has_errors() {
            return None;
        }
        match taut_ir::validate::validate(&self.program) {
            Ok(()) => Some(self.program),
            Err(errors) => {
                for error in errors {
                    let message = format!("the program is not well formed: {error}");
                    self.diagnostics.push(Diagnostic::error(
                        codes::NOT_WELL_FORMED,
                        message,
                        start,
                    ));
                }
                None
            }
        }
    }
}

/// Calls a function with every statement of a list, outer ones first.
pub(crate) fn visit<'s>(stmts: &'s [ast::Stmt], f: &mut impl FnMut(&'s ast::Stmt)) {
    for stmt in stmts {
        f(stmt);
        if let ast::StmtKind::For(all) = &stmt.kind {
            all.init.iter().chain(&all.step).for_each(&mut *f);
        }
        stmt.blocks().into_iter().for_each(|block| visit(&block.stmts, f));
    }
}

/// The bodies of a file, in order.
fn bodies(file: &File) -> impl Iterator<Item = &ast::Block> {
    file.items.iter().filter_map(|item| match &item.kind {
        ItemKind::Process(p) => Some(&p.body),
        ItemKind::Procedure(p) => Some(&p.body),
        _ => None,
    })
}

/// A definition without code.
fn empty_def(name: &str, span: Span) -> ProcessDef {
    ProcessDef {
        name: name.into(),
        registers: Vec::new(),
        params: 0,
        points: Vec::new(),
        entry: taut_ir::PointId(0),
        steps: Vec::new(),
        procedures: Vec::new(),
        channel_registers: Vec::new(),
        span,
    }
}
