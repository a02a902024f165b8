//! What to look for, how far to go, and what came of it.

use taut_explicit::{Exploration, Limits};
use taut_ir::{Finding, ProcId};

use crate::graph::Graph;

/// What to look for and how far to go.
#[derive(Clone, Debug)]
pub struct SymbolicOptions {
    /// Go on after the first finding until the first of every kind is found.
    pub all: bool,
    /// Look for deadlocks.
    pub deadlock: bool,
    /// What is not asked: such findings are passed over and end no search. Of faults, one stands for all.
    pub unasked: Vec<Finding>,
    /// End as soon as a spawn finds no process to start.
    pub spawn_all: bool,
    /// Leave out transitions that only change the order of independent ones.
    pub sleep_sets: bool,
    /// Let a process whose steps nobody can tell take them before anything else happens.
    pub ample_sets: bool,
    /// States whose buffer languages need more automaton states than this are not looked at further.
    pub largest_language: usize,
    /// Keep the graph of symbolic states.
    pub graph: bool,
    /// How far to go.
    pub limits: Limits,
}

impl SymbolicOptions {
    /// The size of a language beyond which a program is taken for one on which the method does not
    /// converge.
    pub const LARGEST_LANGUAGE: usize = 48;
}

impl Default for SymbolicOptions {
    fn default() -> SymbolicOptions {
        SymbolicOptions {
            all: false,
            deadlock: true,
            unasked: Vec::new(),
            spawn_all: false,
            sleep_sets: true,
            ample_sets: true,
            largest_language: SymbolicOptions::LARGEST_LANGUAGE,
            graph: false,
            limits: Limits::default(),
        }
    }
}

/// Counts of one symbolic search, beside those of every search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SymbolicCounts {
    /// States that were come to, kept or not.
    pub visited: u64,
    /// States that were dropped because a kept one includes them.
    pub included: u64,
    /// Accelerations.
    pub accelerated: u64,
    /// Automata that were built.
    pub automata: u64,
    /// Automaton states of the largest language of any kept state.
    pub largest: u64,
}

/// A language that kept growing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diverging {
    /// Whose buffer.
    pub process: ProcId,
    /// What it may hold, as a regular expression, where the search gave up.
    pub language: String,
}

/// The result of a symbolic search.
#[derive(Clone, Debug)]
pub struct SymbolicSearch {
    /// What every search results in.
    pub exploration: Exploration,
    /// More counts.
    pub counts: SymbolicCounts,
    /// If the method did not converge, a language that kept growing.
    pub growing: Option<Diverging>,
    /// The graph, if it was asked for.
    pub graph: Option<Graph>,
}
