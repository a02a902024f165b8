//! Taking a letter out of the middle: commits that may overtake other entries, and entries that
//! vanish.
//!
//! The constructions read a word `u·v` where the language has `u·a·v`: in `u` the automaton is in
//! its first life, at some point it takes the letter `a` without reading anything, and in `v` it is
//! in its second.

use crate::automaton::{Automaton, Letter};
use crate::determinise::{Nondeterministic, determinise};
use crate::store::{Language, Languages};

impl Languages {
    /// For each letter `a` with `of`: the words `u·v` such that `u·a·v` is in the language and no
    /// letter of `u` has `of` or `barrier`. Only languages that have words, sorted by letter.
    pub fn take_first(
        &mut self,
        language: Language,
        of: impl Fn(Letter) -> bool,
        barrier: impl Fn(Letter) -> bool,
    ) -> Vec<(Letter, Language)> {
        self.take(language, &of, |letter| match (of(letter), barrier(letter)) {
            (false, false) => Before::Kept,
            _ => Before::Forbidden,
        })
    }

    /// For each letter `a` with `of`: the words `u′·v` such that `u·a·v` is in the language, no
    /// letter of `u` has `barrier`, and `u′` is `u` without the letters that have `of`. Only
    /// languages that have words, sorted by letter.
    pub fn take_some(
        &mut self,
        language: Language,
        of: impl Fn(Letter) -> bool,
        barrier: impl Fn(Letter) -> bool,
    ) -> Vec<(Letter, Language)> {
        self.take(language, &of, |letter| match (of(letter), barrier(letter)) {
            (_, true) => Before::Forbidden,
            (true, false) => Before::Erased,
            (false, false) => Before::Kept,
        })
    }

    /// Every word without its leading letters that have `of`.
    pub fn strip(&mut self, language: Language, of: impl Fn(Letter) -> bool) -> Language {
        if !self.automaton(language).edges_from(0).iter().any(|edge| of(edge.0)) {
            return language;
        }
        let table = determinise(&Strip { automaton: self.automaton(language), of }, self.limit());
        self.settle(table)
    }

    fn take(
        &mut self,
        language: Language,
        of: impl Fn(Letter) -> bool,
        before: impl Fn(Letter) -> Before,
    ) -> Vec<(Letter, Language)> {
        let letters = self.letters(language).into_iter().filter(|&letter| of(letter));
        let mut taken = Vec::new();
        for letter in letters {
            let automaton = self.automaton(language);
            let table = determinise(&Take { automaton, letter, before: &before }, self.limit());
            let rest = self.settle(table);
            if rest != Language::EMPTY {
                taken.push((letter, rest));
            }
        }
        taken
    }
}

/// What becomes of a letter that comes before the one that is taken.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Before {
    Kept,
    Erased,
    Forbidden,
}

/// State `2s` is state `s` of the automaton before the letter is taken, `2s + 1` after it.
struct Take<'a, F> {
    automaton: &'a Automaton,
    letter: Letter,
    before: &'a F,
}

impl<F: Fn(Letter) -> Before> Nondeterministic for Take<'_, F> {
    fn starts(&self) -> Vec<u32> {
        vec![0]
    }

    fn accepts(&self, state: u32) -> bool {
        state % 2 == 1 && self.automaton.accepts(state / 2)
    }

    fn edges(&self, state: u32, out: &mut dyn FnMut(Letter, u32)) {
        let life = state % 2;
        for &(letter, to) in self.automaton.edges_from(state / 2) {
            if life == 1 || (self.before)(letter) == Before::Kept {
                out(letter, 2 * to + life);
            }
        }
    }

    fn silent(&self, state: u32, out: &mut dyn FnMut(u32)) {
        if state % 2 == 1 {
            return;
        }
        for &(letter, to) in self.automaton.edges_from(state / 2) {
            if letter == self.letter {
                out(2 * to + 1);
            }
            if (self.before)(letter) == Before::Erased {
                out(2 * to);
            }
        }
    }
}

/// State `2s` is state `s` while only leading letters have been met, which are not read; `2s + 1`
/// after that.
struct Strip<'a, F> {
    automaton: &'a Automaton,
    of: F,
}

impl<F: Fn(Letter) -> bool> Nondeterministic for Strip<'_, F> {
    fn starts(&self) -> Vec<u32> {
        vec![0]
    }

    fn accepts(&self, state: u32) -> bool {
        self.automaton.accepts(state / 2)
    }

    fn edges(&self, state: u32, out: &mut dyn FnMut(Letter, u32)) {
        for &(letter, to) in self.automaton.edges_from(state / 2) {
            if state % 2 == 1 || !(self.of)(letter) {
                out(letter, 2 * to + 1);
            }
        }
    }

    fn silent(&self, state: u32, out: &mut dyn FnMut(u32)) {
        if state % 2 == 1 {
            return;
        }
        for &(letter, to) in self.automaton.edges_from(state / 2) {
            if (self.of)(letter) {
                out(2 * to);
            }
        }
    }
}
