//! The limit: an operation that gives up says so.

use taut_automata::{Language, Languages, Letter};

const SIGMA: [Letter; 2] = [Letter(0), Letter(1)];

/// Words whose `n`-th letter from the end is 1 need 2^n states.
fn from_the_end(store: &mut Languages, n: usize) -> Language {
    let sigma = store.all_words(&SIGMA);
    let any = store.finite(&SIGMA.map(|letter| vec![letter]));
    let tail = (1..n).fold(Language::EPSILON, |tail, _| store.concat(tail, any));
    let one = store.word(&[Letter(1)]);
    let tail = store.concat(one, tail);
    store.concat(sigma, tail)
}

#[test]
fn the_subset_construction_gives_up() {
    let mut store = Languages::new();
    store.set_limit(255);
    assert_eq!(from_the_end(&mut store, 8), Language::EMPTY);
    assert!(store.overflowed());
    // The flag stays, but a wrong result is not remembered: with room the right one is found.
    store.set_limit(256);
    let right = from_the_end(&mut store, 8);
    assert_eq!(store.size(right), 256);
    assert!(store.overflowed());
}

#[test]
fn a_limit_that_is_not_met_changes_nothing() {
    let mut store = Languages::new();
    store.set_limit(256);
    let language = from_the_end(&mut store, 8);
    assert_eq!(store.size(language), 256);
    assert!(!store.overflowed());
}

#[test]
fn products_and_inclusion_give_up() {
    let cycle = |store: &mut Languages, n: usize| {
        let word = store.word(&vec![Letter(0); n]);
        store.star(word)
    };
    let mut store = Languages::new();
    let (one, other) = (cycle(&mut store, 16), cycle(&mut store, 17));
    assert!(!store.overflowed());
    store.set_limit(100);
    assert_eq!(store.intersection(one, other), Language::EMPTY);
    assert!(store.overflowed());

    let mut store = Languages::new();
    let (even, long) = (cycle(&mut store, 2), cycle(&mut store, 64));
    assert!(store.includes(even, long));
    let mut store = Languages::new();
    let (even, long) = (cycle(&mut store, 2), cycle(&mut store, 64));
    store.set_limit(20);
    assert!(!store.includes(even, long));
    assert!(store.overflowed());
}
