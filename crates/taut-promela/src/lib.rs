//! Promela: the language of SPIN, read as SPIN 6.5 reads it, and the dialects of it made for relaxed memory.
//!
//! [`parse`] takes a file to a checked syntax tree: the C preprocessor, the parser, names and types. [`print()`]
//! writes a tree as Promela that SPIN accepts and that reads back as the same tree. Embedded C is refused
//! with a message.
//!
//! Three dialects are plain syntax, each only where the model does not define the name itself: Linden and
//! Wolper's statements `store(x, v)`, `load(x, v)` and `sync`; mmlib's `READ`, `WRITE`, `FENCE`, `INIT`, `SVAR`
//! and `GSVAR`; Taut's `ghost` declarations, `LOCKED { … }` and the operations of its header
//! ([`ast::MemoryOp`]).
//!
//! ```
//! use taut_promela::{Headers, Options};
//!
//! let text = "
//! #define N 2
//! bool flag[N]; byte turn, inside
//! active [N] proctype user() {
//!     flag[_pid] = true; turn = 1 - _pid
//!     !flag[1 - _pid] || turn == _pid
//!     inside++
//!     assert(inside == 1)
//! }
//! ltl p { [] (inside <= 1) }
//! ";
//! let mut map = taut_source::SourceMap::new();
//! let file = map.add("peterson.pml", text);
//! let options = Options::default();
//! let parsed = taut_promela::parse(&mut map, file, &options, &mut Headers::on_disk()).unwrap();
//! assert_eq!(parsed.symbols.proctypes.len(), 1);
//! assert!(taut_promela::print(&parsed.model).contains("active [2] proctype user()"));
//! ```
//!
//! [`lower`] makes a program of it, in which `ltl` formulas and `never` claims are properties beside the
//! assertions. Claims that are not in the model's text ([`Claim`]) are read with [`parse_with_claims`].
//!
//! Where this front end departs from SPIN on purpose the code says `DIVERGENCE`.

pub mod ast;
pub mod codes;

mod check;
mod claim;
mod files;
mod frontend;
mod lexer;
mod lower;
mod names;
mod parser;
mod places;
mod preprocess;
mod print;
mod texts;
mod token;

pub use check::{Binding, MtypeSet, ProctypeInfo, Symbols, TypedefInfo, Variable, VariableId};
pub use files::{Files, Found, Headers, Missing};
pub use frontend::{GHOST, HEADER, MMLIB, Promela};
pub use lower::{LowerOptions, Lowered, after_endless_loops, atomic_places, lower};
pub use names::KEYWORDS;
pub use places::{FENCE, NOTHING, STORE_FENCE, places};
pub use print::print;
pub use taut_ir::{Claim, ClaimText};

use std::collections::HashMap;

use taut_source::{Diagnostics, FileId, SourceMap, Span};

/// What is not in the text of a model.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Macros defined from outside, each `NAME` or `NAME=VALUE`, as after `-D`.
    pub defines: Vec<String>,
}

/// A file that the model includes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Include {
    /// The path as the model names it.
    pub path: String,
    /// The file.
    pub file: FileId,
    /// Where it is named.
    pub span: Span,
    /// Whether it is built in: no file that the user could change.
    pub built_in: bool,
}

/// A macro at the end of the model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Definition {
    /// Its name.
    pub name: String,
    /// What it stands for, as text.
    pub text: String,
    /// Whether it takes arguments.
    pub takes_arguments: bool,
    /// Where it is defined.
    pub span: Span,
}

/// A model that was read and checked.
#[derive(Clone, Debug)]
pub struct Parsed {
    /// The syntax tree.
    pub model: ast::Model,
    /// What its names mean.
    pub symbols: Symbols,
    /// The files it includes, directly or not, in the order of reading.
    pub includes: Vec<Include>,
    /// The macros defined at its end, by name: mmlib's models keep their sizes and variables in macros.
    pub definitions: Vec<Definition>,
    /// What is worth a look though the model is accepted.
    pub warnings: Diagnostics,
    /// The claims from outside.
    pub(crate) extra: Vec<claim::Extra>,
    /// How the source says the conditions of claims, by their place.
    pub(crate) texts: HashMap<Span, String>,
}

/// Reads and checks a model. The files it includes come from `files` and are added to the map.
pub fn parse(
    map: &mut SourceMap,
    file: FileId,
    options: &Options,
    files: &mut dyn Files,
) -> Result<Parsed, Diagnostics> {
    parse_with_claims(map, file, options, &[], files)
}

/// Reads and checks a model and claims about it that are not in its text. Their texts are files of the map, and
/// messages point into them.
///
/// ```
/// use taut_promela::{Claim, ClaimText, Headers, LowerOptions, Options};
///
/// let mut map = taut_source::SourceMap::new();
/// let file = map.add("m.pml", "#define done (x == 1)\nbyte x; active proctype p() { x = 1 }");
/// let formula = ClaimText::Formula { name: "ends".into() };
/// let claim = Claim { files: vec![map.add("--ltl", "F G done")], text: formula };
/// let (options, mut headers) = (Options::default(), Headers::none());
/// let claims = [claim];
/// let parsed =
///     taut_promela::parse_with_claims(&mut map, file, &options, &claims, &mut headers).unwrap();
/// let lowered = taut_promela::lower(&parsed, &LowerOptions::default()).unwrap();
/// assert_eq!(lowered.program.properties[0].name, "ends");
/// ```
pub fn parse_with_claims(
    map: &mut SourceMap,
    file: FileId,
    options: &Options,
    claims: &[Claim],
    files: &mut dyn Files,
) -> Result<Parsed, Diagnostics> {
    let mut diagnostics = Diagnostics::new();
    let preprocessor =
        preprocess::Preprocessor::new(map, files, &options.defines, &mut diagnostics);
    let input = preprocessor.run(file, claims);
    if diagnostics.has_errors() {
        return Err(diagnostics);
    }
    let tree = parser::parse(&input, claims, &mut diagnostics);
    // After a mistake of grammar the tree has holes, and holes make messages that mislead.
    if diagnostics.has_errors() {
        return Err(diagnostics);
    }
    let symbols = check::check(&tree, &input.uses, &mut diagnostics);
    if diagnostics.has_errors() {
        return Err(diagnostics);
    }
    Ok(Parsed {
        symbols,
        definitions: definitions(&input),
        texts: texts::of(map, &tree.model, &tree.extra),
        model: tree.model,
        includes: input.includes,
        warnings: diagnostics,
        extra: tree.extra,
    })
}

/// The macros at the end of a model, by name.
fn definitions(input: &preprocess::Preprocessed) -> Vec<Definition> {
    let mut list: Vec<Definition> = input
        .macros
        .values()
        .map(|known| Definition {
            name: known.name.to_string(),
            text: known.text(),
            takes_arguments: known.parameters.is_some(),
            span: known.span,
        })
        .collect();
    list.sort_by(|a, b| a.name.cmp(&b.name));
    list
}
