//! The tests of this crate in one executable.

mod cfg;
mod granularity;
mod validate;
