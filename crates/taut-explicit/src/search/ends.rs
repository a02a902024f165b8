//! What ends a search before every state was visited, limits aside.

use taut_ir::{DefId, Finding};

use taut_machine::BoundsMet;

use super::SearchContext;
use crate::exploration::Completion;

impl SearchContext<'_> {
    /// Whether bounds that were met end the search.
    pub(crate) fn end_by(&self, met: BoundsMet) -> Option<Completion> {
        let no_process = met.no_process.filter(|_| self.options.spawn_all);
        let full = met.buffer && (self.must_fit || self.options.must_fit);
        let by_process = |def: DefId| Completion::NoProcess(def);
        no_process.map(by_process).or(full.then_some(Completion::BufferFull))
    }

    /// Whether what was found ends the search: one finding where that is enough, else one of every kind that is
    /// asked. Nothing asked is nothing answered: such a search is made for its counts.
    pub(crate) fn end_by_findings(
        &self,
        any: bool,
        has: impl Fn(Finding) -> bool,
    ) -> Option<Completion> {
        let SearchContext { options, asked, .. } = *self;
        if !any || options.whole {
            return None;
        }
        if !options.all {
            return Some(Completion::FirstFinding);
        }
        let answered = !asked.is_empty() && asked.iter().all(|&finding| has(finding));
        answered.then_some(Completion::Answered)
    }
}
