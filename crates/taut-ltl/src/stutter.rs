//! Whether an automaton can tell how often a letter is repeated.
//!
//! A language is *stutter invariant* if repeating letters of a word, or leaving repetitions out, does not
//! change whether the word is in it. Formulas without `X` have such languages (Lamport 1983); automata that
//! come from elsewhere have to be looked at. Deciding it exactly needs the complement of the automaton. What
//! is checked here is easy to see and true of what translations of formulas without `X` usually give:
//!
//! - *A letter may be repeated*: whoever goes from q to r over a letter can stay in q or in r over it.
//! - *A repetition may be left out*: whoever goes from q to r and on to s over the same letter can go from q to
//!   s at once. If q and s are in one component, which a run may go through for ever, that edge must be in every
//!   set that the two are in; between components a run passes finitely often, and no mark is missed.

use crate::automaton::{Automaton, Edge, State};
use crate::scc::components;

/// The most atoms for which all letters are tried.
const MOST_ATOMS: usize = 10;
/// The most states for which that is done.
const MOST_STATES: usize = 1_000;

impl Automaton {
    /// Whether it is easy to see that the automaton cannot tell how often a letter is repeated. If not, it
    /// may still be so.
    pub fn is_stutter_invariant(&self) -> bool {
        if self.atoms > MOST_ATOMS || self.states.len() > MOST_STATES {
            return false;
        }
        let targets = |state: &State| state.edges.iter().map(|edge| edge.target).collect();
        let successors: Vec<Vec<u32>> = self.states.iter().map(targets).collect();
        let (component, _) = components(&successors);
        (0..1_u64 << self.atoms).all(|letter| {
            (0..self.states.len() as u32).all(|state| {
                self.over(state, letter).all(|edge| {
                    self.may_repeat(state, edge, letter)
                        && self.may_leave_out(state, edge, letter, &component)
                })
            })
        })
    }

    /// The edges that leave a state over a letter.
    fn over(&self, state: u32, letter: u64) -> impl Iterator<Item = &Edge> {
        let edges = self.states[state as usize].edges.iter();
        edges.filter(move |edge| edge.guard.is_satisfied(letter))
    }

    fn may_repeat(&self, state: u32, edge: &Edge, letter: u64) -> bool {
        let stays = |at: u32| self.over(at, letter).any(|loops| loops.target == at);
        stays(state) || stays(edge.target)
    }

    fn may_leave_out(&self, state: u32, edge: &Edge, letter: u64, component: &[u32]) -> bool {
        self.over(edge.target, letter).all(|second| {
            let same = component[state as usize] == component[second.target as usize];
            let marks = if same { edge.accepts | second.accepts } else { 0 };
            let replaces = |e: &Edge| e.target == second.target && e.accepts & marks == marks;
            self.over(state, letter).any(replaces)
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::{Automaton, parse};

    fn of(text: &str) -> Automaton {
        let parsed = parse(text).expect("a formula");
        Automaton::of(&parsed.formula, parsed.atoms.len()).expect("an automaton")
    }

    #[test]
    fn what_counts_letters_is_not_invariant() {
        for text in ["X p", "p && X !p", "<> (p && X p)", "[] (p -> X q)"] {
            assert!(!of(text).is_stutter_invariant(), "{text}");
        }
    }

    #[test]
    fn common_formulas_are_invariant() {
        for text in
            ["<> p", "[] p", "[] <> p", "<> [] p", "[] (p -> <> q)", "p U q", "<> (p && [] !q)"]
        {
            assert!(of(text).is_stutter_invariant(), "{text}");
            assert!(of(&format!("!({text})")).is_stutter_invariant(), "!({text})");
        }
    }
}
