//! Places of shared memory and the values that each may hold.
//!
//! A *cell* is a shared scalar or one element of a shared array. The values of a cell are found while the program is
//! compiled: its initial value, and every value that some reachable control point may store ([`crate::compile`]).
//! Both are small numbers, so that a constraint is a row of numbers.
//!
//! What is stored to a variable that no step and no property reads makes no difference: its cells have one value. The stores
//! are still there: they wait in buffers. If none does, all elements of the variable are one cell.
//!
//! A process that others start has a cell more, its *slot*: 0 while the process waits, otherwise the number of the values
//! that its parameters were given (`start.rs`).

use std::collections::{HashMap, HashSet};

use taut_ir::{Expr, Fault, Mode, ProcId, Program, Start, Step, VarId, VarKind};

/// A cell of shared memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Cell(pub u32);

impl Cell {
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// The value of a cell, by its number in the list of the cell; 0 stands for any value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Value(pub u32);

impl Value {
    /// Any value: nothing is asked of the cell.
    pub(crate) const ANY: Value = Value(0);
}

/// A cell with a value: what a load sees, what a store leaves.
pub(crate) type Fact = (Cell, Value);

/// All cells of a program.
#[derive(Debug)]
pub(crate) struct Places {
    /// The first cell of each shared variable; none of a ghost.
    first: Vec<Option<u32>>,
    cells: Vec<Domain>,
    /// The slot of each process that others start.
    slots: Vec<Option<Cell>>,
    /// For each process, the values that its parameters were given.
    given: Vec<Vec<Vec<i64>>>,
}

#[derive(Debug)]
struct Domain {
    /// The variable and the element; none of a slot.
    place: Option<(VarId, u32)>,
    /// Whether something reads it. Otherwise it has its initial value only.
    is_read: bool,
    /// Whether it stands for all elements.
    is_merged: bool,
    values: Vec<i64>,
    numbers: HashMap<i64, Value>,
}

impl Places {
    /// The cells of a program, each with its initial value as the first one.
    pub(crate) fn of(program: &Program) -> Places {
        let given = vec![Vec::new(); program.processes.len()];
        let mut places = Places { first: Vec::new(), cells: Vec::new(), slots: Vec::new(), given };
        let read = variables_read(program);
        for (id, var) in program.vars.iter().enumerate() {
            let is_shared = var.kind == VarKind::Shared;
            places.first.push(is_shared.then_some(places.cells.len() as u32));
            if !is_shared {
                continue;
            }
            let var_id = VarId::from(id);
            let is_read = read.contains(&var_id);
            let is_merged = !is_read && !is_buffered(program, var_id);
            for index in 0..if is_merged { 1 } else { var.size() } {
                let initial = var.init[if var.init.len() > 1 { index as usize } else { 0 }];
                let cell = places.add(Some((var_id, index)), initial);
                let domain = &mut places.cells[cell.index()];
                (domain.is_read, domain.is_merged) = (is_read, is_merged);
            }
        }
        for process in &program.processes {
            let slot = (process.start == Start::Spawned).then(|| places.add(None, Places::WAITING));
            places.slots.push(slot);
        }
        places
    }

    fn add(&mut self, place: Option<(VarId, u32)>, initial: i64) -> Cell {
        let (is_read, is_merged) = (true, false);
        let (values, numbers) = (Vec::new(), HashMap::new());
        let mut cell = Domain { place, is_read, is_merged, values, numbers };
        cell.number(initial);
        self.cells.push(cell);
        Cell(self.cells.len() as u32 - 1)
    }

    /// What a slot has while its process waits to be started.
    pub(crate) const WAITING: i64 = 0;

    /// The slot of a process that others start.
    pub(crate) fn slot(&self, process: usize) -> Option<Cell> {
        self.slots[process]
    }

    /// The process whose slot a cell is.
    pub(crate) fn process_of(&self, cell: Cell) -> Option<ProcId> {
        self.slots.iter().position(|slot| *slot == Some(cell)).map(ProcId::from)
    }

    /// What a slot has after the process was started with these values of its parameters.
    pub(crate) fn start(&mut self, process: ProcId, args: Vec<i64>) -> i64 {
        let given = &mut self.given[process.index()];
        let known = given.iter().position(|other| *other == args);
        let at = known.unwrap_or_else(|| {
            given.push(args);
            given.len() - 1
        });
        at as i64 + 1
    }

    /// The values of parameters that a slot stands for; none while the process waits.
    pub(crate) fn given(&self, process: usize, slot: i64) -> Option<&[i64]> {
        let at = usize::try_from(slot).ok()?.checked_sub(1)?;
        self.given[process].get(at).map(Vec::as_slice)
    }

    pub(crate) fn len(&self) -> usize {
        self.cells.len()
    }

    /// All cells.
    pub(crate) fn cells(&self) -> impl Iterator<Item = Cell> + use<> {
        (0..self.cells.len() as u32).map(Cell)
    }

    /// The cell of an element; none if the variable is a ghost.
    pub(crate) fn cell(
        &self,
        program: &Program,
        var: VarId,
        index: i64,
    ) -> Result<Option<Cell>, Fault> {
        let position = u32::try_from(index).ok().filter(|&i| i < program.var(var).size());
        let position = position.ok_or(Fault::Index)?;
        let of_element = |first: u32| {
            let is_merged = self.cells[first as usize].is_merged;
            Cell(if is_merged { first } else { first + position })
        };
        Ok(self.first[var.index()].map(of_element))
    }

    /// The variable and the element; none of a slot.
    pub(crate) fn place(&self, cell: Cell) -> Option<(VarId, u32)> {
        self.cells[cell.index()].place
    }

    /// The values of a cell that are known so far.
    pub(crate) fn values(&self, cell: Cell) -> &[i64] {
        &self.cells[cell.index()].values
    }

    /// What a value of a cell is.
    pub(crate) fn value(&self, (cell, value): Fact) -> i64 {
        debug_assert_ne!(value, Value::ANY, "any value is none");
        self.cells[cell.index()].values[value.0 as usize - 1]
    }

    /// The number of a value, which is new if it was not known.
    pub(crate) fn number(&mut self, cell: Cell, value: i64) -> Value {
        self.cells[cell.index()].number(value)
    }

    /// The initial value of a cell is the first one.
    pub(crate) const INITIAL: Value = Value(1);
}

impl Domain {
    fn number(&mut self, value: i64) -> Value {
        if !self.is_read && !self.values.is_empty() {
            return Places::INITIAL;
        }
        let next = Value(self.values.len() as u32 + 1);
        let number = *self.numbers.entry(value).or_insert(next);
        if number == next {
            self.values.push(value);
        }
        number
    }
}

/// The variables that some step or property reads.
pub(crate) fn variables_read(program: &Program) -> HashSet<VarId> {
    let steps = program.defs.iter().flat_map(|def| &def.steps);
    let properties = program.properties.iter().flat_map(|p| p.kind.exprs());
    steps.flat_map(Step::expressions).chain(properties).flat_map(Expr::variables).collect()
}

/// Whether a store to a variable may wait in a buffer.
fn is_buffered(program: &Program, var: VarId) -> bool {
    let mut steps = program.defs.iter().flat_map(|def| &def.steps);
    steps.any(|step| step.mode != Mode::Locked && step.stores().any(|l| l.variable() == Some(var)))
}
