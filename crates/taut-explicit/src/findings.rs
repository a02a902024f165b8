//! What a search has found: for each thing that can go wrong, one place where it did.

use std::io;

use taut_ir::{Action, Finding};

use crate::checkpoint::{Reader, Saved, Writer};

/// A finding and where it was met.
#[derive(Clone, Debug)]
pub(crate) struct FindingSite<S> {
    pub(crate) finding: Finding,
    /// The action that goes wrong, for findings of a step.
    pub(crate) action: Option<Action>,
    /// The stored state in which it holds, or from which the action that goes wrong is reached.
    pub(crate) site: S,
}

/// Findings, one of each kind, with the places where they were met.
#[derive(Debug)]
pub(crate) struct Findings<S> {
    entries: Vec<FindingSite<S>>,
}

impl<S> Default for Findings<S> {
    fn default() -> Findings<S> {
        Findings { entries: Vec::new() }
    }
}

impl<S> Findings<S> {
    /// Whether there is a finding of this kind. All faults are of one kind.
    pub(crate) fn has(&self, finding: Finding) -> bool {
        self.entries.iter().any(|e| e.finding.same_kind(finding))
    }

    /// Notes a finding, unless there is one of its kind already.
    pub(crate) fn note(&mut self, entry: FindingSite<S>) {
        if !self.has(entry.finding) {
            self.entries.push(entry);
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    pub(crate) fn entries(&self) -> &[FindingSite<S>] {
        &self.entries
    }

    /// Takes all findings out.
    pub(crate) fn drain(&mut self) -> impl Iterator<Item = FindingSite<S>> {
        self.entries.drain(..)
    }
}

impl<S: Saved> Saved for FindingSite<S> {
    fn save(&self, to: &mut Writer<'_>) -> io::Result<()> {
        self.finding.save(to)?;
        self.action.save(to)?;
        self.site.save(to)
    }

    fn restore(from: &mut Reader<'_>) -> io::Result<FindingSite<S>> {
        let (finding, action) = Saved::restore(from)?;
        Ok(FindingSite { finding, action, site: S::restore(from)? })
    }
}

impl<S: Saved> Saved for Findings<S> {
    fn save(&self, to: &mut Writer<'_>) -> io::Result<()> {
        self.entries().len().save(to)?;
        self.entries().iter().try_for_each(|entry| entry.save(to))
    }

    fn restore(from: &mut Reader<'_>) -> io::Result<Findings<S>> {
        let mut findings = Findings::default();
        Vec::<FindingSite<S>>::restore(from)?.into_iter().for_each(|entry| findings.note(entry));
        Ok(findings)
    }
}
