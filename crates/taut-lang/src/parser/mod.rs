//! The parser: tokens to the syntax tree, by recursive descent.
//!
//! A mistake does not end the reading. The statement or declaration it stands in is given up, the parser
//! goes on after the next `;` or before the next word that ends a block or begins a declaration, and so
//! one run reports many mistakes. Two things do end it: nesting beyond [`taut_source::DEEPEST`], which no person
//! writes, and a full list of messages.

mod alone;
mod expr;
mod foreign;
pub(crate) mod formula;
mod graph;
mod items;
mod loops;
mod stmt;

pub(crate) use alone::{Words, claim_head, expression, formula};

use std::collections::HashSet;

use taut_source::{Cursor, Descent, Diagnostic, Diagnostics, FileId, Span, Token as _};
pub(crate) use taut_source::{GiveUp, Parse};

use crate::ast::{File, Name, Number};
use crate::codes;
use crate::lexer::{Lexed, Spanned, Token};
use crate::mistakes::instead;
use crate::names;

/// Parses the tokens of a file.
pub(crate) fn parse(
    text: &str,
    file: FileId,
    lexed: &Lexed,
    diagnostics: &mut Diagnostics,
) -> File {
    let processes = process_names(text, &lexed.tokens);
    let procedures = procedure_names(text, &lexed.tokens);
    let words = Words { text, file, tokens: &lexed.tokens, end: "the end of the file" };
    let mut parser = Parser::new(words, &processes, diagnostics);
    parser.procedures = procedures;
    parser.file()
}

/// The names after `process`, `main` and `instance`. In `c ? p : r` only they tell the parser whether
/// `p : r` is the local r of process p or two operands of the conditional.
fn process_names<'t>(text: &'t str, tokens: &[Spanned]) -> HashSet<&'t str> {
    let slice = |t: &Spanned| &text[t.start as usize..t.end as usize];
    let names = tokens.windows(2).filter(|pair| match pair[0].token {
        Token::Main | Token::Process => true,
        Token::Ident => matches!(slice(&pair[0]), "instance" | "slot"),
        _ => false,
    });
    names.map(|pair| slice(&pair[1]).trim_matches('`')).collect()
}

/// The names that are followed by parentheses after `procedure` or a type: words of other languages that the file
/// declares mean what it says.
fn procedure_names<'t>(text: &'t str, tokens: &[Spanned]) -> HashSet<&'t str> {
    let slice = |t: &Spanned| &text[t.start as usize..t.end as usize];
    let names = tokens.windows(3).filter(|three| {
        use Token::{Bool, Byte, Ident, Int, IntType, LeftParen, Long, Procedure, Short, Void};
        let typed =
            matches!(three[0].token, Ident | Int | Void | IntType | Bool | Byte | Short | Long);
        let declared = three[0].token == Procedure || typed && three[2].token == LeftParen;
        three[1].token == Ident && declared
    });
    names.map(|three| slice(&three[1])).collect()
}

struct Parser<'t, 'd> {
    cursor: Cursor<'t, 'd, Token>,
    processes: &'t HashSet<&'t str>,
    /// The names of procedures.
    procedures: HashSet<&'t str>,
    /// Between the `?` and the `:` of a conditional, where a `:` after a name may be the conditional's.
    in_conditional: bool,
    /// What ends each of the blocks around this place.
    closers: Vec<&'static [Token]>,
}

impl<'t, 'd> Descent<'t, 'd> for Parser<'t, 'd> {
    type Token = Token;

    fn cursor(&self) -> &Cursor<'t, 'd, Token> {
        &self.cursor
    }

    fn cursor_mut(&mut self) -> &mut Cursor<'t, 'd, Token> {
        &mut self.cursor
    }

    fn hint(&self) -> Option<String> {
        foreign::hint(self.peek(), !self.closers.is_empty()).map(str::to_owned)
    }
}

impl<'t, 'd> Parser<'t, 'd> {
    fn new(
        words: Words<'t>,
        processes: &'t HashSet<&'t str>,
        diagnostics: &'d mut Diagnostics,
    ) -> Parser<'t, 'd> {
        let cursor = Cursor::new(words, diagnostics);
        let procedures = HashSet::new();
        Parser { cursor, processes, procedures, in_conditional: false, closers: Vec::new() }
    }

    /// Runs something with another idea of what a `:` after a name is.
    fn in_conditional<T>(
        &mut self,
        inside: bool,
        inner: impl FnOnce(&mut Self) -> Parse<T>,
    ) -> Parse<T> {
        let outer = std::mem::replace(&mut self.in_conditional, inside);
        let result = inner(self);
        self.in_conditional = outer;
        result
    }

    /// A name of something the user declares or uses.
    fn name(&mut self, what: &str) -> Parse<Name> {
        match self.peek() {
            Token::Ident => {
                let text = self.slice(0).into();
                Ok(Name { text, span: self.bump() })
            }
            Token::Quoted => self.unquote(),
            token if token.is_keyword() => self.keyword_as_name(what),
            _ => self.expected(what),
        }
    }

    /// The name of a field. It stands after a dot or in a `struct`, so it may be a reserved word.
    fn field(&mut self) -> Parse<Name> {
        if self.peek().is_keyword() {
            let text = self.slice(0).into();
            return Ok(Name { text, span: self.bump() });
        }
        self.name("the name of a field")
    }

    /// The name of a program or property: a name, or any text in double quotes.
    fn title(&mut self, what: &str) -> Parse<Name> {
        if self.at(Token::Str) { self.unquote() } else { self.name(what) }
    }

    fn unquote(&mut self) -> Parse<Name> {
        let slice = self.slice(0);
        let span = self.bump();
        match names::unescape(&slice[1..slice.len() - 1]) {
            Ok(text) => Ok(Name { text, span }),
            Err(at) => {
                let start = span.start as usize + 1 + at;
                let place = Span::new(span.file, start..start + 2);
                let found =
                    Diagnostic::error(codes::OPEN_QUOTE, "unknown escape in a quoted name", place);
                self.report(found.label("known are \\\\ \\` \\\" \\n \\r"));
                Err(GiveUp)
            }
        }
    }

    fn keyword_as_name<T>(&mut self, what: &str) -> Parse<T> {
        let word = self.slice(0);
        let span = self.span();
        let message = format!("`{word}` is a reserved word and cannot be a name");
        self.report(
            Diagnostic::error(codes::KEYWORD_AS_NAME, message, span)
                .label(format!("expected {what}"))
                .help(format!("choose another name, or write it in backticks: `{word}`")),
        );
        Err(GiveUp)
    }

    /// `#3`
    fn number(&mut self) -> Parse<Number> {
        let hash = self.expect(Token::Hash)?;
        self.bare_number(hash)
    }

    /// A number after something that already stands for what it counts.
    fn bare_number(&mut self, start: Span) -> Parse<Number> {
        if !self.at(Token::Int) {
            return self.expected("a number");
        }
        let slice = self.slice(0);
        let span = self.bump();
        match slice.parse() {
            Ok(value) => Ok(Number { value, span: start.to(span) }),
            Err(_) => self.bad_number(slice, span),
        }
    }

    fn bad_number<T>(&mut self, text: &str, span: Span) -> Parse<T> {
        let digits = text.bytes().all(|b| b.is_ascii_digit());
        let number = text.trim_end_matches(['u', 'U', 'l', 'L']);
        if number != text && number.parse::<i64>().is_ok() {
            let message = "a number has no letters that say its type";
            self.foreign(message, "letters after digits", span, instead(number));
            return Err(GiveUp);
        }
        let found = match digits {
            true => Diagnostic::error(codes::BAD_NUMBER, "this number is too large", span)
                .label("does not fit")
                .help("numbers are 64-bit: from -9223372036854775808 to 9223372036854775807"),
            false => {
                Diagnostic::error(codes::BAD_NUMBER, "this is neither a number nor a name", span)
                    .label("letters after digits")
                    .help(
                        "numbers are decimal, or hexadecimal as in 0x1f; names begin with a letter",
                    )
            }
        };
        self.report(found);
        Err(GiveUp)
    }
}
