//! Letters, tables of deterministic steps, and canonical automata.

use std::collections::HashSet;
use std::mem::size_of;

/// A letter of the alphabet: one entry of a buffer. What it means is the user's affair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Letter(pub u32);

/// A deterministic automaton in its canonical form: minimal, without a dead state, numbered
/// breadth-first.
///
/// Invariants: state 0 is the start; every state is reached from it, and from every state an
/// accepting one is reached, but for state 0 of the empty language; no two states accept the same
/// language; the edges of a state are sorted by letter, one for each letter at most. The module
/// documentation of the crate says why equal languages therefore have equal automata.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct Automaton {
    accepting: Box<[bool]>,
    /// The edges of state `s` are `edges[first[s]..first[s + 1]]`.
    first: Box<[u32]>,
    edges: Box<[(Letter, u32)]>,
}

impl Automaton {
    /// How many states it has: at least one.
    pub fn states(&self) -> usize {
        self.accepting.len()
    }

    /// Whether a word that ends in `state` is in the language.
    pub fn accepts(&self, state: u32) -> bool {
        self.accepting[state as usize]
    }

    /// The edges that leave `state`, by letter, with the states they lead to.
    pub fn edges_from(&self, state: u32) -> &[(Letter, u32)] {
        let state = state as usize;
        &self.edges[self.first[state] as usize..self.first[state + 1] as usize]
    }

    /// All edges (from, letter, to), sorted.
    pub fn edges(&self) -> impl Iterator<Item = (u32, Letter, u32)> + '_ {
        (0..self.states() as u32).flat_map(|from| {
            self.edges_from(from).iter().map(move |&(letter, to)| (from, letter, to))
        })
    }

    /// Where `letter` leads from `state`, if any word in the language goes on like that.
    pub fn next(&self, state: u32, letter: Letter) -> Option<u32> {
        let edges = self.edges_from(state);
        edges.binary_search_by_key(&letter, |edge| edge.0).ok().map(|at| edges[at].1)
    }

    /// Whether the invariants hold, as far as one walk can tell: numbers are breadth-first along sorted edges, every state
    /// leads to an accepting one, and no two states have the same edges and the same answer. (That no two accept the same
    /// language is what minimisation proves.)
    pub(crate) fn is_canonical(&self) -> bool {
        let mut next = 1;
        let mut known = HashSet::new();
        for state in 0..self.states() as u32 {
            let edges = self.edges_from(state);
            for &(_, to) in edges {
                // A new state has the next number.
                if to > next {
                    return false;
                }
                next += u32::from(to == next);
            }
            let is_new = known.insert((self.accepts(state), edges));
            if !is_new || !edges.is_sorted_by_key(|&(letter, _)| letter) {
                return false;
            }
        }
        next as usize == self.states() && self.has_no_dead_state()
    }

    /// Whether every state leads to an accepting one, but for the state of the empty language.
    fn has_no_dead_state(&self) -> bool {
        let mut alive = self.accepting.to_vec();
        let mut is_done = false;
        while !is_done {
            is_done = true;
            // Most edges lead to larger numbers, so one round from the last state down finds nearly all.
            for from in (0..self.states()).rev().filter(|&from| !alive[from]).collect::<Vec<_>>() {
                let leads_on = |&(_, to): &(Letter, u32)| alive[to as usize];
                if self.edges_from(from as u32).iter().any(leads_on) {
                    (alive[from], is_done) = (true, false);
                }
            }
        }
        self.states() == 1 || alive.into_iter().all(|is_alive| is_alive)
    }

    /// The memory it holds, approximately.
    pub(crate) fn bytes(&self) -> u64 {
        let tables = size_of::<bool>() * self.accepting.len()
            + size_of::<u32>() * self.first.len()
            + size_of::<(Letter, u32)>() * self.edges.len();
        (size_of::<Self>() + tables) as u64
    }

    /// The same edges and states as a table, to be worked on.
    pub(crate) fn to_table(&self) -> Table {
        Table {
            accepting: self.accepting.to_vec(),
            first: self.first[..self.states()].to_vec(),
            edges: self.edges.to_vec(),
        }
    }
}

/// A deterministic automaton that need not be canonical: states are numbered from the start, 0, in
/// any order.
///
/// States are opened one after the other, each followed by its edges, sorted by letter.
#[derive(Clone, Default)]
pub(crate) struct Table {
    accepting: Vec<bool>,
    first: Vec<u32>,
    edges: Vec<(Letter, u32)>,
}

impl Table {
    /// Starts the next state.
    pub(crate) fn open(&mut self, accepting: bool) {
        self.accepting.push(accepting);
        self.first.push(self.edges.len() as u32);
    }

    /// Adds an edge to the state opened last. Letters must come in increasing order.
    pub(crate) fn edge(&mut self, letter: Letter, to: u32) {
        debug_assert!(self.last_letter().is_none_or(|last| last < letter), "edges are sorted");
        self.edges.push((letter, to));
    }

    fn last_letter(&self) -> Option<Letter> {
        let from = *self.first.last()? as usize;
        self.edges[from..].last().map(|edge| edge.0)
    }

    pub(crate) fn states(&self) -> usize {
        self.accepting.len()
    }

    pub(crate) fn accepts(&self, state: u32) -> bool {
        self.accepting[state as usize]
    }

    pub(crate) fn edges_from(&self, state: u32) -> &[(Letter, u32)] {
        let state = state as usize;
        let end = self.first.get(state + 1).map_or(self.edges.len(), |&end| end as usize);
        &self.edges[self.first[state] as usize..end]
    }

    pub(crate) fn edges(&self) -> impl Iterator<Item = (u32, Letter, u32)> + '_ {
        (0..self.states() as u32).flat_map(|from| {
            self.edges_from(from).iter().map(move |&(letter, to)| (from, letter, to))
        })
    }

    /// Declares the table canonical. Only for those who know that it is.
    pub(crate) fn into_canonical(mut self) -> Automaton {
        self.first.push(self.edges.len() as u32);
        Automaton {
            accepting: self.accepting.into(),
            first: self.first.into(),
            edges: self.edges.into(),
        }
    }
}
