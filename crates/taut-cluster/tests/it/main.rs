//! The tests of this crate in one executable. Workers are processes on this machine.

mod common;
mod losses;
mod parts;
mod same_answers;
