//! Questions about one language, against all of its short words.
//!
//! The random languages are small: where a question is about all words, a word that answers it is
//! no longer than the number of states, which the tests look at.

use proptest::prelude::*;
use taut_automata::{Language, Languages, Letter};

use crate::spec::{LETTERS, Spec, all_words, config, has, letter_set, spec};

/// The words of the language with at most seven letters, by the definition.
fn words(a: &Spec) -> Vec<Vec<Letter>> {
    all_words(7, LETTERS).into_iter().filter(|word| a.accepts(word)).collect()
}

proptest! {
    #![proptest_config(config(200))]

    #[test]
    fn words_in_order(a in spec(), length in 0_usize..7) {
        let mut store = Languages::new();
        let language = a.build(&mut store);
        let mut expected = words(&a);
        expected.retain(|word| word.len() <= length);
        prop_assert_eq!(store.words(language, length), expected);
    }

    #[test]
    fn letters_and_words_that_have_them(a in spec(), set in letter_set()) {
        let mut store = Languages::new();
        let language = a.build(&mut store);
        // A letter on the way to acceptance is met within as many steps as there are states, before
        // and after it; six states leave room for that in few languages, so only those are
        // compared.
        prop_assume!(2 * store.size(language) <= 8);
        let words = words(&a);
        let mut letters: Vec<Letter> = words.concat();
        letters.sort_unstable();
        letters.dedup();
        prop_assert_eq!(store.letters(language), letters);
        let mut firsts: Vec<Letter> =
            words.iter().filter_map(|word| word.first().copied()).collect();
        firsts.sort_unstable();
        firsts.dedup();
        prop_assert_eq!(store.firsts(language), firsts);
        let has_one = |word: &Vec<Letter>| word.iter().any(|&letter| has(&set, letter));
        let of = |letter| has(&set, letter);
        prop_assert_eq!(store.every_word_has(language, of), words.iter().all(has_one));
        prop_assert_eq!(store.some_word_has(language, of), words.iter().any(has_one));
        prop_assert_eq!(store.has_epsilon(language), words.contains(&Vec::new()));
    }

    #[test]
    fn finite_or_not(a in spec()) {
        let mut store = Languages::new();
        let language = a.build(&mut store);
        let size = store.size(language);
        prop_assume!(2 * size <= 8);
        // A word as long as there are states goes through a cycle, and there is one with at most
        // twice as many letters, less one, if there is any cycle.
        let words = words(&a);
        let finite = words.iter().all(|word| word.len() < size);
        prop_assert_eq!(store.is_finite(language), finite);
        let listed = store.finite_words(language, words.len());
        prop_assert_eq!(listed, finite.then(|| words.clone()));
        if finite && !words.is_empty() {
            prop_assert_eq!(store.finite_words(language, words.len() - 1), None);
        }
        let single = (finite && words.len() == 1).then(|| words[0].clone());
        prop_assert_eq!(store.as_word(language), single);
    }

    #[test]
    fn the_shortest_word(a in spec()) {
        let mut store = Languages::new();
        let language = a.build(&mut store);
        // The shortest word visits no state twice.
        prop_assume!(store.size(language) <= 8);
        prop_assert_eq!(store.shortest(language), words(&a).first().cloned());
    }
}

#[test]
fn the_empty_language() {
    let store = Languages::new();
    let empty = Language::EMPTY;
    assert_eq!(store.shortest(empty), None);
    assert_eq!(store.as_word(empty), None);
    assert!(store.words(empty, 5).is_empty());
    assert_eq!(store.finite_words(empty, 0), Some(Vec::new()));
    assert!(store.every_word_has(empty, |_| false));
    assert!(!store.some_word_has(empty, |_| true));
    assert!(store.is_finite(empty));
}
