//! Laws that hold for all languages, as equalities of numbers.

use proptest::prelude::*;
use taut_automata::{Language, Languages, Letter};

use crate::spec::{LETTERS, config, graph, has, letter_set, spec, word};

fn sigma(store: &mut Languages) -> Language {
    let alphabet: Vec<Letter> = (0..LETTERS).map(Letter).collect();
    store.all_words(&alphabet)
}

proptest! {
    #![proptest_config(config(250))]

    #[test]
    fn lattice(a in spec(), b in spec(), c in spec()) {
        let mut s = Languages::new();
        let (a, b, c) = (a.build(&mut s), b.build(&mut s), c.build(&mut s));
        prop_assert_eq!(s.union(a, a), a);
        prop_assert_eq!(s.intersection(a, a), a);
        prop_assert_eq!(s.union(a, b), s.union(b, a));
        prop_assert_eq!(s.intersection(a, b), s.intersection(b, a));
        let (ab, bc) = (s.union(a, b), s.union(b, c));
        prop_assert_eq!(s.union(ab, c), s.union(a, bc));
        let (meet_ab, meet_bc) = (s.intersection(a, b), s.intersection(b, c));
        prop_assert_eq!(s.intersection(meet_ab, c), s.intersection(a, meet_bc));
        // Absorption and distribution.
        prop_assert_eq!(s.union(a, meet_ab), a);
        prop_assert_eq!(s.intersection(a, ab), a);
        let meet_ac = s.intersection(a, c);
        prop_assert_eq!(s.intersection(a, bc), s.union(meet_ab, meet_ac));
    }

    #[test]
    fn de_morgan(a in spec(), b in spec()) {
        let mut s = Languages::new();
        let (a, b) = (a.build(&mut s), b.build(&mut s));
        let all = sigma(&mut s);
        let (not_a, not_b) = (s.difference(all, a), s.difference(all, b));
        prop_assert_eq!(s.difference(all, not_a), a);
        let (or, and) = (s.union(a, b), s.intersection(a, b));
        prop_assert_eq!(s.difference(all, or), s.intersection(not_a, not_b));
        prop_assert_eq!(s.difference(all, and), s.union(not_a, not_b));
        prop_assert_eq!(s.difference(a, b), s.intersection(a, not_b));
    }

    #[test]
    fn concatenation(a in spec(), b in spec(), c in spec()) {
        let mut s = Languages::new();
        let (a, b, c) = (a.build(&mut s), b.build(&mut s), c.build(&mut s));
        prop_assert_eq!(s.concat(a, Language::EPSILON), a);
        prop_assert_eq!(s.concat(Language::EPSILON, a), a);
        prop_assert_eq!(s.concat(a, Language::EMPTY), Language::EMPTY);
        let (ab, bc) = (s.concat(a, b), s.concat(b, c));
        prop_assert_eq!(s.concat(ab, c), s.concat(a, bc));
        let (either, ac) = (s.union(b, c), s.concat(a, c));
        prop_assert_eq!(s.concat(a, either), s.union(ab, ac));
        let (either, cb) = (s.union(a, c), s.concat(c, b));
        prop_assert_eq!(s.concat(either, b), s.union(ab, cb));
    }

    #[test]
    fn words_appended_and_taken(a in spec(), b in spec(), u in word(3), v in word(3)) {
        let mut s = Languages::new();
        let (a, b) = (a.build(&mut s), b.build(&mut s));
        let au = s.append(a, &u);
        prop_assert_eq!(s.append(au, &v), s.append(a, &[u.clone(), v.clone()].concat()));
        let word = s.word(&u);
        prop_assert_eq!(au, s.concat(a, word));
        let by_letters = u.iter().fold(a, |l, &letter| s.append(l, &[letter]));
        prop_assert_eq!(au, by_letters);
        // u\(u·a) = a, and u is in a exactly if u\a has the empty word.
        let ua = s.concat(word, a);
        prop_assert_eq!(s.quotient_word(ua, &u), a);
        let rest = s.quotient_word(a, &u);
        prop_assert_eq!(s.has_epsilon(rest), s.contains(a, &u));
        // x\(a·b) = (x\a)·b, and x\b too if a has the empty word.
        for x in (0..LETTERS).map(Letter) {
            let ab = s.concat(a, b);
            let (xa, xb) = (s.quotient(a, x), s.quotient(b, x));
            let mut expected = s.concat(xa, b);
            if s.has_epsilon(a) {
                expected = s.union(expected, xb);
            }
            prop_assert_eq!(s.quotient(ab, x), expected);
            let or = s.union(a, b);
            prop_assert_eq!(s.quotient(or, x), s.union(xa, xb));
        }
    }

    #[test]
    fn a_language_is_the_sum_of_its_quotients(a in spec()) {
        let mut s = Languages::new();
        let a = a.build(&mut s);
        let mut sum = if s.has_epsilon(a) { Language::EPSILON } else { Language::EMPTY };
        for letter in s.firsts(a) {
            let (head, rest) = (s.word(&[letter]), s.quotient(a, letter));
            let part = s.concat(head, rest);
            sum = s.union(sum, part);
        }
        prop_assert_eq!(sum, a);
    }

    #[test]
    fn repetition(a in graph(3, LETTERS), b in graph(3, LETTERS)) {
        let mut s = Languages::new();
        let (a, b) = (a.build(&mut s), b.build(&mut s));
        let star = s.star(a);
        prop_assert_eq!(s.star(star), star);
        prop_assert_eq!(s.concat(star, star), star);
        let unfolded = s.concat(a, star);
        prop_assert_eq!(s.union(Language::EPSILON, unfolded), star);
        prop_assert_eq!(s.plus(a), unfolded);
        // (a|b)* = (a*b*)* = a*(ba*)*
        let either = s.union(a, b);
        let either = s.star(either);
        let star_b = s.star(b);
        let both = s.concat(star, star_b);
        prop_assert_eq!(s.star(both), either);
        let ba = s.concat(b, star);
        let ba = s.star(ba);
        prop_assert_eq!(s.concat(star, ba), either);
        prop_assert!(!s.overflowed());
    }

    #[test]
    fn inclusion(a in spec(), b in spec()) {
        let mut s = Languages::new();
        let (a, b) = (a.build(&mut s), b.build(&mut s));
        let or = s.union(a, b);
        for (large, small) in [(a, b), (or, a), (or, b), (a, or)] {
            let included = s.includes(large, small);
            prop_assert_eq!(included, s.union(large, small) == large);
            prop_assert_eq!(included, s.difference(small, large) == Language::EMPTY);
        }
        prop_assert!(s.includes(or, a));
    }

    #[test]
    fn parts_by_last_letter_are_a_partition(a in spec(), set in letter_set()) {
        let mut s = Languages::new();
        let a = a.build(&mut s);
        let parts = s.by_last(a, |letter| has(&set, letter));
        let mut sum = Language::EMPTY;
        for &(_, part) in &parts {
            prop_assert_eq!(s.intersection(sum, part), Language::EMPTY);
            sum = s.union(sum, part);
        }
        prop_assert_eq!(sum, a);
        let none = parts.iter().any(|part| part.0.is_none());
        prop_assert_eq!(!none, s.every_word_has(a, |letter| has(&set, letter)));
    }

    #[test]
    fn stripped_is_stripped(a in spec(), set in letter_set()) {
        let mut s = Languages::new();
        let a = a.build(&mut s);
        let stripped = s.strip(a, |letter| has(&set, letter));
        prop_assert!(s.firsts(stripped).iter().all(|&letter| !has(&set, letter)));
        prop_assert_eq!(s.strip(stripped, |letter| has(&set, letter)), stripped);
        // Leading letters of the kind in front of a language change nothing.
        let kind: Vec<Letter> = (0..LETTERS).map(Letter).filter(|&l| has(&set, l)).collect();
        let leading = s.all_words(&kind);
        let longer = s.concat(leading, a);
        prop_assert_eq!(s.strip(longer, |letter| has(&set, letter)), stripped);
    }
}
