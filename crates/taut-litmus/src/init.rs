//! The initial block: `{ x=1; uint64_t 0:rax; }`.

use taut_source::Diagnostic;

use crate::ast::Init;
use crate::error::{self, Failed, Parsed};
use crate::lexer::Kind;
use crate::parser::Parser;

/// The most entries an initial block may have.
const MOST_ENTRIES: usize = 65_536;

const UNCLOSED: &str = "the initial block is not closed: put `}` before the table";

impl<'s> Parser<'s> {
    pub(crate) fn init(&mut self) -> Parsed<Vec<Init<'s>>> {
        self.expect(Kind::OpenBrace, "`{`", "the initial block follows the header")?;
        let mut entries = Vec::new();
        loop {
            match self.token.kind {
                Kind::Semicolon => {
                    self.bump();
                }
                Kind::CloseBrace => {
                    self.bump();
                    return Ok(entries);
                }
                Kind::End | Kind::OpenComment | Kind::Bar => {
                    return Err(self.unexpected("`}`", UNCLOSED));
                }
                _ if entries.len() == MOST_ENTRIES => {
                    return Err(self.too_many("initial values", MOST_ENTRIES));
                }
                _ => match self.entry() {
                    Ok(entry) => entries.push(entry),
                    Err(Failed) => self.skip_entry()?,
                },
            }
        }
    }

    fn skip_entry(&mut self) -> Parsed<()> {
        while !matches!(
            self.token.kind,
            Kind::Semicolon | Kind::CloseBrace | Kind::Bar | Kind::End | Kind::OpenComment
        ) {
            self.bump();
        }
        if self.is_full() { Err(Failed) } else { Ok(()) }
    }

    /// `[type] variable [= value]`
    fn entry(&mut self) -> Parsed<Init<'s>> {
        while self.at_type() {
            self.bump();
        }
        if self.at(Kind::Star) || (self.at(Kind::Word) && self.after().kind == Kind::OpenBracket) {
            return Err(self.no_arrays());
        }
        let item = self.item()?;
        let value = match self.eat(Kind::Equal) {
            true => Some(self.initial_value()?),
            false => None,
        };
        match self.token.kind {
            Kind::Semicolon | Kind::CloseBrace => Ok(Init { item, value }),
            Kind::OpenBracket => Err(self.no_arrays()),
            Kind::Bar => Err(self.unexpected("`}`", UNCLOSED)),
            _ => {
                let help = "an entry is `x=1`, `0:rax=1`, or with a type `uint64_t x=1`";
                Err(self.unexpected("`;` or `}`", help))
            }
        }
    }

    /// Whether the word here is a type: something to give a value to follows.
    fn at_type(&self) -> bool {
        if !self.at(Kind::Word) {
            return false;
        }
        let mut ahead = self.lexer;
        match ahead.next().kind {
            Kind::Word | Kind::Number | Kind::Star => true,
            Kind::OpenBracket => ahead.next().kind == Kind::Word,
            _ => false,
        }
    }

    fn initial_value(&mut self) -> Parsed<i64> {
        match self.token.kind {
            Kind::Word | Kind::Ampersand => {
                let message = "the address of a location is no value here";
                let diagnostic = Diagnostic::error(error::ADDRESS, message, self.span(self.token))
                    .label("expected a number")
                    .help("name the location where it is used: `movq $1,(x)`");
                Err(self.fail(diagnostic))
            }
            Kind::OpenBrace => Err(self.no_arrays()),
            _ => self.number(),
        }
    }

    fn no_arrays(&mut self) -> Failed {
        let message = "arrays and pointers are not supported";
        let diagnostic = Diagnostic::error(error::ARRAY, message, self.span(self.token))
            .label("expected a register or a location that holds one number")
            .help("use one location for each element");
        self.fail(diagnostic)
    }
}
