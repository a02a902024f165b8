//! From the typed program to the flat one: every call is inlined into the thread that makes it.
//!
//! A thread function becomes one control-flow graph. Locals are registers; a local whose address becomes a value is an
//! object in memory, one copy per thread. That is found out on the way: where the address of a register is needed as a
//! value, the local is noted and everything is built again ([`Stop::Again`]). So `lock(&mine)` keeps `mine` in a register as
//! long as the inlined `lock` only follows the pointer.
//!
//! A function is never active twice in one thread, recursion apart. So all inlined copies of a function share the registers and objects of
//! its locals.

mod atomics;
mod calls;
mod chance;
mod control;
mod data;
mod expr;
mod frames;
mod heap;
mod known;
mod threads;
mod unroll;

use std::collections::{HashMap, HashSet};

use taut_ir::{Fault, Type};
use taut_source::{Diagnostic, SourceMap, Span};

use super::Options;
use super::mir::{
    Cell, Check, Edge, Mir, Mode, Object, ObjectId, Op, Point, PointInfo, Recursive, Reg, Register,
    SpawnNumber, Storage, Target, Thread, ThreadId, Value,
};
use crate::hir::{Function, FunctionId, Global, GlobalId, LocalId, Unit};
use crate::types::{IntTy, QualTy, Ty};

/// The most steps that inlining may make of a program.
const MOST_EDGES: usize = 50_000;
/// The most cells of one object.
const MOST_CELLS: u32 = 1 << 16;

/// Why building stops.
pub(crate) enum Stop {
    /// A local turned out to be in memory, or a thread to have something to destroy: build again.
    Again,
    /// The program is refused.
    Refused(Box<Diagnostic>),
}

impl From<Diagnostic> for Stop {
    fn from(diagnostic: Diagnostic) -> Stop {
        Stop::Refused(Box::new(diagnostic))
    }
}

pub(crate) type Built<T> = Result<T, Stop>;

/// The flat program of a unit.
pub(crate) fn build(
    unit: &Unit,
    sources: &SourceMap,
    options: &Options,
) -> Result<Mir, Box<Diagnostic>> {
    let _phase = taut_budget::phase("calls are inlined");
    // The search for races gives out numbers as threads are started; threads that run from the start are taken as they are.
    let rooted = !options.roots.is_empty();
    let mut found =
        Found { no_constants: rooted, no_numbers: rooted || options.races, ..Found::default() };
    loop {
        let before = found.clone();
        let mut builder = Builder::new(unit, sources, options, found);
        match builder.program() {
            Ok(()) if builder.found.no_numbers || is_numbered(&builder.mir) => {
                builder.mir.numbered = !builder.found.no_numbers;
                return Ok(builder.mir);
            }
            Ok(()) => builder.found.no_numbers = true,
            Err(Stop::Refused(diagnostic)) => return Err(diagnostic),
            Err(Stop::Again) => {}
        }
        found = builder.found;
        debug_assert!(found != before, "building again changes nothing");
    }
}

/// What was found out while the program was built, for building it again.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Found {
    /// Locals whose addresses are values.
    in_memory: HashSet<(FunctionId, LocalId)>,
    /// Locals that are set once and still have several values.
    varying: HashSet<(FunctionId, LocalId)>,
    /// True if constants must not be followed.
    no_constants: bool,
    /// True if a thread's number is not known where it is started: some are started in a loop.
    no_numbers: bool,
    /// True if values of threads have destructors.
    destructors: bool,
}

/// True if each thread has a number that is known, and none is started in a loop.
fn is_numbered(mir: &Mir) -> bool {
    let starts = |edge: &&Edge| edge.ops.iter().any(|op| matches!(op, Op::Spawn(..)));
    let free = |op: &Op| matches!(op, Op::Spawn(_, SpawnNumber::Free, ..));
    mir.threads.iter().all(|thread| {
        thread
            .edges
            .iter()
            .filter(starts)
            .all(|edge| !edge.ops.iter().any(free) && !super::is_on_cycle(thread, edge.from))
    })
}

/// A thread function with its argument, if that is a constant.
type Template = (FunctionId, Vec<Option<Value>>);

/// Builds the flat program.
pub(crate) struct Builder<'u> {
    unit: &'u Unit,
    sources: &'u SourceMap,
    options: &'u Options,
    mir: Mir,
    found: Found,
    globals: HashMap<GlobalId, ObjectId>,
    templates: Vec<Template>,
    /// Functions whose addresses are taken: what an unknown pointer may call.
    callable: Vec<FunctionId>,
    /// Functions that can call themselves.
    recursive: HashSet<FunctionId>,
    /// True if the result of a thread is asked for.
    joins: bool,
    /// True if integers are accessed with and without a sign.
    mixed_signs: bool,
    /// Parameters and locals that are assigned or have their address taken, by function.
    written: HashMap<FunctionId, HashSet<LocalId>>,
    /// Those that are set after their declaration, or have their address taken.
    assigned: HashMap<FunctionId, HashSet<LocalId>>,
    /// Functions that start threads or wait for them, themselves or by a call.
    threading: HashSet<FunctionId>,
    /// The values of counters of loops.
    counters: HashMap<FunctionId, HashMap<LocalId, (i64, i64)>>,
    asserts: HashMap<Span, usize>,
    /// The ghost that is set once a run is over for good.
    over: Option<ObjectId>,
    /// The distance of addresses of neighbouring cells: more than 1 if the program puts marks into low bits.
    scale: i64,
    heap_sites: HashMap<(Span, String), ObjectId>,
    /// The constants that the program compares with.
    compared: Vec<i64>,
    /// The thread that is being built.
    t: ThreadState,
}

/// The state of the thread that is being built.
struct ThreadState {
    id: usize,
    regs: Vec<Register>,
    points: Vec<PointInfo>,
    edges: Vec<Edge>,
    procedures: Vec<Recursive>,
    /// The constants at each point, by its number.
    known: Vec<Option<known::Known>>,
    /// Where the next step begins; none where the code cannot be reached.
    cur: Option<Point>,
    /// True inside of an indivisible section.
    atomic: bool,
    /// Number of sections that are open.
    sections: u32,
    /// The registers of results of functions that call themselves.
    results: HashMap<FunctionId, Reg>,
    /// Checks of the next step.
    checks: Vec<Check>,
    frames: Vec<Frame>,
    locals: HashMap<(FunctionId, LocalId), Slot>,
    objects: HashMap<(FunctionId, LocalId), ObjectId>,
    /// What the next steps are called in reports.
    here: Span,
    /// Set while the code of a library function is inlined: its steps are called as the call is.
    fixed: bool,
    /// The library function that was inlined last.
    library: Option<String>,
    /// Where a thread stops for good.
    stop: Option<Point>,
}

impl Default for ThreadState {
    fn default() -> ThreadState {
        ThreadState {
            id: 0,
            regs: Vec::new(),
            points: Vec::new(),
            edges: Vec::new(),
            procedures: Vec::new(),
            known: Vec::new(),
            cur: None,
            atomic: false,
            sections: 0,
            results: HashMap::new(),
            checks: Vec::new(),
            frames: Vec::new(),
            locals: HashMap::new(),
            objects: HashMap::new(),
            here: Span::NONE,
            fixed: false,
            library: None,
            stop: None,
        }
    }
}

/// A function that is being inlined.
struct Frame {
    function: FunctionId,
    /// Where `return` goes.
    exit: Point,
    result: Option<Reg>,
    /// Where a structure that is returned goes.
    result_place: Option<Located>,
    labels: HashMap<String, Point>,
    breaks: Vec<Point>,
    continues: Vec<Point>,
    switches: Vec<Vec<(i64, i64, Point)>>,
    /// What is known where each open `switch` begins.
    switched: Vec<Option<known::Known>>,
    defaults: Vec<Option<Point>>,
    /// True if it is a procedure: it returns instead of going on.
    procedure: Option<usize>,
}

/// Where a local is.
#[derive(Clone, Debug)]
enum Slot {
    /// In a register, or an array of registers.
    Register(Reg),
    /// In memory.
    Object(ObjectId),
    /// A parameter that is never assigned and whose argument is a constant, or a register that does not change.
    Bound(Value),
}

/// A place that was found.
#[derive(Clone, Debug)]
pub(crate) enum Located {
    /// A scalar register.
    Register(Reg),
    /// An element of an array of registers.
    Element(Reg, Value),
    /// A value that is a parameter's, never assigned.
    Value(Value),
    /// A cell of memory.
    Memory(super::mir::Place),
}

impl<'u> Builder<'u> {
    fn new(
        unit: &'u Unit,
        sources: &'u SourceMap,
        options: &'u Options,
        found: Found,
    ) -> Builder<'u> {
        let uses = super::uses::Uses::of(unit);
        let scale = if uses.tags { super::TAGGED } else { 1 };
        let mir = Mir { scale, mixed_signs: uses.mixed_signs, ..Mir::default() };
        Builder {
            unit,
            sources,
            options,
            scale: mir.scale,
            mir,
            found,
            globals: HashMap::new(),
            templates: Vec::new(),
            callable: uses.callable,
            recursive: uses.recursive,
            joins: uses.joins,
            mixed_signs: uses.mixed_signs,
            written: uses.written,
            assigned: uses.assigned,
            threading: uses.threading,
            counters: uses.counters,
            asserts: HashMap::new(),
            over: None,
            heap_sites: HashMap::new(),
            compared: chance::compared(unit, &options.built_in),
            t: ThreadState::default(),
        }
    }

    fn program(&mut self) -> Built<()> {
        if !self.options.roots.is_empty() {
            return self.roots();
        }
        let Some(main) = self.function_named("main") else {
            let message = "the program has no `main`";
            let found = Diagnostic::error(super::codes::NO_MAIN, message, self.first_place());
            return Err(found.help("a program starts in `main`, which creates the threads").into());
        };
        self.templates.push((main, Vec::new()));
        let mut next = 0;
        while next < self.templates.len() {
            self.thread(next)?;
            next += 1;
        }
        Ok(())
    }

    /// Builds the threads that run from the start.
    fn roots(&mut self) -> Built<()> {
        self.mir.rooted = true;
        for name in &self.options.globals {
            self.global_named(name)?;
        }
        for root in &self.options.roots {
            let Some(function) = self.function_named(&root.function) else { continue };
            let mut bound = Vec::new();
            for name in &root.arguments {
                let object = self.global_named(name)?;
                let address = object.map(|object| Value::Address(object, Box::new(Value::Int(0))));
                bound.push(Some(address.unwrap_or(Value::Int(0))));
            }
            self.templates.push((function, bound));
        }
        let roots = self.templates.len();
        for index in 0..roots {
            self.thread(index)?;
            if self.templates.len() > roots {
                self.t.here = self.mir.threads[index].span;
                return self
                    .refuse("a thread that starts threads", "write all threads side by side");
            }
        }
        Ok(())
    }

    fn global_named(&mut self, name: &str) -> Built<Option<ObjectId>> {
        let found = self.unit.globals.iter().position(|global| global.name == name);
        found.map(|index| self.global(GlobalId(index as u32))).transpose()
    }

    /// Where the program begins.
    fn first_place(&self) -> Span {
        let own = |f: &&Function| !self.options.built_in.contains(&f.span.file);
        self.unit.functions.iter().find(own).map_or(Span::NONE, |f| f.span)
    }

    fn function_named(&self, name: &str) -> Option<FunctionId> {
        let is = |f: &Function| f.name == name && f.body.is_some();
        self.unit.functions.iter().position(is).map(|i| FunctionId(i as u32))
    }

    fn function(&self, id: FunctionId) -> &'u Function {
        &self.unit.functions[id.0 as usize]
    }

    /// The object of a global.
    fn global(&mut self, id: GlobalId) -> Built<ObjectId> {
        if let Some(&object) = self.globals.get(&id) {
            return Ok(object);
        }
        let global: &Global = &self.unit.globals[id.0 as usize];
        if let Some(refused) = &global.refused {
            return Err((**refused).clone().into());
        }
        let storage = if global.thread_local { Storage::ThreadLocal } else { Storage::Static };
        let name = if global.name.is_empty() { "string".to_owned() } else { global.name.clone() };
        let object = self.object(name, &global.ty, storage, global.span)?;
        self.globals.insert(id, object);
        for (cell, constant) in &global.init {
            let value = self.constant(*constant)?;
            self.mir.objects[object.0 as usize].cells[*cell as usize].init = value;
        }
        Ok(object)
    }

    fn constant(&mut self, constant: crate::hir::Constant) -> Built<Value> {
        Ok(match constant {
            crate::hir::Constant::Int(value) => Value::Int(value),
            crate::hir::Constant::Function(function) => Value::Function(function),
            crate::hir::Constant::Address(global, cell) => {
                Value::Address(self.global(global)?, Box::new(Value::Int(i64::from(cell))))
            }
        })
    }

    /// A new object of a type.
    fn object(
        &mut self,
        name: String,
        ty: &QualTy,
        storage: Storage,
        span: Span,
    ) -> Built<ObjectId> {
        let count = ty.ty.cells(&self.unit.structs);
        if count > MOST_CELLS {
            let message = format!("`{name}` has {count} cells");
            let found = Diagnostic::error(super::codes::TOO_LARGE, message, span);
            return Err(found.label(format!("the limit is {MOST_CELLS}")).into());
        }
        let mut cells = Vec::new();
        data::cells(&ty.ty, &self.unit.structs, String::new(), &mut cells);
        let id = ObjectId(self.mir.objects.len() as u32);
        self.mir.objects.push(Object { name, storage, cells, span });
        Ok(id)
    }

    /// A ghost with some cells that begin with 0.
    fn ghost(&mut self, name: &str, cells: u32) -> ObjectId {
        let id = ObjectId(self.mir.objects.len() as u32);
        let cell = |i: u32| Cell {
            suffix: if cells == 1 { String::new() } else { format!("[{i}]") },
            init: Value::Int(0),
            pointer: false,
            lo: 0,
            hi: 1,
            bytes: None,
        };
        let cells = (0..cells).map(cell).collect();
        let (name, storage) = (name.to_owned(), Storage::Ghost);
        self.mir.objects.push(Object { name, storage, cells, span: Span::NONE });
        id
    }

    /// The ghost that is set once a run is over.
    fn over(&mut self) -> ObjectId {
        match self.over {
            Some(over) => over,
            None => {
                let over = self.ghost("'over", 1);
                self.over = Some(over);
                over
            }
        }
    }

    /// A new register that holds values of a type.
    fn register(&mut self, name: &str, ty: Type, pointer: bool) -> Reg {
        let id = Reg(self.t.regs.len() as u32);
        let (name, span) = (name.to_owned(), self.t.here);
        self.t.regs.push(Register { name, ty, len: None, pointer, origin: None, span });
        id
    }

    /// A new register for a value in the middle of an expression.
    fn temporary(&mut self, ty: &Ty) -> Reg {
        self.register("t", Type::INT64, may_point(ty))
    }

    /// A register whose values wrap around or fault as those of an integer type do.
    fn arithmetic(&mut self, int: IntTy, wraps: bool) -> Reg {
        let overflow = if wraps { taut_ir::Overflow::Wrap } else { taut_ir::Overflow::Fault };
        let ty = Type { lo: int.lo(), hi: int.hi(), overflow };
        self.register("t", ty, int.bits == 64)
    }

    fn point(&mut self) -> Point {
        let id = Point(self.t.points.len() as u32);
        self.t.points.push(PointInfo::default());
        id
    }

    /// Goes on at a point: inside of the sections that are open where steps lead to it.
    fn resume(&mut self, point: Point) {
        self.t.cur = Some(point);
        self.rely_on_known(point);
        if let Some(sections) = self.t.points[point.0 as usize].sections {
            self.t.sections = sections;
            self.t.atomic = sections > 0;
        }
    }

    /// A step leads to a point with the sections that are open now.
    fn entered(&mut self, to: Point) {
        if Some(to) == self.t.stop {
            return;
        }
        let open = self.t.sections;
        let info = &mut self.t.points[to.0 as usize];
        // Paths that disagree (a section that only one branch ends) are outside together.
        let sections = info.sections.map_or(open, |other| other.min(open));
        info.sections = Some(sections);
        info.atomic = sections > 0;
    }

    /// Adds a step from the current point to a new one.
    fn step(&mut self, mode: Mode, ops: Vec<Op>) -> Built<()> {
        let to = self.point();
        self.step_to(Value::TRUE, mode, ops, to)?;
        self.resume_reached(to);
        Ok(())
    }

    /// Adds a step with a guard from the current point to a given one; the current point stays.
    fn step_to(&mut self, guard: Value, mode: Mode, ops: Vec<Op>, to: Point) -> Built<()> {
        self.edge(guard, mode, ops, Target::Point(to))
    }

    fn edge(&mut self, guard: Value, mode: Mode, ops: Vec<Op>, to: Target) -> Built<()> {
        taut_budget::tick();
        let checks = std::mem::take(&mut self.t.checks);
        let Some(from) = self.t.cur else { return Ok(()) };
        if self.t.edges.len() >= MOST_EDGES {
            let message = "the program is too large once its calls are inlined";
            let found = Diagnostic::error(super::codes::TOO_LARGE, message, self.t.here);
            return Err(found.label(format!("more than {MOST_EDGES} steps up to here")).into());
        }
        let mode = if self.t.atomic { Mode::Locked } else { mode };
        for op in &ops {
            for value in op.values() {
                self.no_register_address(value)?;
                debug_assert!(!value.is_open(), "a value that was not chosen");
            }
        }
        debug_assert!(!guard.is_open(), "a condition that was not chosen");
        if let Target::Point(to) | Target::Call { back: to, .. } = &to {
            self.entered(*to);
        }
        match &to {
            Target::Point(to) => self.learn(&ops, *to)?,
            Target::Call { back, .. } => self.learn_nothing(*back),
            Target::Return => {}
        }
        let (span, text) = (self.t.here, self.text());
        let before = if guard.loads() == 0 { guard.clone() } else { Value::TRUE };
        self.t.edges.push(Edge { from, to, before, guard, mode, checks, ops, span, text });
        Ok(())
    }

    /// A local whose address is a value is in memory.
    fn no_register_address(&mut self, value: &Value) -> Built<()> {
        let mut found = None;
        value.visit(&mut |v| {
            if let Value::RegAddress(reg, _) = v {
                found = Some(*reg);
            }
        });
        let Some(reg) = found else { return Ok(()) };
        let register = &self.t.regs[reg.0 as usize];
        let Some(origin) = register.origin else {
            debug_assert!(false, "the address of a temporary");
            return Ok(());
        };
        self.found.in_memory.insert(origin);
        Err(Stop::Again)
    }

    /// Goes to a point.
    fn goto(&mut self, to: Point) -> Built<()> {
        self.step_to(Value::TRUE, Mode::Plain, Vec::new(), to)?;
        self.t.cur = None;
        Ok(())
    }

    /// The words for the next steps: the text of the statement, on one line.
    fn text(&self) -> Option<String> {
        let span = self.t.here;
        if span.is_none() {
            return None;
        }
        let text = self.sources.file(span.file).text();
        let slice = text.get(span.start as usize..span.end as usize)?;
        let words = slice.split_whitespace().collect::<Vec<_>>().join(" ");
        let words = words.trim_end_matches(';').trim_end().to_owned();
        match words.char_indices().nth(100) {
            Some((cut, _)) => Some(format!("{}…", &words[..cut])),
            None => Some(words),
        }
    }

    /// Where the thread stops for good.
    fn stopped(&mut self) -> Point {
        match self.t.stop {
            Some(stop) => stop,
            None => {
                let stop = Point(self.t.points.len() as u32);
                self.t.points.push(PointInfo {
                    end: true,
                    sections: Some(0),
                    ..PointInfo::default()
                });
                self.t.stop = Some(stop);
                stop
            }
        }
    }

    /// A step that goes wrong if a condition is false, as a check of the next step.
    fn check(&mut self, ok: Value, fault: Fault) {
        if !matches!(ok, Value::Int(x) if x != 0) {
            self.t.checks.push(Check::True(ok, fault));
        }
    }

    fn refuse<T>(&self, what: &str, help: &str) -> Built<T> {
        let found = Diagnostic::error(super::codes::UNSUPPORTED, what, self.t.here);
        Err(found.label("not supported").help(help).into())
    }

    fn finish_thread(&mut self, name: String, entry: Point, span: Span) {
        let state = std::mem::take(&mut self.t);
        let observed = if self.mir.rooted { locals(&state.regs) } else { Vec::new() };
        self.mir.threads.push(Thread {
            observed,
            name,
            converts: !self.mixed_signs,
            regs: state.regs,
            points: state.points,
            edges: state.edges,
            entry,
            procedures: state.procedures,
            span,
        });
        debug_assert_eq!(self.mir.threads.len(), state.id + 1);
    }

    fn thread_id(&self) -> ThreadId {
        ThreadId(self.t.id as u32)
    }
}

/// The registers of the user's scalar locals.
fn locals(regs: &[Register]) -> Vec<Reg> {
    let is_local = |reg: &Register| reg.origin.is_some() && reg.len.is_none() && reg.name != "t";
    let all = regs.iter().enumerate();
    all.filter(|(_, reg)| is_local(reg)).map(|(index, _)| Reg(index as u32)).collect()
}

/// True if a value of a type can be an address: pointers, and the integers that hold one.
pub(crate) fn may_point(ty: &Ty) -> bool {
    match ty {
        Ty::Pointer(_) => true,
        Ty::Int(int) => int.bits == 64,
        _ => false,
    }
}
