//! Sets of words, by hand. A part of `src/words.rs`.

use super::*;

fn letter(var: u32, value: i64) -> Letter {
    (Address { var: VarId(var), index: 0 }, value)
}

/// `(x,1)*`
fn stars() -> Words {
    let edges = vec![vec![(letter(0, 1), 0)]];
    Words { initial: BTreeSet::from([0]), accepting: vec![true], edges }
}

fn store(var: u32, value: i64) -> Entry {
    let (address, value) = letter(var, value);
    Entry { address, value }
}

#[test]
fn parts_tell_what_is_seen() {
    let parts = stars().followed_by(&[store(1, 2)]).parts();
    assert_eq!(parts.len(), 2, "x was stored or not");
    assert!(
        parts.iter().all(|(seen, words)| seen.contains_key(&letter(1, 2).0) && !words.is_empty())
    );
    let parts = stars().parts();
    assert_eq!(parts.len(), 2, "nothing waits, or x");
    assert!(parts[0].0.is_empty() && parts[0].1.has_empty());
    assert!(!parts[1].1.has_empty() && parts[1].1.is_within(&stars()));
}

#[test]
fn inclusion_is_that_of_words() {
    let longer = stars().followed_by(&[store(0, 1)]);
    assert!(longer.is_within(&stars()) && !stars().is_within(&longer));
    assert!(stars().after(letter(0, 1)).is_within(&stars()));
    assert!(!stars().followed_by(&[store(0, 2)]).is_within(&stars()));
    assert!(stars().after(letter(0, 2)).is_empty());
    let split = stars().split_empty();
    assert!(split[0].has_empty() && !split[1].has_empty() && split[1].is_within(&longer));
    assert!(longer.is_within(&split[1]));
}
