//! C programs: from the text that a compiler reads to a program of Taut.
//!
//! Reading order: [`types`] and [`hir`] for what a program is after names and types are known, `preprocess` for how the
//! text gets there, `sema` for the way from syntax to [`hir`], `lower` for the way to the program model.

mod advice;
mod codes;
pub mod compiler;
mod edits;
mod fence;
mod frontend;
pub mod headers;
pub mod hir;
pub mod lower;
pub mod parse;
pub mod preprocess;
pub mod runtime;
pub mod sema;
pub mod threads;
pub mod types;
mod visit;

pub use frontend::{C, HEAP, INCLUDE, INCLUDE_DIR, OVERFLOW, QUOTE_DIR, SYSTEM_DIR, UNDEFINE};
