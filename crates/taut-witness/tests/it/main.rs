//! The tests of this crate in one executable.

mod channels;
mod common;
mod delayed;
mod footprint;
mod holding;
mod json;
mod lanes;
mod lasso_lanes;
mod lassos;
mod litmus;
mod meanings;
mod priorities;
mod random;
mod random_runs;
mod recordings;
mod rendezvous;
mod runs;
mod stack;
mod story;
mod tampered;
mod wild;
