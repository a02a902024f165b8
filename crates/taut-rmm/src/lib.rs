//! RMM, the language of memorax and Dual-TSO: small programs for a verifier of relaxed memory.
//!
//! A program is a list of processes over shared variables with finite domains, and combinations of labels that must not be
//! occupied at the same time. [`format()`] lays a file out afresh; [`places()`] finds where fences can stand.
//!
//! ```
//! let text = "
//!     forbidden END END
//!     data x = 0 : [0:1]  y = 0 : [0:1]
//!     process registers $r = 0 : [0:1]
//!     text write: x := 1; read: $r := y; assume: $r = 0; END: nop
//!     process text write: y := 1; read: x = 0; END: nop
//! ";
//! let mut map = taut_source::SourceMap::new();
//! let file = map.add("sb.rmm", text);
//! let program = taut_rmm::parse(&map, file).unwrap();
//! assert_eq!(program.processes.len(), 2);
//! ```
//!
//! # Grammar
//!
//! `{ a }` is any number of a, `[ a ]` at most one, quotes are text. `/* … */` are comments.
//!
//! ```text
//! program     = "forbidden" combination { ";" combination } [ "predicates" condition { ";" condition } ]
//!               [ "data" { declaration } ] process { process }
//! combination = ( label | "*" ) { label | "*" }                       one entry per process
//! process     = "process" [ "(" number ")" ] { "data" { declaration } | "registers" { declaration } }
//!               "text" list
//! declaration = ( name | $name ) "=" ( integer | "*" ) [ ":" domain ]  "*" is any value
//! domain      = "[" integer ":" integer "]" | "Z"                      none is "Z"
//! list        = statement { ";" statement }
//! statement   = [ label ":" ] ( "nop" | $name ":=" expr | "assume" ":" condition
//!             | "read" ":" $name ":=" place | "read" ":" place "=" expr
//!             | [ "locked" | "slocked" ] "write" ":" place ":=" expr
//!             | "cas" "(" place "," expr "," expr ")"
//!             | ( "locked" | "either" ) "{" list { "or" list } "}" | "{" list "}"
//!             | "fence" | "ssfence" | "llfence" | "goto" label
//!             | "if" condition "then" statement [ "else" statement ] | "while" condition "do" statement )
//! place       = name | name "[" "my" "]" | name "[" number "]" | "[" expr "]"
//! expr        = unit { ( "+" | "-" ) unit }         unit = number | $name | "-" unit | "(" expr ")"
//! condition   = conjunct { "||" conjunct }          conjunct = atom { "&&" atom }
//! atom        = [ "not" ] ( "true" | "false" | "[" condition "]" | expr ( = != < <= > >= ) expr )
//! macro       = "macro" name "(" names ")" tokens "endmacro"           used as name "(" tokens { "," tokens } ")"
//! ```
//!
//! # What it means
//!
//! A label is the point before its statement. `x[my]` is the process's own x, `x[k]` that of the k-th *other* process,
//! `[e]` the e-th variable of the whole program. `read: x = e`, `cas` and `assume` wait until what they ask is true. An assignment of a value
//! outside of the domain waits, too: it is never an error. `locked` acts on memory, as a read-modify-write does, and so does
//! `slocked`. `ssfence` is a store fence; `llfence` does nothing, since loads of SC, TSO and PSO are in order.
//!
//! *DIVERGENCE* from memorax: domains without bounds are refused unless the caller says what they stand for; `<=` and `>=` are
//! known everywhere; a program and its processes cannot have variables of one name.

mod ast;
mod codes;
mod format;
mod frontend;
mod lexer;
mod lower;
mod macros;
mod parser;
mod places;

pub use codes::CODES;
pub use format::format;
pub use frontend::{INTEGERS, Rmm};
pub use places::{FENCE, NOTHING, STORE_FENCE, places, weakenings};

use taut_ir::Program;
use taut_source::{Diagnostics, FileId, SourceMap};

use lower::{Asked, Found};

/// Reads a program whose domains all have bounds.
pub fn parse(map: &SourceMap, file: FileId) -> Result<Program, Diagnostics> {
    read(map, file, Asked::default()).map(|(program, _)| program)
}

/// Reads a program; with it, the warnings about it.
fn read(
    map: &SourceMap,
    file: FileId,
    asked: Asked,
) -> Result<(Program, Diagnostics), Diagnostics> {
    let (tree, _) = tree(map, file)?;
    let mut found = Found::default();
    match lower::lower(map.file(file), &tree, asked, &mut found) {
        Some(program) => Ok((program, found.warnings)),
        None => Err(found.errors),
    }
}

/// The syntax tree of a file, with its tokens and comments.
fn tree(map: &SourceMap, file: FileId) -> Result<(ast::File, lexer::Lexed), Diagnostics> {
    let text = map.file(file).text();
    let mut diagnostics = Diagnostics::new();
    let lexed = lexer::lex(text, file, &mut diagnostics);
    if !lexed.complete {
        return Err(diagnostics);
    }
    let expanded = macros::expand(text, file, &lexed.tokens, &mut diagnostics);
    // A mistake in a macro leaves no tokens.
    if expanded.tokens.is_empty() {
        return Err(diagnostics);
    }
    let tree = parser::parse(text, file, &expanded, &mut diagnostics);
    if diagnostics.has_errors() { Err(diagnostics) } else { Ok((tree, lexed)) }
}
