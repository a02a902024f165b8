//! The DVE language of DiVinE: parser, checks, printer.
//!
//! A DVE model is a set of processes with locations and guarded transitions over `byte` and 16-bit `int`
//! variables, arrays and channels. [`parse`] reads a model, expands what DiVinE 3 has of templates, and
//! checks it; [`print()`] writes a model back. Parameterised models (`.mdve`) go through [`macros`] first.
//!
//! ```
//! let text = "
//!     byte turn;
//!     process P {
//!       state idle, busy;
//!       init idle;
//!       trans
//!         idle -> busy { guard turn == 0; effect turn = 1; },
//!         busy -> idle { effect turn = 0; };
//!     }
//!     system async;
//! ";
//! let mut map = taut_source::SourceMap::new();
//! let file = map.add("turn.dve", text);
//! let model = taut_dve::parse(&map, file).unwrap().model;
//! assert_eq!(model.processes[0].transitions.len(), 2);
//! ```
//!
//! # Grammar
//!
//! `{ a }` is any number of a, `[ a ]` at most one, quotes are text. `//` and `/* */` are comments. What is
//! marked with 3 is known to DiVinE 3 only. The manuals and parsers of DiVinE 2 and 3 differ in places; where
//! files of the BEEM benchmark (Pelánek, SPIN 2007) settle it, they are followed.
//!
//! ```text
//! model      = { vars | channels | process | expression | formula | instances } system
//! vars       = [ "const" | "input"3 ] type declarator { "," declarator } ";"       type = "byte" | "int"
//! declarator = name [ "[" constant "]" ] [ "=" ( expr | "{" expr { "," expr } "}" ) ]
//! channels   = "channel" [ "{" type { "," type } "}" ] name [ "[" constant "]" ] { "," .. } ";"
//! process    = [ "property"3 ] "process" name [ "(" [ "key" ] name { "," .. } ")"3 ] "{" { part } "}"
//! part       = vars | channels3 | ( "state" | "accept" | "commit" ) names ";" | "init" name ";"
//!            | "assert" name ":" expr { "," name ":" expr } ";"
//!            | "trans" { transition [ "," ] } [ ";" ]
//! transition = [ name ] "->" name "{" [ "guard" expr { "," expr }3 ";" ] [ "sync" sync ";" ]
//!              [ "effect" place "=" expr { "," place "=" expr } ";" ] "}"
//! sync       = [ procname "->" ]3 name ( "!" [ values ] | "?" [ places ] )         several in braces
//! expression = "expression" name "(" [ names ] ")" "{" expr "}"                    3
//! formula    = "property" "ltl" name "text" [ ";" ]                                3
//! instances  = "process" name "(" [ constants ] ")" ";"                            3
//!            | "for" "(" name ":" constant ".." constant ")" "{" { instances } "}"
//!            | "if" "(" constant ")" "{" .. "}" [ "else" ( if | "{" .. "}" ) ]
//! system     = "system" ( "async" | "sync" ) [ "property" name ] [ ";" ]
//!
//! expr       = unary { operator unary }
//!   operators, loosest first:  imply   or ||   and &&   |   ^   &   == !=   < <= > >=   << >>   + -   * / %
//! unary      = ( "-" | "~" | "not" | "!" ) unary | number | "true" | "false" | place | "(" expr ")"
//!            | procname "." location | procname "->" place | name "(" [ constants ] ")"3
//! place      = name [ "[" expr "]" ]               procname = name | name "(" [ constants ] ")"3
//! ```

pub mod ast;
mod buffers;
mod check;
mod claims;
mod codes;
mod expand;
mod found;
mod frontend;
mod lexer;
mod lower;
pub mod macros;
mod parser;
mod print;
mod read;
mod same;
mod surface;

pub use buffers::{MOST_READS, fair_ltl, with_buffers};
pub use claims::{claims, formulas};
pub use codes::CODES;
pub use frontend::{ATOMIC, Dve, DveModel, RANGE_ERRORS};
pub use lower::{
    AtomicEntry, AtomicList, LowerOptions, Lowered, RangeErrors, TransitionRef, lower, parse_atomic,
};
pub use print::{print, print_expr, print_transition};
pub use read::{Parsed, parse, parse_expr};
pub use same::{same, without_spans};
