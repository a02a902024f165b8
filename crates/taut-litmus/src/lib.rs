//! The litmus test front end (x86 and C): a small program, a question about its final states, and the answer in
//! the words of herd7.
//!
//! A *litmus test* is a header, a block of initial values, a table with one column per thread, and a
//! condition on final states with a quantifier: can it happen (`exists`), must it never (`~exists`),
//! must it always (`forall`). [`parse`] reads one, in either dialect (`X86_64`: source first; `X86`:
//! destination first), and lowers it to a [`taut_ir::Program`]. An engine reports the values of what
//! [`Test::watched`] lists in every final state; [`Test::outcome`] turns them into an [`Outcome`], which
//! prints as herd7 prints ([`Outcome::herd`]) or as one line of JSON ([`Outcome::json`]).
//!
//! For engines that check properties instead, the program carries one: no final state satisfies the
//! condition (for `forall`: falsifies it).
//!
//! What is simplified, and where it shows:
//! * Memory locations and registers hold 64-bit integers that wrap around, whatever the suffix of an
//!   instruction or the type in the initial block. `%eax` is another name of `%rax`.
//! * There are no addresses as values: no `(%rax)`, no `0:rax=x` in the initial block. Both are refused.
//! * Loops are not unrolled; the engine decides how to explore them.
//!
//! C tests (`c`) have functions in place of the table, which the front end of C reads. [`read`] reads all dialects.
//!
//! Reading order: `parser` (the file), `instruction` (a cell), `condition` (the
//! question), `lower` and `thread` (to the program model), `outcome` (the answer).

mod ast;
mod c;
mod condition;
mod error;
mod flags;
mod frontend;
mod header;
mod init;
mod instruction;
mod lexer;
mod lower;
mod mnemonic;
mod names;
mod outcome;
mod parser;
mod places;
mod property;
mod proposition;
mod register;
mod symbols;
mod table;
mod test;
mod thread;

pub use ast::{Arch, Quantifier};
pub use condition::{Atom, Condition, Side, Variable};
pub use frontend::Litmus;
pub use outcome::{Observation, Outcome, Verdict};
pub use places::{FENCE, NOTHING, STORE_FENCE, places};
pub use test::{Test, Watched};

use taut_source::{Diagnostics, FileId, SourceMap};

/// Reads a litmus test of any dialect and lowers it to a program. What belongs to the language C is added to the sources.
pub fn read(map: &mut SourceMap, file: FileId) -> Result<Test, Diagnostics> {
    match parser::Parser::new(map.file(file).text(), file).is_c() {
        true => c::read(map, file),
        false => parse(map, file),
    }
}

/// Reads an x86 litmus test and lowers it to a program.
///
/// On bad input all mistakes that could be found, up to [`Diagnostics::LIMIT`].
pub fn parse(map: &SourceMap, file: FileId) -> Result<Test, Diagnostics> {
    let tree = parser::Parser::new(map.file(file).text(), file).run()?;
    lower::Lowering::new().run(tree)
}
