//! Questions about one language that its automaton answers as it stands.

use crate::automaton::Letter;
use crate::store::{Language, Languages};

impl Languages {
    /// Whether the language has this word.
    pub fn contains(&self, language: Language, word: &[Letter]) -> bool {
        let automaton = self.automaton(language);
        let end = word.iter().try_fold(0, |state, &letter| automaton.next(state, letter));
        end.is_some_and(|state| automaton.accepts(state))
    }

    /// Whether the language has the empty word.
    pub fn has_epsilon(&self, language: Language) -> bool {
        self.automaton(language).accepts(0)
    }

    /// The letters that words begin with, sorted.
    pub fn firsts(&self, language: Language) -> Vec<Letter> {
        self.automaton(language).edges_from(0).iter().map(|edge| edge.0).collect()
    }

    /// The letters of all words, sorted.
    pub fn letters(&self, language: Language) -> Vec<Letter> {
        let mut letters: Vec<_> =
            self.automaton(language).edges().map(|(_, letter, _)| letter).collect();
        letters.sort_unstable();
        letters.dedup();
        letters
    }

    /// Whether the language has finitely many words.
    pub fn is_finite(&self, language: Language) -> bool {
        self.order(language).is_some()
    }

    /// Whether every word has a letter with `of`. So it is with the empty language, which has no
    /// words.
    pub fn every_word_has(&self, language: Language, of: impl Fn(Letter) -> bool) -> bool {
        let automaton = self.automaton(language);
        let mut seen = vec![false; automaton.states()];
        seen[0] = true;
        let mut work = vec![0];
        while let Some(state) = work.pop() {
            taut_budget::tick();
            if automaton.accepts(state) {
                return false;
            }
            for &(letter, to) in automaton.edges_from(state) {
                if !of(letter) && !std::mem::replace(&mut seen[to as usize], true) {
                    work.push(to);
                }
            }
        }
        true
    }

    /// Whether some word has a letter with `of`: every edge is part of some word.
    pub fn some_word_has(&self, language: Language, of: impl Fn(Letter) -> bool) -> bool {
        self.automaton(language).edges().any(|(_, letter, _)| of(letter))
    }

    /// The states in an order in which every edge goes forward, if there is one: if there are
    /// finitely many words, for a cycle can be gone through any number of times on the way to
    /// acceptance.
    pub(crate) fn order(&self, language: Language) -> Option<Vec<u32>> {
        let automaton = self.automaton(language);
        let mut waiting = vec![0_u32; automaton.states()];
        automaton.edges().for_each(|(_, _, to)| waiting[to as usize] += 1);
        let mut order: Vec<u32> = Vec::with_capacity(automaton.states());
        if waiting[0] == 0 {
            order.push(0);
        }
        let mut at = 0;
        while at < order.len() {
            taut_budget::tick();
            for &(_, to) in automaton.edges_from(order[at]) {
                waiting[to as usize] -= 1;
                if waiting[to as usize] == 0 {
                    order.push(to);
                }
            }
            at += 1;
        }
        (order.len() == automaton.states()).then_some(order)
    }
}
