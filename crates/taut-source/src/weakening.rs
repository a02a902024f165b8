//! Fences and atomic writes of a text that can be made weaker by editing it.
//!
//! A front end lists them for a whole program ([`Weakenings`]). What it promises of its list: each edit by itself, and any of
//! them together, gives a text that reads as the same program without that fence, or with that store in its weaker form, and
//! nothing else changed. What has no such edit is listed with the reason.

use crate::{Replacement, Span};

/// A fence or an atomic write that can be weaker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weakening {
    /// Where it stands: the statement of a fence, the expression or statement of a store.
    pub span: Span,
    /// Its text, on one short line.
    pub was: String,
    /// What it can become.
    pub weaker: Weaker,
}

/// What a fence or an atomic write can become.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Weaker {
    /// A full fence: a store fence, if the language has one, or nothing.
    Fence {
        /// The edits that take it out.
        without: Vec<Replacement>,
        /// The store fence in words, and the edits that make one of it.
        store_fence: Option<(String, Vec<Replacement>)>,
    },
    /// A store fence: nothing.
    StoreFence {
        /// The edits that take it out.
        without: Vec<Replacement>,
    },
    /// An atomic write: a store that waits in the buffer.
    Write {
        /// What is stored to, as the source says it.
        variable: String,
        /// What it becomes, in words.
        becomes: String,
        /// The edits that make it weaker.
        edits: Vec<Replacement>,
    },
}

/// What can be weaker in a text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Weakenings {
    /// All that has an edit, in the order of the text.
    pub list: Vec<Weakening>,
    /// What has none, with the reason.
    pub kept: Vec<(Span, &'static str)>,
}
