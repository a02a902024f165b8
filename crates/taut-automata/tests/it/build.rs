//! Languages from words, and what their automata look like.

use proptest::prelude::*;
use taut_automata::{Language, Languages, Letter};

use crate::spec::{LETTERS, all_words, config, spec, word};

proptest! {
    #![proptest_config(config(200))]

    #[test]
    fn finite_languages(words in prop::collection::vec(word(5), 0..8)) {
        let mut store = Languages::new();
        let language = store.finite(&words);
        for word in all_words(6, LETTERS) {
            prop_assert_eq!(store.contains(language, &word), words.contains(&word));
        }
        let each: Vec<Language> = words.iter().map(|word| store.word(word)).collect();
        let union = each.into_iter().fold(Language::EMPTY, |a, b| store.union(a, b));
        prop_assert_eq!(union, language);
    }

    /// Canonical: numbered by the least words that lead to the states, no dead state, no twins.
    #[test]
    fn automata_are_canonical(a in spec()) {
        let mut store = Languages::new();
        let language = a.build(&mut store);
        let automaton = store.automaton(language);
        let mut next = 1;
        for (from, _, to) in automaton.edges() {
            prop_assert!(from < next && to <= next, "breadth-first");
            next = next.max(to + 1);
        }
        prop_assert_eq!(next as usize, automaton.states());
        for state in 0..next {
            prop_assert!(automaton.edges_from(state).is_sorted_by(|a, b| a.0 < b.0));
        }
        let edges: Vec<_> = automaton.edges().collect();
        let accepting: Vec<u32> = (0..next).filter(|&state| automaton.accepts(state)).collect();
        // What each state accepts, as a language of a store of its own: all different, none empty.
        let mut fresh = Languages::new();
        let mut seen = Vec::new();
        for state in 0..next {
            let renamed = |other: u32| match other {
                0 => state,
                other if other == state => 0,
                other => other,
            };
            let moved = edges.iter().map(|&(from, letter, to)| (renamed(from), letter, renamed(to)));
            let moved: Vec<_> = moved.collect();
            let ends: Vec<u32> = accepting.iter().map(|&end| renamed(end)).collect();
            seen.push(fresh.from_edges(&moved, &ends));
        }
        prop_assert!(language == Language::EMPTY || !seen.contains(&Language::EMPTY));
        seen.sort_unstable();
        seen.dedup();
        prop_assert_eq!(seen.len(), automaton.states());
    }
}

#[test]
fn all_words_of_an_alphabet() {
    let mut store = Languages::new();
    let sigma = store.all_words(&[Letter(2), Letter(0), Letter(2)]);
    assert_eq!(store.size(sigma), 1);
    assert_eq!(store.letters(sigma), [Letter(0), Letter(2)]);
    assert_eq!(store.all_words(&[]), Language::EPSILON);
}

/// The example with exponentially many states, and a long word: no recursion as deep as the
/// automaton.
#[test]
fn large_automata() {
    let mut store = Languages::new();
    let sigma = store.all_words(&[Letter(0), Letter(1)]);
    let one = store.append(sigma, &[Letter(1)]);
    let tail =
        store.finite(&all_words(8, 2).into_iter().filter(|w| w.len() == 8).collect::<Vec<_>>());
    let ninth = store.concat(one, tail);
    assert_eq!(store.size(ninth), 512);
    let long: Vec<Letter> = (0..200_000).map(|at| Letter(at % 3)).collect();
    let word = store.word(&long);
    assert_eq!(store.as_word(word), Some(long.clone()));
    assert_eq!(store.finite(std::slice::from_ref(&long)), word);
    assert_eq!(store.shortest(word), Some(long));
    assert_eq!(store.regex(word, &|letter| letter.0.to_string()).len(), 200_000);
    assert!(store.bytes() > 200_000 * 12);
    assert!(!store.overflowed());
}
