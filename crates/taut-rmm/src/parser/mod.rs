//! The parser: tokens to the syntax tree, by recursive descent.
//!
//! A mistake does not end the reading: the statement or declaration it stands in is given up, and the parser goes on with
//! the next one. Nesting beyond [`taut_source::DEEPEST`] and a full list of messages do end it.

mod expr;
mod items;
mod stmt;

use taut_source::{Cursor, Descent, Diagnostic, Diagnostics, FileId, Parse, Span, Token as _};
use taut_source::{GiveUp, Words, nearest};

use crate::ast::{File, Name};
use crate::codes;
use crate::lexer::{KEYWORDS, Token};
use crate::macros::Expanded;

/// The largest number: sums of these cannot leave 64 bits.
const LARGEST: i64 = i32::MAX as i64;

/// Parses the tokens of a file, after its macros were expanded.
pub(crate) fn parse(
    text: &str,
    file: FileId,
    expanded: &Expanded,
    diagnostics: &mut Diagnostics,
) -> File {
    let words = Words { text, file, tokens: &expanded.tokens, end: "the end of the file" };
    let cursor = Cursor::new(words, diagnostics);
    Parser { cursor, places: &expanded.places }.file()
}

struct Parser<'t, 'd> {
    cursor: Cursor<'t, 'd, Token>,
    places: &'t [Span],
}

impl<'t, 'd> Descent<'t, 'd> for Parser<'t, 'd> {
    type Token = Token;

    fn cursor(&self) -> &Cursor<'t, 'd, Token> {
        &self.cursor
    }

    fn cursor_mut(&mut self) -> &mut Cursor<'t, 'd, Token> {
        &mut self.cursor
    }

    /// A slip in a keyword reads as a name where no name can stand.
    fn hint(&self) -> Option<String> {
        let slip = self.at(Token::Ident).then(|| self.slice(0))?;
        let word = nearest(slip, KEYWORDS.iter().copied())?;
        Some(format!("did you mean `{word}`?"))
    }

    fn span(&self) -> Span {
        let last = self.places.len() - 1;
        self.places[self.cursor.position().min(last)]
    }

    fn previous(&self) -> Span {
        self.places[self.cursor.position().saturating_sub(1)]
    }
}

impl Parser<'_, '_> {
    /// A name that the user chooses.
    fn name(&mut self, what: &str) -> Parse<Name> {
        match self.peek() {
            Token::Ident => {
                let text = self.slice(0).into();
                Ok(Name { text, span: self.bump() })
            }
            token if token.is_keyword() => self.keyword_as_name(what),
            _ => self.expected(what),
        }
    }

    fn keyword_as_name<T>(&mut self, what: &str) -> Parse<T> {
        let word = self.slice(0);
        let message = format!("`{word}` is a reserved word and cannot be a name");
        let found = Diagnostic::error(codes::KEYWORD_AS_NAME, message, self.span());
        self.report(found.label(format!("expected {what}")).help("choose another name"));
        Err(GiveUp)
    }

    /// `$r`
    fn register(&mut self) -> Parse<Name> {
        if !self.at(Token::Register) {
            return self.expected("a register, such as `$r`");
        }
        let text = self.slice(0)[1..].into();
        Ok(Name { text, span: self.bump() })
    }

    /// A number without a sign.
    fn natural(&mut self) -> Parse<i64> {
        if !self.at(Token::Int) {
            return self.expected("a number");
        }
        let text = self.slice(0);
        let span = self.bump();
        if let Some(value) = text.parse().ok().filter(|&value: &i64| value <= LARGEST) {
            return Ok(value);
        }
        let found = match text.bytes().all(|b| b.is_ascii_digit()) {
            true => Diagnostic::error(codes::BAD_NUMBER, "this number is too large", span)
                .label("does not fit")
                .help(format!("numbers are at most {LARGEST}")),
            false => {
                Diagnostic::error(codes::BAD_NUMBER, "this is neither a number nor a name", span)
                    .label("letters after digits")
                    .help("numbers are decimal; names begin with a letter")
            }
        };
        self.report(found);
        Err(GiveUp)
    }

    /// A number that may have a sign.
    fn integer(&mut self) -> Parse<(i64, Span)> {
        let start = self.span();
        let is_negative = self.eat(Token::Minus);
        let value = self.natural()?;
        Ok((if is_negative { -value } else { value }, join(start, self.previous())))
    }
}

/// The place from one token to another. Macros may have moved them: then the first one stands for both.
fn join(first: Span, last: Span) -> Span {
    if last.start < first.start { first } else { first.to(last) }
}
