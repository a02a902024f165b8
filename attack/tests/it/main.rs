//! The tests of this crate in one executable.

mod readers;
mod structured;
