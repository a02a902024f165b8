//! Formulas of linear temporal logic, read by [`taut_ltl::reader`].
//!
//! The operators that are words are no reserved words. `G F X` are operators before an operand and `U W R V M`
//! between two; anywhere else, and in backticks everywhere, they are names. `X == 1` asks about a variable
//! and `X (x == 1)` about the next state. Only where both readings are possible, as in `X U p`, does the
//! name come first: a variable `X`, until p.

use taut_ir::BinaryOp;
use taut_ltl::reader::{self, Between, Host};
use taut_ltl::{Infix, Prefix};
use taut_source::{Descent, Diagnostic, Span, Token as _};

use super::expr::{HIGHEST, binary_op};
use super::{GiveUp, Parse, Parser};
use crate::ast::{Expr, ExprKind, Formula, FormulaKind};
use crate::codes;
use crate::lexer::Token;

/// Whether a word is an operator in some places of a formula.
pub(crate) fn is_operator_word(word: &str) -> bool {
    Prefix::of_word(word).is_some() || Infix::of_word(word).is_some()
}

/// Whether a token stands between two operands, of formulas or of expressions.
pub(crate) fn joins(token: Token) -> bool {
    matches!(token, Token::Arrow | Token::Equivalent) || binary_op(token).is_some()
}

/// Whether a token can only be the start of an operand. (A `-` may be a minus sign between two.)
fn begins_operand(token: Token) -> bool {
    use Token::*;
    matches!(
        token,
        Ident
            | Quoted
            | Int
            | True
            | False
            | LeftParen
            | LeftBrace
            | Bang
            | Not
            | Tilde
            | Always
            | Eventually
            | View
            | Drained
    )
}

impl Parser<'_, '_> {
    /// Any formula.
    pub(super) fn formula(&mut self) -> Parse<Formula> {
        self.nested(|p| {
            let condition = reader::formula(p)?;
            if p.at(Token::Question) { p.choice(condition) } else { Ok(condition) }
        })
    }

    /// `c ? a : b`, of which all parts are expressions.
    fn choice(&mut self, condition: Formula) -> Parse<Formula> {
        let sign = self.bump();
        let condition = self.plain(condition, sign)?;
        let yes = self.in_conditional(true, Self::expression)?;
        self.expect(Token::Colon)?;
        let no = self.expression()?;
        let span = condition.span.to(no.span);
        let all = ExprKind::Cond(Box::new(condition), Box::new(yes), Box::new(no));
        let all = self.built(all, span)?;
        Ok(Formula::new(FormulaKind::Plain(all), span))
    }

    fn infix_word(&self, ahead: usize) -> Option<Infix> {
        Infix::of_word(self.slice(ahead)).filter(|_| self.peek_at(ahead) == Token::Ident)
    }

    /// A formula that must be an expression, because an operator of expressions is applied to it.
    fn plain(&mut self, formula: Formula, sign: Span) -> Parse<Expr> {
        formula.into_expr().map_err(|temporal| {
            let symbol = self.cursor.text(sign);
            let message = format!("`{symbol}` cannot be applied to a temporal formula");
            let found = Diagnostic::error(codes::TEMPORAL, message, sign)
                .label("expected two plain expressions")
                .related(temporal, "this temporal operator binds tighter")
                .help("put the condition in parentheses, as in `[] (x == 1)`");
            self.report(found);
            GiveUp
        })
    }

    /// A formula, unless it has become too high.
    fn made(&mut self, kind: FormulaKind, span: Span, sign: Span) -> Parse<Formula> {
        let formula = Formula { sign, ..Formula::new(kind, span) };
        if formula.height <= HIGHEST {
            return Ok(formula);
        }
        let end = self.previous();
        self.too_deep(end, format!("this formula nests more than {HIGHEST} operators"))
    }

    /// `G`, `F` or `X`, if it is an operator here.
    fn prefix_word(&self) -> Option<Prefix> {
        let prefix = Prefix::of_word(self.slice(0))?;
        let next = self.peek_at(1);
        let name = self.infix_word(1).is_some() && begins_operand(self.peek_at(2));
        (self.at(Token::Ident) && begins_operand(next) && !name).then_some(prefix)
    }

    fn plain_operand(&mut self) -> Parse<Formula> {
        let next = self.peek();
        if !begins_operand(next) && next != Token::Minus && !next.is_keyword() {
            return self.expected("a formula");
        }
        let expr = self.unary()?;
        let span = expr.span;
        Ok(Formula::new(FormulaKind::Plain(expr), span))
    }

    fn formula_in_parentheses(&mut self) -> Parse<Formula> {
        let open = self.bump();
        let inner = self.in_conditional(false, Self::formula)?;
        let close = self.close(Token::RightParen, open)?;
        self.made(FormulaKind::Paren(Box::new(inner)), open.to(close), open)
    }

    /// `{ e }`: a condition that is not taken apart.
    fn whole(&mut self) -> Parse<Formula> {
        let open = self.bump();
        let inner = self.in_conditional(false, Self::expression)?;
        let close = self.close(Token::RightBrace, open)?;
        Ok(Formula::new(FormulaKind::Whole(inner), open.to(close)))
    }

    /// Reports a temporal operator outside of a formula.
    pub(super) fn temporal_in_expression<T>(&mut self) -> Parse<T> {
        let (sign, at) = (self.slice(0), self.span());
        let message = format!("`{sign}` cannot be part of an expression");
        let found =
            Diagnostic::error(codes::TEMPORAL, message, at).label("an operator of formulas");
        self.report(
            found.help("formulas stand in temporal properties: `ltl NAME: [] (a -> <> b);`"),
        );
        Err(GiveUp)
    }
}

impl Host for Parser<'_, '_> {
    type Tree = Formula;
    type Plain = BinaryOp;
    type Sign = Span;
    type Error = GiveUp;

    fn prefix(&self) -> Option<Prefix> {
        match self.peek() {
            Token::Bang | Token::Not => Some(Prefix::Not),
            Token::Always => Some(Prefix::Always),
            Token::Eventually => Some(Prefix::Eventually),
            _ => self.prefix_word(),
        }
    }

    fn infix(&self) -> Option<Between<BinaryOp>> {
        Some(Between::Formula(match self.peek() {
            Token::Arrow => Infix::Implies,
            Token::Equivalent => Infix::Iff,
            Token::Ident => self.infix_word(0)?,
            token => match binary_op(token)? {
                BinaryOp::And => Infix::And,
                BinaryOp::Or => Infix::Or,
                op => return Some(Between::Plain(op)),
            },
        }))
    }

    fn level(&self, operator: Between<BinaryOp>) -> u8 {
        match operator {
            Between::Formula(infix) => infix.level(),
            // The loosest of these is `==`, of precedence 3, which binds tighter than `U`, of 4.
            Between::Plain(op) => op.precedence() + 2,
        }
    }

    fn take(&mut self) -> Parse<Span> {
        Ok(self.bump())
    }

    fn operand(&mut self) -> Parse<Formula> {
        match self.peek() {
            Token::LeftParen => self.formula_in_parentheses(),
            Token::LeftBrace => self.whole(),
            _ => self.plain_operand(),
        }
    }

    fn recurse(&mut self, read: fn(&mut Self) -> Parse<Formula>) -> Parse<Formula> {
        self.nested(read)
    }

    fn apply(&mut self, operator: Prefix, sign: Span, inner: Formula) -> Parse<Formula> {
        if self.cursor.text(sign) == "not" {
            self.check_not(sign)?;
        }
        let span = sign.to(inner.span);
        self.made(FormulaKind::Prefix(operator, Box::new(inner)), span, sign)
    }

    fn join(
        &mut self,
        operator: Between<BinaryOp>,
        sign: Span,
        left: Formula,
        right: Formula,
    ) -> Parse<Formula> {
        let span = left.span.to(right.span);
        match operator {
            Between::Formula(infix) => {
                self.made(FormulaKind::Infix(infix, Box::new(left), Box::new(right)), span, sign)
            }
            Between::Plain(op) => {
                let (a, b) = (self.plain(left, sign)?, self.plain(right, sign)?);
                let all = self.built(ExprKind::Binary(op, Box::new(a), Box::new(b)), span)?;
                Ok(Formula::new(FormulaKind::Plain(all), span))
            }
        }
    }
}
