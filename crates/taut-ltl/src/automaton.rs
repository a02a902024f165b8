//! Büchi automata with generalised, transition-based acceptance.
//!
//! An automaton reads a run state by state. An edge can be taken if its guard holds of the atoms
//! *in the current state*. A run of the automaton accepts if it takes edges of **every** acceptance
//! set infinitely often; with no sets, every infinite run accepts. Marks on edges rather than
//! states, and several sets rather than one, give smaller automata: `[] <> p && [] <> q` needs one
//! state (Couvreur, "On-the-fly verification of linear temporal logic", FM 1999).

use std::fmt;

use crate::guard::Guard;

/// The largest number of atoms, and of acceptance sets: both are bits of a word.
pub const MOST_BITS: usize = 64;

/// A Büchi automaton.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Automaton {
    /// How many atoms the guards may speak of, at most 64.
    pub atoms: usize,
    /// The states.
    pub states: Vec<State>,
    /// Where runs may begin, usually one state.
    pub initial: Vec<u32>,
    /// The number of acceptance sets, at most 64. With none every infinite run accepts.
    pub sets: u32,
    /// What it is called, often the formula it was made of.
    pub name: Option<String>,
}

/// A state: what can be done in it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct State {
    /// The edges that leave it.
    pub edges: Vec<Edge>,
    /// What it is called.
    pub name: Option<String>,
}

/// An edge.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Edge {
    /// What the atoms must satisfy.
    pub guard: Guard,
    /// Where it leads.
    pub target: u32,
    /// Bit *i*: the edge is in acceptance set *i*.
    pub accepts: u64,
}

/// A formula or an automaton that is too large to be handled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TooLarge {
    message: String,
}

impl TooLarge {
    pub(crate) fn new(message: impl Into<String>) -> TooLarge {
        TooLarge { message: message.into() }
    }

    /// What is too large, and what the limit is.
    pub fn message(&self) -> &str {
        &self.message
    }
}

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for TooLarge {}

impl Automaton {
    /// The marks of an edge that is in every set.
    pub fn all_sets(&self) -> u64 {
        if self.sets >= 64 { u64::MAX } else { (1 << self.sets) - 1 }
    }

    /// The number of edges.
    pub fn edges(&self) -> usize {
        self.states.iter().map(|state| state.edges.len()).sum()
    }

    /// Whether acceptance can be told from the states: all edges that leave a state carry the same
    /// marks.
    pub fn is_state_based(&self) -> bool {
        let same = |state: &State| state.edges.windows(2).all(|w| w[0].accepts == w[1].accepts);
        self.states.iter().all(same)
    }

    /// States from which every word is accepted. Reaching one decides the run: a finished prefix.
    ///
    /// A state is found if it belongs to a set of states that can always read on inside the set,
    /// whatever the valuation, over edges in every acceptance set. That finds every universal state
    /// of an automaton made by [`Automaton::of`] from a formula whose truth a prefix can decide and
    /// that was simplified; in general it finds some.
    pub fn universal(&self) -> Vec<bool> {
        let all = self.all_sets();
        let mut inside = vec![true; self.states.len()];
        loop {
            let stays = |edge: &&Edge| edge.accepts & all == all && inside[edge.target as usize];
            let total = |state: &State| {
                let edges = state.edges.iter().filter(stays);
                let cubes: Vec<_> = edges.flat_map(|e| &e.guard.cubes).copied().collect();
                crate::guard::Cube::TRUE.is_covered(&cubes)
            };
            let next: Vec<bool> = self.states.iter().map(total).collect();
            let next: Vec<bool> = next.iter().zip(&inside).map(|(a, b)| *a && *b).collect();
            if next == inside {
                return inside;
            }
            inside = next;
        }
    }
}
