//! Smaller automata for the same words.
//!
//! Every function here keeps the language. States that no accepting run goes through go; marks that
//! decide nothing go; states that can do the same, or are reached in the same ways, are joined;
//! edges that a better edge covers go. Each may give the others something to do, so all are
//! repeated until nothing gets smaller.
//!
//! Marks of edges between components do not matter, and which ones are best depends: with all marks
//! such an edge can answer any other in a simulation, with none it is easily answered. Both are
//! tried in turn.

mod merge;
mod sets;
mod simulation;
mod trim;

pub(crate) use sets::needed;
pub(crate) use trim::Components;

use crate::automaton::Automaton;
use merge::{drop_dominated, merge_edges, sharpen};
use sets::{Idle, tidy_sets, tidy_states};
use simulation::{Simulation, quotient, same_edges};
use trim::{renumber, trim};

impl Automaton {
    /// An equivalent automaton in which no rule of this module finds anything to do.
    pub fn simplified(mut self) -> Automaton {
        self.repeat(&|automaton| {
            for idle in [Idle::All, Idle::None] {
                trim(automaton);
                tidy_sets(automaton, idle);
                merge_edges(automaton);
                automaton.join_forwards();
                automaton.join_backwards(|_, _| true);
            }
        });
        self
    }

    /// The same for an automaton with marks on states, which it keeps there.
    pub(crate) fn with_simpler_states(mut self) -> Automaton {
        self.repeat(&|automaton| {
            for idle in [Idle::All, Idle::None] {
                trim(automaton);
                tidy_states(automaton, idle);
                merge_edges(automaton);
                automaton.join_forwards();
                let marks: Vec<Option<u64>> = automaton.states.iter().map(mark).collect();
                automaton.join_backwards(|s, t| marks[s] == marks[t]);
            }
        });
        self
    }

    /// Repeats a step until nothing gets smaller, then sharpens the edges, which may let states be
    /// joined that could not be, and so on.
    fn repeat(&mut self, step: &dyn Fn(&mut Automaton)) {
        loop {
            let before = self.weight();
            while self.shrinks(step) {}
            self.sharpen_edges();
            if self.weight() >= before {
                return;
            }
        }
    }

    fn shrinks(&mut self, step: &dyn Fn(&mut Automaton)) -> bool {
        let before = self.weight();
        step(self);
        self.weight() < before
    }

    fn sharpen_edges(&mut self) {
        match Simulation::forwards(self) {
            Some(simulation) => sharpen(self, |s, t| simulation.holds(s, t)),
            None => sharpen(self, |s, t| s == t),
        }
        renumber(self);
    }

    pub(crate) fn weight(&self) -> (usize, usize, u32) {
        (self.states.len(), self.edges(), self.sets)
    }

    fn join_forwards(&mut self) {
        let Some(simulation) = Simulation::forwards(self) else {
            let representatives = same_edges(self);
            quotient(self, &representatives);
            renumber(self);
            return merge_edges(self);
        };
        let representatives = simulation.representatives();
        quotient(self, &representatives);
        merge_edges(self);
        drop_dominated(self, |s, t| simulation.holds(s, t));
        renumber(self);
    }

    fn join_backwards(&mut self, compatible: impl Fn(usize, usize) -> bool) {
        let Some(simulation) = Simulation::backwards(self, compatible) else { return };
        quotient(self, &simulation.representatives());
        renumber(self);
        merge_edges(self);
    }
}

/// The marks of a state with marks on states.
fn mark(state: &crate::automaton::State) -> Option<u64> {
    state.edges.first().map(|edge| edge.accepts)
}
