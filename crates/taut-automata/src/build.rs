//! Languages from words, from alphabets, and from edges.

use crate::automaton::{Letter, Table};
use crate::determinise::{Nondeterministic, determinise};
use crate::explore::{Deterministic, explore};
use crate::store::{Language, Languages};

impl Languages {
    /// The language of one word. The limit does not apply.
    pub fn word(&mut self, word: &[Letter]) -> Language {
        let mut table = Table::default();
        for (at, &letter) in word.iter().enumerate() {
            table.open(false);
            table.edge(letter, at as u32 + 1);
        }
        table.open(true);
        // Each state accepts one word, of a length of its own: nothing to merge, and numbered in
        // order.
        self.intern(table.into_canonical())
    }

    /// The language of these words. The limit does not apply.
    pub fn finite(&mut self, words: &[Vec<Letter>]) -> Language {
        let mut words: Vec<&[Letter]> = words.iter().map(Vec::as_slice).collect();
        words.sort_unstable();
        let table = explore(&Trie { words }, usize::MAX);
        self.settle(table)
    }

    /// The language of all words over an alphabet.
    pub fn all_words(&mut self, alphabet: &[Letter]) -> Language {
        let mut letters = alphabet.to_vec();
        letters.sort_unstable();
        letters.dedup();
        let mut table = Table::default();
        table.open(true);
        for letter in letters {
            table.edge(letter, 0);
        }
        self.intern(table.into_canonical())
    }

    /// The language of a nondeterministic automaton: its edges (from, letter, to), the start 0, and
    /// the accepting states. Numbers of states need not be consecutive.
    pub fn from_edges(&mut self, edges: &[(u32, Letter, u32)], accepting: &[u32]) -> Language {
        let mut graph = Graph { edges: edges.to_vec(), accepting: accepting.to_vec() };
        graph.edges.sort_unstable();
        graph.accepting.sort_unstable();
        let table = determinise(&graph, self.limit());
        self.settle(table)
    }
}

/// Sorted words. A state is a range of words that begin with the same `depth` letters.
struct Trie<'a> {
    words: Vec<&'a [Letter]>,
}

#[derive(Clone, PartialEq, Eq, Hash)]
struct Prefix {
    from: usize,
    to: usize,
    depth: usize,
}

impl Deterministic for Trie<'_> {
    type State = Prefix;

    fn start(&self) -> Prefix {
        Prefix { from: 0, to: self.words.len(), depth: 0 }
    }

    fn accepts(&self, state: &Prefix) -> bool {
        // The shortest word of the range comes first.
        self.words[state.from..state.to].first().is_some_and(|word| word.len() == state.depth)
    }

    fn edges(&self, state: &Prefix, out: &mut Vec<(Letter, Prefix)>) {
        let letter = |word: &[Letter]| word.get(state.depth).copied();
        let mut from = state.from;
        for group in self.words[state.from..state.to].chunk_by(|a, b| letter(a) == letter(b)) {
            let to = from + group.len();
            if let Some(letter) = letter(group[0]) {
                out.push((letter, Prefix { from, to, depth: state.depth + 1 }));
            }
            from = to;
        }
    }
}

/// A graph given by its edges, sorted.
struct Graph {
    edges: Vec<(u32, Letter, u32)>,
    accepting: Vec<u32>,
}

impl Nondeterministic for Graph {
    fn starts(&self) -> Vec<u32> {
        vec![0]
    }

    fn accepts(&self, state: u32) -> bool {
        self.accepting.binary_search(&state).is_ok()
    }

    fn edges(&self, state: u32, out: &mut dyn FnMut(Letter, u32)) {
        let first = self.edges.partition_point(|edge| edge.0 < state);
        for &(_, letter, to) in self.edges[first..].iter().take_while(|edge| edge.0 == state) {
            out(letter, to);
        }
    }
}
