//! Union, intersection and difference: walks over pairs of states.

use crate::automaton::{Automaton, Letter};
use crate::explore::{Deterministic, explore};
use crate::store::{Language, Languages, Operation};

impl Languages {
    /// The words of one or of the other.
    pub fn union(&mut self, one: Language, other: Language) -> Language {
        match (one.min(other), one.max(other)) {
            (Language::EMPTY, other) => other,
            (one, other) if one == other => one,
            (one, other) => self.pairs(Operation::Union, one, other),
        }
    }

    /// The words of both.
    pub fn intersection(&mut self, one: Language, other: Language) -> Language {
        match (one.min(other), one.max(other)) {
            (Language::EMPTY, _) => Language::EMPTY,
            (one, other) if one == other => one,
            (one, other) => self.pairs(Operation::Intersection, one, other),
        }
    }

    /// The words of the first that are not in the second.
    pub fn difference(&mut self, from: Language, without: Language) -> Language {
        if from == without {
            return Language::EMPTY;
        }
        if from == Language::EMPTY || without == Language::EMPTY {
            return from;
        }
        self.pairs(Operation::Difference, from, without)
    }

    fn pairs(&mut self, operation: Operation, left: Language, right: Language) -> Language {
        self.remember((operation, left.0, right.0), |store| {
            let (left, right) = (store.automaton(left), store.automaton(right));
            explore(&Pairs { operation, left, right }, store.limit())
        })
    }
}

/// The side of a pair that has left its language: no word leads back.
const LOST: u32 = u32::MAX;

/// Both automata reading the same word. Pairs from which nothing can be accepted are left out
/// early.
struct Pairs<'a> {
    operation: Operation,
    left: &'a Automaton,
    right: &'a Automaton,
}

impl Pairs<'_> {
    fn hopeless(&self, left: u32, right: u32) -> bool {
        match self.operation {
            Operation::Intersection => left == LOST || right == LOST,
            Operation::Difference => left == LOST,
            _ => left == LOST && right == LOST,
        }
    }
}

impl Deterministic for Pairs<'_> {
    type State = (u32, u32);

    fn start(&self) -> (u32, u32) {
        (0, 0)
    }

    fn accepts(&self, &(left, right): &(u32, u32)) -> bool {
        let left = left != LOST && self.left.accepts(left);
        let right = right != LOST && self.right.accepts(right);
        match self.operation {
            Operation::Intersection => left && right,
            Operation::Difference => left && !right,
            _ => left || right,
        }
    }

    fn edges(&self, &(left, right): &(u32, u32), out: &mut Vec<(Letter, (u32, u32))>) {
        let left = edges_of(self.left, left);
        let right = edges_of(self.right, right);
        merge(left, right, |letter, to_left, to_right| {
            if !self.hopeless(to_left, to_right) {
                out.push((letter, (to_left, to_right)));
            }
        });
    }
}

fn edges_of(automaton: &Automaton, state: u32) -> &[(Letter, u32)] {
    if state == LOST { &[] } else { automaton.edges_from(state) }
}

/// Goes through two sorted lists of edges at once, letter by letter.
fn merge(
    mut left: &[(Letter, u32)],
    mut right: &[(Letter, u32)],
    mut out: impl FnMut(Letter, u32, u32),
) {
    loop {
        let letter = match (left.first(), right.first()) {
            (Some(one), Some(other)) => one.0.min(other.0),
            (Some(one), None) | (None, Some(one)) => one.0,
            (None, None) => return,
        };
        let to_left = take(&mut left, letter);
        let to_right = take(&mut right, letter);
        out(letter, to_left, to_right);
    }
}

/// Takes the first edge if it has this letter.
fn take(edges: &mut &[(Letter, u32)], letter: Letter) -> u32 {
    match edges.split_first() {
        Some((&(first, to), rest)) if first == letter => {
            *edges = rest;
            to
        }
        _ => LOST,
    }
}
