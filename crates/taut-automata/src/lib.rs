//! Interned minimal automata over the entries of store buffers.
//!
//! The symbolic engine for unbounded buffers (Linden and Wolper, "An automata-based symbolic
//! approach for verifying programs on relaxed memory models") represents *sets* of buffer contents
//! as regular languages. This crate is the arithmetic of those languages: [`Languages`] holds
//! automata, a [`Language`] is the number of one of them, and every operation takes numbers and
//! gives a number.
//!
//! # Why equality of languages is equality of numbers
//!
//! Two words are equivalent for a language if the same words complete both of them into it. By the
//! theorem of Myhill and Nerode a language is regular exactly if this relation has finitely many
//! classes, and the classes are then the states of its one smallest complete deterministic
//! automaton. So the smallest automaton is unique *up to the names of its states*. Three
//! conventions fix the rest:
//!
//! 1. the class of words that nothing completes (the dead state) is left out, with its edges;
//! 2. the edges of a state are sorted by letter, and there is at most one for each letter;
//! 3. states are numbered in breadth-first order from the start, 0, along sorted edges.
//!
//! An automaton in this form is called *canonical* ([`Automaton`] is always canonical), and equal
//! languages have equal canonical automata, edge by edge. The store keeps each only once.
//!
//! # Where things are
//!
//! * `automaton`: letters, and automata in canonical form;
//! * `explore`: from a deterministic step function to a table, state by state, up to a limit;
//! * `determinise`: the subset construction, as one such step function;
//! * `partition`, `minimise`: from a table to the canonical automaton;
//! * `store`: interning, memoised results, the limit;
//! * `build`, `boolean`, `rational`, `inclusion`: words, and the classical operations;
//! * `inspect`, `words`: questions about one language;
//! * `split`, `take`: what loads and commits ask of a buffer;
//! * `regex`, `dot`: languages for people to read.
//!
//! No recursion in this crate is as deep as an automaton is large; the expressions that
//! [`Languages::regex`] builds are bounded while they are built.

mod automaton;
mod boolean;
mod build;
mod determinise;
mod dot;
mod explore;
mod hash;
mod inclusion;
mod inspect;
mod minimise;
mod partition;
mod rational;
mod regex;
mod split;
mod store;
mod take;
mod words;

pub use automaton::{Automaton, Letter};
pub use store::{Language, Languages};
