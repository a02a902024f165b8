//! Control points and edges of a program, found forward from the start.
//!
//! This is the over-approximation that keeps the backward search small: a load may see every value that some control
//! point found so far may store to its cell, and nothing else. When a cell gets a new value, the control points with a
//! load of it are looked at again. What is not found here is reachable in no run, and no constraint speaks of it.
//!
//! Cells without a bound have few values by a window (`window.rs`). Cells that nothing reads have one value, whatever is stored
//! (`places.rs`). `branch.rs` takes steps, `assemble.rs` makes a system of what was found.

use std::collections::{BTreeSet, HashMap, VecDeque};

use taut_ir::{ProcId, Program, Start, VarId};

use crate::ends::Ending;
use crate::locals::{Locals, users_of_ghosts};
use crate::not_compiled::NotCompiled;
use crate::places::{Cell, Places, variables_read};
use crate::start::{begin, is_finished, wait_again};
use crate::system::{Bound, ControlId, Edge, Point, System};
use crate::window::Windows;

/// Control points and values after which the data of a program count as too large.
const MOST_POINTS: usize = 1 << 18;
pub(crate) const MOST_VALUES: usize = 1 << 12;
/// Edges after which they do.
pub(crate) const MOST_EDGES: usize = 1 << 21;

/// Steps that are taken for some values after which a cell with many values gets a window: each new value makes all that
/// loads the cell be looked at again.
const MANY_BRANCHES: u64 = 1 << 16;
const MANY_VALUES: usize = 64;
/// Control points, and values of a cell, after which it does for the control points that its values make.
const MANY_POINTS: usize = 1 << 13;
const SEVERAL_VALUES: usize = 16;

/// A process while it is compiled.
pub(crate) struct Growing {
    pub(crate) names: Locals,
    pub(crate) points: Vec<Point>,
    numbers: HashMap<Point, ControlId>,
    /// The edges that leave each control point.
    pub(crate) leaving: Vec<Vec<Edge>>,
    is_queued: Vec<bool>,
}

/// A program while it is compiled.
pub(crate) struct Compiler<'p> {
    pub(crate) program: &'p Program,
    pub(crate) places: Places,
    pub(crate) processes: Vec<Growing>,
    queue: VecDeque<(usize, ControlId)>,
    /// The control points with a load of each cell.
    pub(crate) readers: Vec<BTreeSet<(usize, ControlId)>>,
    edges: usize,
    pub(crate) too_large: Option<NotCompiled>,
    /// Whether processes that have finished wait again (`start.rs`).
    pub(crate) again: bool,
    pub(crate) windows: &'p Windows,
    /// The ghost that only ends waiting, if deadlocks are asked about.
    pub(crate) ends: Option<&'p Ending>,
    pub(crate) branches: u64,
}

/// A compiled program with the private states of its processes; or the reason why there is none.
pub(crate) type Compiled = Result<(System, Vec<Locals>), (NotCompiled, Places)>;

/// Compiles a program that the engine supports.
pub(crate) fn compile(program: &Program, windows: &Windows, ends: Option<&Ending>) -> Compiled {
    let _phase = taut_budget::phase("control points are listed");
    let compiled = Compiler::new(program, windows, ends, false).run()?;
    let is_met = |(bound, _): &(Bound, _)| matches!(bound, Bound::Threads(_));
    let can_wait_again = compiled.0.processes.iter().any(|p| p.finished.contains(&true));
    if can_wait_again && compiled.0.bounds().iter().any(is_met) {
        return Compiler::new(program, windows, ends, true).run();
    }
    Ok(compiled)
}

impl<'p> Compiler<'p> {
    fn new(
        program: &'p Program,
        windows: &'p Windows,
        ends: Option<&'p Ending>,
        again: bool,
    ) -> Compiler<'p> {
        let places = Places::of(program);
        let readers = vec![BTreeSet::new(); places.len()];
        let (users, read) = (users_of_ghosts(program), variables_read(program));
        let growing = |process: ProcId| {
            let own = users.iter().filter(|(_, users)| users.contains(&process)).map(|(v, _)| *v);
            let mut own: Vec<_> = own.collect();
            own.sort();
            let flag = ends.map(Ending::var).filter(|&var| stores(program, process, var));
            Growing::new(Locals::of(program, process, &own, flag, &read))
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
            windows,
            ends,
            branches,
        }
    }
}

/// Whether a process has a step that stores to a variable.
fn stores(program: &Program, process: ProcId, var: VarId) -> bool {
    let mut stores = program.def_of(process).steps.iter().flat_map(|step| step.stores());
    stores.any(|place| place.variable() == Some(var))
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
    pub(crate) fn control(&mut self, process: usize, point: Point) -> ControlId {
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
        } else if own.points.len().is_multiple_of(MANY_POINTS) {
            self.too_large = self.widest().map(NotCompiled::Values).or(self.too_large);
        }
        id
    }

    /// The cell with the most values, if these are several and it has no window.
    fn widest(&self) -> Option<Cell> {
        let open = self.places.cells().filter(|&x| !self.windows.has(x));
        let several = open.filter(|&x| self.places.values(x).len() > SEVERAL_VALUES);
        several
            .filter(|&x| self.places.place(x).is_some())
            .max_by_key(|&x| self.places.values(x).len())
    }

    /// A cell has a new value: loads of it are looked at again.
    pub(crate) fn look_again(&mut self, cell: Cell) {
        let values = self.places.values(cell).len();
        let are_many = values > MANY_VALUES && self.branches > MANY_BRANCHES;
        if (values > MOST_VALUES || are_many) && !self.windows.has(cell) {
            self.too_large = Some(NotCompiled::Values(cell));
        }
        for (process, control) in self.readers[cell.index()].clone() {
            let queued = &mut self.processes[process].is_queued[control.index()];
            if !std::mem::replace(queued, true) {
                self.queue.push_back((process, control));
            }
        }
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
}
