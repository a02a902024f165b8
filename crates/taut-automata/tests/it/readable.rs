//! Expressions and graphs for people, and expressions read back.

use proptest::prelude::*;
use taut_automata::{Language, Languages, Letter};

use crate::spec::{Spec, config, spec};

/// Letters 0, 1, 2 … are a, b, c …
fn name(letter: Letter) -> String {
    char::from(b'a' + letter.0 as u8).into()
}

/// Reads an expression with one-character names. Only for tests: it panics on mistakes.
struct Reader<'a> {
    text: std::iter::Peekable<std::str::Chars<'a>>,
    store: &'a mut Languages,
}

impl Reader<'_> {
    fn union(&mut self) -> Language {
        let mut language = self.concat();
        while self.text.next_if_eq(&'|').is_some() {
            let other = self.concat();
            language = self.store.union(language, other);
        }
        language
    }

    fn concat(&mut self) -> Language {
        let mut language = self.repetition();
        while self.text.peek().is_some_and(|next| !"|)".contains(*next)) {
            let other = self.repetition();
            language = self.store.concat(language, other);
        }
        language
    }

    fn repetition(&mut self) -> Language {
        let mut language = self.atom();
        while let Some(sign) = self.text.next_if(|next| "*+?".contains(*next)) {
            language = match sign {
                '*' => self.store.star(language),
                '+' => self.store.plus(language),
                _ => self.store.union(language, Language::EPSILON),
            };
        }
        language
    }

    fn atom(&mut self) -> Language {
        match self.text.next().expect("an expression goes on") {
            'ε' => Language::EPSILON,
            '∅' => Language::EMPTY,
            '(' => {
                let language = self.union();
                assert_eq!(self.text.next(), Some(')'));
                language
            }
            letter @ 'a'..='z' => self.store.word(&[Letter(u32::from(letter) - u32::from('a'))]),
            other => panic!("unexpected {other}"),
        }
    }
}

fn read(store: &mut Languages, text: &str) -> Language {
    let mut reader = Reader { text: text.chars().peekable(), store };
    let language = reader.union();
    assert_eq!(reader.text.next(), None, "{text}");
    language
}

proptest! {
    #![proptest_config(config(400))]

    #[test]
    fn an_expression_read_back_is_the_same_language(a in spec()) {
        let mut store = Languages::new();
        let language = a.build(&mut store);
        let text = store.regex(language, &name);
        prop_assert_eq!(read(&mut store, &text), language, "{}", text);
    }

    /// What a person wrote is seldom made much longer.
    #[test]
    fn expressions_stay_short(
        a in spec().prop_filter("not written as a tree", |a| matches!(a, Spec::Tree(_)))
    ) {
        let mut store = Languages::new();
        let language = a.build(&mut store);
        let text = store.regex(language, &name);
        prop_assert!(text.chars().count() <= 120, "{}", text);
    }
}

/// What comes out for what a person would write.
fn written(text: &str) -> String {
    let mut store = Languages::new();
    let language = read(&mut store, text);
    store.regex(language, &name)
}

#[test]
fn what_a_person_would_write() {
    let same = [
        "∅", "ε", "a", "abc", "a*", "a+", "a?", "ab*", "a(ba)*", "(a|b)*", "(a|b|c)*", "a*b*",
        "(ab)*a?", "(ab)*", "(ab)+", "(ab)?", "a|b", "a|bc", "a(b|c)", "ab?", "(a|b)c", "a*b",
        "ab*c", "a*b*c*", "a+b+", "(ab*)*", "a?b?", "(a|b)*c", "c(a|b)*", "(ab|c)*", "a(bc)*",
        "aab*",
    ];
    let different: Vec<_> = same.into_iter().filter(|text| written(text) != *text).collect();
    let found: Vec<_> = different.iter().map(|text| (*text, written(text))).collect();
    assert_eq!(found, []);
}

#[test]
fn longer_ways_to_write_it() {
    let pairs = [
        ("a|ab", "ab?"),
        ("aa*", "a+"),
        ("a*a", "a+"),
        ("ε|a+", "a*"),
        ("(a?)*", "a*"),
        ("(a*b*)*", "(a|b)*"),
        ("a*|a*bb*", "a*b*"),
        ("(ab)*a", "a(ba)*"),
        ("ac|bc", "(a|b)c"),
        ("(ab)*|a(ba)*", "(ab)*a?"),
        ("a(ε|b)(b|ε)", "a(bb?)?"),
        ("a|aa|aaa", "a(aa?)?"),
    ];
    let found: Vec<_> = pairs.iter().map(|(text, _)| (*text, written(text))).collect();
    let expected: Vec<_> = pairs.iter().map(|(text, short)| (*text, short.to_string())).collect();
    assert_eq!(found, expected);
}

#[test]
fn entries_of_a_buffer() {
    let mut store = Languages::new();
    let entry = |letter: Letter| format!("(x,{})", letter.0);
    let loop_ = store.word(&[Letter(0), Letter(1)]);
    let loop_ = store.star(loop_);
    let one = store.word(&[Letter(1)]);
    let language = store.concat(one, loop_);
    assert_eq!(store.regex(language, &entry), "(x,1)((x,0)(x,1))*");
    insta::assert_snapshot!(store.dot(language, &|letter| format!("{}\"", entry(letter))), @r#"
    digraph language {
      rankdir=LR;
      node [shape=circle];
      start [shape=point];
      start -> 0;
      1 [shape=doublecircle];
      0 -> 1 [label="(x,1)\""];
      1 -> 0 [label="(x,0)\""];
    }
    "#);
}

#[test]
fn what_nobody_would_read_is_not_written() {
    let mut store = Languages::new();
    let mut edges = Vec::new();
    // A complete graph of 30 states, all letters different.
    for from in 0..30 {
        edges.extend((0..30).map(|to| (from, Letter(30 * from + to), to)));
    }
    let language = store.from_edges(&edges, &[29]);
    let text = store.regex(language, &|letter| letter.0.to_string());
    assert_eq!(text, "⟨30 states⟩");
}
