//! Formulas of `ltl` blocks.
//!
//! The levels are SPIN's: `->` and `<->` bind loosest, then `||`, `&&`, then `U W V`, then the operators of
//! expressions. `[]`, `<>`, `X` and `!` bind like a sign: `[] p -> q` is `([] p) -> q`. All are
//! left-associative. What has nothing temporal in it stays one expression.
//!
//! The literature's `G F R M` are read besides SPIN's `[] <> V`, unless the model has such a name: those are
//! letters that models use. `X U V W` and the long words are SPIN's own, and always operators in formulas.

use std::collections::HashSet;
use std::rc::Rc;

use taut_source::{Diagnostic, Span};

use super::expr::binary_operator;
use super::{Parsed, Parser};
use crate::ast::*;
use crate::codes;
use crate::token::{Kind, Token};

/// An operator between two formulas.
#[derive(Clone, Copy, PartialEq)]
enum Infix {
    Implies,
    Equivalent,
    Until,
    WeakUntil,
    Release,
    StrongRelease,
    Plain(Binary),
}

impl Infix {
    fn level(self) -> u8 {
        match self {
            Infix::Implies | Infix::Equivalent => 1,
            Infix::Until | Infix::WeakUntil | Infix::Release | Infix::StrongRelease => 5,
            Infix::Plain(binary) => binary.level(),
        }
    }
}

impl Parser<'_> {
    /// A formula.
    pub(super) fn formula(&mut self) -> Parsed<Formula> {
        let formula = self.deeper(|this| this.formula_infix(0))?;
        if self.kind() != Kind::Assign {
            return Ok(formula);
        }
        let d = Diagnostic::error(codes::EXPECTED, "a formula assigns nothing", self.span())
            .label("an operator expected")
            .help("compare with `==`");
        Err(self.report(d))
    }

    /// Whether a letter of the literature is an operator here, not a name of the model.
    fn is_operator(&self, letter: &str) -> bool {
        !self.letters.contains(letter)
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
                "R" if self.is_operator("R") => Infix::Release,
                "M" if self.is_operator("M") => Infix::StrongRelease,
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
            Infix::StrongRelease => Formula::StrongRelease,
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
            (_, "G") if self.is_operator("G") => Formula::Always,
            (_, "F") if self.is_operator("F") => Formula::Eventually,
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

/// Which of the literature's letters are names in a model, wherever they are declared: those that stand outside
/// of formulas, but as a label or a field.
pub(super) fn letters(tokens: &[Token]) -> HashSet<Rc<str>> {
    let mut names = HashSet::new();
    // How many braces of a formula are open, the one to come included.
    let mut formula = 0;
    for (index, token) in tokens.iter().enumerate() {
        match token.kind {
            Kind::Keyword if &*token.text == "ltl" => formula = 1,
            Kind::LeftBrace if formula == 1 => formula = 2,
            Kind::RightBrace if formula == 2 => formula = 0,
            Kind::Ident if formula == 0 && matches!(&*token.text, "G" | "F" | "R" | "M") => {
                let before = index.checked_sub(1).map(|i| &tokens[i]);
                let part =
                    before.is_some_and(|t| matches!(t.kind, Kind::At | Kind::Dot) || t.is("goto"));
                let label = tokens.get(index + 1).is_some_and(|t| t.kind == Kind::Colon);
                if !part && !label {
                    names.insert(token.text.clone());
                }
            }
            _ => {}
        }
    }
    names
}
