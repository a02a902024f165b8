//! Random languages with a membership test of their own, which knows nothing of the crate's
//! automata.

use std::collections::BTreeSet;

use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use taut_automata::{Language, Languages, Letter};

/// Letters of the random languages: 0, 1 and 2.
pub const LETTERS: u32 = 3;

/// The same cases in every run.
pub fn config(cases: u32) -> ProptestConfig {
    ProptestConfig {
        cases,
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(5),
        ..ProptestConfig::default()
    }
}

/// A language, as a graph or as an expression.
#[derive(Clone, Debug)]
pub enum Spec {
    Graph(Graph),
    Tree(Tree),
}

/// A deterministic automaton: for each state whether it accepts, and where each letter leads.
#[derive(Clone, Debug)]
pub struct Graph {
    pub states: Vec<(bool, Vec<Option<usize>>)>,
}

/// A regular expression.
#[derive(Clone, Debug)]
pub enum Tree {
    Empty,
    Epsilon,
    Letter(u32),
    Union(Box<Tree>, Box<Tree>),
    Concat(Box<Tree>, Box<Tree>),
    Star(Box<Tree>),
}

impl Spec {
    /// Whether the word is in the language, from the definition.
    pub fn accepts(&self, word: &[Letter]) -> bool {
        match self {
            Spec::Graph(graph) => graph.accepts(word),
            Spec::Tree(tree) => tree.ends(word, 0).contains(&word.len()),
        }
    }

    /// The language in the store.
    pub fn build(&self, store: &mut Languages) -> Language {
        match self {
            Spec::Graph(graph) => graph.build(store),
            Spec::Tree(tree) => tree.build(store),
        }
    }
}

impl Graph {
    pub fn accepts(&self, word: &[Letter]) -> bool {
        let step = |state: usize, letter: &Letter| self.states[state].1[letter.0 as usize];
        word.iter().try_fold(0, step).is_some_and(|state| self.states[state].0)
    }

    pub fn build(&self, store: &mut Languages) -> Language {
        let mut edges = Vec::new();
        let mut accepting = Vec::new();
        for (from, (accepts, next)) in self.states.iter().enumerate() {
            accepting.extend(accepts.then_some(from as u32));
            for (letter, to) in next.iter().enumerate() {
                let edge = to.map(|to| (from as u32, Letter(letter as u32), to as u32));
                edges.extend(edge);
            }
        }
        store.from_edges(&edges, &accepting)
    }
}

impl Tree {
    /// Where a match that begins at `from` can end.
    fn ends(&self, word: &[Letter], from: usize) -> BTreeSet<usize> {
        match self {
            Tree::Empty => BTreeSet::new(),
            Tree::Epsilon => BTreeSet::from([from]),
            Tree::Letter(letter) if word.get(from) == Some(&Letter(*letter)) => {
                BTreeSet::from([from + 1])
            }
            Tree::Letter(_) => BTreeSet::new(),
            Tree::Union(one, other) => &one.ends(word, from) | &other.ends(word, from),
            Tree::Concat(one, other) => {
                one.ends(word, from).into_iter().flat_map(|at| other.ends(word, at)).collect()
            }
            Tree::Star(body) => {
                let (mut ends, mut work) = (BTreeSet::from([from]), vec![from]);
                while let Some(at) = work.pop() {
                    let new = body.ends(word, at);
                    work.extend(new.iter().filter(|end| ends.insert(**end)));
                }
                ends
            }
        }
    }

    fn build(&self, store: &mut Languages) -> Language {
        match self {
            Tree::Empty => Language::EMPTY,
            Tree::Epsilon => Language::EPSILON,
            Tree::Letter(letter) => store.word(&[Letter(*letter)]),
            Tree::Union(one, other) => {
                let (one, other) = (one.build(store), other.build(store));
                store.union(one, other)
            }
            Tree::Concat(one, other) => {
                let (one, other) = (one.build(store), other.build(store));
                store.concat(one, other)
            }
            Tree::Star(body) => {
                let body = body.build(store);
                store.star(body)
            }
        }
    }
}

/// Random graphs with at most this many states and letters.
pub fn graph(states: usize, letters: u32) -> BoxedStrategy<Graph> {
    (1..=states)
        .prop_flat_map(move |count| {
            // Three of four edges are there: languages are neither mostly empty nor mostly everything.
            let edge = prop_oneof![1 => Just(None), 3 => (0..count).prop_map(Some)];
            let state = (any::<bool>(), prop::collection::vec(edge, letters as usize));
            prop::collection::vec(state, count).prop_map(|states| Graph { states })
        })
        .boxed()
}

fn tree() -> BoxedStrategy<Tree> {
    let leaf = prop_oneof![
        1 => Just(Tree::Empty),
        2 => Just(Tree::Epsilon),
        9 => (0..LETTERS).prop_map(Tree::Letter),
    ];
    leaf.prop_recursive(4, 16, 2, |inner| {
        let pair = (inner.clone(), inner.clone());
        prop_oneof![
            2 => pair.clone().prop_map(|(a, b)| Tree::Union(Box::new(a), Box::new(b))),
            3 => pair.prop_map(|(a, b)| Tree::Concat(Box::new(a), Box::new(b))),
            1 => inner.prop_map(|a| Tree::Star(Box::new(a))),
        ]
    })
    .boxed()
}

/// Random languages over three letters.
pub fn spec() -> BoxedStrategy<Spec> {
    prop_oneof![graph(5, LETTERS).prop_map(Spec::Graph), tree().prop_map(Spec::Tree)].boxed()
}

/// A random set of letters, as a predicate is given in the tests.
pub fn letter_set() -> BoxedStrategy<Vec<bool>> {
    prop::collection::vec(any::<bool>(), LETTERS as usize).boxed()
}

/// A random word of at most `length` letters.
pub fn word(length: usize) -> BoxedStrategy<Vec<Letter>> {
    prop::collection::vec((0..LETTERS).prop_map(Letter), 0..=length).boxed()
}

/// Whether a letter is in a set.
pub fn has(set: &[bool], letter: Letter) -> bool {
    set[letter.0 as usize]
}

/// All words of at most `length` letters over the first `letters`: shortest first, then least.
pub fn all_words(length: usize, letters: u32) -> Vec<Vec<Letter>> {
    let mut words = vec![Vec::new()];
    let mut level = 0;
    for _ in 0..length {
        let end = words.len();
        for at in level..end {
            for letter in 0..letters {
                let mut longer: Vec<Letter> = words[at].clone();
                longer.push(Letter(letter));
                words.push(longer);
            }
        }
        level = end;
    }
    words
}
