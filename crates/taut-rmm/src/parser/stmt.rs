//! Statements.

use taut_source::{Descent, Diagnostic, GiveUp, Parse, nearest};

use super::{Parser, join};
use crate::ast::{Fence, Name, Stmt, StmtKind, Store};
use crate::codes;
use crate::lexer::Token;

/// Where a list of statements ends.
const ENDS: &[Token] = &[Token::RightBrace, Token::Or, Token::Process, Token::Else];

impl Parser<'_, '_> {
    /// Statements with `;` between them. After a mistake, reading goes on with the next one.
    pub(super) fn statements(&mut self) -> Vec<Stmt> {
        let mut list = Vec::new();
        loop {
            match self.labelled() {
                Ok(stmt) => list.push(stmt),
                Err(GiveUp) => {
                    let stops = [ENDS, &[Token::Semi]].concat();
                    self.skip_to(&stops, None);
                }
            }
            if !self.at(Token::Semi) && !self.begins_statement() {
                return list;
            }
            if self.begins_statement() {
                self.missing_semicolon();
                continue;
            }
            let semicolon = self.bump();
            if ENDS.contains(&self.peek()) || self.at(Token::Eof) {
                let message = "a `;` stands between two statements, not after the last one";
                let found = Diagnostic::error(codes::LAST_SEMICOLON, message, semicolon);
                self.report(found.label("nothing follows").help("leave it out"));
                return list;
            }
        }
    }

    /// Whether a statement comes next, where only its `;` may be missing.
    fn begins_statement(&self) -> bool {
        use Token::{
            Assume, Cas, Either, Fence, Goto, If, Locked, Nop, Read, Register, While, Write,
        };
        let is_labelled = self.at(Token::Ident) && self.peek_at(1) == Token::Colon;
        let begins =
            [Assume, Cas, Either, Fence, Goto, If, Locked, Nop, Read, Register, While, Write];
        is_labelled || begins.contains(&self.peek())
    }

    fn missing_semicolon(&mut self) {
        let message = format!("expected `;` between two statements, found {}", self.found());
        let place = self.previous().after();
        self.report(Diagnostic::error(codes::EXPECTED, message, place).label("expected `;`"));
    }

    /// A statement that may have a label.
    fn labelled(&mut self) -> Parse<Stmt> {
        let mut label = None;
        if self.at(Token::Ident) && self.peek_at(1) == Token::Colon {
            label = Some(self.name("a label")?);
            self.bump();
        }
        if let Some(label) = &label
            && self.at(Token::Ident)
            && self.peek_at(1) != Token::Colon
            && let Some(word) = nearest(&label.text, ["read", "write", "assume"])
        {
            let found = Diagnostic::error(codes::EXPECTED, "expected a statement", label.span);
            self.report(found.label("a label").help(format!("did you mean `{word}:`?")));
            return Err(GiveUp);
        }
        let start = self.span();
        let kind = self.nested(Self::statement)?;
        Ok(Stmt { label, kind, span: join(start, self.previous()) })
    }

    fn statement(&mut self) -> Parse<StmtKind> {
        match self.peek() {
            Token::Nop => Ok(self.word(StmtKind::Nop)),
            Token::Fence => Ok(self.word(StmtKind::Fence(Fence::Full))),
            Token::Ssfence => Ok(self.word(StmtKind::Fence(Fence::Store))),
            Token::Llfence => Ok(self.word(StmtKind::Fence(Fence::Load))),
            Token::Register => self.assignment(),
            Token::Assume => {
                self.bump();
                self.expect(Token::Colon)?;
                self.condition().map(StmtKind::Assume)
            }
            Token::Read => self.read(),
            Token::Write => self.write(false),
            Token::Locked => self.locked(),
            Token::Slocked => {
                self.bump();
                self.write(true)
            }
            Token::Cas => self.cas(),
            Token::If => self.conditional(),
            Token::While => self.repetition(),
            Token::Goto => {
                self.bump();
                self.name("a label").map(StmtKind::Goto)
            }
            Token::Either => {
                self.bump();
                self.alternatives().map(StmtKind::Either)
            }
            Token::LeftBrace => {
                let open = self.bump();
                let list = self.statements();
                self.close(Token::RightBrace, open)?;
                Ok(StmtKind::Block(list))
            }
            Token::Ident => self.no_statement(),
            _ => self.expected("a statement"),
        }
    }

    fn word(&mut self, kind: StmtKind) -> StmtKind {
        self.bump();
        kind
    }

    /// A name begins no statement. Most often it is a variable.
    fn no_statement<T>(&mut self) -> Parse<T> {
        let name = self.slice(0);
        let found = self.unexpected("a statement");
        let found = match (self.hint(), self.peek_at(1)) {
            (_, Token::Assign) => found.help(format!("write `write: {name} := …`")),
            (Some(hint), _) => found.help(hint),
            (None, _) => found,
        };
        self.report(found);
        Err(GiveUp)
    }

    /// `$r := e`
    fn assignment(&mut self) -> Parse<StmtKind> {
        let register = self.register()?;
        self.expect(Token::Assign)?;
        Ok(StmtKind::Set(register, self.expr()?))
    }

    /// `read: $r := x` or `read: x = e`
    fn read(&mut self) -> Parse<StmtKind> {
        self.bump();
        self.expect(Token::Colon)?;
        if self.at(Token::Register) {
            let register: Name = self.register()?;
            self.expect(Token::Assign)?;
            return Ok(StmtKind::Load(register, self.location()?));
        }
        let place = self.location()?;
        if self.at(Token::Assign) {
            let found = self.unexpected("`=`");
            self.report(
                found.help("`read: x = e` waits until `x` is `e`; to store, `write: x := e`"),
            );
            return Err(GiveUp);
        }
        self.expect(Token::Equal)?;
        Ok(StmtKind::Await(place, self.expr()?))
    }

    /// `write: x := e`
    fn write(&mut self, is_locked: bool) -> Parse<StmtKind> {
        self.expect(Token::Write)?;
        self.expect(Token::Colon)?;
        let place = self.location()?;
        self.expect(Token::Assign)?;
        Ok(StmtKind::Store(Store { place, value: self.expr()?, is_locked }))
    }

    /// `locked write: x := e` or `locked { … or … }`
    fn locked(&mut self) -> Parse<StmtKind> {
        self.bump();
        match self.peek() {
            Token::Write => self.write(true),
            Token::LeftBrace => self.alternatives().map(StmtKind::Locked),
            _ => self.expected("`write` or `{`"),
        }
    }

    /// `{ … or … }`
    fn alternatives(&mut self) -> Parse<Vec<Vec<Stmt>>> {
        let open = self.expect(Token::LeftBrace)?;
        let mut all = vec![self.statements()];
        while self.eat(Token::Or) {
            all.push(self.statements());
        }
        self.close(Token::RightBrace, open)?;
        Ok(all)
    }

    /// `cas(x, e, e)`
    fn cas(&mut self) -> Parse<StmtKind> {
        self.bump();
        let open = self.expect(Token::LeftParen)?;
        let place = self.location()?;
        self.expect(Token::Comma)?;
        let expected = self.expr()?;
        self.expect(Token::Comma)?;
        let new = self.expr()?;
        self.close(Token::RightParen, open)?;
        Ok(StmtKind::Cas(place, expected, new))
    }

    fn conditional(&mut self) -> Parse<StmtKind> {
        self.bump();
        let condition = self.condition()?;
        self.expect(Token::Then)?;
        let then = Box::new(self.labelled()?);
        let otherwise = match self.eat(Token::Else) {
            true => Some(Box::new(self.labelled()?)),
            false => None,
        };
        Ok(StmtKind::If(condition, then, otherwise))
    }

    fn repetition(&mut self) -> Parse<StmtKind> {
        self.bump();
        let condition = self.condition()?;
        self.expect(Token::Do)?;
        Ok(StmtKind::While(condition, Box::new(self.labelled()?)))
    }
}
