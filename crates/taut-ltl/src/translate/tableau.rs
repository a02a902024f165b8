//! From a formula to an automaton.
//!
//! A state is a set of formulas that must hold from here on. Each formula expands into a
//! disjunction of *terms*: literals that must hold now, formulas that must hold next, and
//! *promises*, the untils whose right side was put off. `f U g` is `g`, or `f` now and `f U g` next
//! with a promise. The edges of a state are the terms of the product of its formulas; acceptance
//! set *i* has the edges that do not promise until *i*, so a run that puts one off for ever is not
//! accepted (Couvreur, FM 1999). Of two terms the one that asks more in everything is dropped, as
//! Gastin and Oddoux do ("Fast LTL to Büchi automata translation", CAV 2001).

use std::collections::HashMap;
use std::rc::Rc;

use super::nodes::{Node, NodeId, Nodes};
use crate::automaton::{Automaton, Edge, MOST_BITS, State, TooLarge};
use crate::guard::{Cube, Guard};

/// The largest number of states built.
pub(crate) const MOST_STATES: usize = 100_000;
/// The largest number of terms one state may have.
const MOST_TERMS: usize = 4_096;
/// The largest number of edges built.
const MOST_EDGES: usize = 1_000_000;

/// The largest number of comparisons of terms: a few seconds' work.
const MOST_COMPARISONS: usize = 300_000_000;

/// One way to satisfy a formula now.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Term {
    cube: Cube,
    /// What must hold next, sorted.
    next: Vec<NodeId>,
    promises: u64,
}

impl Term {
    const TRUE: Term = Term { cube: Cube::TRUE, next: vec![], promises: 0 };

    /// Both at once.
    fn and(&self, other: &Term) -> Option<Term> {
        let cube = self.cube.and(other.cube)?;
        let mut next = [&self.next[..], &other.next[..]].concat();
        next.sort();
        next.dedup();
        Some(Term { cube, next, promises: self.promises | other.promises })
    }

    /// Whether it asks less than the other, or as much.
    fn is_easier(&self, other: &Term) -> bool {
        other.cube.implies(self.cube)
            && self.promises & !other.promises == 0
            && self.next.iter().all(|f| other.next.binary_search(f).is_ok())
    }
}

/// The construction.
pub(crate) struct Tableau<'a> {
    nodes: &'a mut Nodes,
    expansions: HashMap<NodeId, Rc<Vec<Term>>>,
    /// The acceptance set of each until.
    sets: HashMap<NodeId, u32>,
    states: Vec<Vec<NodeId>>,
    numbers: HashMap<Vec<NodeId>, u32>,
    comparisons: usize,
}

impl<'a> Tableau<'a> {
    pub fn new(nodes: &'a mut Nodes) -> Tableau<'a> {
        let (expansions, sets, numbers) = Default::default();
        Tableau { nodes, expansions, sets, states: vec![], numbers, comparisons: 0 }
    }

    /// The automaton of a formula.
    pub fn run(mut self, formula: NodeId, atoms: usize) -> Result<Automaton, TooLarge> {
        let first = self.conjuncts(formula);
        self.number(first)?;
        let mut rows = vec![];
        let mut edges = 0;
        while let Some(state) = self.states.get(rows.len()).cloned() {
            taut_budget::tick();
            let terms = self.terms(&state)?;
            edges += terms.len();
            if edges > MOST_EDGES {
                return Err(TooLarge::new(format!(
                    "the formula needs an automaton of more than {MOST_EDGES} edges"
                )));
            }
            let row: Result<Vec<(Term, u32)>, TooLarge> =
                terms.into_iter().map(|t| self.number(t.next.clone()).map(|n| (t, n))).collect();
            rows.push(row?);
        }
        Ok(self.finish(rows, atoms))
    }

    fn finish(self, rows: Vec<Vec<(Term, u32)>>, atoms: usize) -> Automaton {
        let sets = self.sets.len() as u32;
        let mut automaton = Automaton { atoms, sets, initial: vec![0], ..Automaton::default() };
        let all = automaton.all_sets();
        let edge = |(term, target): (Term, u32)| Edge {
            guard: Guard::from(term.cube),
            target,
            accepts: all & !term.promises,
        };
        let state = |row: Vec<(Term, u32)>| State {
            edges: row.into_iter().map(edge).collect(),
            name: None,
        };
        automaton.states = rows.into_iter().map(state).collect();
        automaton
    }

    /// The number of a state, made if it is new.
    fn number(&mut self, state: Vec<NodeId>) -> Result<u32, TooLarge> {
        if let Some(number) = self.numbers.get(&state) {
            return Ok(*number);
        }
        if self.states.len() >= MOST_STATES {
            return Err(TooLarge::new(format!(
                "the formula needs an automaton of more than {MOST_STATES} states"
            )));
        }
        let number = self.states.len() as u32;
        self.states.push(state.clone());
        self.numbers.insert(state, number);
        Ok(number)
    }

    /// The formulas of a conjunction.
    fn conjuncts(&self, formula: NodeId) -> Vec<NodeId> {
        match self.nodes.get(formula) {
            Node::True => vec![],
            Node::And(parts) => parts.clone(),
            _ => vec![formula],
        }
    }

    /// The terms of a state.
    fn terms(&mut self, state: &[NodeId]) -> Result<Vec<Term>, TooLarge> {
        let mut terms = vec![Term::TRUE];
        for formula in state {
            let more = self.expand(*formula)?;
            terms = self.product(&terms, &more)?;
        }
        for term in &mut terms {
            self.forget_repeated(&mut term.next);
        }
        self.easiest(terms)
    }

    /// Leaves out what an `[] f` among the formulas asks for anyway, step by step: `[] <> p && <>
    /// p` is `[] <> p`. Its promise was made, and the `[]` makes it again; so no promise is lost.
    fn forget_repeated(&self, next: &mut Vec<NodeId>) {
        let mut repeated = vec![];
        for formula in &*next {
            if let Node::Release(Nodes::FALSE, inner) = self.nodes.get(*formula) {
                repeated.extend(self.conjuncts(*inner));
            }
        }
        next.retain(|formula| !repeated.contains(formula));
    }

    /// The terms of a formula.
    fn expand(&mut self, formula: NodeId) -> Result<Rc<Vec<Term>>, TooLarge> {
        if let Some(known) = self.expansions.get(&formula) {
            return Ok(known.clone());
        }
        let terms = Rc::new(self.expansion(formula)?);
        self.expansions.insert(formula, terms.clone());
        Ok(terms)
    }

    fn expansion(&mut self, formula: NodeId) -> Result<Vec<Term>, TooLarge> {
        taut_budget::tick();
        Ok(match self.nodes.get(formula).clone() {
            Node::True => vec![Term::TRUE],
            Node::False => vec![],
            Node::Literal(atom, positive) => {
                vec![Term { cube: Cube::literal(atom, positive), ..Term::TRUE }]
            }
            Node::Next(f) => vec![Term { next: self.conjuncts(f), ..Term::TRUE }],
            Node::And(parts) => {
                let mut terms = vec![Term::TRUE];
                for part in parts {
                    let more = self.expand(part)?;
                    terms = self.product(&terms, &more)?;
                }
                terms
            }
            Node::Or(parts) => {
                let mut terms = vec![];
                for part in parts {
                    terms.extend_from_slice(&self.expand(part)?);
                }
                self.easiest(terms)?
            }
            Node::Until(f, g) => {
                let promises = 1 << self.set(formula)?;
                let later = Term { next: vec![formula], promises, ..Term::TRUE };
                let now = self.expand(f)?;
                let mut terms = self.product(&now, &[later])?;
                terms.extend_from_slice(&self.expand(g)?);
                self.easiest(terms)?
            }
            Node::Release(f, g) => {
                let later = Term { next: vec![formula], ..Term::TRUE };
                let mut terms = self.expand(f)?.to_vec();
                terms.push(later);
                let (now, terms) = (self.expand(g)?, self.easiest(terms)?);
                self.product(&now, &terms)?
            }
        })
    }

    /// The acceptance set of an until.
    fn set(&mut self, until: NodeId) -> Result<u32, TooLarge> {
        taut_budget::tick();
        let next = self.sets.len();
        if next == MOST_BITS && !self.sets.contains_key(&until) {
            return Err(TooLarge::new(format!(
                "the formula has more than {MOST_BITS} eventualities (`<>` and `U`)"
            )));
        }
        Ok(*self.sets.entry(until).or_insert(next as u32))
    }

    /// Both of two disjunctions.
    fn product(&mut self, left: &[Term], right: &[Term]) -> Result<Vec<Term>, TooLarge> {
        taut_budget::tick();
        let mut terms = vec![];
        for a in left {
            terms.extend(right.iter().filter_map(|b| a.and(b)));
            if terms.len() > MOST_TERMS {
                terms = self.easiest(terms)?;
            }
            if terms.len() > MOST_TERMS {
                return Err(TooLarge::new(format!(
                    "the formula needs a state with more than {MOST_TERMS} edges"
                )));
            }
        }
        self.easiest(terms)
    }

    /// Without the terms that ask more than another.
    fn easiest(&mut self, mut terms: Vec<Term>) -> Result<Vec<Term>, TooLarge> {
        let asks = |t: &Term| (t.next.len(), t.cube.literals(), t.promises.count_ones());
        terms.sort_by(|a, b| asks(a).cmp(&asks(b)).then_with(|| a.cmp(b)));
        let mut kept: Vec<Term> = vec![];
        for term in terms {
            self.comparisons += kept.len();
            if !kept.iter().any(|easier| easier.is_easier(&term)) {
                kept.push(term);
            }
        }
        if self.comparisons > MOST_COMPARISONS {
            return Err(TooLarge::new("the formula takes too long to translate"));
        }
        Ok(kept)
    }
}
