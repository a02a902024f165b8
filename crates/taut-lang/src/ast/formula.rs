//! Formulas as they were written.
//!
//! A formula is made of conditions, which are expressions. Where an operator of expressions meets a
//! parenthesis, the parser learns only then that what it read as a formula is a part of a condition:
//! [`Formula::into_expr`] turns it into one if nothing temporal is in it.

use taut_ir::{BinaryOp, UnaryOp};
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

/// An operator before a formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Prefix {
    Not,
    Next,
    Always,
    Eventually,
}

/// An operator between two formulas.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Infix {
    Implies,
    Equivalent,
    Or,
    And,
    Until,
    WeakUntil,
    Release,
    StrongRelease,
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

impl Prefix {
    /// How it is written.
    pub(crate) fn symbol(self) -> &'static str {
        match self {
            Prefix::Not => "!",
            Prefix::Next => "X",
            Prefix::Always => "[]",
            Prefix::Eventually => "<>",
        }
    }
}

impl Infix {
    /// How it is written: as SPIN does.
    pub(crate) fn symbol(self) -> &'static str {
        match self {
            Infix::Implies => "->",
            Infix::Equivalent => "<->",
            Infix::Or => "||",
            Infix::And => "&&",
            Infix::Until => "U",
            Infix::WeakUntil => "W",
            Infix::Release => "V",
            Infix::StrongRelease => "M",
        }
    }

    /// How tightly it binds: higher is tighter. SPIN's order; all operators of expressions bind tighter.
    pub(crate) fn precedence(self) -> u8 {
        match self {
            Infix::Implies | Infix::Equivalent => 1,
            Infix::Or => 2,
            Infix::And => 3,
            Infix::Until | Infix::WeakUntil | Infix::Release | Infix::StrongRelease => 4,
        }
    }
}
