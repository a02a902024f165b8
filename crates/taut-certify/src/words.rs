//! Sets of words, as automata that may have several ways to read a word: what a buffer may hold.
//!
//! A letter is a store that waits; a word is a buffer, the oldest store first.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use taut_budget::tick;
use taut_ir::{Program, VarId};
use taut_proof::{Damaged, Reader};
use taut_witness::Address;
use taut_witness::buffer::Entry;

/// A letter, in an order.
type Letter = (Address, i64);

/// What a process sees of its own buffer: the newest store to each location. Words that agree on this cannot be told
/// apart by a step, and only the empty word has nothing.
pub(crate) type Summary = BTreeMap<Address, i64>;

/// A set of words.
#[derive(Clone, Debug)]
pub(crate) struct Words {
    initial: BTreeSet<usize>,
    accepting: Vec<bool>,
    edges: Vec<Vec<(Letter, usize)>>,
}

impl Words {
    /// Reads an automaton over the stores of a program. State 0 is where words begin.
    pub(crate) fn read(program: &Program, input: &mut Reader<'_>) -> Result<Words, Damaged> {
        let states = input.count()?;
        let (mut accepting, mut edges) = (Vec::new(), Vec::new());
        for _ in 0..states {
            accepting.push(input.below(2, "answer")? == 1);
            let mut all = Vec::new();
            for _ in 0..input.count()? {
                let var = input.below(program.vars.len(), "variable")?;
                let variable = &program.vars[var];
                let index = input.below(variable.size() as usize, "element")? as u32;
                let value = input.signed()?;
                if !variable.ty.contains(value) {
                    return Err("a value in a buffer is not of its type".into());
                }
                let address = Address { var: VarId::from(var), index };
                all.push(((address, value), input.below(states, "automaton state")?));
            }
            edges.push(all);
        }
        Ok(Words { initial: BTreeSet::from([0]), accepting, edges })
    }

    /// The empty word alone.
    pub(crate) fn none_waiting() -> Words {
        let (accepting, edges) = (vec![true], vec![Vec::new()]);
        Words { initial: BTreeSet::from([0]), accepting, edges }
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
                seen.insert(letter.0, letter.1);
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

    /// Every word with some stores behind it.
    pub(crate) fn followed_by(&self, stores: &[Entry]) -> Words {
        let mut words = self.clone();
        for store in stores {
            let end = words.accepting.len();
            for state in 0..end {
                if words.accepting[state] {
                    words.edges[state].push(((store.address, store.value), end));
                }
                words.accepting[state] = false;
            }
            words.accepting.push(true);
            words.edges.push(Vec::new());
        }
        words
    }

    /// The first letters of words.
    pub(crate) fn firsts(&self) -> BTreeSet<Letter> {
        let from = self.initial.iter().flat_map(|&state| self.edges_from(state));
        from.map(|&(letter, _)| letter).collect()
    }

    /// What follows a first letter.
    pub(crate) fn after(&self, letter: Letter) -> Words {
        let from = self.initial.iter().flat_map(|&state| self.edges_from(state));
        let initial = from.filter(|(other, _)| *other == letter).map(|&(_, to)| to).collect();
        Words { initial, ..self.clone() }
    }

    /// The empty word, if it is among them, and the others, if there are any.
    pub(crate) fn split_empty(&self) -> Vec<Words> {
        let empty = Words::none_waiting();
        // A new state that has the edges of the initial ones, and is not accepting.
        let mut others = self.clone();
        let start = others.accepting.len();
        let from = self.initial.iter().flat_map(|&state| self.edges_from(state));
        others.edges.push(from.copied().collect());
        others.accepting.push(false);
        others.initial = BTreeSet::from([start]);
        let mut all = Vec::new();
        all.extend(self.has_empty().then_some(empty));
        all.extend(Some(others).filter(|others| !others.is_empty()));
        all
    }

    /// Whether there is no word.
    pub(crate) fn is_empty(&self) -> bool {
        let mut seen: BTreeSet<usize> = self.initial.clone();
        let mut left: Vec<usize> = seen.iter().copied().collect();
        while let Some(state) = left.pop() {
            if self.accepts(state) {
                return false;
            }
            left.extend(self.edges_from(state).iter().map(|e| e.1).filter(|&to| seen.insert(to)));
        }
        true
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
                let from = among.iter().flat_map(|&other| others.edges_from(other));
                let next = from.filter(|(other, _)| *other == letter).map(|&(_, to)| to);
                left.push((to, next.collect()));
            }
        }
        true
    }
}

#[cfg(test)]
#[path = "../tests/unit/words.rs"]
mod tests;
