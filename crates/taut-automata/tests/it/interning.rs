//! Equal languages have one number, however they were made.

use taut_automata::{Language, Languages, Letter};

const A: Letter = Letter(10);
const B: Letter = Letter(3);

#[test]
fn one_language_made_in_many_ways() {
    let mut s = Languages::new();
    let (a, b) = (s.word(&[A]), s.word(&[B]));
    // a(ba)* = (ab)*a, as a graph, and as what remains of (ab)* without its words of even length.
    let ab = s.concat(a, b);
    let ba = s.append(b, &[A]);
    let (star_ab, star_ba) = (s.star(ab), s.star(ba));
    let one = s.concat(a, star_ba);
    let two = s.append(star_ab, &[A]);
    let three = s.from_edges(&[(0, A, 7), (7, B, 9), (9, A, 7), (0, A, 5)], &[7]);
    let half = s.from_edges(&[(0, A, 1), (1, B, 0)], &[0, 1]);
    let four = s.difference(half, star_ab);
    assert_eq!([two, three, four], [one; 3]);
    let held = s.len();
    let again = s.concat(a, star_ba);
    assert_eq!((again, s.len()), (one, held));
    let commit = s.quotient(star_ab, A);
    assert_eq!(s.append(Language::EPSILON, &[B]), b);
    assert_eq!(s.quotient(commit, B), star_ab);
}

#[test]
fn fixed_numbers() {
    let mut s = Languages::default();
    assert_eq!(s.len(), 2);
    assert!(!s.is_empty());
    assert_eq!((Language::EMPTY.index(), Language::EPSILON.index()), (0, 1));
    assert_eq!(s.word(&[]), Language::EPSILON);
    assert_eq!(s.finite(&[]), Language::EMPTY);
    assert_eq!(s.finite(&[Vec::new()]), Language::EPSILON);
    assert_eq!(s.star(Language::EMPTY), Language::EPSILON);
    assert_eq!(s.star(Language::EPSILON), Language::EPSILON);
    assert_eq!(s.from_edges(&[(0, A, 1), (1, A, 0)], &[]), Language::EMPTY);
    let a = s.word(&[A]);
    assert_eq!(s.quotient(a, A), Language::EPSILON);
    assert_eq!(s.quotient(a, B), Language::EMPTY);
    assert_eq!(Language::from_index(a.index()), a);
}

#[test]
fn memory_grows_with_what_is_held() {
    let mut s = Languages::new();
    let before = s.bytes();
    let mut l = Language::EPSILON;
    for _ in 0..100 {
        l = s.append(l, &[A]);
    }
    assert_eq!((s.len(), s.size(l)), (102, 101));
    // At least the edges of the automata with 1 to 100 of them.
    assert!(s.bytes() > before + 5050 * 8);
}
