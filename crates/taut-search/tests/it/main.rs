//! The tests of this crate in one executable.

mod against_brute_force;
mod classics;
mod common;
mod holding;
mod messages;
mod messages_against_brute_force;
mod padding;
mod priorities;
mod processes;
mod promela_like;
mod reduced;
mod reduced_runs;
mod runs_against_brute_force;
mod same_at_any_threads;
mod simplify;
mod simplify_rules;
mod symmetry;
