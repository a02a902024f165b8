//! Expressions, by precedence climbing.

use taut_ir::{BinaryOp, UnaryOp};
use taut_source::{Descent, Diagnostic, Span, Token as _};

use super::stmt::rmw_op;
use super::{GiveUp, Parse, Parser};
use crate::ast::{Base, Expr, ExprKind, ProcessIndex, ProcessName, Reference, Selector};
use crate::codes;
use crate::lexer::Token;
use crate::mistakes::instead;

/// How high an expression may be. Engines walk and drop expressions recursively.
pub(super) const HIGHEST: u32 = 500;

/// The operator a token stands for between two operands.
pub(super) fn binary_op(token: Token) -> Option<BinaryOp> {
    Some(match token {
        Token::Plus => BinaryOp::Add,
        Token::Minus => BinaryOp::Sub,
        Token::Star => BinaryOp::Mul,
        Token::Slash => BinaryOp::Div,
        Token::Percent => BinaryOp::Rem,
        Token::Amp => BinaryOp::BitAnd,
        Token::Bar => BinaryOp::BitOr,
        Token::Caret => BinaryOp::BitXor,
        Token::Shl => BinaryOp::Shl,
        Token::Shr => BinaryOp::Shr,
        Token::AndAnd | Token::And => BinaryOp::And,
        Token::OrOr | Token::Or => BinaryOp::Or,
        Token::EqEq | Token::Equal => BinaryOp::Eq,
        Token::NotEq => BinaryOp::Ne,
        Token::Less => BinaryOp::Lt,
        Token::LessEq => BinaryOp::Le,
        Token::Greater => BinaryOp::Gt,
        Token::GreaterEq => BinaryOp::Ge,
        _ => return None,
    })
}

/// The precedence above all comparisons: bounds of ranges are read with it.
const ABOVE_COMPARISON: u8 = 5;

impl Parser<'_, '_> {
    /// Any expression.
    pub(super) fn expression(&mut self) -> Parse<Expr> {
        self.nested(|p| {
            let condition = p.binary(1)?;
            if !p.eat(Token::Question) {
                return Ok(condition);
            }
            let yes = p.in_conditional(true, Self::expression)?;
            p.expect(Token::Colon)?;
            let no = p.expression()?;
            let span = condition.span.to(no.span);
            p.built(ExprKind::Cond(Box::new(condition), Box::new(yes), Box::new(no)), span)
        })
    }

    /// An expression without comparisons and connectives, as in the bounds of a range.
    pub(super) fn bound(&mut self) -> Parse<Expr> {
        self.nested(|p| p.binary(ABOVE_COMPARISON))
    }

    fn binary(&mut self, least: u8) -> Parse<Expr> {
        let mut left = self.unary()?;
        if matches!(self.peek(), Token::PlusPlus | Token::MinusMinus) {
            return self.step_in_expression();
        }
        while let Some(op) = self.operator(least) {
            let right = self.binary(op.precedence() + 1)?;
            let span = left.span.to(right.span);
            left = self.built(ExprKind::Binary(op, Box::new(left), Box::new(right)), span)?;
        }
        Ok(left)
    }

    /// Takes an operator that binds at least so much.
    fn operator(&mut self, least: u8) -> Option<BinaryOp> {
        if self.foreign_precedence().is_some_and(|binds| binds >= least)
            && let Some(meant) = self.foreign_operator()
        {
            return binary_op(meant);
        }
        let op = binary_op(self.peek()).filter(|op| op.precedence() >= least)?;
        self.bump();
        Some(op)
    }

    /// How much an operator of another language binds, if one may stand here.
    fn foreign_precedence(&self) -> Option<u8> {
        Some(match self.peek() {
            Token::Conjunction => BinaryOp::And.precedence(),
            Token::Disjunction => BinaryOp::Or.precedence(),
            _ => BinaryOp::Eq.precedence(),
        })
    }

    /// An expression, unless it has become too high.
    pub(super) fn built(&mut self, kind: ExprKind, span: Span) -> Parse<Expr> {
        let expr = Expr::new(kind, span);
        if expr.height <= HIGHEST {
            return Ok(expr);
        }
        let end = self.previous();
        self.too_deep(end, format!("this expression nests more than {HIGHEST} operators"))
    }

    pub(super) fn unary(&mut self) -> Parse<Expr> {
        let op = match self.peek() {
            Token::Minus => UnaryOp::Neg,
            Token::Bang | Token::Not => UnaryOp::Not,
            Token::Tilde => UnaryOp::BitNot,
            _ => return self.primary(),
        };
        let word = self.at(Token::Not);
        let start = self.bump();
        if op == UnaryOp::Neg && self.at(Token::Int) {
            return self.integer(Some(start));
        }
        let operand = self.nested(Self::unary)?;
        if word {
            self.check_not(start)?;
        }
        let span = start.to(operand.span);
        self.built(ExprKind::Unary(op, Box::new(operand)), span)
    }

    /// `not a == b` means different things to different people, so it means nothing here.
    pub(super) fn check_not(&mut self, start: Span) -> Parse<()> {
        let next = binary_op(self.peek());
        if next.is_none_or(|op| matches!(op, BinaryOp::And | BinaryOp::Or)) {
            return Ok(());
        }
        let operator = self.span();
        self.report(
            Diagnostic::error(codes::UNCLEAR_NOT, "it is not clear what `not` applies to", start)
                .label("to the comparison, or only to its left side?")
                .related(operator, "because of this operator")
                .help("write `not (a == b)` or `(not a) == b`"),
        );
        Err(GiveUp)
    }

    fn primary(&mut self) -> Parse<Expr> {
        match self.peek() {
            Token::Int => self.integer(None),
            Token::True | Token::False => {
                let value = self.at(Token::True);
                let span = self.bump();
                Ok(Expr::new(ExprKind::Bool(value), span))
            }
            Token::LeftParen => self.parenthesised(),
            Token::View => self.view(),
            Token::Drained => self.drained(),
            Token::Always | Token::Eventually => self.temporal_in_expression(),
            Token::PlusPlus | Token::MinusMinus => self.step_in_expression(),
            token if rmw_op(token).is_some() => {
                let (rmw, span) = self.rmw()?;
                self.built(ExprKind::Rmw(Box::new(rmw)), span)
            }
            Token::Ident | Token::Quoted if self.at_call() => {
                self.check_foreign_call()?;
                let name = self.name("the name of a procedure")?;
                let start = name.span;
                let args = self.in_conditional(false, Self::arguments)?;
                let span = start.to(self.previous());
                self.built(ExprKind::Call(name, args), span)
            }
            Token::Ident
                if self.at_word("new")
                    && matches!(self.peek_at(1), Token::Ident | Token::Quoted) =>
            {
                let start = self.bump();
                let name = self.name("the name of a pool")?;
                let mut span = start.to(name.span);
                if self.at(Token::LeftParen) && self.peek_at(1) == Token::RightParen {
                    self.bump();
                    span = start.to(self.bump());
                    let text = format!("new {}", name.text);
                    let message = "`new` has a pool and no arguments";
                    self.foreign(message, "expected no parentheses", span, instead(&text));
                }
                self.built(ExprKind::New(name), span)
            }
            Token::Ident | Token::Quoted => self.named(),
            token if token.is_keyword() => self.keyword_as_name("an expression"),
            _ => self.expected("an expression"),
        }
    }

    fn parenthesised(&mut self) -> Parse<Expr> {
        let open = self.bump();
        let mut inner = self.in_conditional(false, Self::expression)?;
        if self.at(Token::Assign) {
            let span = self.bump();
            self.foreign("an assignment has no value", "`==` compares", span, instead("=="));
            let right = self.in_conditional(false, Self::expression)?;
            let whole = inner.span.to(right.span);
            inner = self
                .built(ExprKind::Binary(BinaryOp::Eq, Box::new(inner), Box::new(right)), whole)?;
        }
        let close = self.close(Token::RightParen, open)?;
        self.built(ExprKind::Paren(Box::new(inner)), open.to(close))
    }

    /// A number, with the minus sign that stood before it.
    fn integer(&mut self, minus: Option<Span>) -> Parse<Expr> {
        let text = self.slice(0);
        let token = self.bump();
        let span = minus.map_or(token, |m| m.to(token));
        let magnitude = match text.strip_prefix("0x") {
            Some(hex) => i128::from_str_radix(hex, 16).ok(),
            None => text.parse::<i128>().ok(),
        };
        let value = magnitude.map(|m| if minus.is_some() { -m } else { m });
        match value.and_then(|v| i64::try_from(v).ok()) {
            Some(value) => Ok(Expr::new(ExprKind::Int(value), span)),
            None => self.bad_number(text, token),
        }
    }

    /// Whether a call begins here.
    pub(super) fn at_call(&self) -> bool {
        let name = matches!(self.peek(), Token::Ident | Token::Quoted);
        let special = ["reg", "var", "enabled"].iter().any(|word| self.at_word(word));
        name && self.peek_at(1) == Token::LeftParen && !special
    }

    /// Whether a call of a procedure that the file declares begins here.
    pub(super) fn at_known_call(&self) -> bool {
        self.at_call() && self.procedures.contains(self.slice(0))
    }

    fn step_in_expression<T>(&mut self) -> Parse<T> {
        let (sign, span) = (self.slice(0), self.span());
        let message = format!("`{sign}` cannot be part of an expression");
        let found = Diagnostic::error(codes::STEP_IN_EXPRESSION, message, span);
        self.report(found.label("an assignment is a statement of its own").help(
            "write `x++;` as a statement; for one atomic step that gives the old value, `fetch_add(x, 1)`",
        ));
        Err(GiveUp)
    }

    /// `view(P, x)`
    fn view(&mut self) -> Parse<Expr> {
        let start = self.bump();
        self.expect(Token::LeftParen)?;
        let process = self.process_name()?;
        self.expect(Token::Comma)?;
        let what = self.reference("a variable")?;
        let end = self.expect(Token::RightParen)?;
        self.built(ExprKind::View(process, what), start.to(end))
    }

    /// `drained(P)`
    fn drained(&mut self) -> Parse<Expr> {
        let (process, span) = self.of_process()?;
        Ok(Expr::new(ExprKind::Drained(process), span))
    }

    /// A word and a process in parentheses.
    fn of_process(&mut self) -> Parse<(ProcessName, Span)> {
        let start = self.bump();
        self.expect(Token::LeftParen)?;
        let process = self.process_name()?;
        let end = self.expect(Token::RightParen)?;
        Ok((process, start.to(end)))
    }

    /// A process: `p`, `p[1]`, `p#1`.
    pub(super) fn process_name(&mut self) -> Parse<ProcessName> {
        let base = self.name("the name of a process")?;
        let start = base.span;
        let index = match self.peek() {
            Token::LeftBracket => {
                self.bump();
                let index = self.expression()?;
                self.expect(Token::RightBracket)?;
                Some(ProcessIndex::Instance(Box::new(index)))
            }
            Token::Hash => Some(ProcessIndex::Slot(self.number()?.value)),
            _ => None,
        };
        Ok(ProcessName { base, index, span: start.to(self.previous()) })
    }

    /// Something that starts with a name: a variable, or what a property asks of a process.
    fn named(&mut self) -> Parse<Expr> {
        if self.at_word("enabled") && self.peek_at(1) == Token::LeftParen {
            let (process, span) = self.of_process()?;
            return Ok(Expr::new(ExprKind::Enabled(process), span));
        }
        let known = self.processes.contains(self.slice(0).trim_matches('`'));
        if self.peek_at(1) == Token::Hash {
            let process = self.process_name()?;
            return self.asked_of(process);
        }
        let reference = self.reference("an expression")?;
        let local = self.at(Token::Colon) && (known || !self.in_conditional);
        let asks = self.at(Token::At) || local;
        match reference {
            Reference { base: Base::Name(base), index, more, span } if asks && more.is_empty() => {
                let index = index.map(ProcessIndex::Instance);
                self.asked_of(ProcessName { base, index, span })
            }
            reference => {
                let span = reference.span;
                self.built(ExprKind::Ref(reference), span)
            }
        }
    }

    /// `@label`, `@{#1, #2}` or `:local` after a process.
    fn asked_of(&mut self, process: ProcessName) -> Parse<Expr> {
        let start = process.span;
        if self.eat(Token::Colon) {
            let what = self.reference("a local variable")?;
            let span = start.to(what.span);
            return self.built(ExprKind::LocalOf(process, what), span);
        }
        if !self.at(Token::At) {
            return self.expected("`@` and a label, or `:` and a local variable");
        }
        self.bump();
        if self.eat(Token::LeftBrace) {
            let (set, end) = self.list(Token::RightBrace, Self::number)?;
            return Ok(Expr::new(ExprKind::AtSet(process, set), start.to(end)));
        }
        let label = self.name("a label")?;
        let span = start.to(label.span);
        Ok(Expr::new(ExprKind::At(process, label), span))
    }

    /// A variable or an element of one.
    pub(super) fn reference(&mut self, what: &str) -> Parse<Reference> {
        let base = self.base(what)?;
        let start = base.span();
        if self.at(Token::Always) {
            return self.expected("an index between `[` and `]`");
        }
        let mut index = None;
        if self.eat(Token::LeftBracket) {
            index = Some(Box::new(self.in_conditional(false, Self::expression)?));
            self.close_index()?;
        }
        let more = self.selectors()?;
        if self.at(Token::Arrow) && self.peek_at(1) == Token::Ident && !self.closers.is_empty() {
            let span = self.span();
            let help = "with a reference to a record of a pool write `p.next`, with an array of records `n[p].next`";
            self.foreign("there are no pointers", "expected an operator", span, help.into());
            return Err(GiveUp);
        }
        Ok(Reference { base, index, more, span: start.to(self.previous()) })
    }

    /// The `]` after an index. A comma in its place is reported.
    fn close_index(&mut self) -> Parse<()> {
        while self.at(Token::Comma) {
            let span = self.bump();
            self.foreign("every index has its own brackets", "expected `]`", span, instead("]["));
            self.in_conditional(false, Self::expression)?;
        }
        self.expect(Token::RightBracket)?;
        Ok(())
    }

    /// `[2].next`
    fn selectors(&mut self) -> Parse<Vec<Selector>> {
        let mut all = Vec::new();
        loop {
            if self.eat(Token::LeftBracket) {
                let index = self.in_conditional(false, Self::expression)?;
                self.close_index()?;
                all.push(Selector::Index(index));
            } else if self.eat(Token::Dot) {
                all.push(Selector::Field(self.field()?));
            } else {
                return Ok(all);
            }
        }
    }

    /// `x`, `f.n`, `reg(3)`, `var(x)`
    pub(super) fn base(&mut self, what: &str) -> Parse<Base> {
        let call = self.peek_at(1) == Token::LeftParen;
        if call && self.at_word("reg") {
            let start = self.bump();
            self.bump();
            let number = self.bare_number(start)?;
            self.expect(Token::RightParen)?;
            return Ok(Base::Register(number));
        }
        if call && self.at_word("var") {
            self.bump();
            self.bump();
            let name = self.name("a variable")?;
            self.expect(Token::RightParen)?;
            return Ok(Base::Variable(name));
        }
        let name = self.name(what)?;
        match self.eat(Token::Dot) {
            true => {
                let member = self.field()?;
                if self.at(Token::LeftParen) {
                    let span = name.span.to(member.span);
                    self.foreign("there are no methods", "expected a field", span,
                        "a load is `r := x;`, a store `x := 1;`; see also `cas(x, old, new)`, `xchg`, `fetch_add`".into());
                    return Err(GiveUp);
                }
                Ok(Base::Member(name, member))
            }
            false => Ok(Base::Name(name)),
        }
    }
}
