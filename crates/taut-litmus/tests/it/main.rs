//! The tests of this crate in one executable.

mod bad;
mod corpus;
mod hostile;
mod lowering;
mod outcome;
mod own;
mod places;
mod support;
