//! Expressions, by precedence climbing with the levels of SPIN's grammar.

use taut_source::{Diagnostic, Span};

use super::{Parsed, Parser};
use crate::ast::*;
use crate::codes;
use crate::token::Kind;

impl Parser<'_> {
    /// An expression.
    pub(super) fn expr(&mut self) -> Parsed<Expr> {
        self.deeper(|this| this.binary(0))
    }

    /// Operators of at least the given level.
    fn binary(&mut self, lowest: u8) -> Parsed<Expr> {
        let start = self.span();
        let mut left = self.unary()?;
        let mut height = self.height;
        while let Some(operator) = binary_operator(self.kind()) {
            if operator.level() < lowest {
                break;
            }
            self.bump();
            let right = self.deeper(|this| this.binary(operator.level() + 1))?;
            height = height.max(self.height) + 1;
            self.grow(height)?;
            let kind = ExprKind::Binary(operator, Box::new(left), Box::new(right));
            left = Expr { kind, at: self.since(start) };
        }
        self.height = height;
        Ok(left)
    }

    /// An expression with the signs before it.
    pub(super) fn unary(&mut self) -> Parsed<Expr> {
        let start = self.span();
        let (operator, twice) = match self.kind() {
            Kind::Minus => (Unary::Negate, false),
            Kind::Bang => (Unary::Not, false),
            // DIVERGENCE: SPIN reads `!!` as a sorted send wherever it stands.
            Kind::BangBang => (Unary::Not, true),
            Kind::Tilde => (Unary::Complement, false),
            _ => return self.primary(),
        };
        self.bump();
        let operand = self.deeper(|this| this.unary())?;
        self.grow(self.height + 2)?;
        let at = self.since(start);
        let mut result = Expr { kind: ExprKind::Unary(operator, Box::new(operand)), at };
        if twice {
            result = Expr { kind: ExprKind::Unary(operator, Box::new(result)), at };
        }
        Ok(result)
    }

    /// An expression without operators around it.
    pub(super) fn primary(&mut self) -> Parsed<Expr> {
        let start = self.span();
        self.height = 1;
        let kind = match self.kind() {
            Kind::LeftParen => return self.parenthesised(),
            Kind::Number => ExprKind::Number(self.number("a number")?),
            Kind::Char => self.character(),
            Kind::Keyword => self.word()?,
            Kind::Ident if self.proctypes.contains(&self.token().text) => self.remote()?,
            Kind::Ident if self.at_call() => self.memory()?,
            Kind::Ident => self.starts_with_reference()?,
            Kind::Always | Kind::Eventually | Kind::Equivalent => {
                let d = Diagnostic::error(
                    codes::TEMPORAL,
                    format!("{} can only stand in an `ltl` formula", self.token().describe()),
                    start,
                )
                .label("a temporal operator");
                return Err(self.report(d));
            }
            _ => return Err(self.expected("an expression")),
        };
        Ok(Expr { kind, at: self.since(start) })
    }

    /// `(e)` or `(c -> a : b)`
    fn parenthesised(&mut self) -> Parsed<Expr> {
        let start = self.span();
        self.bump();
        let first = self.expr()?;
        if self.eat(Kind::RightParen) {
            return Ok(Expr { at: self.since(start), ..first });
        }
        if !self.eat(Kind::Arrow) {
            return Err(self.expected("`)`"));
        }
        let mut height = self.height;
        let yes = self.expr()?;
        height = height.max(self.height);
        self.expect(Kind::Colon, "`:`")?;
        let no = self.expr()?;
        height = height.max(self.height);
        self.expect(Kind::RightParen, "`)`")?;
        self.grow(height + 1)?;
        let kind = ExprKind::Conditional(Box::new(first), Box::new(yes), Box::new(no));
        Ok(Expr { kind, at: self.since(start) })
    }

    /// A number, as SPIN keeps it: 32 bits.
    pub(super) fn number(&mut self, what: &str) -> Parsed<i32> {
        if self.kind() != Kind::Number {
            return Err(self.expected(what));
        }
        let text = self.token().text.clone();
        let Ok(value) = text.parse::<i32>() else {
            let d = Diagnostic::error(
                codes::BAD_NUMBER,
                format!("{text} does not fit into 32 bits"),
                self.span(),
            )
            .label(format!("at most {}", i32::MAX));
            return Err(self.report(d));
        };
        self.bump();
        Ok(value)
    }

    /// A character in quotes.
    fn character(&mut self) -> ExprKind {
        let text = self.token().text.clone();
        let mut inside = text[1..text.len() - 1].chars();
        let value = match (inside.next(), inside.next()) {
            (Some('\\'), Some('n')) => b'\n',
            (Some('\\'), Some('r')) => b'\r',
            (Some('\\'), Some('t')) => b'\t',
            (Some('\\'), Some('f')) => 12,
            (Some('\\'), Some(c)) | (Some(c), _) => u8::try_from(c).unwrap_or(b'?'),
            _ => 0,
        };
        self.bump();
        ExprKind::Char(value)
    }

    /// An expression that begins with a reserved word.
    fn word(&mut self) -> Parsed<ExprKind> {
        let word = self.token().text.clone();
        if let Some(query) = ChannelQuery::from_text(&word) {
            self.bump();
            self.expect(Kind::LeftParen, "`(`")?;
            let channel = self.reference()?;
            self.expect(Kind::RightParen, "`)`")?;
            return Ok(ExprKind::Channel(query, channel));
        }
        if let Some(query) = ProcessQuery::from_text(&word) {
            self.bump();
            self.expect(Kind::LeftParen, "`(`")?;
            let process = self.expr()?;
            self.expect(Kind::RightParen, "`)`")?;
            self.grow(self.height + 1)?;
            return Ok(ExprKind::Process(query, Box::new(process)));
        }
        let kind = match &*word {
            "true" => ExprKind::Bool(true),
            "false" => ExprKind::Bool(false),
            "skip" => ExprKind::Skip,
            "timeout" => ExprKind::Timeout,
            "np_" => ExprKind::NonProgress,
            "run" => return self.run(),
            "c_expr" | "c_code" => return Err(self.embedded_c()),
            _ => return Err(self.expected("an expression")),
        };
        self.bump();
        Ok(kind)
    }

    /// `run P(a, b) priority n`
    fn run(&mut self) -> Parsed<ExprKind> {
        self.bump();
        let name = self.name("the name of a proctype")?;
        self.expect(Kind::LeftParen, "`(`")?;
        let arguments = self.arguments()?;
        let priority = self.priority()?;
        Ok(ExprKind::Run { name, arguments, priority })
    }

    /// Expressions up to the closing parenthesis.
    fn arguments(&mut self) -> Parsed<Vec<Expr>> {
        let mut arguments = Vec::new();
        let mut height = 0;
        while self.kind() != Kind::RightParen {
            arguments.push(self.expr()?);
            height = height.max(self.height);
            if !self.eat(Kind::Comma) && self.kind() != Kind::RightParen {
                return Err(self.expected("`,` or `)`"));
            }
        }
        self.bump();
        self.grow(height + 1)?;
        Ok(arguments)
    }

    /// `P[i]@label`, `P@label`, `P[i]:x`, `P:x`
    fn remote(&mut self) -> Parsed<ExprKind> {
        let proctype = self.name("a proctype")?;
        let mut process = None;
        if self.eat(Kind::LeftBracket) {
            process = Some(Box::new(self.expr()?));
            self.expect(Kind::RightBracket, "`]`")?;
            self.grow(self.height + 1)?;
        }
        if self.eat(Kind::At) {
            let label = self.name("a label")?;
            return Ok(ExprKind::RemoteLabel { proctype, process, label });
        }
        // Without a sign it is a name alone: only mmlib's SVAR may say that, the checker sees to it.
        if self.kind() != Kind::Colon {
            let part = Part { name: proctype.clone(), index: process };
            let (id, at) = (self.fresh(), proctype.at);
            return Ok(ExprKind::Reference(Reference { parts: vec![part], id, at }));
        }
        self.bump();
        let variable = self.part()?;
        Ok(ExprKind::RemoteVariable { proctype, process, variable })
    }

    /// `@label` after what must be a proctype.
    fn remote_label(&mut self, mut process: Reference) -> Parsed<ExprKind> {
        self.bump();
        let label = self.name("a label")?;
        let Part { name: proctype, index: process } = process.parts.remove(0);
        Ok(ExprKind::RemoteLabel { proctype, process, label })
    }

    /// Whether a call follows; `q!a(b)` is none, a being declared.
    fn at_call(&self) -> bool {
        let (token, next) = (self.token(), self.second());
        next.kind == Kind::LeftParen && !next.newline && !self.declared.contains(&token.text)
    }

    /// A memory operation of a dialect.
    fn memory(&mut self) -> Parsed<ExprKind> {
        let Some(op) = MemoryOp::from_text(&self.token().text) else {
            return Err(self.unknown_inline());
        };
        self.bump();
        self.bump();
        Ok(ExprKind::Memory(op, self.arguments()?))
    }

    /// A variable, or a poll of a channel.
    fn starts_with_reference(&mut self) -> Parsed<ExprKind> {
        let reference = self.reference()?;
        let random = match self.kind() {
            Kind::Question => false,
            Kind::QuestionQuestion => true,
            // Claims may come before the proctypes they speak of.
            Kind::At if reference.parts.len() == 1 => return self.remote_label(reference),
            _ => return Ok(ExprKind::Reference(reference)),
        };
        if self.second().kind != Kind::LeftBracket {
            let d = Diagnostic::error(
                codes::EXPECTED,
                "a receive is a statement, not a value",
                self.span(),
            )
            .label("`?[` expected")
            .help("`q?[m]` asks whether a message could be received");
            return Err(self.report(d));
        }
        self.bump();
        self.bump();
        let patterns = self.patterns()?;
        self.expect(Kind::RightBracket, "`]`")?;
        Ok(ExprKind::Poll { channel: reference, random, patterns })
    }

    /// `a[i].b.c[j]`
    pub(super) fn reference(&mut self) -> Parsed<Reference> {
        let start: Span = self.span();
        let mut height = 1;
        let mut parts = Vec::new();
        loop {
            parts.push(self.part()?);
            height = height.max(self.height);
            if !self.eat(Kind::Dot) {
                break;
            }
        }
        self.grow(height + 1)?;
        Ok(Reference { parts, id: self.fresh(), at: self.since(start) })
    }

    /// A name with its index.
    fn part(&mut self) -> Parsed<Part> {
        let name = self.name("a variable")?;
        self.height = 1;
        if !self.eat(Kind::LeftBracket) {
            return Ok(Part { name, index: None });
        }
        let index = self.expr()?;
        self.expect(Kind::RightBracket, "`]`")?;
        Ok(Part { name, index: Some(Box::new(index)) })
    }

    /// The fields of a receive: `a,b`, `a(b,c)`, `(a,b)`.
    pub(super) fn patterns(&mut self) -> Parsed<Vec<Pattern>> {
        let mut patterns = Vec::new();
        let mut open = 0;
        while self.eat(Kind::LeftParen) {
            open += 1;
        }
        loop {
            patterns.push(self.pattern()?);
            while open > 0 && self.eat(Kind::RightParen) {
                open -= 1;
            }
            if self.eat(Kind::LeftParen) {
                open += 1;
            } else if !self.eat(Kind::Comma) {
                break;
            }
        }
        if open > 0 {
            return Err(self.expected("`)`"));
        }
        Ok(patterns)
    }

    /// One field of a receive.
    fn pattern(&mut self) -> Parsed<Pattern> {
        if self.kind() == Kind::Ident {
            return self.reference().map(Pattern::Reference);
        }
        if self.eat_word("eval") {
            self.expect(Kind::LeftParen, "`(`")?;
            let value = self.expr()?;
            self.expect(Kind::RightParen, "`)`")?;
            return Ok(Pattern::Eval(value));
        }
        let constant = matches!(self.kind(), Kind::Number | Kind::Char | Kind::Minus)
            || self.at("true")
            || self.at("false")
            || self.at("skip");
        if constant {
            return self.unary().map(Pattern::Constant);
        }
        Err(self.expected("a variable, a constant or `eval(…)`"))
    }
}

/// The operator a token stands for.
pub(super) fn binary_operator(kind: Kind) -> Option<Binary> {
    Some(match kind {
        Kind::OrOr => Binary::Or,
        Kind::AndAnd => Binary::And,
        Kind::Bar => Binary::BitOr,
        Kind::Caret => Binary::BitXor,
        Kind::Amp => Binary::BitAnd,
        Kind::Equal => Binary::Equal,
        Kind::NotEqual => Binary::NotEqual,
        Kind::Less => Binary::Less,
        Kind::LessEqual => Binary::LessEqual,
        Kind::Greater => Binary::Greater,
        Kind::GreaterEqual => Binary::GreaterEqual,
        Kind::ShiftLeft => Binary::ShiftLeft,
        Kind::ShiftRight => Binary::ShiftRight,
        Kind::Plus => Binary::Add,
        Kind::Minus => Binary::Subtract,
        Kind::Star => Binary::Multiply,
        Kind::Slash => Binary::Divide,
        Kind::Percent => Binary::Remainder,
        _ => return None,
    })
}
