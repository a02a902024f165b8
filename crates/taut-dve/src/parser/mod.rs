//! The parser: tokens to the surface tree, by recursive descent.
//!
//! A mistake does not end the reading. The declaration or transition it stands in is given up and the
//! parser goes on after it, so one run reports many mistakes. Two things do end it: nesting beyond
//! [`taut_source::DEEPEST`], which no person writes, and a full list of messages.
//!
//! The parser is as lenient as DiVinE 3 where real files need it: the parts of a process may stand in any
//! order, commas between transitions and the last `;` may be left out.

mod declarations;
mod expr;
mod items;
mod process;

pub(crate) use expr::HIGHEST;

use taut_source::{Cursor, Descent, Diagnostic, FileId, GiveUp, Parse, Token as _, Words, nearest};

use crate::ast::Name;
use crate::codes;
use crate::found::Found;
use crate::lexer::{KEYWORDS, Spanned, Token};
use crate::surface::{Expr, File};

/// Parses the tokens of a file.
pub(crate) fn file(text: &str, file: FileId, tokens: &[Spanned], found: &mut Found) -> File {
    let words = Words { text, file, tokens, end: "the end of the file" };
    Parser { cursor: Cursor::new(words, found) }.file()
}

/// Parses an expression that stands alone.
pub(crate) fn expression(
    text: &str,
    file: FileId,
    tokens: &[Spanned],
    found: &mut Found,
) -> Option<Expr> {
    let words = Words { text, file, tokens, end: "the end of the expression" };
    Parser { cursor: Cursor::new(words, found) }.alone(Parser::expression)
}

struct Parser<'t, 'd> {
    cursor: Cursor<'t, 'd, Token>,
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
}

impl Parser<'_, '_> {
    /// A name of something the user declares or uses.
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
        let message = format!("`{}` is a reserved word and cannot be a name", self.slice(0));
        let found = Diagnostic::error(codes::KEYWORD_AS_NAME, message, self.span());
        self.report(found.label(format!("expected {what}")).help("choose another name"));
        // These are more likely to begin something than to be meant as names.
        if !matches!(self.peek(), Token::Process | Token::System) {
            self.bump();
        }
        Err(GiveUp)
    }

    fn bump_token(&mut self) -> Token {
        let token = self.peek();
        self.bump();
        token
    }
}
