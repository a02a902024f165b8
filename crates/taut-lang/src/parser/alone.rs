//! Formulas and expressions that stand alone, outside of a program.

use std::collections::HashSet;

use taut_source::{Descent, Diagnostics};

use super::Parser;
use crate::ast::{Expr, Formula, Name};
use crate::lexer::Token;

/// Tokens to be parsed.
pub(crate) type Words<'t> = taut_source::Words<'t, Token>;

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
    Some((name, parser.cursor.position()))
}
