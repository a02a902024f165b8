//! The tests of this crate in one executable.

mod everything;
mod looping;
mod timeouts;
