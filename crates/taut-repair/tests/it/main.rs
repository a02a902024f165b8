//! The tests of this crate in one executable.

mod common;
mod optimal;
mod runs;
