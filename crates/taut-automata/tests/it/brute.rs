//! The classical operations against their definitions, on every word of at most six letters.
//!
//! Where a definition speaks of parts of the word, six letters need no longer witnesses; where it
//! speaks of longer words (a quotient), they are looked up in the random language itself.

use proptest::prelude::*;
use taut_automata::{Language, Languages, Letter};

use crate::spec::{LETTERS, all_words, config, has, letter_set, spec, word};

/// Checks a language against a definition.
fn agree(
    store: &Languages,
    language: Language,
    is_in: impl Fn(&[Letter]) -> bool,
) -> Result<(), TestCaseError> {
    prop_assert!(!store.overflowed());
    for word in all_words(6, LETTERS) {
        prop_assert_eq!(store.contains(language, &word), is_in(&word), "{:?}", word);
    }
    Ok(())
}

/// Whether the word is a sequence of non-empty words of a language, found by the prefixes that are.
fn is_sequence(word: &[Letter], is_in: impl Fn(&[Letter]) -> bool) -> bool {
    let mut reached = vec![true];
    for end in 1..=word.len() {
        reached.push((0..end).any(|from| reached[from] && is_in(&word[from..end])));
    }
    reached[word.len()]
}

proptest! {
    #![proptest_config(config(150))]

    #[test]
    fn a_random_language_is_what_it_says(a in spec()) {
        let mut store = Languages::new();
        let language = a.build(&mut store);
        agree(&store, language, |word| a.accepts(word))?;
    }

    #[test]
    fn boolean_operations(a in spec(), b in spec()) {
        let mut store = Languages::new();
        let (one, other) = (a.build(&mut store), b.build(&mut store));
        let union = store.union(one, other);
        agree(&store, union, |word| a.accepts(word) || b.accepts(word))?;
        let intersection = store.intersection(one, other);
        agree(&store, intersection, |word| a.accepts(word) && b.accepts(word))?;
        let difference = store.difference(one, other);
        agree(&store, difference, |word| a.accepts(word) && !b.accepts(word))?;
    }

    #[test]
    fn concatenation(a in spec(), b in spec()) {
        let mut store = Languages::new();
        let (one, other) = (a.build(&mut store), b.build(&mut store));
        let concat = store.concat(one, other);
        agree(&store, concat, |word| {
            (0..=word.len()).any(|cut| a.accepts(&word[..cut]) && b.accepts(&word[cut..]))
        })?;
    }

    #[test]
    fn repetition(a in spec()) {
        let mut store = Languages::new();
        let language = a.build(&mut store);
        let star = store.star(language);
        agree(&store, star, |word| is_sequence(word, |part| a.accepts(part)))?;
        let plus = store.plus(language);
        agree(&store, plus, |word| match word {
            [] => a.accepts(&[]),
            word => is_sequence(word, |part| a.accepts(part)),
        })?;
    }

    #[test]
    fn appending(a in spec(), tail in word(3)) {
        let mut store = Languages::new();
        let language = a.build(&mut store);
        let longer = store.append(language, &tail);
        agree(&store, longer, |word| word.strip_suffix(&*tail).is_some_and(|u| a.accepts(u)))?;
    }

    #[test]
    fn quotients(a in spec(), head in word(3)) {
        let mut store = Languages::new();
        let language = a.build(&mut store);
        let rest = store.quotient_word(language, &head);
        agree(&store, rest, |word| a.accepts(&[&head, word].concat()))?;
    }

    /// A word that is in one and not in the other is found by a walk over pairs of states, of which
    /// the larger language may have none (it has lost the word): the shortest visits no pair twice.
    /// With at most eight pairs it has at most seven letters. With more, only "included" can be
    /// tested by words.
    #[test]
    fn inclusion(a in spec(), b in spec()) {
        let mut store = Languages::new();
        let (one, other) = (a.build(&mut store), b.build(&mut store));
        let seen = all_words(7, LETTERS).iter().all(|word| !b.accepts(word) || a.accepts(word));
        let included = store.includes(one, other);
        prop_assert!(seen || !included);
        if store.size(other) * (store.size(one) + 1) <= 8 {
            prop_assert_eq!(included, seen);
        }
    }

    #[test]
    fn by_the_last_letter(a in spec(), set in letter_set()) {
        let mut store = Languages::new();
        let language = a.build(&mut store);
        let parts = store.by_last(language, |letter| has(&set, letter));
        prop_assert!(parts.is_sorted());
        prop_assert!(parts.iter().all(|&(_, part)| part != Language::EMPTY));
        let keys = std::iter::once(None).chain((0..LETTERS).map(|letter| Some(Letter(letter))));
        for key in keys {
            let part = parts.iter().find(|part| part.0 == key);
            let part = part.map_or(Language::EMPTY, |part| part.1);
            agree(&store, part, |word| {
                let last = word.iter().rev().copied().find(|&letter| has(&set, letter));
                a.accepts(word) && last == key
            })?;
        }
        let without = store.without(language, |letter| has(&set, letter));
        agree(&store, without, |word| {
            a.accepts(word) && !word.iter().any(|&letter| has(&set, letter))
        })?;
    }

    #[test]
    fn the_empty_word_split_off(a in spec()) {
        let mut store = Languages::new();
        let language = a.build(&mut store);
        let (epsilon, rest) = store.split_epsilon(language);
        prop_assert_eq!(epsilon, a.accepts(&[]));
        agree(&store, rest, |word| !word.is_empty() && a.accepts(word))?;
    }
}
