//! Formulas as they were written.
//!
//! A formula is made of conditions, which are expressions. Where an operator of expressions meets a
//! parenthesis, the parser learns only then that what it read as a formula is a part of a condition:
//! [`Formula::into_expr`] turns it into one if nothing temporal is in it.

use taut_ir::{BinaryOp, UnaryOp};
use taut_ltl::{Infix, Prefix};
use taut_source::Span;

use super::{Expr, ExprKind};

/// A formula of linear temporal logic.
#[derive(Debug)]
pub(crate) struct Formula {
    pub kind: FormulaKind,
    pub span: Span,
    /// Where its operator stands.
    pub sign: Span,
    /// The height of the tree, bounded by the parser.
    pub height: u32,
}

/// What a formula says. `!`, `&&` and `||` are always the formula's own, so that its conditions are small.
#[derive(Debug)]
pub(crate) enum FormulaKind {
    /// A condition.
    Plain(Expr),
    /// `{ e }`: a condition that is not taken apart.
    Whole(Expr),
    Paren(Box<Formula>),
    Prefix(Prefix, Box<Formula>),
    Infix(Infix, Box<Formula>, Box<Formula>),
}

impl Formula {
    /// A formula as high as its highest part and one more.
    pub(crate) fn new(kind: FormulaKind, span: Span) -> Formula {
        let height = match &kind {
            FormulaKind::Plain(e) | FormulaKind::Whole(e) => e.height,
            FormulaKind::Paren(f) | FormulaKind::Prefix(_, f) => 1 + f.height,
            FormulaKind::Infix(_, f, g) => 1 + f.height.max(g.height),
        };
        Formula { kind, span, sign: span, height }
    }

    /// The formula as an expression, or where the first temporal operator in it stands.
    pub(crate) fn into_expr(self) -> Result<Expr, Span> {
        let (span, sign) = (self.span, self.sign);
        let kind = match self.kind {
            FormulaKind::Plain(e) => return Ok(e),
            FormulaKind::Whole(e) => ExprKind::Paren(Box::new(e)),
            FormulaKind::Paren(f) => ExprKind::Paren(Box::new(f.into_expr()?)),
            FormulaKind::Prefix(Prefix::Not, f) => {
                ExprKind::Unary(UnaryOp::Not, Box::new(f.into_expr()?))
            }
            FormulaKind::Infix(Infix::And, f, g) => binary(BinaryOp::And, *f, *g)?,
            FormulaKind::Infix(Infix::Or, f, g) => binary(BinaryOp::Or, *f, *g)?,
            FormulaKind::Prefix(..) | FormulaKind::Infix(..) => return Err(sign),
        };
        Ok(Expr::new(kind, span))
    }
}

fn binary(op: BinaryOp, f: Formula, g: Formula) -> Result<ExprKind, Span> {
    Ok(ExprKind::Binary(op, Box::new(f.into_expr()?), Box::new(g.into_expr()?)))
}
