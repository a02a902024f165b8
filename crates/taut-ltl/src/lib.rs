//! Linear temporal logic: formulas, their Büchi automata, and the formats other tools read.
//!
//! ```text
//! text ─► parse ─► Formula ─► rewriting ─► tableau ─► Automaton ─► simplification
//!                     │                                  │
//!              evaluate, progress          HOA, never claim, picture
//! ```
//!
//! A [`Formula`] is a tree over numbered atoms; what the atoms mean is not known here. [`parse`] reads
//! one whose atoms are any text; the languages of Taut have conditions of their own as atoms, and
//! read formulas over them with the same [`reader`].
//! [`Automaton::of`] makes the automaton that accepts the runs that satisfy it, with several
//! acceptance sets on edges. [`evaluate`] says of one ultimately periodic run whether a formula
//! holds, without any automaton: witnesses are checked by it. [`hoa`], [`mod@never`] and [`dot`]
//! write automata, and [`hoa::read`] reads those of other tools.
//!
//! ```
//! use taut_ltl::{Automaton, evaluate, parse};
//!
//! let parsed = parse("[] (p -> <> q)").unwrap();
//! let automaton = Automaton::of(&parsed.formula, parsed.atoms.len()).unwrap();
//! // p once, and then neither for ever; bit 0 is p, bit 1 is q.
//! assert!(!automaton.accepts(&[0b01], &[0b00]));
//! assert!(!evaluate(&parsed.formula, &[0b01], &[0b00]));
//! assert!(automaton.accepts(&[], &[0b01, 0b10]));
//! ```
//!
//! # Limits
//! At most 64 atoms and 64 acceptance sets, because both are bits of a word; at most [`MOST_DEPTH`]
//! operators deep, so that recursion over a formula is safe; at most 100,000 states. Beyond is
//! [`TooLarge`].

mod automaton;
mod degeneralise;
mod display;
pub mod dot;
mod evaluate;
pub mod file;
mod formula;
mod guard;
mod guard_text;
pub mod hoa;
mod lasso;
pub mod never;
mod operator;
mod parse;
mod progress;
pub mod reader;
mod scc;
mod simplify;
mod stutter;
mod translate;

pub use automaton::{Automaton, Edge, MOST_BITS, State, TooLarge};
pub use evaluate::evaluate;
pub use formula::{AtomId, Formula, Node};
pub use guard::{Cube, Guard};
pub use operator::{Infix, Prefix};
pub use parse::{ParseError, Parsed, parse};
pub use progress::progress;
pub use translate::MOST_DEPTH;
