//! Source files, spans, and errors with a caret, a hint and a code.
//!
//! Every front end speaks to its user through this crate. A [`Diagnostic`] names one place in one
//! source file and says what was expected there and what to do about it; [`Diagnostics`] collects all
//! of them for one input, so that one run reports every mistake it can find, up to a limit that keeps
//! ten megabytes of garbage from producing ten million messages.
//!
//! A front end that writes its own parser generates its tokens with [`tokens!`] and gets the place in
//! them, and all that every parser does there, from [`Cursor`] and [`Descent`].

mod cursor;
mod diagnostic;
mod insertion;
pub mod layout;
mod point;
mod render;
mod replacement;
mod source;
mod span;
mod spelling;
mod token;
mod weakening;

pub use cursor::{Cursor, DEEPEST, Descent, GiveUp, Parse, Words, shown};
pub use diagnostic::{Diagnostic, Diagnostics, Messages, Severity};
pub use insertion::Insertion;
pub use point::{EditSites, Point, WritePoint};
pub use render::{render, render_all};
pub use replacement::Replacement;
pub use source::{Position, SourceFile, SourceMap};
pub use span::{FileId, Span};
pub use spelling::nearest;
pub use token::{Codes, Lexed, Shape, Spanned, Token, Wording, tokens};
pub use weakening::{Weakening, Weakenings, Weaker};
