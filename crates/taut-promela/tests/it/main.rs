//! The tests of this crate in one executable.

mod bad;
mod claims;
mod common;
mod corpus;
mod forms;
mod hostile;
mod lowering;
mod places;
mod preprocessor;
mod round_trip;
