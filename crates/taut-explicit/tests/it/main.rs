//! The tests of this crate in one executable.

mod against_brute_force;
mod brute;
mod classics;
mod common;
mod counts;
mod effort;
mod holding;
mod many_variables;
mod messages;
mod messages_against_brute_force;
mod mutants;
mod priorities;
mod processes;
mod reduced;
mod simplify;
mod simplify_rules;
mod symmetry;
