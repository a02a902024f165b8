//! The tests of this crate in one executable.

mod bad;
mod buffers;
mod buffers_random;
mod buffers_support;
mod claims;
mod counts;
mod counts_corpus;
mod hostile;
mod lower;
mod lower_atomic;
mod lower_support;
mod mdve;
mod printing;
mod reading;
