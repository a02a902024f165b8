//! Sets of words, by hand. A part of `src/words.rs`.

use super::*;
use taut_ir::VarId;

fn store(var: u32, value: i64) -> Store {
    (Address { var: VarId(var), index: 0 }, value)
}

fn letter(var: u32, value: i64) -> Letter {
    Some(store(var, value))
}

/// One word; a variable and the value 1 per letter, or none for a store fence.
fn word(letters: &[Option<u32>]) -> Words {
    let letters: Vec<Letter> = letters.iter().map(|var| Some(store((*var)?, 1))).collect();
    Words::none_waiting().followed_by(&letters)
}

fn is_same(a: &Words, b: &Words) -> bool {
    a.is_within(b) && b.is_within(a)
}

/// `(x,1)*`
fn stars() -> Words {
    let edges = vec![vec![(letter(0, 1), 0)]];
    Words { initial: BTreeSet::from([0]), accepting: vec![true], edges }
}

#[test]
fn parts_tell_what_is_seen() {
    let parts = stars().followed_by(&[letter(1, 2)]).parts();
    assert_eq!(parts.len(), 2, "x was stored or not");
    assert!(
        parts.iter().all(|(seen, words)| seen.contains_key(&store(1, 2).0) && !words.is_empty())
    );
    let parts = stars().parts();
    assert_eq!(parts.len(), 2, "nothing waits, or x");
    assert!(parts[0].0.is_empty() && parts[0].1.has_empty());
    assert!(!parts[1].1.has_empty() && parts[1].1.is_within(&stars()));
}

#[test]
fn inclusion_is_that_of_words() {
    let longer = stars().followed_by(&[letter(0, 1)]);
    assert!(longer.is_within(&stars()) && !stars().is_within(&longer));
    assert!(stars().without(store(0, 1), false).is_within(&stars()));
    assert!(!stars().followed_by(&[letter(0, 2)]).is_within(&stars()));
    assert!(stars().without(store(0, 2), false).is_empty());
    let split = stars().split_empty();
    assert!(split[0].has_empty() && !split[1].has_empty() && split[1].is_within(&longer));
    assert!(longer.is_within(&split[1]));
}

#[test]
fn a_commit_overtakes_other_locations_and_no_store_fence() {
    let (x, y) = (Some(0), Some(1));
    let both = word(&[y, x, x]);
    assert!(both.without(store(0, 1), false).is_empty(), "TSO");
    assert!(is_same(&both.without(store(0, 1), true), &word(&[y, x])), "the oldest alone");
    assert!(word(&[y, None, x]).without(store(0, 1), true).is_empty());
    assert!(is_same(&word(&[y, None, x]).without(store(1, 1), true), &word(&[None, x])));
    // An older store to the same location, with another value, is in the way.
    let older = Words::none_waiting().followed_by(&[letter(0, 2), letter(0, 1)]);
    assert!(older.without(store(0, 1), true).is_empty());
    // `(x,1)* (y,1)` without y, from behind any number of stores.
    let many = stars().followed_by(&[letter(1, 1)]);
    assert!(is_same(&many.without(store(1, 1), true), &stars()));
}

#[test]
fn a_store_fence_with_nothing_before_it_is_none() {
    let (x, y) = (Some(0), Some(1));
    let rest = word(&[None, None, x]).split_empty();
    assert!(rest.len() == 1 && is_same(&rest[0], &word(&[x])));
    let rest = word(&[None]).split_empty();
    assert!(rest.len() == 1 && rest[0].has_empty());
    // Later ones stay.
    assert!(is_same(&word(&[None, x, None, y]).unfenced(), &word(&[x, None, y])));
}

#[test]
fn words_are_sorted_between_store_fences() {
    let (x, y) = (Some(0), Some(1));
    let sorted = word(&[y, x, None, None, y, x]).sorted().expect("one word");
    assert_eq!(sorted.len(), 1);
    assert!(sorted.iter().all(|sorted| word(&[x, y, None, x, y]).has(sorted)));
    assert!(!sorted.iter().any(|sorted| word(&[x, y, x, y]).has(sorted)));
    assert!(stars().sorted().is_none(), "there is no end of words");
    // A circle that leads nowhere is no word.
    let edges = vec![vec![(letter(0, 1), 1), (letter(1, 1), 2)], Vec::new(), vec![(None, 2)]];
    let dead = Words { initial: BTreeSet::from([0]), accepting: vec![false, true, false], edges };
    assert_eq!(dead.sorted().map(|words| words.len()), Some(1));
}
