//! Properties that stand outside of a program ([`taut_ir::Claim`]): formulas of the command line, files of
//! formulas, automata made by other tools.

mod file;
mod macros;

use std::collections::HashSet;

use taut_source::{Diagnostics, FileId, SourceMap, Span};

use crate::ast::{Expr, Formula, Name};
use crate::codes;
use crate::lexer::{self, Lexed, Spanned, Token};
use crate::parser::{self, Words};

pub(crate) use file::read as read_file;

/// A formula with its name.
pub(crate) struct Named {
    pub name: Name,
    pub formula: Formula,
}

/// What is not a claim's own, and who is told about mistakes.
pub(crate) struct Reader<'r> {
    pub map: &'r SourceMap,
    /// The names of processes, without numbers.
    pub processes: HashSet<&'r str>,
    pub diagnostics: &'r mut Diagnostics,
}

impl Reader<'_> {
    /// A formula that is a whole text. A `;` may end it.
    pub(crate) fn formula(&mut self, file: FileId) -> Option<Formula> {
        let lexed = self.lex(file)?;
        let words = self.words(file, &lexed.tokens);
        parser::formula(words, &self.processes, self.diagnostics)
    }

    /// An expression that is a whole text.
    pub(crate) fn expression(&mut self, file: FileId) -> Option<Expr> {
        let lexed = self.lex(file)?;
        let words = self.words(file, &lexed.tokens);
        parser::expression(words, &self.processes, self.diagnostics)
    }

    fn lex(&mut self, file: FileId) -> Option<Lexed> {
        let mut lexed = tokens(self.map.file(file).text(), file, self.diagnostics)?;
        let last = lexed.tokens.len() - 1;
        if last > 0 && lexed.tokens[last - 1].token == Token::Semi {
            lexed.tokens.remove(last - 1);
        }
        Some(lexed)
    }

    fn words<'t>(&self, file: FileId, tokens: &'t [Spanned]) -> Words<'t>
    where
        Self: 't,
    {
        Words { text: self.map.file(file).text(), file, tokens, end: "the end of the formula" }
    }
}

/// The tokens of a text, unless they are too many.
fn tokens(text: &str, file: FileId, diagnostics: &mut Diagnostics) -> Option<Lexed> {
    let lexed = lexer::lex(text, file, diagnostics);
    let too_large = diagnostics.iter().any(|d| d.code == codes::TOO_LARGE);
    (!too_large).then_some(lexed)
}

/// The end of a list of tokens.
fn end_at(place: Span) -> Spanned {
    Spanned { token: Token::Eof, start: place.end, end: place.end }
}
