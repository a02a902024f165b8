//! One way through a statement: a condition, and what registers and memory hold afterwards.
//!
//! Most statements are one small act. A `locked` block is the set of acts along its alternatives: what a later statement reads of an
//! earlier one is put in its place, so that the condition and all new values are expressions over the state before. So
//! a block that would block in its middle is not begun.

use std::collections::BTreeMap;

use taut_ir::{Assignment, BinaryOp, Effect, Expr, Lvalue, RegId};

use super::names::{Cell, Place};

/// The largest expression, in operators and operands.
const LARGEST: usize = 2_000;

/// One way through a statement.
#[derive(Clone, Debug)]
pub(super) struct Act {
    pub(super) guard: Expr,
    registers: BTreeMap<RegId, Expr>,
    cells: BTreeMap<Cell, Expr>,
    /// An expression became too large.
    pub(super) is_too_large: bool,
}

impl Act {
    pub(super) fn new() -> Act {
        let (registers, cells) = (BTreeMap::new(), BTreeMap::new());
        Act { guard: Expr::TRUE, registers, cells, is_too_large: false }
    }

    /// What a register holds now.
    pub(super) fn register(&self, register: RegId) -> Expr {
        self.registers.get(&register).cloned().unwrap_or(Expr::Reg(register))
    }

    /// What a cell holds now.
    pub(super) fn value(&self, cell: Cell) -> Expr {
        self.cells.get(&cell).cloned().unwrap_or_else(|| read(cell))
    }

    /// Goes on only if a condition is true.
    pub(super) fn require(&mut self, condition: Expr) {
        let guard = std::mem::replace(&mut self.guard, Expr::TRUE);
        self.guard = self.small(guard.and(condition));
    }

    pub(super) fn set(&mut self, register: RegId, value: Expr) {
        let value = self.small(value);
        self.registers.insert(register, value);
    }

    pub(super) fn store(&mut self, cell: Cell, value: Expr) {
        let value = self.small(value);
        self.cells.insert(cell, value);
    }

    /// An expression, unless it is too large: then another one, as nothing comes of this act. It would grow without end, since values
    /// are put in place of registers.
    fn small(&mut self, expr: Expr) -> Expr {
        if size(&expr) <= LARGEST {
            return expr;
        }
        self.is_too_large = true;
        Expr::Const(0)
    }

    /// All new values at once.
    pub(super) fn effects(self) -> Vec<Effect> {
        let registers = self.registers.into_iter().map(|(r, value)| (Lvalue::Reg(r), value));
        let cells = self.cells.into_iter().map(|(cell, value)| (write(cell), value));
        let assign = |(place, value)| Assignment { place, value, atomic: false };
        let all: Vec<_> = registers.chain(cells).map(assign).collect();
        if all.is_empty() { Vec::new() } else { vec![Effect::Assign(all)] }
    }
}

/// The condition that a value is between two others, where that is not known from the values it may have.
pub(super) fn fits(value: &Expr, known: (i64, i64), low: i64, high: i64) -> Expr {
    let compare = |op, bound| Expr::binary(op, value.clone(), Expr::Const(bound));
    let above = if known.0 >= low { Expr::TRUE } else { compare(BinaryOp::Ge, low) };
    let below = if known.1 <= high { Expr::TRUE } else { compare(BinaryOp::Le, high) };
    above.and(below)
}

/// The condition that the value of one place is in a range.
pub(super) fn place_fits(act: &Act, place: Place, low: i64, high: i64) -> Expr {
    fits(&act.value(place.cell), (place.low, place.high), low, high)
}

fn read(cell: Cell) -> Expr {
    match cell.index {
        Some(index) => Expr::VarElem(cell.var, Box::new(Expr::Const(i64::from(index)))),
        None => Expr::Var(cell.var),
    }
}

pub(super) fn write(cell: Cell) -> Lvalue {
    match cell.index {
        Some(index) => Lvalue::VarElem(cell.var, Expr::Const(i64::from(index))),
        None => Lvalue::Var(cell.var),
    }
}

fn size(expr: &Expr) -> usize {
    let mut count = 0;
    expr.visit(&mut |_| count += 1);
    count
}
