//! Formulas of `ltl` blocks.
//!
//! The levels are SPIN's: `->` and `<->` bind loosest, then `||`, `&&`, then `U W V`, then the operators of
//! expressions. `[]`, `<>`, `X` and `!` bind like a sign: `[] p -> q` is `([] p) -> q`. All are
//! left-associative. What has nothing temporal in it stays one expression.

use taut_diag::{Diagnostic, Span};

use super::expr::binary_operator;
use super::{Parsed, Parser};
use crate::ast::*;
use crate::codes;
use crate::token::Kind;

/// An operator between two formulas.
#[derive(Clone, Copy, PartialEq)]
enum Infix {
    Implies,
    Equivalent,
    Until,
    WeakUntil,
    Release,
    Plain(Binary),
}

impl Infix {
    fn level(self) -> u8 {
        match self {
            Infix::Implies | Infix::Equivalent => 1,
            Infix::Until | Infix::WeakUntil | Infix::Release => 5,
            Infix::Plain(binary) => binary.level(),
        }
    }
}

impl Parser<'_> {
    /// A formula.
    pub(super) fn formula(&mut self) -> Parsed<Formula> {
        self.deeper(|this| this.formula_infix(0))
    }

    /// Operators of at least the given level.
    fn formula_infix(&mut self, lowest: u8) -> Parsed<Formula> {
        let start = self.span();
        let mut left = self.formula_prefix()?;
        let mut height = self.height;
        while let Some(operator) = self.infix() {
            if operator.level() < lowest {
                break;
            }
            let place = self.span();
            self.bump();
            let right = self.deeper(|this| this.formula_infix(operator.level() + 1))?;
            height = height.max(self.height) + 1;
            self.grow(height)?;
            left = self.combine(operator, left, right, start, place)?;
        }
        self.height = height;
        Ok(left)
    }

    /// The operator that follows.
    fn infix(&self) -> Option<Infix> {
        let token = self.token();
        Some(match token.kind {
            Kind::Arrow => Infix::Implies,
            Kind::Equivalent => Infix::Equivalent,
            Kind::Ident => match &*token.text {
                "implies" => Infix::Implies,
                "equivalent" => Infix::Equivalent,
                "U" | "until" | "stronguntil" => Infix::Until,
                "W" | "weakuntil" => Infix::WeakUntil,
                "V" | "release" => Infix::Release,
                _ => return None,
            },
            kind => return binary_operator(kind).map(Infix::Plain),
        })
    }

    /// Two formulas with an operator between them.
    fn combine(
        &mut self,
        operator: Infix,
        left: Formula,
        right: Formula,
        start: Span,
        place: Span,
    ) -> Parsed<Formula> {
        let make: fn(Box<Formula>, Box<Formula>) -> Formula = match operator {
            Infix::Implies => Formula::Implies,
            Infix::Equivalent => Formula::Equivalent,
            Infix::Until => Formula::Until,
            Infix::WeakUntil => Formula::WeakUntil,
            Infix::Release => Formula::Release,
            Infix::Plain(binary) => return self.plain(binary, left, right, start, place),
        };
        Ok(make(Box::new(left), Box::new(right)))
    }

    /// Two formulas with an operator of expressions between them.
    fn plain(
        &mut self,
        binary: Binary,
        left: Formula,
        right: Formula,
        start: Span,
        place: Span,
    ) -> Parsed<Formula> {
        match (binary, left, right) {
            (_, Formula::Atom(a), Formula::Atom(b)) => {
                let kind = ExprKind::Binary(binary, Box::new(a), Box::new(b));
                Ok(Formula::Atom(Expr { kind, at: self.since(start) }))
            }
            (Binary::And, a, b) => Ok(Formula::And(Box::new(a), Box::new(b))),
            (Binary::Or, a, b) => Ok(Formula::Or(Box::new(a), Box::new(b))),
            _ => {
                let message =
                    format!("`{}` cannot be applied to a temporal formula", binary.text());
                let d = Diagnostic::error(codes::TEMPORAL, message, place)
                    .label("the temporal operator beside it binds tighter")
                    .help("put the comparison in parentheses: `[] (x == 1)`");
                Err(self.report(d))
            }
        }
    }

    /// A formula with the operators before it.
    fn formula_prefix(&mut self) -> Parsed<Formula> {
        let start = self.span();
        let token = self.token().clone();
        let word = if token.kind == Kind::Ident { &*token.text } else { "" };
        let make: fn(Box<Formula>) -> Formula = match (token.kind, word) {
            (Kind::Always, _) | (_, "always") => Formula::Always,
            (Kind::Eventually, _) | (_, "eventually") => Formula::Eventually,
            (_, "X" | "next") => Formula::Next,
            (Kind::Bang | Kind::BangBang, _) => Formula::Not,
            (Kind::LeftParen, _) => {
                self.bump();
                let inner = self.formula()?;
                self.expect(Kind::RightParen, "`)`")?;
                return Ok(inner);
            }
            _ => return self.unary().map(Formula::Atom),
        };
        self.bump();
        let inner = self.deeper(|this| this.formula_prefix())?;
        self.grow(self.height + 2)?;
        let at = self.since(start);
        let not = |formula| match formula {
            Formula::Atom(e) => {
                Formula::Atom(Expr { kind: ExprKind::Unary(Unary::Not, Box::new(e)), at })
            }
            other => Formula::Not(Box::new(other)),
        };
        Ok(match token.kind {
            Kind::Bang => not(inner),
            Kind::BangBang => not(not(inner)),
            _ => make(Box::new(inner)),
        })
    }
}
