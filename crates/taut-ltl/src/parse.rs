//! Formulas as text.
//!
//! The operators are written as SPIN and the literature write them, and bind as in SPIN's `ltl`
//! blocks, from loose to tight:
//!
//! - `->` `<->` `implies` `equivalent`
//! - `||` `\/`
//! - `&&` `/\`
//! - `U` `W` `V` `R` `M` `until` `stronguntil` `weakuntil` `release`
//! - operators of expressions, which are parts of atoms: `==` `<` `+` …
//! - before a formula: `[]` `<>` `X` `!` `G` `F` `always` `eventually` `next` `not`
//!
//! All of them associate to the left, `->` and `U` too: `p U q U r` is `(p U q) U r`. `R` is the
//! literature's name for SPIN's `V`. Operators that are words count only as whole words: `Gp` is an
//! atom.
//!
//! DIVERGENCE: the parser behind `spin -f` puts `&&`, `||`, `->` and `<->` on one level, so that
//! there `p -> q && r` is `(p -> q) && r`. A formula should mean the same wherever it stands, so
//! `ltl` blocks and this parser agree; formulas with parentheses mean the same everywhere.
//!
//! *Atoms* are the pieces between: names, `P@label`, `x + 1 < y`, `view(P, x) == 1`, or anything in
//! double quotes. Their texts are kept, with white space made regular, so that equal atoms share a
//! number.

mod error;
mod grammar;
mod lexer;

pub use error::ParseError;

use std::collections::HashMap;

use crate::formula::Formula;

/// A formula that was read, and the texts of its atoms by number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parsed {
    /// The formula.
    pub formula: Formula,
    /// The text of each atom, in the order of their first use.
    pub atoms: Vec<String>,
}

/// Reads a formula.
pub fn parse(text: &str) -> Result<Parsed, ParseError> {
    let read = grammar::Parser::new(text)?.run()?;
    // Atoms are numbered in the order of their first use.
    let mut atoms: Vec<String> = vec![];
    let mut numbers: HashMap<&str, u32> = HashMap::new();
    let formula = read.substitute(&mut |text: &String| {
        let next = atoms.len() as u32;
        let number = *numbers.entry(text).or_insert(next);
        if number == next {
            atoms.push(text.clone());
        }
        Formula::atom(number)
    });
    Ok(Parsed { formula, atoms })
}
