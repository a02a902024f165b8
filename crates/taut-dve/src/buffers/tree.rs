//! Small pieces of syntax tree.

use taut_source::Span;

use super::slots::{Cell, Slots};
use crate::ast::{Assign, BinaryOp, Expr, ExprKind, Name, Place};
use crate::lower::expr::{Scope, expr};

/// A scalar, or the element of an array.
pub(super) fn element(name: &str, index: Option<Expr>) -> Expr {
    match index {
        None => Expr::name(name),
        Some(index) => Expr::new(ExprKind::Index(Name::new(name), Box::new(index))),
    }
}

/// `name = value`, or `name[index] = value`
pub(super) fn assign(name: &str, index: Option<Expr>, value: Expr) -> Assign {
    let place = Place { name: Name::new(name), index, span: Span::NONE };
    Assign { place, value, span: Span::NONE }
}

/// `e == value`
pub(super) fn equals(e: Expr, value: i64) -> Expr {
    e.binary(BinaryOp::Eq, Expr::number(value))
}

/// All of these, the first one first: later ones are not computed if an earlier one is false. A long
/// list is halved, so that the tree stays flat.
pub(super) fn all(mut conditions: Vec<Expr>) -> Option<Expr> {
    const LONG: usize = 16;
    if conditions.len() > LONG {
        let rest = conditions.split_off(conditions.len() / 2);
        return Some(all(conditions)?.binary(BinaryOp::And, all(rest)?));
    }
    conditions.into_iter().reduce(|a, b| a.binary(BinaryOp::And, b))
}

/// The index of an element, where its variable is an array.
pub(super) fn index_of(slots: &Slots<'_>, cell: Cell) -> Option<Expr> {
    let is_array = slots.globals[cell.global].length.is_some();
    is_array.then(|| Expr::number(i64::from(cell.element)))
}

/// `i(g, p) == 1` or `i(g, p) == 0`
pub(super) fn waits(slots: &Slots<'_>, cell: Cell, process: usize, value: i64) -> Expr {
    let slot = slots.slot(cell.global, process);
    equals(element(&slot.valid, index_of(slots, cell)), value)
}

/// How many nodes an expression has.
pub(super) fn size(e: &Expr) -> usize {
    let mut nodes = 0;
    e.visit(&mut |_| nodes += 1);
    nodes
}

/// The value of an index, if it never changes.
pub(super) fn constant(slots: &Slots<'_>, process: usize, e: &Expr) -> Option<i64> {
    // To somebody who sees constants and memory only, variables of the process have no value at all.
    let scope = Scope::Memory { process: Some(&slots.processes[process].name.text) };
    match expr(&slots.names, scope, e) {
        Ok(taut_ir::Expr::Const(value)) => Some(value),
        _ => None,
    }
}
