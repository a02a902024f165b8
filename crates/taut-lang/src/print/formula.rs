//! Formulas of the model as syntax trees.
//!
//! The parser takes `!`, `&&`, `||` and numbers for parts of the formula. A condition that is one of these
//! stands in braces, so that it is read back as the one condition that it is.

use taut_ir::{Atom, BinaryOp, Expr, UnaryOp};
use taut_ltl::{Formula as Model, Infix, Node, Prefix};
use taut_source::Span;

use super::{Printer, node};
use crate::ast::{ExprKind, Formula, FormulaKind};

fn tree(kind: FormulaKind) -> Formula {
    Formula::new(kind, Span::NONE)
}

fn paren(inner: Formula) -> Formula {
    tree(FormulaKind::Paren(Box::new(inner)))
}

impl Printer<'_> {
    /// A formula over conditions.
    pub(super) fn formula(&self, formula: &Model, atoms: &[Atom]) -> Formula {
        match formula.node() {
            Node::Constant(truth) => tree(FormulaKind::Plain(node(ExprKind::Bool(truth)))),
            Node::Atom(id) => self.condition(&atoms[id.index()].expr),
            Node::Prefix(op, f) => self.prefix(op, f, atoms),
            Node::Infix(op, f, g) => self.infix(op, f, g, atoms),
        }
    }

    fn condition(&self, expr: &Expr) -> Formula {
        let taken_apart = matches!(
            expr,
            Expr::Const(_)
                | Expr::Cond(..)
                | Expr::Unary(UnaryOp::Not, _)
                | Expr::Binary(BinaryOp::And | BinaryOp::Or, ..)
        );
        let printed = self.expr(expr);
        tree(match taken_apart {
            true => FormulaKind::Whole(printed),
            false => FormulaKind::Plain(printed),
        })
    }

    fn prefix(&self, op: Prefix, f: &Model, atoms: &[Atom]) -> Formula {
        let operand = self.formula(f, atoms);
        let bare = is_short(&operand) || matches!(operand.kind, FormulaKind::Prefix(..));
        let operand = if bare { operand } else { paren(operand) };
        tree(FormulaKind::Prefix(op, Box::new(operand)))
    }

    fn infix(&self, op: Infix, f: &Model, g: &Model, atoms: &[Atom]) -> Formula {
        // Few people know which way `a -> b -> c` or `a U b U c` is read.
        let plain = matches!(op, Infix::And | Infix::Or);
        let left = operand(self.formula(f, atoms), op, op.level() + u8::from(!plain));
        let right = operand(self.formula(g, atoms), op, op.level() + 1);
        tree(FormulaKind::Infix(op, Box::new(left), Box::new(right)))
    }
}

/// Whether a condition needs no parentheses, whatever stands beside it.
fn is_short(formula: &Formula) -> bool {
    match &formula.kind {
        FormulaKind::Whole(_) | FormulaKind::Paren(_) => true,
        FormulaKind::Plain(e) => {
            !matches!(e.kind, ExprKind::Unary(..) | ExprKind::Binary(..) | ExprKind::Cond(..))
        }
        FormulaKind::Prefix(..) | FormulaKind::Infix(..) => false,
    }
}

/// An operand, in parentheses if it binds less than that.
fn operand(formula: Formula, around: Infix, least: u8) -> Formula {
    let until = around.is_temporal();
    let bare = match &formula.kind {
        FormulaKind::Infix(op, ..) => op.level() >= least,
        FormulaKind::Prefix(..) => true,
        _ => !until || is_short(&formula),
    };
    if bare { formula } else { paren(formula) }
}
