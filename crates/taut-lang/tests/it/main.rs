//! The tests of this crate in one executable.

mod bad;
mod comfort;
mod common;
mod formatting;
mod granularity;
mod hostile;
mod include;
mod lowering;
mod ltl;
mod mistakes;
mod paper;
mod places;
mod pools;
mod random;
mod round_trip;
mod unprintable;
