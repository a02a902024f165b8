//! Whether an automaton accepts an ultimately periodic word.

use crate::automaton::Automaton;
use crate::scc::components;

impl Automaton {
    /// Acceptance of an ultimately periodic word: the valuations of the stem, then those of the
    /// cycle for ever.
    ///
    /// The automaton and the lasso are multiplied; the word is accepted if a component of the
    /// product that can be reached has edges of every acceptance set.
    ///
    /// # Panics
    /// If the cycle is empty: that is not a word.
    pub fn accepts(&self, stem: &[u64], cycle: &[u64]) -> bool {
        assert!(!cycle.is_empty(), "a lasso has a cycle");
        let product = Product::new(self, &[stem, cycle].concat(), stem.len());
        let (component, count) = components(&product.successors);
        let mut marks: Vec<Option<u64>> = vec![None; count as usize];
        for (from, to, accepts) in product.edges() {
            if component[from] == component[to] {
                *marks[component[from] as usize].get_or_insert(0) |= accepts;
            }
        }
        let all = self.all_sets();
        marks.iter().any(|m| m.is_some_and(|m| m & all == all))
    }
}

/// The part of the product that can be reached; nodes are numbered as they are met.
struct Product {
    successors: Vec<Vec<u32>>,
    marks: Vec<Vec<u64>>,
}

impl Product {
    fn new(automaton: &Automaton, word: &[u64], entry: usize) -> Product {
        let states = automaton.states.len();
        let mut numbers = vec![u32::MAX; states * word.len()];
        let mut nodes = vec![];
        let mut number = |state: u32, position: usize, nodes: &mut Vec<(u32, usize)>| {
            let slot = &mut numbers[position * states + state as usize];
            if *slot == u32::MAX {
                *slot = nodes.len() as u32;
                nodes.push((state, position));
            }
            *slot
        };
        for initial in &automaton.initial {
            number(*initial, 0, &mut nodes);
        }
        let mut product = Product { successors: vec![], marks: vec![] };
        while let Some(&(state, position)) = nodes.get(product.successors.len()) {
            let after = if position + 1 < word.len() { position + 1 } else { entry };
            let (mut successors, mut marks) = (vec![], vec![]);
            for edge in &automaton.states[state as usize].edges {
                if edge.guard.is_satisfied(word[position]) {
                    successors.push(number(edge.target, after, &mut nodes));
                    marks.push(edge.accepts);
                }
            }
            product.successors.push(successors);
            product.marks.push(marks);
        }
        product
    }

    fn edges(&self) -> impl Iterator<Item = (usize, usize, u64)> {
        let rows = self.successors.iter().zip(&self.marks).enumerate();
        rows.flat_map(|(from, (to, marks))| {
            to.iter().zip(marks).map(move |(to, m)| (from, *to as usize, *m))
        })
    }
}
