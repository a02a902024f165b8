//! Sets of words, as automata that may have several ways to read a word: what a buffer may hold.
//!
//! A letter is a store that waits, or a store fence between stores (PSO); a word is what waits, the oldest first.
//!
//! Under PSO several words are the same buffer: stores to different locations with no store fence between them may stand
//! in any order, a fence with nothing before it is none, and two in a row are one ([`taut_witness::buffer`]). A set of
//! words stands for the buffers of its words. So words may be replaced by others of the same buffers: fences are taken off
//! their beginning ([`Words::unfenced`]), and each of finitely many words may be sorted ([`Words::sorted`]).

use std::collections::{BTreeMap, BTreeSet, HashSet};

use taut_budget::tick;
use taut_proof::{BufferAutomaton, Letter};
use taut_witness::Address;

/// A store, in an order.
pub(crate) type Store = (Address, i64);

/// The most beginnings of words that are looked at to list all words.
const MOST_BEGINNINGS: usize = 1 << 13;

/// What a process sees of its own buffer: the newest store to each location. Words that agree on this cannot be told
/// apart by a step, and only the empty word has nothing.
pub(crate) type Summary = BTreeMap<Address, i64>;

/// The same buffer as a sorted word: by location between two store fences, of which no two are in a row.
pub(crate) fn normal(mut word: Vec<Letter>) -> Vec<Letter> {
    word.dedup_by(|a, b| a.is_none() && b.is_none());
    let parts = word.split_mut(Option::is_none);
    parts.for_each(|part| part.sort_by_key(|letter| letter.map(|store| store.0)));
    word
}

/// A set of words.
#[derive(Clone, Debug)]
pub(crate) struct Words {
    initial: BTreeSet<usize>,
    accepting: Vec<bool>,
    edges: Vec<Vec<(Letter, usize)>>,
}

impl Words {
    /// The words of an automaton. Under TSO a fence is nothing: it goes as soon as it stands first, and until then nobody
    /// sees it.
    pub(crate) fn of(automaton: BufferAutomaton) -> Words {
        let BufferAutomaton { accepting, edges } = automaton;
        Words { initial: BTreeSet::from([0]), accepting, edges }.unfenced()
    }

    /// The empty word alone.
    pub(crate) fn none_waiting() -> Words {
        let (accepting, edges) = (vec![true], vec![Vec::new()]);
        Words { initial: BTreeSet::from([0]), accepting, edges }
    }

    /// Whether a word is among them.
    pub(crate) fn has(&self, word: &[Letter]) -> bool {
        Words::none_waiting().followed_by(word).is_within(self)
    }

    /// Whether the empty word is among them.
    pub(crate) fn has_empty(&self) -> bool {
        self.initial.iter().any(|&state| self.accepts(state))
    }

    fn accepts(&self, state: usize) -> bool {
        self.accepting.get(state).is_some_and(|&accepts| accepts)
    }

    fn edges_from(&self, state: usize) -> &[(Letter, usize)] {
        self.edges.get(state).map_or(&[], Vec::as_slice)
    }

    /// The states after a letter.
    fn next(&self, among: &BTreeSet<usize>, letter: Letter) -> BTreeSet<usize> {
        let edges = among.iter().flat_map(|&state| self.edges_from(state));
        edges.filter(|edge| edge.0 == letter).map(|edge| edge.1).collect()
    }

    /// The words in parts, by what a process sees of them.
    pub(crate) fn parts(&self) -> Vec<(Summary, Words)> {
        // The product with what is seen: each state knows the newest stores of the words that lead to it.
        let mut pairs: Vec<(usize, Summary)> = Vec::new();
        let mut numbers: BTreeMap<(usize, Summary), usize> = BTreeMap::new();
        for &state in &self.initial {
            numbers.insert((state, Summary::new()), pairs.len());
            pairs.push((state, Summary::new()));
        }
        let initial: BTreeSet<usize> = (0..pairs.len()).collect();
        let (mut edges, mut at) = (Vec::new(), 0);
        while let Some((state, seen)) = pairs.get(at).cloned() {
            tick();
            let mut all = Vec::new();
            for &(letter, to) in self.edges_from(state) {
                let mut seen = seen.clone();
                seen.extend(letter);
                let next = pairs.len();
                let number = *numbers.entry((to, seen.clone())).or_insert(next);
                if number == next {
                    pairs.push((to, seen));
                }
                all.push((letter, number));
            }
            edges.push(all);
            at += 1;
        }
        let accepted = pairs.iter().filter(|(state, _)| self.accepts(*state));
        let summaries: BTreeSet<&Summary> = accepted.map(|(_, seen)| seen).collect();
        let part = |summary: &Summary| {
            let ends = pairs.iter().map(|(state, seen)| self.accepts(*state) && seen == summary);
            let words =
                Words { initial: initial.clone(), accepting: ends.collect(), edges: edges.clone() };
            (summary.clone(), words)
        };
        summaries.into_iter().map(part).collect()
    }

    /// Every word with some letters behind it.
    pub(crate) fn followed_by(&self, letters: &[Letter]) -> Words {
        let mut words = self.clone();
        for &letter in letters {
            let end = words.accepting.len();
            for state in 0..end {
                if words.accepting[state] {
                    words.edges[state].push((letter, end));
                }
                words.accepting[state] = false;
            }
            words.accepting.push(true);
            words.edges.push(Vec::new());
        }
        words
    }

    /// All stores of words.
    pub(crate) fn stores(&self) -> BTreeSet<Store> {
        self.edges.iter().flatten().filter_map(|&(letter, _)| letter).collect()
    }

    /// The words that a commit of a store leaves: *uv* for each word *u store v* in which *u* may be overtaken. Under TSO *u*
    /// is empty; under PSO it has no store to the same location, and no store fence.
    pub(crate) fn without(&self, store: Store, overtakes: bool) -> Words {
        // State 2s is s before the store, 2s + 1 is s behind it.
        let behind = |s: usize| {
            let own = self.edges_from(s).iter().filter(move |edge| edge.0 == Some(store));
            own.map(|edge| 2 * edge.1 + 1)
        };
        let (mut accepting, mut edges) = (Vec::new(), Vec::new());
        for s in 0..self.edges.len() {
            let mut before = Vec::new();
            for &(letter, to) in self.edges_from(s) {
                if overtakes && letter.is_some_and(|other| other.0 != store.0) {
                    before.extend(behind(to).chain([2 * to]).map(|to| (letter, to)));
                }
            }
            edges.push(before);
            edges.push(self.edges_from(s).iter().map(|edge| (edge.0, 2 * edge.1 + 1)).collect());
            accepting.extend([false, self.accepts(s)]);
        }
        let initial = self.initial.iter().flat_map(|&s| behind(s).chain([2 * s])).collect();
        Words { initial, accepting, edges }
    }

    /// The same buffers in words that begin with no store fence. A new state is where they begin, and nothing leads back.
    fn unfenced(&self) -> Words {
        let mut from = self.initial.clone();
        while !self.next(&from, None).is_subset(&from) {
            from.append(&mut self.next(&from, None));
        }
        let mut words = Words { initial: BTreeSet::from([self.accepting.len()]), ..self.clone() };
        words.accepting.push(from.iter().any(|&state| self.accepts(state)));
        let edges = from.iter().flat_map(|&state| self.edges_from(state));
        words.edges.push(edges.filter(|edge| edge.0.is_some()).copied().collect());
        words
    }

    /// The empty word, if it is among them, and the others, if there are any.
    pub(crate) fn split_empty(&self) -> Vec<Words> {
        let mut others = self.unfenced();
        let has_empty = others.accepting.last_mut().is_some_and(std::mem::take);
        let empty = has_empty.then(Words::none_waiting);
        empty.into_iter().chain(Some(others).filter(|others| !others.is_empty())).collect()
    }

    /// For each state whether some word can be read from there to its end.
    fn alive(&self) -> Vec<bool> {
        let (mut alive, mut before) = (self.accepting.clone(), Vec::new());
        while alive != before {
            before.clone_from(&alive);
            for state in (0..alive.len()).rev() {
                alive[state] |= self.edges_from(state).iter().any(|edge| alive[edge.1]);
            }
        }
        alive
    }

    /// Whether there is no word.
    pub(crate) fn is_empty(&self) -> bool {
        let alive = self.alive();
        !self.initial.iter().any(|&state| alive.get(state) == Some(&true))
    }

    /// The same buffers as sorted words ([`normal`]); none if there are too many.
    pub(crate) fn sorted(&self) -> Option<BTreeSet<Vec<Letter>>> {
        let alive = self.alive();
        let mut left: Vec<(usize, Vec<Letter>)> =
            self.initial.iter().map(|&state| (state, Vec::new())).collect();
        let mut all = BTreeSet::new();
        for _ in 0..MOST_BEGINNINGS {
            tick();
            let Some((state, word)) = left.pop() else { return Some(all) };
            // A word that is longer goes round in a circle, from which there is a way to the end.
            if word.len() > alive.len() {
                return None;
            }
            let next = self.edges_from(state).iter().filter(|edge| alive[edge.1]);
            left.extend(next.map(|edge| (edge.1, [&word[..], &[edge.0]].concat())));
            if self.accepts(state) {
                all.insert(normal(word));
            }
        }
        None
    }

    /// Whether every word is one of the others: a walk through states of the first and sets of states of the second.
    pub(crate) fn is_within(&self, others: &Words) -> bool {
        let mut seen = HashSet::new();
        let start = |&state: &usize| (state, others.initial.clone());
        let mut left: Vec<(usize, BTreeSet<usize>)> = self.initial.iter().map(start).collect();
        while let Some((state, among)) = left.pop() {
            tick();
            if !seen.insert((state, among.clone())) {
                continue;
            }
            if self.accepts(state) && !among.iter().any(|&other| others.accepts(other)) {
                return false;
            }
            for &(letter, to) in self.edges_from(state) {
                left.push((to, others.next(&among, letter)));
            }
        }
        true
    }
}

#[cfg(test)]
#[path = "../tests/unit/words.rs"]
mod tests;
