//! Expressions, by precedence climbing.
//!
//! Operators bind as in C ([`BinaryOp::precedence`]). DiVinE 2's own grammar has `and` and `or` on one level,
//! and `|`, `^`, `&` on another, so it reads `a or b and c` as `(a or b) and c`. Where the two readings differ
//! there is a warning; no model of the BEEM benchmark depends on it.

use taut_source::{Descent, Diagnostic, Span, Token as _};

use super::{GiveUp, Parse, Parser};
use crate::ast::{BinaryOp, Name, UnaryOp};
use crate::codes;
use crate::lexer::Token;
use crate::surface::{Call, Expr, ExprKind, Place, ProcessRef};

/// How high an expression may be. Engines walk and drop expressions recursively.
pub(crate) const HIGHEST: u32 = 500;

/// The operator a token stands for between two operands.
fn binary_op(token: Token) -> Option<BinaryOp> {
    Some(match token {
        Token::Imply => BinaryOp::Imply,
        Token::OrOr | Token::Or => BinaryOp::Or,
        Token::AndAnd | Token::And => BinaryOp::And,
        Token::Bar => BinaryOp::BitOr,
        Token::Caret => BinaryOp::BitXor,
        Token::Amp => BinaryOp::BitAnd,
        Token::EqEq => BinaryOp::Eq,
        Token::NotEq => BinaryOp::Ne,
        Token::Less => BinaryOp::Lt,
        Token::LessEq => BinaryOp::Le,
        Token::Greater => BinaryOp::Gt,
        Token::GreaterEq => BinaryOp::Ge,
        Token::Shl => BinaryOp::Shl,
        Token::Shr => BinaryOp::Shr,
        Token::Plus => BinaryOp::Add,
        Token::Minus => BinaryOp::Sub,
        Token::Star => BinaryOp::Mul,
        Token::Slash => BinaryOp::Div,
        Token::Percent => BinaryOp::Rem,
        _ => return None,
    })
}

impl Parser<'_, '_> {
    /// Any expression.
    pub(super) fn expression(&mut self) -> Parse<Expr> {
        self.nested(Self::binary)
    }

    /// Operands with operators between them. What waits for its right side is kept on a stack of our own, so
    /// that only parentheses and unary operators use the program's.
    fn binary(&mut self) -> Parse<Expr> {
        let mut operands = vec![self.unary()?];
        let mut operators = Vec::new();
        while let Some(op) = binary_op(self.peek()) {
            self.join(&mut operands, &mut operators, op.precedence())?;
            operators.push((op, self.bump()));
            operands.push(self.unary()?);
        }
        self.join(&mut operands, &mut operators, 0)?;
        if self.at(Token::Equal) {
            return self.single_equals();
        }
        operands.pop().ok_or(GiveUp)
    }

    /// Joins the last operands as long as the operator between them binds at least this tightly.
    fn join(
        &mut self,
        operands: &mut Vec<Expr>,
        operators: &mut Vec<(BinaryOp, Span)>,
        least: u8,
    ) -> Parse<()> {
        while let Some((op, operator)) = operators.pop_if(|(op, _)| op.precedence() >= least) {
            let (Some(right), Some(left)) = (operands.pop(), operands.pop()) else {
                return Err(GiveUp);
            };
            self.warn_of_other_reading(op, operator, &right);
            let span = left.span.to(right.span);
            let kind = ExprKind::Binary(op, Box::new(left), Box::new(right));
            operands.push(self.built(kind, span)?);
        }
        Ok(())
    }

    /// `a = b` where a comparison is meant. (An assignment has its `=` read before its value.)
    fn single_equals(&mut self) -> Parse<Expr> {
        let found =
            Diagnostic::error(codes::EXPECTED, "`=` cannot compare two values", self.span());
        self.report(found.label("expected `==`").help("write `==` to compare"));
        Err(GiveUp)
    }

    /// Warns if DiVinE 2 would read `left op (a inner b)` as `(left op a) inner b`.
    fn warn_of_other_reading(&mut self, op: BinaryOp, operator: Span, right: &Expr) {
        let ExprKind::Binary(inner, ..) = &right.kind else { return };
        if right.parenthesised || !op.shares_level_in_divine_2(*inner) {
            return;
        }
        let (op, inner) = (op.text(), inner.text());
        let message = format!("`{inner}` binds tighter than `{op}` here, but not in DiVinE 2");
        let found = Diagnostic::warning(codes::UNCLEAR_OPERATORS, message, operator);
        let found = found.label(format!("its right side is all of the `{inner}`"));
        self.report(found.help("put the part that belongs together into parentheses"));
    }

    /// An expression, unless it has become too high.
    fn built(&mut self, kind: ExprKind, span: Span) -> Parse<Expr> {
        let expr = Expr::new(kind, span);
        if expr.height <= HIGHEST {
            return Ok(expr);
        }
        let end = self.previous();
        self.too_deep(end, format!("this expression nests more than {HIGHEST} operators"))
    }

    fn unary(&mut self) -> Parse<Expr> {
        let op = match self.peek() {
            Token::Minus => UnaryOp::Neg,
            Token::Tilde => UnaryOp::BitNot,
            Token::Not | Token::Bang => UnaryOp::Not,
            _ => return self.primary(),
        };
        let start = self.bump();
        let operand = self.nested(Self::unary)?;
        let span = start.to(operand.span);
        self.built(ExprKind::Unary(op, Box::new(operand)), span)
    }

    fn primary(&mut self) -> Parse<Expr> {
        match self.peek() {
            Token::Int => self.number(),
            Token::True | Token::False => {
                let value = self.at(Token::True);
                Ok(Expr::new(ExprKind::Bool(value), self.bump()))
            }
            Token::LeftParen => self.parentheses(),
            Token::Ident => self.named(),
            token if token.is_keyword() => self.keyword_as_name("an expression"),
            _ => self.expected("an expression"),
        }
    }

    fn parentheses(&mut self) -> Parse<Expr> {
        let open = self.bump();
        let inner = self.expression()?;
        let close = self.close(Token::RightParen, open)?;
        Ok(Expr { span: open.to(close), parenthesised: true, ..inner })
    }

    fn number(&mut self) -> Parse<Expr> {
        let text = self.slice(0);
        let span = self.bump();
        match text.parse::<i32>() {
            Ok(value) => Ok(Expr::new(ExprKind::Num(value.into()), span)),
            Err(_) => self.bad_number(text, span),
        }
    }

    fn bad_number<T>(&mut self, text: &str, span: Span) -> Parse<T> {
        let found = match text.bytes().all(|b| b.is_ascii_digit()) {
            true => Diagnostic::error(codes::BAD_NUMBER, "this number is too large", span)
                .label("does not fit")
                .help("DiVinE computes with 32 bits: the largest number is 2147483647"),
            false => {
                Diagnostic::error(codes::BAD_NUMBER, "this is neither a number nor a name", span)
                    .label("letters after digits")
                    .help("numbers are decimal; names begin with a letter")
            }
        };
        self.report(found);
        Err(GiveUp)
    }

    /// Something that starts with a name: a variable, a call, or a question about a process.
    fn named(&mut self) -> Parse<Expr> {
        let name = self.name("an expression")?;
        if self.at(Token::LeftBracket) {
            let (index, end) = self.index()?;
            let span = name.span.to(end);
            return self.built(ExprKind::Index(name, Box::new(index)), span);
        }
        if self.at(Token::LeftParen) {
            let call = self.arguments(name)?;
            if !matches!(self.peek(), Token::Dot | Token::Arrow) {
                let span = call.span;
                return self.built(ExprKind::Call(call), span);
            }
            return self.asked_of(ProcessRef::Instance(call));
        }
        if matches!(self.peek(), Token::Dot | Token::Arrow) {
            return self.asked_of(ProcessRef::Plain(name));
        }
        let span = name.span;
        Ok(Expr::new(ExprKind::Name(name), span))
    }

    /// `.location`, `->variable` or `->array[e]` after a process.
    fn asked_of(&mut self, process: ProcessRef) -> Parse<Expr> {
        let start = process.span();
        if self.bump_token() == Token::Dot {
            let state = self.name("a location of the process")?;
            let span = start.to(state.span);
            return self.built(ExprKind::State(process, state), span);
        }
        let variable = self.name("a variable of the process")?;
        let mut span = start.to(variable.span);
        let mut element = None;
        if self.at(Token::LeftBracket) {
            let (index, end) = self.index()?;
            element = Some(Box::new(index));
            span = start.to(end);
        }
        self.built(ExprKind::Remote(process, variable, element), span)
    }

    /// `(e, ...)` after a name.
    pub(super) fn arguments(&mut self, name: Name) -> Parse<Call> {
        let open = self.expect(Token::LeftParen)?;
        let args = if self.at(Token::RightParen) { vec![] } else { self.commas(Self::expression)? };
        let close = self.close(Token::RightParen, open)?;
        let span = name.span.to(close);
        Ok(Call { name, args, span })
    }

    /// `[e]`; returns the place of the closing bracket, too.
    pub(super) fn index(&mut self) -> Parse<(Expr, Span)> {
        let open = self.expect(Token::LeftBracket)?;
        let index = self.expression()?;
        let close = self.close(Token::RightBracket, open)?;
        Ok((index, close))
    }

    /// Something that can be assigned.
    pub(super) fn place(&mut self) -> Parse<Place> {
        let name = self.name("a variable")?;
        let mut span = name.span;
        let mut element = None;
        if self.at(Token::LeftBracket) {
            let (index, end) = self.index()?;
            element = Some(index);
            span = span.to(end);
        }
        Ok(Place { name, index: element, span })
    }
}
