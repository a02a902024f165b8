//! Formulas of the model as syntax trees.
//!
//! The parser takes `!`, `&&`, `||` and numbers for parts of the formula. A condition that is one of these
//! stands in braces, so that it is read back as the one condition that it is.

use taut_ir::{Atom, BinaryOp, Expr, UnaryOp};
use taut_ltl::Formula as Model;
use taut_source::Span;

use super::{Printer, node};
use crate::ast::{ExprKind, Formula, FormulaKind, Infix, Prefix};

fn tree(kind: FormulaKind) -> Formula {
    Formula::new(kind, Span::NONE)
}

fn paren(inner: Formula) -> Formula {
    tree(FormulaKind::Paren(Box::new(inner)))
}

impl Printer<'_> {
    /// A formula over conditions.
    pub(super) fn formula(&self, formula: &Model, atoms: &[Atom]) -> Formula {
        let prefix = |op, f| self.prefix(op, f, atoms);
        let infix = |op, f, g| self.infix(op, f, g, atoms);
        match formula {
            Model::True => tree(FormulaKind::Plain(node(ExprKind::Bool(true)))),
            Model::False => tree(FormulaKind::Plain(node(ExprKind::Bool(false)))),
            Model::Atom(id) => self.condition(&atoms[id.index()].expr),
            Model::Not(f) => prefix(Prefix::Not, f),
            Model::Next(f) => prefix(Prefix::Next, f),
            Model::Always(f) => prefix(Prefix::Always, f),
            Model::Eventually(f) => prefix(Prefix::Eventually, f),
            Model::And(f, g) => infix(Infix::And, f, g),
            Model::Or(f, g) => infix(Infix::Or, f, g),
            Model::Implies(f, g) => infix(Infix::Implies, f, g),
            Model::Iff(f, g) => infix(Infix::Equivalent, f, g),
            Model::Until(f, g) => infix(Infix::Until, f, g),
            Model::Release(f, g) => infix(Infix::Release, f, g),
            Model::WeakUntil(f, g) => infix(Infix::WeakUntil, f, g),
            Model::StrongRelease(f, g) => infix(Infix::StrongRelease, f, g),
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
        let left = operand(self.formula(f, atoms), op, op.precedence() + u8::from(!plain));
        let right = operand(self.formula(g, atoms), op, op.precedence() + 1);
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
    let until = around.precedence() == Infix::Until.precedence();
    let bare = match &formula.kind {
        FormulaKind::Infix(op, ..) => op.precedence() >= least,
        FormulaKind::Prefix(..) => true,
        _ => !until || is_short(&formula),
    };
    if bare { formula } else { paren(formula) }
}
