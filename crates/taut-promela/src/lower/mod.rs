//! From a checked model to a program.
//!
//! Every statement is one step, as in SPIN: [`flow`] and [`table`] find the states and transitions of each
//! proctype as SPIN finds them, so that under sequential consistency a model has as many states here as
//! there. Globals are shared memory with store buffers, channels and observers' variables are not; processes
//! live on SPIN's stack ([`taut_ir::Lifecycle::Stack`]).
//!
//! Formulas and claims become properties ([`claims`], [`never`]), a trace assertion becomes a ghost variable that
//! sends and receives move ([`trace`]).
//!
//! A model may start any number of processes, and a program has a fixed number: [`LowerOptions::slots`] says
//! how many there are, and who runs out of them lowers again with more.

mod atoms;
mod claims;
mod constant;
mod declare;
mod endless;
mod expr;
mod flow;
mod mmlib;
mod never;
mod priority;
mod process;
mod remote;
mod statement;
mod steps;
mod storage;
mod table;
mod text;
mod trace;
mod usage;
mod warn;
mod watch;

use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

use taut_ir::{
    Channels, Expr, MemoryModel, Overflow, PointId, ProcId, Program, Type, VarId, VarKind,
    Variable, build::DEFAULT_CALL_DEPTH,
};
use taut_source::{Diagnostics, Span};

use crate::ast;
use crate::{Parsed, Symbols, VariableId};
use process::Proctype;
use steps::Graph;
use storage::Storage;
use usage::Usage;

/// What lowering needs to know that is not in the text of a model.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LowerOptions {
    /// What to call the program; usually the name of its file.
    pub name: String,
    /// Global variables that are observers', besides those declared `ghost`.
    pub ghosts: Vec<String>,
    /// How many processes of a proctype, by its name, there may be at once besides those that run from the
    /// start; 1 where nothing is said and the proctype is ever run.
    pub slots: BTreeMap<String, u32>,
    /// Whether sends wait for the store buffer. In the dialect of mmlib they never do.
    pub channels: Channels,
    /// The number of processes of a proctype with any number of them; none for every number.
    pub threads: Option<u32>,
}

/// A program made from a model.
#[derive(Clone, Debug)]
pub struct Lowered {
    /// The program.
    pub program: Program,
    /// The memory model that an mmlib header chooses.
    pub model: Option<MemoryModel>,
    /// The bound on buffers that an mmlib model chooses.
    pub bound: Option<u32>,
    /// Whether some process is at a `progress` label; none if the model has no such label. A cycle without
    /// progress is an infinite run in which that is true finitely often.
    pub progress: Option<Expr>,
    /// Whether some process is at an `accept` label; none if the model has no such label. An acceptance cycle
    /// is a run in which that is true infinitely often.
    pub accept: Option<Expr>,
    /// What is worth a look under every memory model.
    pub warnings: Diagnostics,
    /// What is worth a look on relaxed memory only: atomic blocks that are meant as locked instructions.
    pub relaxed_warnings: Diagnostics,
}

pub use endless::after_endless_loops;
pub use warn::atomic_places;

/// Makes a program of a model.
pub fn lower(parsed: &Parsed, options: &LowerOptions) -> Result<Lowered, Diagnostics> {
    let mut lowering = Lowering::new(parsed, options);
    lowering.globals();
    lowering.proctypes();
    if lowering.diagnostics.has_errors() {
        return Err(lowering.diagnostics);
    }
    lowering.trace();
    lowering.bodies();
    if lowering.diagnostics.has_errors() {
        return Err(lowering.diagnostics);
    }
    lowering.claims();
    if lowering.diagnostics.has_errors() {
        return Err(lowering.diagnostics);
    }
    lowering.warn();
    let progress = lowering.marked(|marks| marks.progress);
    let accept = lowering.marked(|marks| marks.accept);
    let program = lowering.program;
    debug_assert_eq!(taut_ir::validate::validate(&program), Ok(()));
    let native = lowering.mm.is_some();
    Ok(Lowered {
        program,
        model: mmlib::model_of(parsed).filter(|_| native),
        bound: mmlib::bound_of(parsed).filter(|_| native),
        progress,
        accept,
        warnings: lowering.notes,
        relaxed_warnings: lowering.warnings,
    })
}

/// The lowering at work.
struct Lowering<'m> {
    parsed: &'m Parsed,
    options: &'m LowerOptions,
    diagnostics: Diagnostics,
    /// What is worth a look always, and what only on relaxed memory.
    notes: Diagnostics,
    warnings: Diagnostics,
    program: Program,
    storage: Storage,
    used: Usage,
    /// The number of each variable, by the place of its declarator in memory: a declaration in an inline that
    /// is called twice is two declarations at one place of the text.
    declared: HashMap<*const ast::Declarator, VariableId>,
    /// The fields of structures by their place in the text.
    fields: HashMap<Span, &'m ast::Declarator>,
    /// The proctypes, by their number among the symbols; none for claims.
    proctypes: Vec<Option<Proctype<'m>>>,
    graphs: Vec<Option<Rc<Graph<'m>>>>,
    /// The proctype whose code is being lowered.
    current: usize,
    /// Whether it is a claim that is being lowered.
    in_claim: bool,
    /// The variable that holds `_last`, if the model reads it.
    last: Option<VarId>,
    mm: Option<mmlib::Mmlib>,
    /// The trace assertion, if the model has one.
    observer: Option<trace::Observer>,
}

impl<'m> Lowering<'m> {
    fn new(parsed: &'m Parsed, options: &'m LowerOptions) -> Lowering<'m> {
        let program = Program {
            name: options.name.clone(),
            call_depth: DEFAULT_CALL_DEPTH,
            lifecycle: taut_ir::Lifecycle::Stack,
            ..Program::default()
        };
        Lowering {
            parsed,
            options,
            diagnostics: Diagnostics::new(),
            notes: Diagnostics::new(),
            warnings: Diagnostics::new(),
            program,
            storage: Storage::new(&parsed.symbols),
            used: Usage::of(parsed),
            declared: HashMap::new(),
            fields: HashMap::new(),
            proctypes: Vec::new(),
            graphs: Vec::new(),
            current: 0,
            in_claim: false,
            last: None,
            mm: None,
            observer: None,
        }
    }

    fn symbols(&self) -> &'m Symbols {
        &self.parsed.symbols
    }

    /// The number of the variable that a declarator declares.
    fn declaration(&self, declarator: &ast::Declarator) -> VariableId {
        self.declared[&std::ptr::from_ref(declarator)]
    }

    /// Whether the sends of the model wait for the store buffer of their process.
    fn sends_drain(&self) -> bool {
        self.options.channels == Channels::Drain && self.mm.is_none()
    }

    /// Adds a variable of an observer.
    fn ghost(&mut self, name: &str, ty: Type) -> VarId {
        let id = VarId::from(self.program.vars.len());
        self.program.vars.push(Variable {
            name: name.into(),
            kind: VarKind::Ghost,
            ty,
            len: None,
            init: vec![0],
            span: Span::NONE,
        });
        id
    }

    /// Where a label of a proctype is: of an inline that is called twice, where it stands last, as in SPIN.
    fn label_point(&self, proctype: u32, label: &str) -> Option<PointId> {
        let graph = self.graphs.get(proctype as usize)?.as_ref()?;
        let at = graph.flow.labels().filter(|(name, _)| *name == label).map(|(_, at)| at).max()?;
        graph.points.get(&at).copied()
    }

    /// The processes of a proctype, those that run from the start first.
    fn processes_of(&self, proctype: u32) -> Vec<ProcId> {
        let Some(Some(known)) = self.proctypes.get(proctype as usize) else { return Vec::new() };
        let def = known.def;
        self.program.process_ids().filter(|p| self.program.process(*p).def == def).collect()
    }

    fn current(&self) -> &Proctype<'m> {
        self.proctypes[self.current].as_ref().expect("a proctype is being lowered")
    }
}

/// A byte, as SPIN keeps most things in.
const BYTE: Type = Type { lo: 0, hi: 255, overflow: Overflow::Wrap };

/// The most values that a program may hold: what SPIN would hold in a vector is far smaller.
const MOST_VALUES: u64 = 1 << 20;
