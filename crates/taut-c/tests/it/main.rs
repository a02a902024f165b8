//! The tests of this crate in one executable.

mod against_gcc;
mod bad;
mod corpus_text;
mod preprocessor;
mod print;
mod sema;
mod sema_corpus;
mod sema_gcc;
mod sema_hostile;
mod sequential;
mod syntax;
