//! Formulas of linear temporal logic.
//!
//! The levels are SPIN's: `->` and `<->` bind loosest, then `||`, `&&`, then `U W V M`, then the operators of
//! expressions. `[]`, `<>`, `X` and `!` bind like a sign: `[] p -> q` is `([] p) -> q`. All operators
//! between formulas are left-associative.
//!
//! The operators that are words are no reserved words. `G F X` are operators before an operand and `U W R V M`
//! between two; anywhere else, and in backticks everywhere, they are names. `X == 1` asks about a variable
//! and `X (x == 1)` about the next state. Only where both readings are possible, as in `X U p`, does the
//! name come first: a variable `X`, until p.

use taut_ir::BinaryOp;
use taut_source::{Diagnostic, Span};

use super::expr::{HIGHEST, binary_op};
use super::{GiveUp, Parse, Parser};
use crate::ast::{Expr, ExprKind, Formula, FormulaKind, Infix, Prefix};
use crate::codes;
use crate::lexer::Token;

/// The words for operators before a formula.
const PREFIXES: &[(&str, Prefix)] = &[
    ("G", Prefix::Always),
    ("always", Prefix::Always),
    ("F", Prefix::Eventually),
    ("eventually", Prefix::Eventually),
    ("X", Prefix::Next),
    ("next", Prefix::Next),
];

/// The words for operators between formulas.
const INFIXES: &[(&str, Infix)] = &[
    ("U", Infix::Until),
    ("until", Infix::Until),
    ("stronguntil", Infix::Until),
    ("W", Infix::WeakUntil),
    ("weakuntil", Infix::WeakUntil),
    ("R", Infix::Release),
    ("V", Infix::Release),
    ("release", Infix::Release),
    ("M", Infix::StrongRelease),
    ("implies", Infix::Implies),
    ("equivalent", Infix::Equivalent),
];

/// Whether a word is an operator in some places of a formula.
pub(crate) fn is_operator_word(word: &str) -> bool {
    PREFIXES.iter().any(|(text, _)| *text == word) || INFIXES.iter().any(|(text, _)| *text == word)
}

/// Whether a token stands between two operands, of formulas or of expressions.
pub(crate) fn joins(token: Token) -> bool {
    matches!(token, Token::Arrow | Token::Equivalent) || binary_op(token).is_some()
}

/// What can stand between two operands.
#[derive(Clone, Copy)]
enum Operator {
    Formula(Infix),
    Plain(BinaryOp),
}

impl Operator {
    fn level(self) -> u8 {
        match self {
            Operator::Formula(infix) => infix.precedence(),
            // The loosest of these is `==`, of precedence 3, which binds tighter than `U`, of 4.
            Operator::Plain(op) => op.precedence() + 2,
        }
    }
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
            let condition = p.formula_infix(1)?;
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

    /// Operands with operators of at least the given level between them.
    fn formula_infix(&mut self, least: u8) -> Parse<Formula> {
        let mut left = self.formula_prefix()?;
        while let Some(operator) = self.operator().filter(|op| op.level() >= least) {
            let sign = self.bump();
            let right = self.formula_infix(operator.level() + 1)?;
            left = self.combine(operator, sign, left, right)?;
        }
        Ok(left)
    }

    /// The operator that comes next.
    fn operator(&self) -> Option<Operator> {
        let infix = match self.peek() {
            Token::Arrow => Infix::Implies,
            Token::Equivalent => Infix::Equivalent,
            Token::Ident => self.infix_word(0)?,
            token => match binary_op(token)? {
                BinaryOp::And => Infix::And,
                BinaryOp::Or => Infix::Or,
                op => return Some(Operator::Plain(op)),
            },
        };
        Some(Operator::Formula(infix))
    }

    fn infix_word(&self, ahead: usize) -> Option<Infix> {
        let word = self.slice(ahead);
        let found = INFIXES.iter().find(|(text, _)| *text == word);
        found.filter(|_| self.peek_at(ahead) == Token::Ident).map(|(_, infix)| *infix)
    }

    fn combine(
        &mut self,
        operator: Operator,
        sign: Span,
        left: Formula,
        right: Formula,
    ) -> Parse<Formula> {
        let span = left.span.to(right.span);
        match operator {
            Operator::Formula(infix) => {
                self.made(FormulaKind::Infix(infix, Box::new(left), Box::new(right)), span, sign)
            }
            Operator::Plain(op) => {
                let (a, b) = (self.plain(left, sign)?, self.plain(right, sign)?);
                let all = self.built(ExprKind::Binary(op, Box::new(a), Box::new(b)), span)?;
                Ok(Formula::new(FormulaKind::Plain(all), span))
            }
        }
    }

    /// A formula that must be an expression, because an operator of expressions is applied to it.
    fn plain(&mut self, formula: Formula, sign: Span) -> Parse<Expr> {
        formula.into_expr().map_err(|temporal| {
            let symbol = &self.text[sign.start as usize..sign.end as usize];
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
        self.too_deep(end, format!("this formula nests more than {HIGHEST} operators"));
        Err(GiveUp)
    }

    /// An operand with the operators before it.
    fn formula_prefix(&mut self) -> Parse<Formula> {
        let prefix = match self.peek() {
            Token::Bang | Token::Not => Prefix::Not,
            Token::Always => Prefix::Always,
            Token::Eventually => Prefix::Eventually,
            Token::LeftParen => return self.formula_in_parentheses(),
            Token::LeftBrace => return self.whole(),
            _ => match self.prefix_word() {
                Some(prefix) => prefix,
                None => return self.plain_operand(),
            },
        };
        let word = self.at(Token::Not);
        let start = self.bump();
        let operand = self.nested(Self::formula_prefix)?;
        if word {
            self.check_not(start)?;
        }
        let span = start.to(operand.span);
        self.made(FormulaKind::Prefix(prefix, Box::new(operand)), span, start)
    }

    /// `G`, `F` or `X`, if it is an operator here.
    fn prefix_word(&self) -> Option<Prefix> {
        let word = self.slice(0);
        let (_, prefix) = PREFIXES.iter().find(|(text, _)| *text == word)?;
        let next = self.peek_at(1);
        let name = self.infix_word(1).is_some() && begins_operand(self.peek_at(2));
        (self.at(Token::Ident) && begins_operand(next) && !name).then_some(*prefix)
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
