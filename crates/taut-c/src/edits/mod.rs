//! Edits of a text: where a fence can be put, the stores whose order can be stronger ([`taut_source::EditSites`]), and the
//! fences and stores that can be weaker ([`taut_source::Weakenings`]).
//!
//! What a macro makes has the place of the macro's use, so edits are made there or not at all. Code that is inlined several
//! times has one place in the text, and one edit.

mod orders;
mod points;
mod weaken;
mod words;
mod written;

use taut_source::{EditSites, FileId, SourceMap, Weakenings};

use crate::hir::Unit;
use words::Words;
pub(crate) use words::{FENCE, STORE_FENCE};
use written::Written;

/// Why text of a macro cannot be changed.
const MACRO: &str = "a macro makes it";

/// What can be changed about a text.
#[derive(Debug)]
pub(crate) struct Edits {
    /// What can be put in or made stronger.
    pub(crate) sites: EditSites,
    /// What can be made weaker.
    pub(crate) weakenings: Weakenings,
    /// The texts of fences.
    pub(crate) words: Words,
}

impl Edits {
    /// The edits of a unit; `has_atomics` says that `stdatomic.h` is included.
    pub(crate) fn of(unit: &Unit, sources: &SourceMap, file: FileId, has_atomics: bool) -> Edits {
        let written = Written::new(sources, file);
        let mut sites = points::points(unit, &written);
        orders::orders(unit, &written, &mut sites);
        let words = Words::of(unit, &written, has_atomics, &sites.points);
        let weakenings = weaken::weakenings(unit, &written, &words, has_atomics);
        Edits { sites, weakenings, words }
    }
}
