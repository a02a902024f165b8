//! Statements and blocks.

use taut_source::{Descent, Diagnostic, Span, Token as _};

use super::{GiveUp, Parse, Parser};
use taut_ir::BinaryOp;

use crate::ast::{
    Assign, AssignSign, Block, Expr, ExprKind, If, Name, Reference, Rmw, RmwOp, Stmt, StmtKind,
};
use crate::codes;
use crate::lexer::Token;
use crate::mistakes::{self, Where, instead};

/// Tokens that end some block.
const CLOSERS: &[Token] = &[
    Token::End,
    Token::Fi,
    Token::Od,
    Token::Else,
    Token::Elif,
    Token::RightBrace,
    Token::Case,
    Token::Default,
];

/// Tokens that begin a declaration of the top level and nothing else.
pub(super) const DECLARATIONS: &[Token] = &[
    Token::Svar,
    Token::Gvar,
    Token::Main,
    Token::Process,
    Token::Procedure,
    Token::Const,
    Token::Enum,
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
            "case" | "default" => "no open `switch`",
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
                // The brace after the `do` of a `do … while` is counted, not the word.
                Token::Do if self.at(Token::LeftBrace) => {}
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
    pub(super) fn statement(&mut self) -> Parse<Stmt> {
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

    pub(super) fn statement_after_labels(&mut self, labelled: bool) -> Parse<StmtKind> {
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
            Token::Do if self.peek_at(1) == Token::LeftBrace => {
                let kind = self.do_while()?;
                if !self.at_one_of(CLOSERS) {
                    self.semicolon("`do … while`")?;
                }
                kind
            }
            Token::Do if self.peek_at(1) == Token::Colon => {
                let word = self.bump();
                return self.promela_options(word);
            }
            Token::For => self.for_statement()?,
            Token::Switch => self.switch()?,
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

    pub(super) fn braces(&mut self, opened: Span) -> Parse<Block> {
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
        if self.lacks_braces(Token::Do) && !self.ends_with_word(Token::While, Token::Od) {
            return Ok(StmtKind::While(condition, self.without_braces("a `while`")?, head));
        }
        self.block_word(Token::Do)?;
        let body = self.statements(&[Token::Od], start, false)?;
        self.bump();
        Ok(StmtKind::While(condition, body, head))
    }

    /// Whether a statement stands where a block should begin.
    pub(super) fn lacks_braces(&self, word: Token) -> bool {
        let begins = matches!(self.peek(), Token::Ident | Token::Quoted | Token::Semi)
            || self.peek().is_keyword();
        begins && !self.at(word) && !self.at_one_of(CLOSERS)
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
    pub(super) fn condition(&mut self) -> Parse<Expr> {
        let condition = self.expression()?;
        Ok(match condition.kind {
            ExprKind::Paren(inner) => *inner,
            _ => condition,
        })
    }

    fn if_statement(&mut self) -> Parse<If> {
        let start = self.bump();
        if self.at(Token::Colon) {
            return self.promela_options(start);
        }
        let condition = self.condition()?;
        let head = start.to(self.previous());
        let lacks = self.lacks_braces(Token::Then) && !self.ends_with_word(Token::If, Token::Fi);
        if self.at(Token::LeftBrace) || lacks {
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
        let first = self.branch_block(start)?;
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
                let block = self.branch_block(word)?;
                all.branches.push((condition, head, block));
            } else {
                all.otherwise = Some(self.branch_block(word)?);
                return Ok(all);
            }
        }
    }

    /// A block of an `if` with braces, which may have been forgotten.
    fn branch_block(&mut self, opened: Span) -> Parse<Block> {
        match self.at(Token::LeftBrace) || !self.lacks_braces(Token::Then) {
            true => self.braces(opened),
            false => self.without_braces("an `if`"),
        }
    }

    /// A statement that is one step, or a jump.
    pub(super) fn simple(&mut self) -> Parse<StmtKind> {
        if self.peek().is_keyword() && self.peek_at(1) == Token::Assign {
            return self.keyword_as_name("a variable");
        }
        let kind = match self.peek() {
            Token::Skip => StmtKind::Skip,
            Token::Return => return self.return_statement(),
            Token::Fence => StmtKind::Fence,
            Token::Sfence => StmtKind::Sfence,
            Token::Sync => StmtKind::Sync,
            Token::AtomicBegin => StmtKind::AtomicBegin,
            Token::AtomicEnd => StmtKind::AtomicEnd,
            Token::Break => return Ok(StmtKind::Break(self.jump_label()?)),
            Token::Continue => return Ok(StmtKind::Continue(self.jump_label()?)),
            _ => return self.simple_with_operands(),
        };
        self.bump();
        Ok(kind)
    }

    fn simple_with_operands(&mut self) -> Parse<StmtKind> {
        let used = matches!(
            self.peek_at(1),
            Token::Assign
                | Token::Equal
                | Token::LeftBracket
                | Token::Comma
                | Token::Dot
                | Token::PlusPlus
        );
        let called = self.at_call()
            && mistakes::about(Where::Call, self.slice(0), self.span(), "").is_some();
        if self.begins_free() {
            self.bump();
            return Ok(StmtKind::Free(self.condition()?));
        }
        if !used && !called && !self.at_known_call() {
            self.foreign_word(Where::Statement)?;
        }
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
                Ok(StmtKind::Call(name, self.arguments()?, true))
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
            token if rmw_op(token).is_some() => {
                let (rmw, _) = self.rmw()?;
                Ok(StmtKind::Rmw(rmw))
            }
            _ if self.begins_declaration() => Ok(StmtKind::Local(self.bare_variables()?)),
            Token::PlusPlus | Token::MinusMinus => {
                let op = step_op(self.peek());
                let span = self.bump();
                let place = self.reference("a variable")?;
                Ok(stepped(place, op, span))
            }
            Token::Ident | Token::Quoted if self.at_call() => {
                self.check_foreign_call()?;
                let name = self.name("the name of a procedure")?;
                Ok(StmtKind::Call(name, self.arguments()?, false))
            }
            Token::Atomic | Token::Ident | Token::Quoted => self.assignment(),
            _ => self.expected("a statement"),
        }
    }

    /// Whether `free r` or, unless a procedure has that name, `free(r)` stands here.
    fn begins_free(&self) -> bool {
        let next = self.peek_at(1);
        self.at_word("free")
            && (matches!(next, Token::Ident | Token::Quoted)
                || next == Token::LeftParen && !self.procedures.contains("free"))
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

    /// `return`, and the value of a procedure if there is one.
    fn return_statement(&mut self) -> Parse<StmtKind> {
        self.bump();
        if self.at(Token::Semi) || self.at_one_of(CLOSERS) || self.at(Token::Or) {
            return Ok(StmtKind::Return(None));
        }
        Ok(StmtKind::Return(Some(self.expression()?)))
    }

    /// The label after `break` or `continue`, if there is one.
    fn jump_label(&mut self) -> Parse<Option<Name>> {
        self.bump();
        match self.peek() {
            Token::Ident | Token::Quoted => Ok(Some(self.name("a label")?)),
            _ => Ok(None),
        }
    }

    fn assignment(&mut self) -> Parse<StmtKind> {
        let atomic = self.eat(Token::Atomic);
        let mut places = vec![self.reference("a variable")?];
        while self.eat(Token::Comma) {
            places.push(self.reference("a variable")?);
        }
        if places.len() == 1 && !atomic {
            match self.peek() {
                Token::PlusPlus | Token::MinusMinus => {
                    let op = step_op(self.peek());
                    let span = self.bump();
                    return Ok(stepped(places.remove(0), op, span));
                }
                token => {
                    if let Some(op) = with_op(token) {
                        self.bump();
                        let (sign, values) = (AssignSign::With(op), vec![self.expression()?]);
                        return Ok(StmtKind::Assign(Assign { atomic, sign, places, values }));
                    }
                }
            }
        }
        self.assign_sign()?;
        if places.len() == 1 && !atomic && self.at(Token::Choose) {
            return self.choose_value(places.remove(0));
        }
        let mut values = vec![self.expression()?];
        while self.eat(Token::Comma) {
            values.push(self.expression()?);
        }
        if let ([Expr { kind: ExprKind::Rmw(_), .. }], [_], false) = (&*values, &*places, atomic)
            && let Some(ExprKind::Rmw(mut rmw)) = values.pop().map(|e| e.kind)
        {
            rmw.result = places.pop();
            return Ok(StmtKind::Rmw(*rmw));
        }
        Ok(StmtKind::Assign(Assign { atomic, sign: AssignSign::Set, places, values }))
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
        let certain = self.at(Token::Equal);
        let at = self.span();
        let found = Diagnostic::error(codes::EXPECTED, message, at).label("expected `:=`");
        self.report(match certain {
            true => found.help(instead(":=")),
            false => found.help("assignments are written `x := e`; `await(x == e)` waits"),
        });
        if !certain {
            return Err(GiveUp);
        }
        self.bump();
        Ok(())
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

    /// A read-modify-write without what takes its result, and its place.
    pub(super) fn rmw(&mut self) -> Parse<(Rmw, Span)> {
        let op = rmw_op(self.peek()).unwrap_or(RmwOp::Xchg);
        let start = self.bump();
        self.expect(Token::LeftParen)?;
        let location = self.reference("a shared variable")?;
        let mut args = Vec::new();
        while self.eat(Token::Comma) {
            args.push(self.in_conditional(false, Self::expression)?);
        }
        let end = self.expect(Token::RightParen)?;
        if args.len() != op.arguments() {
            self.wrong_rmw_arguments(op, start.to(end));
            return Err(GiveUp);
        }
        Ok((Rmw { result: None, op, location, args }, start.to(end)))
    }

    fn wrong_rmw_arguments(&mut self, op: RmwOp, span: Span) {
        let form = match op {
            RmwOp::Xchg => "xchg(x, new)".into(),
            RmwOp::Fetch(_) => format!("{}(x, operand)", op.word()),
            _ => format!("{}(x, old, new)", op.word()),
        };
        let message = format!("`{}` takes {} arguments", op.word(), 1 + op.arguments());
        let found = Diagnostic::error(codes::ARGUMENTS, message, span);
        self.report(found.label(format!("expected `{form}`")));
    }
}

/// The read-modify-write that a token stands for.
pub(super) fn rmw_op(token: Token) -> Option<RmwOp> {
    Some(match token {
        Token::Xchg => RmwOp::Xchg,
        Token::Cas => RmwOp::Cas,
        Token::CasOld => RmwOp::CasOld,
        Token::FetchAdd => RmwOp::Fetch(BinaryOp::Add),
        Token::FetchSub => RmwOp::Fetch(BinaryOp::Sub),
        Token::FetchAnd => RmwOp::Fetch(BinaryOp::BitAnd),
        Token::FetchOr => RmwOp::Fetch(BinaryOp::BitOr),
        Token::FetchXor => RmwOp::Fetch(BinaryOp::BitXor),
        _ => return None,
    })
}

/// The operator of `+=` and its like.
fn with_op(token: Token) -> Option<BinaryOp> {
    Some(match token {
        Token::PlusEq => BinaryOp::Add,
        Token::MinusEq => BinaryOp::Sub,
        Token::StarEq => BinaryOp::Mul,
        Token::SlashEq => BinaryOp::Div,
        Token::PercentEq => BinaryOp::Rem,
        Token::AmpEq => BinaryOp::BitAnd,
        Token::BarEq => BinaryOp::BitOr,
        Token::CaretEq => BinaryOp::BitXor,
        Token::ShlEq => BinaryOp::Shl,
        Token::ShrEq => BinaryOp::Shr,
        _ => return None,
    })
}

fn step_op(token: Token) -> BinaryOp {
    if token == Token::PlusPlus { BinaryOp::Add } else { BinaryOp::Sub }
}

/// `x++` or `x--`
fn stepped(place: Reference, op: BinaryOp, span: Span) -> StmtKind {
    let values = vec![Expr::new(ExprKind::Int(1), span)];
    let sign = AssignSign::Step(op);
    StmtKind::Assign(Assign { atomic: false, sign, places: vec![place], values })
}
