//! The tests of this crate in one executable.

mod bad;
mod formatting;
mod hostile;
mod lowering;
