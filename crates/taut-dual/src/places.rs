//! Places of shared memory and the values that each may hold.
//!
//! A *cell* is a shared scalar or one element of a shared array. The values of a cell are found while the program is
//! compiled: its initial value, and every value that some reachable control point may store ([`crate::compile`]).
//! Both are small numbers, so that a constraint is a row of numbers.

use std::collections::HashMap;

use taut_ir::{Fault, Program, VarId, VarKind};

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
}

#[derive(Debug)]
struct Domain {
    var: VarId,
    index: u32,
    values: Vec<i64>,
    numbers: HashMap<i64, Value>,
}

impl Places {
    /// The cells of a program, each with its initial value as the first one.
    pub(crate) fn of(program: &Program) -> Places {
        let mut places = Places { first: Vec::new(), cells: Vec::new() };
        for (id, var) in program.vars.iter().enumerate() {
            let is_shared = var.kind == VarKind::Shared;
            places.first.push(is_shared.then_some(places.cells.len() as u32));
            if !is_shared {
                continue;
            }
            for index in 0..var.size() {
                let mut cell = Domain {
                    var: VarId::from(id),
                    index,
                    values: Vec::new(),
                    numbers: HashMap::new(),
                };
                cell.number(var.init[if var.init.len() > 1 { index as usize } else { 0 }]);
                places.cells.push(cell);
            }
        }
        places
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
        Ok(self.first[var.index()].map(|first| Cell(first + position)))
    }

    /// The variable and the element.
    pub(crate) fn place(&self, cell: Cell) -> (VarId, u32) {
        let cell = &self.cells[cell.index()];
        (cell.var, cell.index)
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
        let next = Value(self.values.len() as u32 + 1);
        let number = *self.numbers.entry(value).or_insert(next);
        if number == next {
            self.values.push(value);
        }
        number
    }
}
