//! Expressions: numbers and registers with `+` and `-`; conditions with comparisons, `not`, `&&`, `||`, and `[ … ]` around.

use taut_ir::BinaryOp;
use taut_source::{Descent, GiveUp, Parse, Span};

use super::{Parser, join};
use crate::ast::{Expr, ExprKind, Loc, LocKind};
use crate::lexer::Token;

/// The most operands in a row: the tree leans to the left, and is walked by recursion.
const MOST_OPERANDS: usize = 500;

impl Parser<'_, '_> {
    /// `$r + 1`
    pub(super) fn expr(&mut self) -> Parse<Expr> {
        let sum = |token| match token {
            Token::Plus => Some(BinaryOp::Add),
            Token::Minus => Some(BinaryOp::Sub),
            _ => None,
        };
        self.row(Self::unit, sum)
    }

    /// Operands with operators of one level between them.
    fn row(
        &mut self,
        operand: fn(&mut Self) -> Parse<Expr>,
        operator: impl Fn(Token) -> Option<BinaryOp>,
    ) -> Parse<Expr> {
        let mut left = operand(self)?;
        let mut count = 1;
        while let Some(op) = operator(self.peek()) {
            let at = self.bump();
            count += 1;
            if count > MOST_OPERANDS {
                let message = format!("more than {MOST_OPERANDS} operands in a row");
                return self.too_deep(at, message);
            }
            let right = operand(self)?;
            left = binary(op, left, right);
        }
        Ok(left)
    }

    fn unit(&mut self) -> Parse<Expr> {
        let start = self.span();
        let kind = match self.peek() {
            Token::Int => ExprKind::Number(self.natural()?),
            Token::Register => ExprKind::Register(self.register()?.text),
            Token::Minus => {
                self.bump();
                ExprKind::Negated(Box::new(self.nested(Self::unit)?))
            }
            Token::LeftParen => {
                let open = self.bump();
                let inner = self.nested(Self::expr)?;
                if comparison(self.peek()).is_some() {
                    let found = self.unexpected("`)`").related(open, "to close this");
                    self.report(
                        found.help("conditions are grouped by `[ … ]`, numbers by `( … )`"),
                    );
                    return Err(GiveUp);
                }
                self.close(Token::RightParen, open)?;
                inner.kind
            }
            Token::Ident => return self.memory_in_expression(),
            _ => return self.expected("a number or a register"),
        };
        Ok(Expr { kind, span: join(start, self.previous()) })
    }

    /// Expressions have no variables: those are read first.
    fn memory_in_expression(&mut self) -> Parse<Expr> {
        let name = self.slice(0);
        let help = format!("read it into a register first: `read: $r := {name}`");
        let found = self.unexpected("a number or a register");
        self.report(found.help(help));
        Err(GiveUp)
    }

    /// A condition.
    pub(super) fn condition(&mut self) -> Parse<Expr> {
        self.row(Self::conjunction, |t| (t == Token::OrOr).then_some(BinaryOp::Or))
    }

    fn conjunction(&mut self) -> Parse<Expr> {
        self.row(Self::negation, |t| (t == Token::AndAnd).then_some(BinaryOp::And))
    }

    fn negation(&mut self) -> Parse<Expr> {
        let start = self.span();
        if !self.eat(Token::Not) {
            return self.atom();
        }
        let inner = self.nested(Self::atom)?;
        let span = join(start, inner.span);
        Ok(Expr { kind: ExprKind::Not(Box::new(inner)), span })
    }

    fn atom(&mut self) -> Parse<Expr> {
        let truth = |value, span: Span| Expr { kind: ExprKind::Number(value), span };
        match self.peek() {
            Token::True => Ok(truth(1, self.bump())),
            Token::False => Ok(truth(0, self.bump())),
            Token::LeftBracket => {
                let open = self.bump();
                let inner = self.nested(Self::condition)?;
                self.close(Token::RightBracket, open)?;
                Ok(inner)
            }
            _ => self.comparison(),
        }
    }

    fn comparison(&mut self) -> Parse<Expr> {
        let left = self.expr()?;
        let Some(op) = comparison(self.peek()) else {
            return self.expected("a comparison: `=`, `!=`, `<`, `<=`, `>` or `>=`");
        };
        self.bump();
        let right = self.expr()?;
        Ok(binary(op, left, right))
    }

    /// A place in memory.
    pub(super) fn location(&mut self) -> Parse<Loc> {
        let start = self.span();
        let kind = if self.at(Token::LeftBracket) {
            let open = self.bump();
            let pointer = self.expr()?;
            self.close(Token::RightBracket, open)?;
            LocKind::Pointer(pointer)
        } else {
            let name = self.name("a variable, such as `x`, `x[my]`, `x[0]` or `[$r]`")?.text;
            if self.at(Token::LeftBracket) { self.owned(name)? } else { LocKind::Global(name) }
        };
        Ok(Loc { kind, span: join(start, self.previous()) })
    }

    /// `[my]` or `[k]` after a name.
    fn owned(&mut self, name: String) -> Parse<LocKind> {
        let open = self.bump();
        let kind = match self.peek() {
            Token::My => {
                self.bump();
                LocKind::Own(name)
            }
            Token::Int => LocKind::Other(name, self.natural()? as u32),
            _ => return self.expected("`my`, or the number of another process"),
        };
        self.close(Token::RightBracket, open)?;
        Ok(kind)
    }
}

fn comparison(token: Token) -> Option<BinaryOp> {
    Some(match token {
        Token::Equal => BinaryOp::Eq,
        Token::NotEq => BinaryOp::Ne,
        Token::Less => BinaryOp::Lt,
        Token::LessEq => BinaryOp::Le,
        Token::Greater => BinaryOp::Gt,
        Token::GreaterEq => BinaryOp::Ge,
        _ => return None,
    })
}

fn binary(op: BinaryOp, left: Expr, right: Expr) -> Expr {
    let span = join(left.span, right.span);
    Expr { kind: ExprKind::Binary(op, Box::new(left), Box::new(right)), span }
}
