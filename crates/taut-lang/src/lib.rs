//! The Taut language: parser, lowering to the program model, formatter and printer.

pub mod codes;

mod ast;
mod format;
mod lexer;
mod lower;
mod names;
mod parser;
mod print;
mod same;

pub use same::{same, without_spans};

use taut_diag::{Diagnostics, FileId, SourceMap};
use taut_ir::Program;

/// What is not in the text of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// How many processes of one definition can be alive at once through `spawn`.
    pub thread_bound: u32,
    /// How many calls can be open at once in one process, unless the text says it.
    pub call_depth: u32,
}

impl Default for Options {
    fn default() -> Options {
        Options { thread_bound: 4, call_depth: taut_ir::build::DEFAULT_CALL_DEPTH }
    }
}

/// Reads a program: lexing, parsing, lowering, validation.
pub fn parse(map: &SourceMap, file: FileId, options: &Options) -> Result<Program, Diagnostics> {
    let mut diagnostics = Diagnostics::new();
    let (tree, _) = tree(map, file, &mut diagnostics);
    // After a mistake of grammar the tree has holes, and holes make messages that mislead.
    if diagnostics.has_errors() {
        return Err(diagnostics);
    }
    match lower::lower(map, &tree, options, &mut diagnostics) {
        Some(program) if diagnostics.is_empty() => Ok(program),
        _ => Err(diagnostics),
    }
}

/// Formats a file: the same program in the usual layout, with its comments and blank lines.
pub fn format(map: &SourceMap, file: FileId) -> Result<String, Diagnostics> {
    let mut diagnostics = Diagnostics::new();
    let (tree, lexed) = tree(map, file, &mut diagnostics);
    if diagnostics.has_errors() {
        return Err(diagnostics);
    }
    let source = format::Source { text: map.file(file).text(), comments: &lexed.comments };
    Ok(format::format(&tree, Some(source)))
}

/// Any program of the model as text that [`parse`] reads back as the same program (see [`same`]).
///
/// Every process stands in graph form. The program must be valid and start at least one process.
pub fn print(program: &Program) -> String {
    format::format(&print::tree(program), None)
}

/// The syntax tree of a file.
fn tree(map: &SourceMap, file: FileId, diagnostics: &mut Diagnostics) -> (ast::File, lexer::Lexed) {
    let text = map.file(file).text();
    let mut lexed = lexer::lex(text, file, diagnostics);
    if diagnostics.iter().any(|d| d.code == codes::TOO_LARGE) {
        lexed.tokens.drain(..lexed.tokens.len() - 1);
    }
    (parser::parse(text, file, &lexed, diagnostics), lexed)
}
