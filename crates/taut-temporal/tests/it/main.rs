//! The tests of this crate in one executable.

mod closing_cycles;
mod reduced_runs;
mod resumed;
mod runs_against_brute_force;
mod same_at_any_threads;
