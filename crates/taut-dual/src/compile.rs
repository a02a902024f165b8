//! Control points and edges of a program, found forward from the start.
//!
//! This is the over-approximation that keeps the backward search small: a load may see every value that some control
//! point found so far may store to its cell, and nothing else. When a cell gets a new value, the control points with a
//! load of it are looked at again. What is not found here is reachable in no run, and no constraint speaks of it.
//!
//! # Cells with few values
//!
//! A counter that a lock keeps between 0 and 1 has every value here, since the over-approximation does not know the lock. A
//! program with such a cell is compiled with a *window*: each cell has so many values, those that are found first, and a store of
//! one more leads to a control point of its own ([`Bound::Values`]) that nothing leaves. What the search finds then is a run
//! of the program. If it finds nothing, it is asked whether one of these control points is reached. If not, no run ever
//! leaves the window, and the answer is exact; otherwise the program is refused with the cell.

use std::collections::{BTreeSet, HashMap, VecDeque};

use taut_ir::{Finding, Mode, ProcId, Program, Span, Start, Step, StepId, VarId};

use crate::history::History;
use crate::locals::{Locals, users_of_ghosts};
use crate::places::{Cell, Fact, Places, Value};
use crate::start::{alike, begin, is_finished, named, starts, wait_again};
use crate::step::{Execution, Outcome, Taken};
use crate::symbol::{Entry, Symbols};
use crate::system::{Bound, ControlId, Edge, EdgeId, Kind, Point, Process, System};

/// Control points and values after which the data of a program count as too large.
const MOST_POINTS: usize = 1 << 18;
pub(crate) const MOST_VALUES: usize = 1 << 12;
/// Edges after which they do.
const MOST_EDGES: usize = 1 << 21;

/// Steps that are taken for some values, and values of a cell, after which the values of that cell count as too many: each new
/// value makes all that loads the cell be looked at again.
const MOST_BRANCHES: u64 = 1 << 20;
const MANY_VALUES: usize = 256;

/// The reason why a program was not compiled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NotCompiled {
    /// A cell has too many values.
    Values(Cell),
    /// A process has too many control points, or edges between them.
    Points(ProcId),
    /// A plain step loads too many cells at once.
    Loads(ProcId, StepId),
    /// A process is started while stores of the process that starts it may wait.
    Late(ProcId, StepId),
    /// A ghost belongs to a process that may be started again.
    Ghost(VarId),
    /// A property names one of several processes that may be started again.
    Named(Span),
}

/// The most cells that a plain step may load at once: their own stores and messages are guessed.
const MOST_LOADS: usize = 6;

/// A process while it is compiled.
struct Growing {
    names: Locals,
    points: Vec<Point>,
    numbers: HashMap<Point, ControlId>,
    /// The edges that leave each control point.
    leaving: Vec<Vec<Edge>>,
    is_queued: Vec<bool>,
}

/// A program while it is compiled.
pub(crate) struct Compiler<'p> {
    program: &'p Program,
    places: Places,
    processes: Vec<Growing>,
    queue: VecDeque<(usize, ControlId)>,
    /// The control points with a load of each cell.
    readers: Vec<BTreeSet<(usize, ControlId)>>,
    edges: usize,
    too_large: Option<NotCompiled>,
    /// Whether processes that have finished wait again (`start.rs`).
    again: bool,
    /// The number of values that a cell may have.
    window: usize,
    branches: u64,
}

/// A compiled program with the private states of its processes; or the reason why there is none.
type Compiled = Result<(System, Vec<Locals>), (NotCompiled, Places)>;

/// Compiles a program that the engine supports.
pub(crate) fn compile(program: &Program, window: usize) -> Compiled {
    let _phase = taut_budget::phase("control points are listed");
    let compiled = Compiler::new(program, window, false).run()?;
    let is_met = |(bound, _): &(Bound, _)| matches!(bound, Bound::Threads(_));
    let can_wait_again = compiled.0.processes.iter().any(|p| p.finished.contains(&true));
    if can_wait_again && compiled.0.bounds().iter().any(is_met) {
        return Compiler::new(program, window, true).run();
    }
    Ok(compiled)
}

impl<'p> Compiler<'p> {
    fn new(program: &'p Program, window: usize, again: bool) -> Compiler<'p> {
        let places = Places::of(program);
        let readers = vec![BTreeSet::new(); places.len()];
        let users = users_of_ghosts(program);
        let growing = |process: ProcId| {
            let own = users.iter().filter(|(_, users)| users.contains(&process)).map(|(v, _)| *v);
            let mut own: Vec<_> = own.collect();
            own.sort();
            Growing::new(Locals::of(program, process, &own))
        };
        let processes = program.process_ids().map(growing).collect();
        let queue = VecDeque::new();
        let (edges, branches, too_large) = (0, 0, None);
        Compiler {
            program,
            places,
            processes,
            queue,
            readers,
            edges,
            too_large,
            again,
            window,
            branches,
        }
    }
}

impl Growing {
    fn new(names: Locals) -> Growing {
        let points = vec![Point::Any];
        let numbers = HashMap::new();
        Growing { names, points, numbers, leaving: vec![Vec::new()], is_queued: vec![false] }
    }
}

impl<'p> Compiler<'p> {
    fn run(mut self) -> Compiled {
        for process in self.program.process_ids() {
            let point = match self.program.process(process).start {
                Start::Initially => {
                    let initial = self.processes[process.index()].names.initial.clone();
                    self.entry(process, initial)
                }
                Start::Spawned => Point::Waiting,
            };
            let first = self.control(process.index(), point);
            debug_assert_eq!(first, ControlId::INITIAL);
        }
        while let Some((process, control)) = self.queue.pop_front() {
            taut_budget::tick();
            if let Some(too_large) = self.too_large {
                return Err((too_large, self.places));
            }
            self.processes[process].is_queued[control.index()] = false;
            self.expand(process, control);
        }
        self.finish()
    }

    /// The control point at the entry of a process.
    fn entry(&self, process: ProcId, mut locals: Vec<i64>) -> Point {
        let entry = self.program.def_of(process).entry;
        self.processes[process.index()].names.forget_dead(entry.index(), &mut locals);
        Point::At(entry, locals.into())
    }

    /// The edges by which a process that was started begins.
    fn begins(&mut self, process: usize) -> Vec<Edge> {
        let Some(slot) = self.places.slot(process) else { return Vec::new() };
        self.readers[slot.index()].insert((process, ControlId::INITIAL));
        let mut edges = Vec::new();
        for value in self.places.values(slot).to_vec() {
            let Some(given) = self.places.given(process, value) else { continue };
            let locals = self.processes[process].names.starting(given);
            let id = ProcId::from(process);
            let target = self.control(process, self.entry(id, locals));
            edges.push(begin(id, target, (slot, self.places.number(slot, value))));
        }
        edges
    }

    /// The number of a control point; a new one is queued.
    fn control(&mut self, process: usize, point: Point) -> ControlId {
        let own = &mut self.processes[process];
        if let Some(&known) = own.numbers.get(&point) {
            return known;
        }
        let id = ControlId(own.points.len() as u32);
        own.points.push(point.clone());
        own.numbers.insert(point, id);
        own.leaving.push(Vec::new());
        own.is_queued.push(true);
        self.queue.push_back((process, id));
        if own.points.len() > MOST_POINTS {
            self.too_large = Some(NotCompiled::Points(ProcId::from(process)));
        }
        id
    }

    /// Makes the edges that leave a control point, again if they were made before.
    fn expand(&mut self, process: usize, control: ControlId) {
        let before = std::mem::take(&mut self.processes[process].leaving[control.index()]);
        self.edges -= before.len();
        let edges = match self.processes[process].points[control.index()].clone() {
            Point::At(point, locals) => {
                let program = self.program;
                let def = program.def_of(ProcId::from(process));
                let mut edges = Vec::new();
                for (id, step) in def.steps_from(point) {
                    self.branch(process, control, (id, step), &locals, &mut Vec::new(), &mut edges);
                }
                let id = ProcId::from(process);
                let is_over = is_finished(program, id, &Point::At(point, locals));
                let slot = self.places.slot(process).filter(|_| is_over && self.again);
                edges.extend(slot.map(|slot| wait_again(id, control, slot)));
                edges
            }
            Point::Inner(left, target) => vec![self.inner(process, control, &left, target)],
            Point::Waiting => self.begins(process),
            Point::Any | Point::Found(_) | Point::Bounded(_) => Vec::new(),
        };
        self.edges += edges.len();
        if self.edges > MOST_EDGES {
            self.too_large = Some(NotCompiled::Points(ProcId::from(process)));
        }
        self.processes[process].leaving[control.index()] = edges;
    }

    /// Takes a step for all values of the loads that are not known yet.
    fn branch(
        &mut self,
        process: usize,
        source: ControlId,
        step: (StepId, &'p Step),
        locals: &[i64],
        known: &mut Vec<(Cell, i64)>,
        edges: &mut Vec<Edge>,
    ) {
        taut_budget::tick();
        let names = &self.processes[process].names;
        let id = ProcId::from(process);
        self.branches += 1;
        if edges.len() > MOST_EDGES {
            self.too_large = Some(NotCompiled::Points(id));
            return;
        }
        let execution = Execution::new(self.program, id, &self.places, names, locals, known);
        match execution.run(step.1) {
            Err(_) if known.len() >= MOST_LOADS && kind(step.1) == Kind::Plain => {
                self.too_large = Some(NotCompiled::Loads(id, step.0));
            }
            Err(cell) => {
                self.readers[cell.index()].insert((process, source));
                // Values that come up meanwhile queue this control point again.
                for value in self.places.values(cell).to_vec() {
                    known.push((cell, value));
                    self.branch(process, source, step, locals, known, edges);
                    known.pop();
                }
            }
            Ok(Outcome::Refused) => {}
            Ok(Outcome::Wrong(fault)) => {
                let reads = self.facts(known);
                let found = Point::Found(Finding::Fault(fault));
                edges.push(self.ending(process, source, step, &reads, found));
            }
            Ok(Outcome::Blocked(bound)) => {
                let reads = self.facts(known);
                edges.push(self.ending(process, source, step, &reads, Point::Bounded(bound)));
            }
            Ok(Outcome::Taken(taken)) => {
                let reads = self.facts(known);
                for finding in taken.findings() {
                    edges.push(self.ending(process, source, step, &reads, Point::Found(finding)));
                }
                edges.push(self.taken(process, source, step, &reads, taken));
            }
        }
    }

    /// Whether a store leaves the window.
    fn leaves(&self, &(cell, value, _): &(Cell, i64, bool)) -> bool {
        let values = self.places.values(cell);
        values.len() >= self.window && !values.contains(&value)
    }

    fn facts(&mut self, known: &[(Cell, i64)]) -> Vec<Fact> {
        let mut facts: Vec<Fact> =
            known.iter().map(|&(cell, value)| (cell, self.places.number(cell, value))).collect();
        facts.sort();
        facts
    }

    /// The number of a value that is stored. If it is new, loads of the cell are looked at again.
    fn stored(&mut self, cell: Cell, value: i64) -> Fact {
        let before = self.places.values(cell).len();
        let fact = (cell, self.places.number(cell, value));
        if self.places.values(cell).len() == before {
            return fact;
        }
        if before >= MOST_VALUES || before >= MANY_VALUES && self.branches > MOST_BRANCHES {
            self.too_large = Some(NotCompiled::Values(cell));
        }
        for (process, control) in self.readers[cell.index()].clone() {
            let queued = &mut self.processes[process].is_queued[control.index()];
            if !std::mem::replace(queued, true) {
                self.queue.push_back((process, control));
            }
        }
        fact
    }

    /// An edge to a control point that nothing leaves.
    fn ending(
        &mut self,
        process: usize,
        source: ControlId,
        (id, step): (StepId, &Step),
        reads: &[Fact],
        end: Point,
    ) -> Edge {
        let target = self.control(process, end);
        Edge {
            process: ProcId::from(process),
            source,
            target,
            step: Some(id),
            kind: kind(step),
            reads: reads.into(),
            writes: Box::new([]),
        }
    }

    /// The first edge of a step.
    fn taken(
        &mut self,
        process: usize,
        source: ControlId,
        (id, step): (StepId, &Step),
        reads: &[Fact],
        taken: Taken,
    ) -> Edge {
        let Taken { mut locals, stores, spawned, target, .. } = taken;
        let outside = stores.iter().find(|store| self.leaves(store));
        if let Some(&(cell, ..)) = outside.filter(|_| self.window < MOST_VALUES) {
            let end = Point::Bounded(Bound::Values(cell));
            return self.ending(process, source, (id, step), reads, end);
        }
        self.processes[process].names.forget_dead(target.index(), &mut locals);
        let mut target = self.control(process, Point::At(target, locals.into()));
        let kind = kind(step);
        let (mut at_once, mut buffered) = (Vec::new(), Vec::new());
        for (cell, value, is_at_once) in stores {
            let fact = self.stored(cell, value);
            if is_at_once {
                at_once.retain(|(other, _)| *other != cell);
                at_once.push(fact);
            } else {
                buffered.push(fact);
            }
        }
        for (child, given) in spawned {
            let Some(slot) = self.places.slot(child.index()) else { continue };
            let value = self.places.start(child, given);
            at_once.push(self.stored(slot, value));
        }
        if kind == Kind::Plain && !buffered.is_empty() {
            debug_assert!(at_once.is_empty(), "a store at once drains");
            at_once.push(buffered.remove(0));
        }
        if !buffered.is_empty() {
            target = self.control(process, Point::Inner(buffered.into(), target));
        }
        let (process, reads) = (ProcId::from(process), reads.into());
        Edge { process, source, target, step: Some(id), kind, reads, writes: at_once.into() }
    }

    /// The next store of a step that has begun.
    fn inner(
        &mut self,
        process: usize,
        source: ControlId,
        left: &[Fact],
        target: ControlId,
    ) -> Edge {
        let target = match &left[1..] {
            [] => target,
            rest => self.control(process, Point::Inner(rest.into(), target)),
        };
        Edge {
            process: ProcId::from(process),
            source,
            target,
            step: None,
            kind: Kind::Plain,
            reads: Box::new([]),
            writes: [left[0]].into(),
        }
    }

    fn finish(self) -> Compiled {
        let defs = &self.program.defs;
        let mut system = System {
            places: self.places,
            symbols: Symbols::default(),
            edges: Vec::new(),
            processes: Vec::new(),
            has_sync: false,
            reached: defs.iter().map(|d| vec![false; d.steps.len()]).collect(),
            alike: alike(self.program),
        };
        let mut names = Vec::new();
        let writers = writers(&self.processes, system.places.len());
        for (id, growing) in self.processes.into_iter().enumerate() {
            let def = self.program.process(ProcId::from(id)).def.index();
            let is_atomic = |p: &Point| match p {
                Point::At(point, _) => self.program.defs[def].points[point.index()].atomic,
                Point::Found(_) | Point::Bounded(_) => true,
                Point::Any | Point::Inner(..) | Point::Waiting => false,
            };
            let finished = |p: &Point| is_finished(self.program, ProcId::from(id), p);
            let finished = growing.points.iter().map(finished).collect();
            let atomic = growing.points.iter().map(is_atomic).collect();
            let incoming = vec![Vec::new(); growing.points.len()];
            let points = growing.points;
            // Of a definition with any number of processes, another one may store, too.
            let is_one = !self.program.is_replicated(taut_ir::DefId::from(def));
            let alone = writers.iter().map(|writers| is_one && writers == &[id]).collect();
            let history = History::of(&system.places, &growing.leaving, alone);
            let process =
                Process { points, atomic, incoming, history, finished, ..Process::default() };
            system.processes.push(process);
            growing.leaving.into_iter().flatten().for_each(|edge| add(&mut system, def, edge));
            settle(&mut system, id);
            names.push(growing.names);
        }
        let why = late(self.program, &system)
            .or_else(|| named(self.program, &system).map(NotCompiled::Named))
            .or_else(|| ghost(self.program, &names).filter(|_| self.again));
        match why {
            Some(why) => Err((why, system.places)),
            None => Ok((system, names)),
        }
    }
}

/// A step that starts a process while stores may wait in the buffer of its own.
fn late(program: &Program, system: &System) -> Option<NotCompiled> {
    system.edges.iter().find_map(|edge| {
        let step = &program.def_of(edge.process).steps[edge.step?.index()];
        let history = &system.processes[edge.process.index()].history;
        let is_late = starts(step) && !step.needs_drained() && !history.is_drained(edge.source);
        is_late.then_some(NotCompiled::Late(edge.process, edge.step?))
    })
}

/// A ghost of a process that others start.
fn ghost(program: &Program, names: &[Locals]) -> Option<NotCompiled> {
    let spawned = program.processes.iter().zip(names).filter(|(p, _)| p.start == Start::Spawned);
    spawned.flat_map(|(_, names)| names.own_ghosts()).min().map(NotCompiled::Ghost)
}

/// The processes that store to each cell.
fn writers(processes: &[Growing], cells: usize) -> Vec<Vec<usize>> {
    let mut writers = vec![Vec::new(); cells];
    for (id, process) in processes.iter().enumerate() {
        let facts = process.leaving.iter().flatten().flat_map(|edge| &edge.writes);
        facts.for_each(|(cell, _)| writers[cell.index()].push(id));
    }
    writers.iter_mut().for_each(Vec::dedup);
    writers
}

fn kind(step: &Step) -> Kind {
    match step.mode {
        Mode::Sync => Kind::Sync,
        // The buffer of a process that starts another one is empty (`late`).
        _ if step.needs_drained() || starts(step) => Kind::Locked,
        _ => Kind::Plain,
    }
}

/// Adds an edge, unless undoing it could only ask for more.
fn add(system: &mut System, def: usize, edge: Edge) {
    let process = &system.processes[edge.process.index()];
    let target = &process.points[edge.target.index()];
    let may_be = |&fact: &Fact| process.history.may_be(&system.places, edge.source, fact);
    let is_blocked = matches!(target, Point::Bounded(_));
    // Whether a process waits, the history of the only one that starts it tells.
    if is_blocked && !edge.reads.iter().all(may_be) {
        return;
    }
    if let Some(step) = edge.step.filter(|_| !is_blocked) {
        system.reached[def][step.index()] = true;
    }
    if edge.source == edge.target && edge.writes.is_empty() {
        return;
    }
    let id = EdgeId(system.edges.len() as u32);
    system.has_sync |= edge.kind == Kind::Sync;
    if edge.kind == Kind::Plain {
        entries(&mut system.symbols, &edge);
    }
    let process = &mut system.processes[edge.process.index()];
    process.incoming[edge.target.index()].push(id);
    for &fact in &edge.writes {
        process.stores.entry(fact).or_default().push(id);
    }
    let leaves = process.atomic[edge.source.index()] && !process.atomic[edge.target.index()];
    if leaves {
        process.exits.push(id);
    }
    system.edges.push(edge);
}

/// Makes all entries that undoing an edge may ask for: own ones, and messages of each part of its loads.
fn entries(symbols: &mut Symbols, edge: &Edge) {
    let reads = &edge.reads;
    for &fact in reads {
        symbols.number(Entry::Own(fact));
    }
    for part in 1_u32..1 << reads.len() {
        let facts = reads.iter().enumerate().filter(|(i, _)| part >> i & 1 == 1).map(|(_, f)| *f);
        symbols.number(Entry::Message(facts.collect()));
    }
    debug_assert!(reads.iter().all(|(_, v)| *v != Value::ANY));
}

fn settle(system: &mut System, id: usize) {
    let edges = &system.edges;
    let process = &mut system.processes[id];
    let quiet = |incoming: &Vec<EdgeId>| {
        incoming.iter().all(|edge| {
            let edge = &edges[edge.0 as usize];
            edge.kind == Kind::Plain && edge.writes.is_empty()
        })
    };
    process.quiet = process.incoming.iter().map(quiet).collect();
    process.quiet[ControlId::ANY.index()] = false;
    process.quiet[ControlId::INITIAL.index()] = false;
}
