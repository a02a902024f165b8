//! Control points of processes and the edges between them, whatever other processes do.
//!
//! A *control point* is a program point with the values of registers. They are found forward. The replayer takes each step
//! once per choice of values for what it loads, and a load may see every value that some edge stores. So every run
//! follows these edges, process by process.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use taut_budget::tick;
use taut_ir::{
    Action, Control, Effect, Expr, Finding, Memory, MemoryModel, Mode, ProcId, Program, Start,
    Step, VarId, VarKind,
};

use crate::address::Address;
use crate::buffer::Buffer;
use crate::machine::Machine;
use crate::outcome::{Move, Outcome};
use crate::record::{Read, Source};
use crate::state::{ProcessState, State};

/// A cell of shared memory, by its number, with a value.
pub type Fact = (usize, i64);

/// The control point of each process, by its number, and then the value of each cell; none stands for any.
pub type Head = Vec<Option<i64>>;

/// The most cells that a step may load, or store, at once.
const MOST_LOADS: usize = 8;

/// An edge of a process.
#[derive(Debug)]
pub struct Edge {
    /// Where it begins.
    pub source: usize,
    /// None if the step faults.
    pub target: Option<usize>,
    /// It waits for an empty buffer and acts on memory.
    pub locked: bool,
    /// What it loads, cell by cell.
    pub reads: Vec<Fact>,
    /// What it stores: at most one cell, unless it is locked.
    pub writes: Vec<Fact>,
    /// What is found in the step.
    pub found: Vec<Finding>,
}

/// The control points and edges of all processes of a program, with what cells may have.
#[derive(Debug)]
pub struct ControlGraph<'p> {
    /// What takes the steps: TSO without a bound.
    pub machine: Machine<'p>,
    /// The initial state.
    pub first: State,
    /// The numbers of cells.
    pub cells: BTreeMap<Address, usize>,
    /// Per process its states, with empty buffers; the first one is where it starts.
    pub points: Vec<Vec<ProcessState>>,
    /// Per process.
    pub edges: Vec<Vec<Edge>>,
    values: Vec<BTreeSet<i64>>,
    numbers: Vec<HashMap<ProcessState, usize>>,
}

impl<'p> ControlGraph<'p> {
    /// The graph of a program, if there is nothing in it that load buffers do not know.
    pub fn new(program: &'p Program) -> Option<ControlGraph<'p>> {
        if !is_known(program) {
            return None;
        }
        let machine = Machine::new(program, Memory::new(MemoryModel::Tso).bounded(None));
        let first = machine.initial();
        let shared = program.vars.iter().enumerate().filter(|(_, v)| v.kind == VarKind::Shared);
        let each = shared.flat_map(|(var, v)| {
            (0..v.size()).map(move |index| Address { var: VarId::from(var), index })
        });
        let cells: BTreeMap<Address, usize> = each.zip(0..).collect();
        let values = cells.keys().map(|&cell| BTreeSet::from([first.value(cell)])).collect();
        let (points, edges, numbers) = program.processes.iter().map(|_| <_>::default()).collect();
        let mut graph = ControlGraph { machine, first, cells, values, points, edges, numbers };
        // Until no cell gets a new value.
        let mut before = 0;
        while before < graph.values.iter().map(BTreeSet::len).sum() {
            before = graph.values.iter().map(BTreeSet::len).sum();
            for p in 0..program.processes.len() {
                graph.edges[p].clear();
                graph.number(p, graph.first.processes[p].clone());
                let mut at = 0;
                while at < graph.points[p].len() {
                    graph.leave(p, at);
                    at += 1;
                }
            }
        }
        let is_known = |e: &Edge| e.locked || e.reads.len() <= MOST_LOADS && e.writes.len() <= 1;
        graph.edges.iter().flatten().all(is_known).then_some(graph)
    }

    fn number(&mut self, process: usize, own: ProcessState) -> usize {
        let next = self.points[process].len();
        let number = *self.numbers[process].entry(own.clone()).or_insert(next);
        if number == next {
            self.points[process].push(own);
        }
        number
    }

    /// The head that gives nothing.
    pub fn anything(&self) -> Head {
        vec![None; self.points.len() + self.cells.len()]
    }

    /// The control points of a process, or the values of a cell, by their place in heads.
    pub fn choices(&self, place: usize) -> Vec<i64> {
        match self.points.get(place) {
            Some(points) => (0..points.len() as i64).collect(),
            None => self.values[place - self.points.len()].iter().copied().collect(),
        }
    }

    /// A state with what a head gives, in which all buffers are empty.
    pub fn state(&self, head: &Head) -> State {
        let mut state = self.first.clone();
        for (p, points) in self.points.iter().enumerate() {
            let own = head[p].and_then(|at| points.get(at as usize));
            own.into_iter().for_each(|own| state.processes[p].clone_from(own));
        }
        for (address, cell) in &self.cells {
            let own = &mut state.memory[address.var.index()][address.index as usize];
            head[self.points.len() + cell].iter().for_each(|value| *own = *value);
        }
        state
    }

    /// What becomes of something, for all values of what it reads.
    pub fn vary<T>(
        &self,
        head: &mut Head,
        act: &dyn Fn(&State) -> (Vec<Read>, T),
        to: &mut dyn FnMut(&Head, T),
    ) {
        tick();
        let (reads, done) = act(&self.state(head));
        let loads = reads.iter().filter(|read| read.from == Source::Memory);
        let places = loads.filter_map(|read| self.cells.get(&read.address));
        let mut places = places.map(|cell| self.points.len() + cell);
        let Some(place) = places.find(|&place| head[place].is_none()) else {
            return to(head, done);
        };
        for value in self.choices(place) {
            head[place] = Some(value);
            self.vary(head, act, to);
        }
        head[place] = None;
    }

    /// What a process reads to find out whether it can take a step.
    pub fn looks(&self, state: &State, process: ProcId, step: &Step) -> Vec<Read> {
        let mut reads = self.machine.reads_in(state, process, &step.guard);
        if self.machine.value_in(state, process, &step.guard).is_ok_and(|value| value != 0) {
            let steps = &self.machine.program().def_of(process).steps;
            let others = step.yields_to.iter().map(|other| &steps[other.index()]);
            others.for_each(|other| reads.extend(self.looks(state, process, other)));
        }
        reads
    }

    /// Makes the edges that leave a control point.
    fn leave(&mut self, p: usize, source: usize) {
        let (process, machine) = (ProcId::from(p), self.machine);
        let point = self.points[p][source].point;
        for (id, step) in machine.program().def_of(process).steps_from(point) {
            let act = |state: &State| {
                let mut reads = self.looks(state, process, step);
                let done = machine.apply(state, Action::step(process, id)).ok();
                reads.extend(done.iter().flat_map(|done| &done.record.reads));
                (reads, done)
            };
            let (mut from, mut all) = (self.anything(), Vec::new());
            from[p] = Some(source as i64);
            self.vary(&mut from, &act, &mut |head, done| {
                all.extend(done.map(|done| (head.clone(), done)));
            });
            for (from, done) in all {
                let values = from[self.points.len()..].iter().enumerate();
                let reads = values.filter_map(|(cell, value)| Some((cell, (*value)?))).collect();
                self.edge(p, source, step, reads, done);
            }
        }
    }

    fn edge(&mut self, p: usize, source: usize, step: &Step, reads: Vec<Fact>, done: Move) {
        let mut found: Vec<Finding> = done.record.all_failed().map(|f| f.finding).collect();
        let mut writes: Vec<Fact> = Vec::new();
        for write in &done.record.writes {
            let Some(&cell) = self.cells.get(&write.address) else { continue };
            self.values[cell].insert(write.value);
            writes.retain(|&(other, _)| other != cell || !step.needs_drained());
            writes.push((cell, write.value));
        }
        let target = match done.outcome {
            Outcome::Failure(failure) => {
                found.push(failure.finding);
                None
            }
            Outcome::State(mut after) => {
                let own = after.processes.swap_remove(p);
                Some(self.number(p, ProcessState { buffer: Buffer::default(), ..own }))
            }
        };
        let locked = step.needs_drained();
        self.edges[p].push(Edge { source, target, locked, reads, writes, found });
    }
}

/// Whether a program has nothing that load buffers do not know: the steps of a process depend on what it loads alone.
fn is_known(program: &Program) -> bool {
    let is_step = |p: ProcId, step: &Step| {
        let def = program.def_of(p);
        let drains = |id: &taut_ir::StepId| def.steps[id.index()].needs_drained();
        let mut is_plain = !step.effects.iter().any(|e| matches!(e, Effect::Spawn { .. }));
        let stores = step.plain_stores().any(|place| place.variable().is_some());
        let asks = |e: &Expr| matches!(e, Expr::In(..) | Expr::At(..) | Expr::Alive(_));
        step.expressions().into_iter().for_each(|expr| {
            expr.visit(&mut |e| is_plain &= !asks_others(e) && !asks(e));
        });
        is_plain
            && step.channel.is_none()
            && !step.holds
            && step.mode != Mode::Sync
            && matches!(step.target, Control::Goto(_))
            // Whether it can be taken must not depend on the buffer, and its stores are all at once or one.
            && (step.needs_drained() || !step.yields_to.iter().any(drains))
            && !(step.needs_drained() && stores)
    };
    let is_process = |p: ProcId| {
        let def = program.def_of(p);
        program.process(p).start != Start::Spawned
            && !def.points.iter().any(|point| point.atomic)
            && def.steps.iter().all(|step| is_step(p, step))
    };
    program.channels.is_empty()
        && program.priorities.is_none()
        && program.event_trace.is_none()
        && program.heap.is_none()
        && program.vars.iter().all(|var| var.kind == VarKind::Shared)
        && program.process_ids().all(is_process)
}

/// Whether an expression asks about buffers, channels, or what can happen.
pub fn asks_others(expr: &Expr) -> bool {
    use Expr::{Channel, Drained, Enabled, In, Poll, Processes, Timeout};
    let in_memory = |inner: &Expr| !inner.variables().is_empty();
    matches!(expr, Drained(_) | Enabled(_) | Processes | Timeout | Channel(..) | Poll(_))
        || matches!(expr, In(_, inner) if in_memory(inner))
}
