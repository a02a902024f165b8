//! The tests of this crate in one executable.

mod automata;
mod common;
mod hoa;
mod never;
mod parse;
mod random;
mod semantics;
mod sizes;
