//! Splitting a language: by the last letter of a kind, which is what a load sees, and by the empty
//! word.

use crate::automaton::{Automaton, Letter};
use crate::explore::{Deterministic, TooLarge, explore};
use crate::store::{Language, Languages};

impl Languages {
    /// The parts of the language by the *last* letter of each word for which `of` is true, `None`
    /// for words without such a letter. Only parts that have words; sorted, `None` first.
    ///
    /// With `of` the entries for one variable, a load from that variable reads the value of the
    /// part's letter, or memory where there is none.
    pub fn by_last(
        &mut self,
        language: Language,
        of: impl Fn(Letter) -> bool,
    ) -> Vec<(Option<Letter>, Language)> {
        let letters: Vec<Letter> =
            self.letters(language).into_iter().filter(|&letter| of(letter)).collect();
        if language == Language::EMPTY {
            return Vec::new();
        }
        if letters.is_empty() {
            return vec![(None, language)];
        }
        if let Some(word) = self.as_word(language) {
            return vec![(word.into_iter().rev().find(|&letter| of(letter)), language)];
        }
        let wanted = std::iter::once(None).chain(letters.into_iter().map(Some));
        let mut parts = Vec::new();
        for last in wanted {
            let table = explore(
                &LastIs { automaton: self.automaton(language), of: &of, last },
                self.limit(),
            );
            let part = self.settle(table);
            if part != Language::EMPTY {
                parts.push((last, part));
            }
        }
        parts
    }

    /// The words that have no letter with `of`.
    pub fn without(&mut self, language: Language, of: impl Fn(Letter) -> bool) -> Language {
        let automaton = self.automaton(language);
        let table: Result<_, TooLarge> =
            explore(&LastIs { automaton, of: &of, last: None }, self.limit());
        self.settle(table)
    }

    /// Whether the language has the empty word, and the language without it.
    pub fn split_epsilon(&mut self, language: Language) -> (bool, Language) {
        if self.has_epsilon(language) {
            (true, self.difference(language, Language::EPSILON))
        } else {
            (false, language)
        }
    }
}

/// The words of an automaton whose last letter with `of` is `last`. Beside the state of the
/// automaton only one bit is kept: whether that holds of the word read so far.
struct LastIs<'a, F> {
    automaton: &'a Automaton,
    of: &'a F,
    last: Option<Letter>,
}

impl<F: Fn(Letter) -> bool> Deterministic for LastIs<'_, F> {
    type State = (u32, bool);

    fn start(&self) -> (u32, bool) {
        (0, self.last.is_none())
    }

    fn accepts(&self, &(state, holds): &(u32, bool)) -> bool {
        holds && self.automaton.accepts(state)
    }

    fn edges(&self, &(state, holds): &(u32, bool), out: &mut Vec<(Letter, (u32, bool))>) {
        for &(letter, to) in self.automaton.edges_from(state) {
            if !(self.of)(letter) {
                out.push((letter, (to, holds)));
            } else if self.last.is_some() {
                out.push((letter, (to, self.last == Some(letter))));
            }
        }
    }
}
