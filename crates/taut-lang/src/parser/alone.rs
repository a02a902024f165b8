//! Formulas and expressions that stand alone, outside of a program.

use std::collections::HashSet;

use taut_source::{Diagnostics, FileId};

use super::{Parse, Parser};
use crate::ast::{Expr, Formula, Name};
use crate::lexer::{Spanned, Token};

/// Tokens to be parsed. All stand in one text, but not always in its order: macros may have moved them.
#[derive(Clone, Copy)]
pub(crate) struct Words<'t> {
    pub text: &'t str,
    pub file: FileId,
    /// The tokens, [`Token::Eof`] last.
    pub tokens: &'t [Spanned],
    /// What messages call the end.
    pub end: &'static str,
}

/// Parses a formula that stands alone.
pub(crate) fn formula<'t>(
    words: Words<'t>,
    processes: &'t HashSet<&'t str>,
    diagnostics: &mut Diagnostics,
) -> Option<Formula> {
    Parser::new(words, processes, diagnostics).alone(Parser::formula)
}

/// Parses an expression that stands alone.
pub(crate) fn expression<'t>(
    words: Words<'t>,
    processes: &'t HashSet<&'t str>,
    diagnostics: &mut Diagnostics,
) -> Option<Expr> {
    Parser::new(words, processes, diagnostics).alone(Parser::expression)
}

/// Parses what stands before a formula in a file of formulas: `ltl NAME`, or `NAME` alone. Returns the
/// number of tokens, too.
pub(crate) fn claim_head(words: Words<'_>, diagnostics: &mut Diagnostics) -> Option<(Name, usize)> {
    let nobody = HashSet::new();
    let mut parser = Parser::new(words, &nobody, diagnostics);
    parser.eat(Token::Ltl);
    let name = parser.title("the name of a formula").ok()?;
    Some((name, parser.at))
}

impl Parser<'_, '_> {
    /// Something after which the tokens end.
    fn alone<T>(&mut self, one: impl FnOnce(&mut Self) -> Parse<T>) -> Option<T> {
        let found = one(self).ok()?;
        if !self.at(Token::Eof) {
            let what = format!("an operator or {}", self.end);
            return self.expected(&what).ok();
        }
        (!self.stopped).then_some(found)
    }
}
