//! Taking letters out of words, against the definition over words.
//!
//! The definitions say "there is a `u`", and `u` may be longer than the word that is looked at, by
//! erased letters. Why enumerating words up to some length is complete: the random automata have at
//! most three states. Between two letters of `u` that are kept, the erased ones lead through
//! states; three of them or more meet one state twice, and what lies between can be cut out without
//! changing what is accepted or what is left. So at most two erased letters in a row are needed,
//! and for results of at most two letters `u` has at most 2 + 3·2 = 8.

use std::collections::BTreeSet;

use proptest::prelude::*;
use taut_automata::{Language, Languages, Letter};

use crate::spec::{Graph, LETTERS, all_words, config, graph, has, letter_set};

const STATES: usize = 3;
const KEPT: usize = 2;
const ERASED: usize = (STATES - 1) * (KEPT + 1);

type Words = BTreeSet<Vec<Letter>>;

/// The words of at most `KEPT` letters of a language.
fn short_words(store: &Languages, language: Language) -> Words {
    all_words(KEPT, LETTERS).into_iter().filter(|word| store.contains(language, word)).collect()
}

/// The words `left(u)·v` of at most `KEPT` letters with `u·a·v` in the language.
fn taken(graph: &Graph, a: Letter, left: impl Fn(&[Letter]) -> Option<Vec<Letter>>) -> Words {
    let mut found = Words::new();
    for u in all_words(KEPT + ERASED, LETTERS) {
        let Some(kept) = left(&u) else { continue };
        if kept.len() > KEPT {
            continue;
        }
        for v in all_words(KEPT - kept.len(), LETTERS) {
            if graph.accepts(&[&u, &[a][..], &v].concat()) {
                found.insert([&kept[..], &v].concat());
            }
        }
    }
    found
}

/// Compares what the store takes with the definition, letter by letter.
fn agree(
    store: &Languages,
    result: &[(Letter, Language)],
    set: &[bool],
    definition: impl Fn(Letter) -> Words,
) -> Result<(), TestCaseError> {
    prop_assert!(result.is_sorted());
    for letter in (0..LETTERS).map(Letter) {
        let part = result.iter().find(|part| part.0 == letter);
        let expected = if has(set, letter) { definition(letter) } else { Words::new() };
        let part = part.map_or(Language::EMPTY, |part| part.1);
        prop_assert_eq!(short_words(store, part), expected, "{:?}", letter);
    }
    prop_assert!(result.iter().all(|&(letter, rest)| has(set, letter) && rest != Language::EMPTY));
    Ok(())
}

proptest! {
    #![proptest_config(config(60))]

    #[test]
    fn the_first_of_a_kind(
        graph in graph(STATES, LETTERS),
        of in letter_set(),
        barrier in letter_set(),
    ) {
        let mut store = Languages::new();
        let language = graph.build(&mut store);
        let result = store.take_first(language, |l| has(&of, l), |l| has(&barrier, l));
        agree(&store, &result, &of, |letter| taken(&graph, letter, |u| {
            let free = u.iter().all(|&l| !has(&of, l) && !has(&barrier, l));
            free.then(|| u.to_vec())
        }))?;
    }

    #[test]
    fn some_of_a_kind(
        graph in graph(STATES, LETTERS),
        of in letter_set(),
        barrier in letter_set(),
    ) {
        let mut store = Languages::new();
        let language = graph.build(&mut store);
        let result = store.take_some(language, |l| has(&of, l), |l| has(&barrier, l));
        agree(&store, &result, &of, |letter| taken(&graph, letter, |u| {
            let free = u.iter().all(|&l| !has(&barrier, l));
            free.then(|| u.iter().copied().filter(|&l| !has(&of, l)).collect())
        }))?;
    }

    /// Here the erased letters are all in front: two are enough by the same argument.
    #[test]
    fn leading_letters_stripped(graph in graph(STATES, LETTERS), of in letter_set()) {
        let mut store = Languages::new();
        let language = graph.build(&mut store);
        let stripped = store.strip(language, |l| has(&of, l));
        let long = all_words(STATES - 1 + 4, LETTERS).into_iter().filter(|w| graph.accepts(w));
        let expected: Words = long
            .map(|word| word.into_iter().skip_while(|&l| has(&of, l)).collect::<Vec<_>>())
            .filter(|word| word.len() <= 4)
            .collect();
        let found: Words = store.words(stripped, 4).into_iter().collect();
        prop_assert_eq!(found, expected);
    }
}

/// One case by hand: x entries are 0 and 1, the barrier is 2.
#[test]
fn what_a_commit_takes() {
    let mut store = Languages::new();
    let word = [0, 1, 2, 0].map(Letter);
    let language = store.word(&word);
    let of = |letter: Letter| letter.0 < 2;
    let barrier = |letter: Letter| letter.0 == 2;
    let rest = store.word(&[1, 2, 0].map(Letter));
    let later = store.word(&[2, 0].map(Letter));
    assert_eq!(store.take_first(language, of, barrier), [(Letter(0), rest)]);
    assert_eq!(store.take_some(language, of, barrier), [(Letter(0), rest), (Letter(1), later)]);
}
