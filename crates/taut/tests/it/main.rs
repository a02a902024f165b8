//! The tests of this crate in one executable.

mod c_corpus;
mod c_races;
mod c_repair;
mod combinations;
mod combinations_corpus;
mod combinations_support;
mod litmus;
mod litmus_c;
mod places;
mod promela_corpus;
mod promela_examples;
mod promela_header;
mod regressions;
mod shapes;
mod spin;
mod spin_accepts;
mod spin_ltl;
mod spin_priorities;
mod spin_promela;
mod spin_trace;
mod suite;
mod unbounded;
mod vacuity_random;
