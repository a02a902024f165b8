//! The tests of this crate in one executable.

mod bodies;
mod buffers;
mod changes;
mod command;
mod crowd;
mod dependencies;
mod dual;
mod examples;
mod faults;
mod fewer;
mod memo;
mod mutants;
mod random;
mod repairs;
mod runs;
