//! Splitting a state where its words do not agree.

use std::collections::BTreeMap;
use std::sync::Arc;

use taut_automata::Language;
use taut_fault::{Fault, is_on};
use taut_ir::ProcId;
use taut_memory::{CellId, MemorySystem, Question};

use super::{BufferSets, Inner, Newest};

impl BufferSets {
    /// The parts of a state that each give one answer to a question. Together they stand for what the state stands
    /// for, and no two of them for the same.
    pub fn split(&self, state: &[u64], question: Question) -> Vec<Box<[u64]>> {
        let (process, languages) = match question {
            Question::Load { process, place } => (process, self.by_view(state, process, place)),
            Question::Drained(process) => (process, self.by_epsilon(state, process)),
        };
        let part = |language| {
            let mut part: Box<[u64]> = state.into();
            self.put(&mut part, process, language);
            part
        };
        languages.into_iter().map(part).collect()
    }

    /// One language for each value that is seen; what stands in memory and what waits may be the same.
    fn by_view(&self, state: &[u64], process: ProcId, place: CellId) -> Vec<Language> {
        let language = self.language(state, process);
        let memory = self.memory.memory(state, place);
        let mut inner = self.inner();
        let mut by_value: BTreeMap<i64, Language> = BTreeMap::new();
        for newest in inner.newest(language, place).iter() {
            if newest.value.is_none() && is_on(Fault::MemoryIsUnseen) {
                continue;
            }
            let words = by_value.entry(newest.value.unwrap_or(memory)).or_insert(Language::EMPTY);
            *words = inner.languages.union(*words, newest.words);
        }
        by_value.into_values().collect()
    }

    fn by_epsilon(&self, state: &[u64], process: ProcId) -> Vec<Language> {
        let language = self.language(state, process);
        let mut inner = self.inner();
        let (has_epsilon, rest) = inner.languages.split_epsilon(language);
        let is_seen = has_epsilon && !is_on(Fault::NeverDrained);
        let empty = is_seen.then_some(Language::EPSILON);
        empty.into_iter().chain((rest != Language::EMPTY).then_some(rest)).collect()
    }

    /// Whether every word of a process has an entry for a place, so that it never looks at memory there.
    pub fn always_forwards(&self, state: &[u64], process: ProcId, place: CellId) -> bool {
        let language = self.language(state, process);
        language != Language::EPSILON
            && self.inner().newest(language, place).iter().all(|n| n.value.is_some())
    }

    /// The part of a state in which nothing waits anywhere, if there is one.
    pub fn drained_part(&self, state: &[u64]) -> Option<Box<[u64]>> {
        let mut drained: Box<[u64]> = state.into();
        for process in self.processes() {
            let language = self.language(state, process);
            if !self.inner().languages.has_epsilon(language) {
                return None;
            }
            self.put(&mut drained, process, Language::EPSILON);
        }
        Some(drained)
    }

    /// Puts a language into a state, whose process may have no buffer. An overflow leaves it as it was: the
    /// search ends there.
    pub(super) fn put(&self, state: &mut [u64], process: ProcId, language: Language) {
        if self.has_buffer(process) && language != Language::EMPTY {
            self.set_language(state, process, language);
        }
    }
}

impl Inner {
    /// The parts of a language by the newest entry of a place.
    pub(super) fn newest(&mut self, language: Language, place: CellId) -> Arc<[Newest]> {
        if let Some(known) = self.newest.get(&(language, place)) {
            return known.clone();
        }
        let entries = &self.entries;
        let parts = self.languages.by_last(language, |l| entries.place(l) == Some(place));
        let newest = parts
            .into_iter()
            .map(|(letter, words)| Newest { value: letter.and_then(|l| entries.value(l)), words });
        let newest: Arc<[Newest]> = newest.collect();
        self.newest.insert((language, place), newest.clone());
        newest
    }
}
