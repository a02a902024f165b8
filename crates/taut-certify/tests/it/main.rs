//! The tests of this crate in one executable.

mod buffers;
mod command;
mod dependencies;
mod examples;
mod fewer;
mod mutants;
mod random;
mod runs;
