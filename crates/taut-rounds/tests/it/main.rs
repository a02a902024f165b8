//! The tests of this crate in one executable.

mod complete;
mod emitted;
mod growth;
mod meanings;
mod promela;
mod protocols;
mod shape;
mod support;
mod theorems;
