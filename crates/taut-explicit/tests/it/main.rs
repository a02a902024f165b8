//! The tests of this crate in one executable.

mod against_brute_force;
mod classics;
mod common;
mod effort;
mod holding;
mod messages;
mod messages_against_brute_force;
mod priorities;
mod processes;
mod reduced;
mod simplify;
mod simplify_rules;
mod symmetry;
