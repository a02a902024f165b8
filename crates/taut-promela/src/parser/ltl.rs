//! Formulas of `ltl` blocks, read by [`taut_ltl::reader`]. What has nothing temporal in it stays one expression.
//!
//! The literature's `G F R M` are read besides SPIN's `[] <> V`, unless the model has such a name: those are
//! letters that models use. `X U V W` and the long words are SPIN's own, and always operators in formulas.

use std::collections::HashSet;
use std::rc::Rc;

use taut_ltl::reader::{self, Between, Host};
use taut_ltl::{Infix, Prefix};
use taut_source::{Diagnostic, Span};

use super::expr::binary_operator;
use super::{Parsed, Parser, Reported};
use crate::ast::*;
use crate::codes;
use crate::token::{Kind, Token};

/// A formula, the height of its tree, and where it begins.
pub(crate) struct Read {
    formula: Formula,
    height: usize,
    start: Span,
}

impl Parser<'_> {
    /// A formula.
    pub(super) fn formula(&mut self) -> Parsed<Formula> {
        let read = self.recurse(reader::formula)?;
        self.height = read.height;
        if self.kind() != Kind::Assign {
            return Ok(read.formula);
        }
        let d = Diagnostic::error(codes::EXPECTED, "a formula assigns nothing", self.span())
            .label("an operator expected")
            .help("compare with `==`");
        Err(self.report(d))
    }

    /// The next token, if it is a word and, in case it is a letter of the literature, no name of the model.
    fn operator_word(&self) -> Option<&str> {
        let token = self.token();
        let name = token.kind != Kind::Ident || self.letters.contains(&token.text);
        (!name).then_some(&*token.text)
    }

    /// Two formulas with an operator of expressions between them.
    fn plain(&mut self, binary: Binary, sign: Span, left: Read, right: Read) -> Parsed<Formula> {
        if let (Formula::Atom(a), Formula::Atom(b)) = (left.formula, right.formula) {
            let kind = ExprKind::Binary(binary, Box::new(a), Box::new(b));
            return Ok(Formula::Atom(Expr { kind, at: self.since(left.start) }));
        }
        let message = format!("`{}` cannot be applied to a temporal formula", binary.text());
        let d = Diagnostic::error(codes::TEMPORAL, message, sign)
            .label("the temporal operator beside it binds tighter")
            .help("put the comparison in parentheses: `[] (x == 1)`");
        Err(self.report(d))
    }

    /// `!f`, which is an expression if `f` is one.
    fn negated(&self, formula: Formula, start: Span) -> Formula {
        match formula {
            Formula::Atom(e) => {
                let kind = ExprKind::Unary(Unary::Not, Box::new(e));
                Formula::Atom(Expr { kind, at: self.since(start) })
            }
            other => Formula::not(other),
        }
    }
}

impl Host for Parser<'_> {
    type Tree = Read;
    type Plain = Binary;
    type Sign = (Span, Kind);
    type Error = Reported;

    fn prefix(&self) -> Option<Prefix> {
        match self.token().kind {
            Kind::Always => Some(Prefix::Always),
            Kind::Eventually => Some(Prefix::Eventually),
            Kind::Bang | Kind::BangBang => Some(Prefix::Not),
            _ => Prefix::of_word(self.operator_word()?),
        }
    }

    fn infix(&self) -> Option<Between<Binary>> {
        Some(match self.token().kind {
            Kind::Arrow => Between::Formula(Infix::Implies),
            Kind::Equivalent => Between::Formula(Infix::Iff),
            Kind::Ident => Between::Formula(Infix::of_word(self.operator_word()?)?),
            kind => match binary_operator(kind)? {
                Binary::And => Between::Formula(Infix::And),
                Binary::Or => Between::Formula(Infix::Or),
                binary => Between::Plain(binary),
            },
        })
    }

    fn level(&self, operator: Between<Binary>) -> u8 {
        match operator {
            Between::Formula(infix) => infix.level(),
            Between::Plain(binary) => binary.level(),
        }
    }

    fn take(&mut self) -> Parsed<(Span, Kind)> {
        let sign = (self.span(), self.token().kind);
        self.bump();
        Ok(sign)
    }

    fn operand(&mut self) -> Parsed<Read> {
        let start = self.span();
        let formula = if self.token().kind == Kind::LeftParen {
            self.bump();
            let inner = self.formula()?;
            self.expect(Kind::RightParen, "`)`")?;
            inner
        } else {
            Formula::Atom(self.unary()?)
        };
        Ok(Read { formula, height: self.height, start })
    }

    fn recurse(&mut self, read: fn(&mut Self) -> Parsed<Read>) -> Parsed<Read> {
        self.deeper(read)
    }

    fn apply(&mut self, operator: Prefix, sign: (Span, Kind), inner: Read) -> Parsed<Read> {
        let (start, kind) = sign;
        let height = inner.height + 2;
        self.grow(height)?;
        let formula = match (operator, kind) {
            (Prefix::Not, Kind::BangBang) => {
                let once = self.negated(inner.formula, start);
                self.negated(once, start)
            }
            (Prefix::Not, _) => self.negated(inner.formula, start),
            _ => operator.apply(inner.formula),
        };
        Ok(Read { formula, height, start })
    }

    fn join(
        &mut self,
        operator: Between<Binary>,
        (sign, _): (Span, Kind),
        left: Read,
        right: Read,
    ) -> Parsed<Read> {
        let height = left.height.max(right.height) + 1;
        self.grow(height)?;
        let start = left.start;
        let conditions =
            matches!((&left.formula, &right.formula), (Formula::Atom(_), Formula::Atom(_)));
        let formula = match operator {
            Between::Formula(Infix::And) if conditions => {
                self.plain(Binary::And, sign, left, right)?
            }
            Between::Formula(Infix::Or) if conditions => {
                self.plain(Binary::Or, sign, left, right)?
            }
            Between::Formula(infix) => infix.apply(left.formula, right.formula),
            Between::Plain(binary) => self.plain(binary, sign, left, right)?,
        };
        Ok(Read { formula, height, start })
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
