//! Commits of a set of buffer contents, and the normal form of what waits under PSO.

use std::sync::Arc;

use taut_automata::{Language, Letter};
use taut_fault::{Fault, is_on};
use taut_ir::ProcId;
use taut_memory::{CellId, MemorySystem};

use super::entry::Entries;
use super::{BufferSets, Discipline, Inner};

/// What a commit of a process can lead to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Committed {
    /// The place that is written.
    pub place: CellId,
    /// What is in memory afterwards.
    pub value: i64,
    /// What waits afterwards.
    pub rest: Language,
}

/// A finite language of more words than this is left as it is.
const MOST_WORDS: usize = 64;

impl BufferSets {
    /// Everything that a commit of a process can lead to, in the order of places. Under TSO it is one commit;
    /// under PSO one or more of the same place.
    pub fn committed(&self, state: &[u64], process: ProcId) -> Arc<[Committed]> {
        let language = self.language(state, process);
        let mut inner = self.inner();
        if let Some(known) = inner.committed.get(&language) {
            return known.clone();
        }
        let mut all = match self.discipline {
            Discipline::Tso => inner.commit_oldest(language),
            Discipline::Pso => inner.commit_each(language),
        };
        all.sort_by_key(|c| (c.place, c.value));
        let all: Arc<[Committed]> = all.into();
        inner.committed.insert(language, all.clone());
        all
    }

    /// Puts the outcome of a commit into a state.
    pub fn put_committed(&self, state: &mut [u64], process: ProcId, committed: &Committed) {
        self.put(state, process, committed.rest);
        self.memory.write(state, committed.place, committed.value);
    }

    /// Whether a commit is of one entry only.
    pub fn commits_one(&self) -> bool {
        self.discipline == Discipline::Tso
    }
}

impl Inner {
    fn commit_oldest(&mut self, language: Language) -> Vec<Committed> {
        let mut firsts = self.languages.firsts(language);
        if is_on(Fault::OneIsOldest) {
            firsts.truncate(1);
        }
        let commit = |letter: Letter| {
            let rest = self.languages.quotient(language, letter);
            self.outcome(letter, rest)
        };
        firsts.into_iter().filter_map(commit).collect()
    }

    fn commit_each(&mut self, language: Language) -> Vec<Committed> {
        let letters = self.languages.letters(language);
        let mut places: Vec<_> = letters.iter().filter_map(|&l| self.entries.place(l)).collect();
        places.sort();
        places.dedup();
        places.into_iter().flat_map(|place| self.commit_some(language, place)).collect()
    }

    /// One or more commits of a place.
    fn commit_some(&mut self, language: Language, place: CellId) -> Vec<Committed> {
        let entries = &self.entries;
        let is_of_place = |letter| entries.place(letter) == Some(place);
        let is_fence = |letter| letter == Entries::FENCE;
        let taken = self.languages.take_some(language, is_of_place, is_fence);
        let outcome = |(letter, rest)| {
            let rest = self.languages.strip(rest, is_fence);
            let rest = self.normalise(rest);
            self.outcome(letter, rest)
        };
        taken.into_iter().filter_map(outcome).collect()
    }

    fn outcome(&self, letter: Letter, rest: Language) -> Option<Committed> {
        let (place, value) = (self.entries.place(letter)?, self.entries.value(letter)?);
        (rest != Language::EMPTY).then_some(Committed { place, value, rest })
    }

    /// Under PSO, a finite language with each word sorted by place between fences: contents that nobody can
    /// tell apart become one word. Infinite languages have no such form in general (the one of
    /// `((x,1)(y,1))*` is not regular), nor is what stands around a mark looked at.
    pub(super) fn normalise(&mut self, language: Language) -> Language {
        if let Some(&known) = self.normal.get(&language) {
            return known;
        }
        let normal = self.normal_form(language).unwrap_or(language);
        self.normal.insert(language, normal);
        normal
    }

    fn normal_form(&mut self, language: Language) -> Option<Language> {
        let words = self.languages.finite_words(language, MOST_WORDS)?;
        if words.iter().flatten().any(|&letter| letter == Entries::MARK) {
            return None;
        }
        let sorted: Vec<_> = words.iter().map(|word| self.sorted(word)).collect();
        Some(self.languages.finite(&sorted))
    }

    /// A word sorted by place between fences, with no two fences together.
    fn sorted(&self, word: &[Letter]) -> Vec<Letter> {
        let mut sorted = Vec::with_capacity(word.len());
        for segment in word.split(|&letter| letter == Entries::FENCE) {
            let start = sorted.len();
            sorted.extend_from_slice(segment);
            sorted[start..].sort_by_key(|&letter| self.entries.place(letter));
            if !segment.is_empty() {
                sorted.push(Entries::FENCE);
            }
        }
        if word.last() != Some(&Entries::FENCE) {
            sorted.pop();
        }
        sorted
    }
}
