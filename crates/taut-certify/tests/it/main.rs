//! The tests of this crate in one executable.

mod buffers;
mod command;
mod dependencies;
mod dual;
mod examples;
mod fewer;
mod mutants;
mod random;
mod runs;
