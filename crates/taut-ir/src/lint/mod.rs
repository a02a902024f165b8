//! Warnings that need no search: they are read off the steps of a program.
//!
//! One file per warning. Each gives a list of [`Diagnostic`]s with a code that begins with `W`; what is worth saying in
//! a language, and which names the source really has, is up to the caller.

mod ghosts;
mod granularity;
mod observers;
mod unreachable;
mod unused;

use taut_source::{Diagnostic, Span};

pub use ghosts::steering_ghosts;
pub use granularity::{MOST_WARNINGS, granularity};
pub use observers::observers;
pub use unreachable::unreachable;
pub use unused::unused;

/// The codes of the warnings.
pub mod codes {
    /// A variable that is never used.
    pub const UNUSED: &str = "W0001";
    /// A variable that is written but never read.
    pub const NEVER_READ: &str = "W0002";
    /// A variable that is read but never written.
    pub const NEVER_WRITTEN: &str = "W0003";
    /// A statement that no path leads to.
    pub const UNREACHABLE: &str = "W0004";
    /// A ghost that steers the program.
    pub const STEERING_GHOST: &str = "W0005";
    /// A statement that is one step here and several instructions on a processor.
    pub const GRANULARITY: &str = "W0006";
    /// A shared variable that looks like an observer.
    pub const OBSERVER: &str = "W0007";
    /// Two accesses that nothing orders. A search finds them.
    pub const RACE: &str = "W0008";
}

/// Warnings of one kind that are kept. Nobody reads as many, and a hostile program has more.
const MOST: usize = 500;

/// Adds a warning unless there is one of the same code at the same place.
fn push(list: &mut Vec<Diagnostic>, warning: Diagnostic) {
    if list.len() < MOST && !list.iter().any(|d| d.code == warning.code && d.span == warning.span) {
        list.push(warning);
    }
}

/// Whether a place of the source lies in another one.
fn is_inside(span: Span, outer: Span) -> bool {
    span.file == outer.file && outer.start <= span.start && span.end <= outer.end
}
