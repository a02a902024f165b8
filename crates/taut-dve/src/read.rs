//! Reading models and expressions: words, grammar, templates and checks in one.

use std::ops::Range;

use taut_source::{Diagnostics, FileId, SourceMap};

use crate::ast::{Expr, Model};
use crate::found::Found;
use crate::{check, expand, lexer, parser};

/// A model that was read.
#[derive(Clone, Debug)]
pub struct Parsed {
    /// The model, expanded and checked ([`crate::ast`] says what that means).
    pub model: Model,
    /// What is odd about it but no error.
    pub warnings: Diagnostics,
}

/// Reads a model.
pub fn parse(sources: &SourceMap, file: FileId) -> Result<Parsed, Diagnostics> {
    let mut found = Found::default();
    let model = read_model(sources.file(file).text(), file, &mut found);
    let (model, warnings) = found.finish(model)?;
    Ok(Parsed { model, warnings })
}

fn read_model(text: &str, file: FileId, found: &mut Found) -> Option<Model> {
    let tokens = lexer::lex(text, 0..text.len(), file, found)?;
    let surface = parser::file(text, file, &tokens, found);
    // A file with mistakes in its grammar is only half there; what is missing would be reported as unknown.
    if found.has_errors() {
        return None;
    }
    let model = expand::expand(&surface, found)?;
    if !found.has_errors() {
        check::model(&model, found);
    }
    Some(model)
}

/// Reads an expression that is the whole text of a file, such as one given on the command line. It may ask
/// everything about a model that can be asked outside of its processes: globals, `P.location`, `P->variable`.
pub fn parse_expr(sources: &SourceMap, file: FileId, model: &Model) -> Result<Expr, Diagnostics> {
    expression(sources, file, 0..sources.file(file).text().len(), model)
}

/// Reads an expression that is a part of the text of a file.
pub(crate) fn expression(
    sources: &SourceMap,
    file: FileId,
    range: Range<usize>,
    model: &Model,
) -> Result<Expr, Diagnostics> {
    let mut found = Found::default();
    let expr = read_expr(sources.file(file).text(), file, range, model, &mut found);
    Ok(found.finish(expr)?.0)
}

fn read_expr(
    text: &str,
    file: FileId,
    range: Range<usize>,
    model: &Model,
    found: &mut Found,
) -> Option<Expr> {
    let tokens = lexer::lex(text, range, file, found)?;
    let surface = parser::expression(text, file, &tokens, found)?;
    let expr = expand::expression(&surface, model, found)?;
    check::expression(model, &expr, found);
    Some(expr)
}
