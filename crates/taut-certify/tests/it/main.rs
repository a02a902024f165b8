//! The tests of this crate in one executable.

mod bodies;
mod buffers;
mod changes;
mod command;
mod dependencies;
mod examples;
mod faults;
mod mutants;
mod random;
mod runs;
