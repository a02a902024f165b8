//! The parts of a file: what is forbidden, predicates, data, processes.

use taut_source::{Descent, Diagnostic, GiveUp, Parse};

use super::{Parser, join};
use crate::ast::{Combination, Declaration, Domain, Entry, File, Name, Process};
use crate::codes;
use crate::lexer::Token;

/// The most copies of a process.
const MOST_COPIES: i64 = 256;

/// Words that begin a part of a file.
pub(super) const PARTS: &[Token] =
    &[Token::Process, Token::Data, Token::Registers, Token::Text, Token::Predicates];

impl<'t> Parser<'t, '_> {
    pub(super) fn file(mut self) -> File {
        let mut file = File::default();
        if self.at(Token::Forbidden) {
            file.forbidden_at = Some(self.bump());
            if self.forbidden(&mut file).is_err() {
                self.skip_to(PARTS, None);
            }
        } else {
            let found = self.unexpected("the keyword `forbidden`");
            self.report(
                found.help("a program begins with `forbidden CS CS`: one label per process"),
            );
            self.skip_to(PARTS, None);
        }
        if self.eat(Token::Predicates) && self.predicates().is_err() {
            self.skip_to(&[Token::Data, Token::Process], None);
        }
        if self.eat(Token::Data) {
            file.data = self.declarations(Self::name_of_variable);
        }
        self.processes(&mut file);
        file
    }

    fn forbidden(&mut self, file: &mut File) -> Parse<()> {
        loop {
            let combination = self.combination()?;
            file.forbidden.push(combination);
            if !self.eat(Token::Semi) {
                return Ok(());
            }
        }
    }

    fn combination(&mut self) -> Parse<Combination> {
        let start = self.span();
        let mut entries = Vec::new();
        loop {
            let label = match self.peek() {
                Token::Ident => Some(self.slice(0).to_owned()),
                Token::Star => None,
                _ => break,
            };
            entries.push(Entry { label, span: self.bump() });
        }
        if entries.is_empty() {
            return self.expected("a label or `*`");
        }
        Ok(Combination { entries, span: join(start, self.previous()) })
    }

    /// Hints for another tool, which are read and left aside.
    fn predicates(&mut self) -> Parse<()> {
        self.condition()?;
        while self.eat(Token::Semi) {
            self.condition()?;
        }
        Ok(())
    }

    fn name_of_variable(&mut self) -> Option<Parse<Name>> {
        self.at(Token::Ident).then(|| self.name("a variable"))
    }

    fn name_of_register(&mut self) -> Option<Parse<Name>> {
        self.at(Token::Register).then(|| self.register())
    }

    /// Declarations, as long as there is another name.
    fn declarations(&mut self, name: fn(&mut Self) -> Option<Parse<Name>>) -> Vec<Declaration> {
        let (mut all, mut has_some) = (Vec::new(), false);
        while let Some(name) = name(self) {
            has_some = true;
            match name.and_then(|name| self.declaration(name)) {
                Ok(declaration) => all.push(declaration),
                Err(GiveUp) => self.skip_declaration(),
            }
        }
        if !has_some {
            let _: Parse<()> = self.expected("a declaration, such as `x = 0 : [0:1]`");
        }
        all
    }

    /// Goes on after a mistake with the next declaration or the next part of the file.
    fn skip_declaration(&mut self) {
        let begins = |p: &Self| {
            matches!(p.peek(), Token::Ident | Token::Register) && p.peek_at(1) == Token::Equal
        };
        while !self.at(Token::Eof) && !PARTS.contains(&self.peek()) && !begins(self) {
            self.bump();
        }
    }

    /// `= 0 : [0:1]`
    fn declaration(&mut self, name: Name) -> Parse<Declaration> {
        self.expect(Token::Equal)?;
        let init = match self.peek() {
            Token::Star => {
                self.bump();
                None
            }
            Token::Int | Token::Minus => Some(self.integer()?),
            _ => return self.expected("an initial value: a number, or `*` for any"),
        };
        // Without a domain all integers are meant.
        let mut domain = Domain::Integers(name.span);
        if self.eat(Token::Colon) {
            domain = self.domain()?;
        }
        let span = join(name.span, self.previous());
        Ok(Declaration { name, init, domain, span })
    }

    fn domain(&mut self) -> Parse<Domain> {
        let start = self.span();
        if self.eat_word("Z") {
            return Ok(Domain::Integers(start));
        }
        if !self.at(Token::LeftBracket) {
            return self.expected("a domain, such as `[0:1]`");
        }
        let open = self.bump();
        let (low, _) = self.integer()?;
        self.expect(Token::Colon)?;
        let (high, _) = self.integer()?;
        self.close(Token::RightBracket, open)?;
        let span = join(start, self.previous());
        if low > high {
            let message = format!("the domain from {low} to {high} has no values");
            let found = Diagnostic::error(codes::EMPTY_DOMAIN, message, span);
            self.report(found.label("empty").help(format!("write `[{high}:{low}]`")));
            return Err(GiveUp);
        }
        Ok(Domain::Range(low, high))
    }

    fn processes(&mut self, file: &mut File) {
        let mut has_some = false;
        while !self.at(Token::Eof) {
            has_some = true;
            if !self.at(Token::Process) {
                let _: Parse<()> = self.expected("the keyword `process`");
                self.skip_to(&[Token::Process], None);
                continue;
            }
            match self.process() {
                Ok(process) => file.processes.push(process),
                Err(GiveUp) => self.skip_to(&[Token::Process], None),
            }
        }
        if !has_some && !self.cursor.is_stopped() {
            let _: Parse<()> = self.expected("the keyword `process`");
        }
    }

    fn process(&mut self) -> Parse<Process> {
        let word = self.bump();
        let count = if self.at(Token::LeftParen) { self.count()? } else { 1 };
        let span = join(word, self.previous());
        let (mut data, mut registers) = (None, None);
        loop {
            let part = match self.peek() {
                Token::Data => &mut data,
                Token::Registers => &mut registers,
                _ => break,
            };
            let is_data = self.at(Token::Data);
            let at = self.bump();
            let all = match is_data {
                true => self.declarations(Self::name_of_variable),
                false => self.declarations(Self::name_of_register),
            };
            if part.replace(all).is_some() {
                let message = "a process has each kind of declarations once";
                let found = Diagnostic::error(codes::DECLARED_TWICE, message, at);
                self.report(found.label("again").help("put all declarations into the first one"));
            }
        }
        self.expect(Token::Text)?;
        let body = self.statements();
        let (data, registers) = (data.unwrap_or_default(), registers.unwrap_or_default());
        Ok(Process { count, data, registers, body, span })
    }

    /// `(2)`
    fn count(&mut self) -> Parse<u32> {
        let open = self.bump();
        let at = self.span();
        let count = self.natural()?;
        self.close(Token::RightParen, open)?;
        if count == 0 {
            let message = "a process with no copies is none";
            let found = Diagnostic::error(codes::NO_PROCESS, message, at);
            self.report(found.label("no copies").help("write `process(1)`, or leave it out"));
            return Err(GiveUp);
        }
        if count > MOST_COPIES {
            let message = format!("more than {MOST_COPIES} copies of a process");
            self.report(Diagnostic::error(codes::TOO_LARGE, message, at).label("too many"));
            return Err(GiveUp);
        }
        Ok(count as u32)
    }
}
