//! Statements and blocks.

use taut_source::{Descent, Diagnostic, Span, Token as _};

use super::{GiveUp, Parse, Parser};
use crate::ast::{Assign, Block, Expr, ExprKind, If, Reference, Rmw, RmwOp, Stmt, StmtKind};
use crate::codes;
use crate::lexer::Token;

/// Tokens that end some block.
const CLOSERS: &[Token] =
    &[Token::End, Token::Fi, Token::Od, Token::Else, Token::Elif, Token::RightBrace];

/// Tokens that begin a declaration of the top level and nothing else.
pub(super) const DECLARATIONS: &[Token] = &[
    Token::Svar,
    Token::Gvar,
    Token::Main,
    Token::Process,
    Token::Procedure,
    Token::Const,
    Token::Shared,
    Token::Ghost,
    Token::Forbid,
    Token::Invariant,
    Token::Ltl,
];

const AFTER_THEN: &[Token] = &[Token::Fi, Token::Else, Token::Elif];

impl Parser<'_, '_> {
    /// Statements up to one of the closing tokens, which is not taken.
    pub(super) fn statements(
        &mut self,
        close: &'static [Token],
        opened: Span,
        braces: bool,
    ) -> Parse<Block> {
        self.closers.push(close);
        let open = self.previous();
        let mut stmts = Vec::new();
        while !self.at_one_of(close) && !self.block_is_cut_short(close, opened) {
            if self.at_one_of(CLOSERS) {
                self.stray_closer();
                continue;
            }
            let before = self.cursor.position();
            match self.nested(Self::statement) {
                Ok(stmt) => stmts.push(stmt),
                Err(GiveUp) => self.skip_statement(before),
            }
        }
        let ended = self.at_one_of(close) || self.is_wrong_closer(close);
        self.closers.pop();
        if ended { Ok(Block { stmts, braces, open, end: self.span() }) } else { Err(GiveUp) }
    }

    /// Whether the block ends without its closing word; if so that is reported.
    fn block_is_cut_short(&mut self, close: &[Token], opened: Span) -> bool {
        let token = self.peek();
        let wanted = close[0].describe();
        let at = self.span();
        let found = if self.is_wrong_closer(close) {
            let message = format!("expected {wanted} to end this block, found {}", self.found());
            Diagnostic::error(codes::MISSING_CLOSER, message, at)
                .label(format!("expected {wanted}"))
        } else if token == Token::Eof || DECLARATIONS.contains(&token) || self.closes_outer(token) {
            let message = format!("expected {wanted} before {}", self.found());
            let found = Diagnostic::error(codes::MISSING_CLOSER, message, at);
            found.label(format!("{wanted} is missing before this"))
        } else {
            return false;
        };
        self.report(found.related(opened, "to end what begins here"));
        true
    }

    /// Whether something ends a block here, but not as it should: `fi` after `{`, or `}` after `then`.
    fn is_wrong_closer(&self, close: &[Token]) -> bool {
        let token = self.peek();
        let ends = matches!(token, Token::Fi | Token::Od | Token::RightBrace | Token::End);
        let mine = self.at_one_of(close) || close.contains(&Token::End);
        ends && !mine && self.at_one_of(CLOSERS) && !self.closes_outer(token)
    }

    fn closes_outer(&self, token: Token) -> bool {
        // While a block is read its own closers are the last.
        let outer = &self.closers[..self.closers.len().saturating_sub(1)];
        self.at_one_of(CLOSERS) && outer.iter().any(|c| c.contains(&token))
    }

    /// Whether one of these closing tokens comes next.
    fn at_one_of(&self, close: &[Token]) -> bool {
        close.contains(&self.peek()) && !self.is_end_mark()
    }

    /// `end:` before a statement, which closes nothing.
    fn is_end_mark(&self) -> bool {
        self.at(Token::End) && self.peek_at(1) == Token::Colon
    }

    fn stray_closer(&mut self) {
        let span = self.bump();
        let word = self.cursor.text(span);
        self.eat(Token::Semi);
        let message = format!("`{word}` ends nothing here");
        let found = Diagnostic::error(codes::STRAY_CLOSER, message, span);
        let begin = match word {
            "fi" | "else" | "elif" => "no open `if`",
            "od" => "no open `while`",
            "}" => "no open `{`",
            _ => "no open block",
        };
        self.report(found.label(begin));
    }

    /// Goes on after the next `;`, or before something that ends a block or begins a declaration. Blocks
    /// that begin on the way are skipped whole: a mistake in the head of an `if` says nothing about what
    /// stands in it.
    fn skip_statement(&mut self, before: usize) {
        if self.cursor.position() == before && !self.at_one_of(CLOSERS) {
            self.bump();
        }
        let mut open = 0u32;
        loop {
            let token = self.peek();
            let closes = self.at_one_of(CLOSERS);
            if token == Token::Eof || DECLARATIONS.contains(&token) || closes && open == 0 {
                return;
            }
            self.bump();
            match token {
                Token::LeftBrace | Token::Then | Token::Do => open += 1,
                Token::RightBrace | Token::Fi | Token::Od => open -= 1,
                Token::Semi if open == 0 => return,
                _ => {}
            }
            if closes && open == 0 && self.block_is_over() {
                self.eat(Token::Semi);
                return;
            }
        }
    }

    /// After the end of a skipped block: whether no further block of the same statement follows.
    fn block_is_over(&self) -> bool {
        !matches!(self.peek(), Token::Else | Token::Elif | Token::Or)
    }

    /// A statement with its labels and its `;`.
    fn statement(&mut self) -> Parse<Stmt> {
        let start = self.span();
        let mut labels = Vec::new();
        let mut may_end = false;
        loop {
            let label = matches!(self.peek(), Token::Ident | Token::Quoted);
            if self.peek_at(1) != Token::Colon || !(label || self.at(Token::End)) {
                break;
            }
            if self.eat(Token::End) {
                may_end = true;
            } else {
                labels.push(self.name("a label")?);
            }
            self.bump();
        }
        let kind = self.statement_after_labels(!labels.is_empty() || may_end)?;
        Ok(Stmt { labels, may_end, kind, span: start.to(self.previous()) })
    }

    fn statement_after_labels(&mut self, labelled: bool) -> Parse<StmtKind> {
        if labelled && self.at_one_of(CLOSERS) {
            return Ok(StmtKind::Nothing);
        }
        if self.at(Token::Semi) && labelled {
            self.bump();
            return Ok(StmtKind::Nothing);
        }
        match self.compound()? {
            Some(kind) => {
                self.eat(Token::Semi);
                Ok(kind)
            }
            None => {
                let kind = self.simple()?;
                if !self.at_one_of(CLOSERS) && !self.at(Token::Or) {
                    self.semicolon("this statement")?;
                }
                Ok(kind)
            }
        }
    }

    /// A statement that holds statements, if one begins here.
    fn compound(&mut self) -> Parse<Option<StmtKind>> {
        Ok(Some(match self.peek() {
            Token::If => StmtKind::If(self.if_statement()?),
            Token::While => self.while_statement()?,
            Token::Loop => StmtKind::Loop(self.braces_after_word()?),
            Token::Locked => StmtKind::Locked(self.braces_after_word()?),
            Token::Atomic if self.peek_at(1) == Token::LeftBrace => {
                StmtKind::Atomic(self.braces_after_word()?)
            }
            Token::Choose => StmtKind::Choose(self.choose()?),
            _ => return Ok(None),
        }))
    }

    /// A word and a block in braces.
    fn braces_after_word(&mut self) -> Parse<Block> {
        let word = self.bump();
        self.braces(word)
    }

    fn braces(&mut self, opened: Span) -> Parse<Block> {
        self.expect(Token::LeftBrace)?;
        let block = self.statements(&[Token::RightBrace], opened, true)?;
        self.bump();
        Ok(block)
    }

    fn choose(&mut self) -> Parse<Vec<Block>> {
        let word = self.bump();
        let mut branches = vec![self.braces(word)?];
        while self.at(Token::Or) {
            let word = self.bump();
            branches.push(self.braces(word)?);
        }
        Ok(branches)
    }

    fn while_statement(&mut self) -> Parse<StmtKind> {
        let start = self.bump();
        let condition = self.condition()?;
        let head = start.to(self.previous());
        if self.at(Token::LeftBrace) {
            return Ok(StmtKind::While(condition, self.braces(start)?, head));
        }
        self.block_word(Token::Do)?;
        let body = self.statements(&[Token::Od], start, false)?;
        self.bump();
        Ok(StmtKind::While(condition, body, head))
    }

    /// `then` or `do`. If a name or keyword follows instead, the word was forgotten and the block begins.
    fn block_word(&mut self, word: Token) -> Parse<()> {
        if self.eat(word) {
            return Ok(());
        }
        let begins = self.at(Token::Ident) || self.peek().is_keyword();
        match self.expected(&format!("`{}` or `{{`", word.text().unwrap_or_default())) {
            Err(GiveUp) if begins && !self.at_one_of(CLOSERS) => Ok(()),
            result => result,
        }
    }

    /// The condition of a statement, without the parentheses around all of it.
    fn condition(&mut self) -> Parse<Expr> {
        let condition = self.expression()?;
        Ok(match condition.kind {
            ExprKind::Paren(inner) => *inner,
            _ => condition,
        })
    }

    fn if_statement(&mut self) -> Parse<If> {
        let start = self.bump();
        let condition = self.condition()?;
        let head = start.to(self.previous());
        if self.at(Token::LeftBrace) {
            return self.if_with_braces(start, condition, head);
        }
        self.block_word(Token::Then)?;
        self.if_with_words(start, condition, head)
    }

    fn if_with_words(&mut self, start: Span, condition: Expr, head: Span) -> Parse<If> {
        let mut all = If { branches: Vec::new(), otherwise: None };
        let first = self.statements(AFTER_THEN, start, false)?;
        all.branches.push((condition, head, first));
        while self.at(Token::Elif) {
            let word = self.bump();
            let condition = self.condition()?;
            let head = word.to(self.previous());
            self.block_word(Token::Then)?;
            let block = self.statements(AFTER_THEN, word, false)?;
            all.branches.push((condition, head, block));
        }
        if self.at(Token::Else) {
            let word = self.bump();
            all.otherwise = Some(self.statements(&[Token::Fi], word, false)?);
        }
        self.bump();
        Ok(all)
    }

    fn if_with_braces(&mut self, start: Span, condition: Expr, head: Span) -> Parse<If> {
        let mut all = If { branches: Vec::new(), otherwise: None };
        let first = self.braces(start)?;
        all.branches.push((condition, head, first));
        loop {
            let word = self.span();
            let elif = self.at(Token::Elif);
            if !elif && !self.at(Token::Else) {
                return Ok(all);
            }
            self.bump();
            if elif || self.eat(Token::If) {
                let condition = self.condition()?;
                let head = word.to(self.previous());
                let block = self.braces(word)?;
                all.branches.push((condition, head, block));
            } else {
                all.otherwise = Some(self.braces(word)?);
                return Ok(all);
            }
        }
    }

    /// A statement that is one step, or a jump.
    fn simple(&mut self) -> Parse<StmtKind> {
        if self.peek().is_keyword() && self.peek_at(1) == Token::Assign {
            return self.keyword_as_name("a variable");
        }
        let kind = match self.peek() {
            Token::Skip => StmtKind::Skip,
            Token::Return => StmtKind::Return,
            Token::Fence => StmtKind::Fence,
            Token::Sfence => StmtKind::Sfence,
            Token::Sync => StmtKind::Sync,
            Token::AtomicBegin => StmtKind::AtomicBegin,
            Token::AtomicEnd => StmtKind::AtomicEnd,
            Token::Break => StmtKind::Break,
            Token::Continue => StmtKind::Continue,
            _ => return self.simple_with_operands(),
        };
        self.bump();
        Ok(kind)
    }

    fn simple_with_operands(&mut self) -> Parse<StmtKind> {
        match self.peek() {
            Token::Assume | Token::Await => {
                let is_await = self.at(Token::Await);
                self.bump();
                Ok(StmtKind::Assume(self.condition()?, is_await))
            }
            Token::Assert => self.assert(),
            Token::Call => {
                self.bump();
                let name = self.name("the name of a procedure")?;
                Ok(StmtKind::Call(name, self.arguments()?))
            }
            Token::Spawn => {
                self.bump();
                let name = self.name("the name of a process")?;
                Ok(StmtKind::Spawn(name, self.arguments()?))
            }
            Token::Goto => {
                self.bump();
                Ok(StmtKind::Goto(self.name("a label")?))
            }
            Token::Local => Ok(StmtKind::Local(self.variables()?)),
            Token::Xchg | Token::Cas | Token::FetchAdd => self.rmw(None),
            Token::Atomic | Token::Ident | Token::Quoted => self.assignment(),
            _ => self.expected("a statement"),
        }
    }

    fn assert(&mut self) -> Parse<StmtKind> {
        self.bump();
        let condition = self.condition()?;
        let name = match self.eat_word("as") {
            true => Some(self.title("a name for the assertion")?),
            false => None,
        };
        Ok(StmtKind::Assert(condition, name))
    }

    /// Arguments in parentheses, if there are any.
    pub(super) fn arguments(&mut self) -> Parse<Vec<Expr>> {
        if !self.eat(Token::LeftParen) {
            return Ok(Vec::new());
        }
        Ok(self.list(Token::RightParen, Self::expression)?.0)
    }

    fn assignment(&mut self) -> Parse<StmtKind> {
        let atomic = self.eat(Token::Atomic);
        let mut places = vec![self.reference("a variable")?];
        while self.eat(Token::Comma) {
            places.push(self.reference("a variable")?);
        }
        self.assign_sign()?;
        if places.len() == 1 && !atomic {
            match self.peek() {
                Token::Xchg | Token::Cas | Token::FetchAdd => return self.rmw(places.pop()),
                Token::Choose => return self.choose_value(places.remove(0)),
                _ => {}
            }
        }
        let mut values = vec![self.expression()?];
        while self.eat(Token::Comma) {
            values.push(self.expression()?);
        }
        Ok(StmtKind::Assign(Assign { atomic, places, values }))
    }

    /// `:=`, with a hint for those who write `=`.
    pub(super) fn assign_sign(&mut self) -> Parse<()> {
        if self.eat(Token::Assign) {
            return Ok(());
        }
        if !self.at(Token::Equal) && !self.at(Token::EqEq) {
            return self.expected("`:=`");
        }
        let message = format!("expected `:=`, found {}", self.found());
        let at = self.span();
        let found = Diagnostic::error(codes::EXPECTED, message, at).label("expected `:=`");
        self.report(found.help("assignments are written `x := e`; `=` compares"));
        Err(GiveUp)
    }

    fn choose_value(&mut self, place: Reference) -> Parse<StmtKind> {
        self.bump();
        self.expect(Token::LeftParen)?;
        let lo = self.bound()?;
        self.expect(Token::DotDot)?;
        let hi = self.bound()?;
        self.expect(Token::RightParen)?;
        Ok(StmtKind::ChooseValue(place, Box::new((lo, hi))))
    }

    fn rmw(&mut self, result: Option<Reference>) -> Parse<StmtKind> {
        let op = match self.peek() {
            Token::Xchg => RmwOp::Xchg,
            Token::Cas => RmwOp::Cas,
            _ => RmwOp::FetchAdd,
        };
        let start = self.bump();
        self.expect(Token::LeftParen)?;
        let location = self.reference("a shared variable")?;
        let mut args = Vec::new();
        while self.eat(Token::Comma) {
            args.push(self.expression()?);
        }
        let end = self.expect(Token::RightParen)?;
        if args.len() != op.arguments() {
            self.wrong_rmw_arguments(op, start.to(end));
            return Err(GiveUp);
        }
        Ok(StmtKind::Rmw(Rmw { result, op, location, args }))
    }

    fn wrong_rmw_arguments(&mut self, op: RmwOp, span: Span) {
        let form = match op {
            RmwOp::Xchg => "xchg(x, new)",
            RmwOp::Cas => "cas(x, old, new)",
            RmwOp::FetchAdd => "fetch_add(x, more)",
        };
        let message = format!("`{}` takes {} arguments", op.word(), 1 + op.arguments());
        let found = Diagnostic::error(codes::ARGUMENTS, message, span);
        self.report(found.label(format!("expected `{form}`")));
    }
}
