//! The tests of this crate in one executable.

mod c;
mod channels;
mod claims;
mod mmlib;
mod processes;
mod random;
mod support;
mod temporal;
