//! What reads runs: the tableau of a formula, or a given automaton.
//!
//! The tableau is Couvreur's ("On-the-fly verification of linear temporal logic", FM 1999), as plain as it can be, and has
//! nothing in common with the automata of `taut-ltl`. A *node* is a set of formulas that must hold from here on. Reading the
//! atoms of a state takes each of them apart: `f U g` holds if `g` does, or if `f` does and `f U g` must hold from the next
//! state on. In the second case it is *put off*, and the edge is not in the acceptance set of that `U`.
//!
//! **Why every run that satisfies the formula is accepted** (nothing else is needed here): follow the run and take, of each
//! alternative, one that is true of the rest of the run, and of `U` the first one whenever it is true. There always is
//! one, because the node's formulas are true there. As `g` becomes true at some time, no `U` is put off for ever.

use std::collections::BTreeSet;

use taut_ir::Never;
use taut_ltl::{Automaton, Formula};

/// Something that reads the valuations of a run. A run is accepted if some way of reading it has every set again and again.
pub trait RunReader {
    /// The number of acceptance sets.
    fn sets(&self) -> usize;

    /// Where reading begins.
    fn initial(&self) -> Vec<u64>;

    /// The nodes after one that reads a valuation, each with the acceptance sets of the edge as bits.
    fn read(&self, node: u64, valuation: u64) -> Vec<(u64, u64)>;

    /// Whether everything that follows is accepted.
    fn is_decided(&self, node: u64) -> bool;
}

/// The automaton of a never claim, with the states in which it has accepted whatever follows.
#[derive(Debug)]
pub struct Given<'a> {
    automaton: &'a Automaton,
    universal: Vec<bool>,
}

impl<'a> Given<'a> {
    /// The automaton of a claim.
    pub fn new(never: &'a Never) -> Given<'a> {
        Given { automaton: &never.automaton, universal: never.automaton.universal() }
    }
}

impl RunReader for Given<'_> {
    fn sets(&self) -> usize {
        self.automaton.sets as usize
    }

    fn initial(&self) -> Vec<u64> {
        self.automaton.initial.iter().map(|&state| u64::from(state)).collect()
    }

    fn read(&self, node: u64, valuation: u64) -> Vec<(u64, u64)> {
        let state = usize::try_from(node).ok().and_then(|n| self.automaton.states.get(n));
        let edges = state.into_iter().flat_map(|state| &state.edges);
        let open = edges.filter(|edge| edge.guard.is_satisfied(valuation));
        open.map(|edge| (u64::from(edge.target), edge.accepts)).collect()
    }

    fn is_decided(&self, node: u64) -> bool {
        usize::try_from(node).ok().and_then(|n| self.universal.get(n)).is_some_and(|&all| all)
    }
}

/// A formula in negation normal form; parts are numbers of other formulas.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Normal {
    Constant(bool),
    Literal(u32, bool),
    And(usize, usize),
    Or(usize, usize),
    Next(usize),
    Until(usize, usize),
    Release(usize, usize),
}

/// The tableau of the runs that violate a formula.
#[derive(Debug)]
pub struct Tableau {
    all: Vec<Normal>,
    /// The formulas that can be left for the next state; a node is a set of them, as bits.
    later: Vec<usize>,
    /// The numbers of the `U` formulas, one acceptance set each.
    untils: Vec<usize>,
    first: usize,
}

/// What is known of one way to take a node apart.
#[derive(Clone)]
struct Way {
    left: Vec<usize>,
    done: BTreeSet<usize>,
    next: u64,
    put_off: u64,
}

impl Tableau {
    /// The tableau of the runs that violate a formula; none if it has too many parts.
    pub fn of_violations(formula: &Formula) -> Option<Tableau> {
        let mut tableau =
            Tableau { all: Vec::new(), later: Vec::new(), untils: Vec::new(), first: 0 };
        tableau.first = tableau.add(formula, false);
        tableau.leave(tableau.first);
        for number in 0..tableau.all.len() {
            match tableau.all[number] {
                Normal::Next(part) => tableau.leave(part),
                Normal::Until(..) => {
                    tableau.untils.push(number);
                    tableau.leave(number);
                }
                Normal::Release(..) => tableau.leave(number),
                _ => {}
            }
        }
        (tableau.later.len() <= 64 && tableau.untils.len() <= 64).then_some(tableau)
    }

    fn leave(&mut self, number: usize) {
        if !self.later.contains(&number) {
            self.later.push(number);
        }
    }

    /// The number of a formula, or of its negation, in negation normal form.
    fn add(&mut self, formula: &Formula, is_so: bool) -> usize {
        let normal = match formula {
            Formula::True => Normal::Constant(is_so),
            Formula::False => Normal::Constant(!is_so),
            Formula::Atom(atom) => Normal::Literal(atom.0, is_so),
            Formula::Not(f) => return self.add(f, !is_so),
            Formula::And(f, g) => self.junction(is_so, (f, is_so), (g, is_so)),
            Formula::Or(f, g) => self.junction(!is_so, (f, is_so), (g, is_so)),
            Formula::Implies(f, g) => self.junction(!is_so, (f, !is_so), (g, is_so)),
            Formula::Iff(f, g) => {
                let both = self.junction(true, (f, is_so), (g, true));
                let neither = self.junction(true, (f, !is_so), (g, false));
                Normal::Or(self.number(both), self.number(neither))
            }
            Formula::Next(f) => Normal::Next(self.add(f, is_so)),
            Formula::Always(f) => self.fixpoint(!is_so, None, (f, is_so)),
            Formula::Eventually(f) => self.fixpoint(is_so, None, (f, is_so)),
            Formula::Until(f, g) => self.fixpoint(is_so, Some((f, is_so)), (g, is_so)),
            Formula::Release(f, g) => self.fixpoint(!is_so, Some((f, is_so)), (g, is_so)),
            // `f W g` is `g R (f || g)`, and `f M g` is `g U (f && g)`.
            Formula::WeakUntil(f, g) => {
                let f_or_g = self.junction(!is_so, (f, is_so), (g, is_so));
                let (g, f_or_g) = (self.add(g, is_so), self.number(f_or_g));
                if is_so { Normal::Release(g, f_or_g) } else { Normal::Until(g, f_or_g) }
            }
            Formula::StrongRelease(f, g) => {
                let f_and_g = self.junction(is_so, (f, is_so), (g, is_so));
                let (g, f_and_g) = (self.add(g, is_so), self.number(f_and_g));
                if is_so { Normal::Until(g, f_and_g) } else { Normal::Release(g, f_and_g) }
            }
        };
        self.number(normal)
    }

    fn number(&mut self, normal: Normal) -> usize {
        if let Some(known) = self.all.iter().position(|other| *other == normal) {
            return known;
        }
        self.all.push(normal);
        self.all.len() - 1
    }

    fn junction(&mut self, and: bool, f: (&Formula, bool), g: (&Formula, bool)) -> Normal {
        let (f, g) = (self.add(f.0, f.1), self.add(g.0, g.1));
        if and { Normal::And(f, g) } else { Normal::Or(f, g) }
    }

    /// `f U g`, or `f R g`; without `f`, `<> g` or `[] g`.
    fn fixpoint(
        &mut self,
        until: bool,
        f: Option<(&Formula, bool)>,
        g: (&Formula, bool),
    ) -> Normal {
        let f = match f {
            Some((f, is_so)) => self.add(f, is_so),
            None => self.number(Normal::Constant(until)),
        };
        let g = self.add(g.0, g.1);
        if until { Normal::Until(f, g) } else { Normal::Release(f, g) }
    }

    fn bit(&self, number: usize) -> u64 {
        self.later.iter().position(|&l| l == number).map_or(0, |bit| 1 << bit)
    }

    /// Takes one formula apart: the ways to go on.
    fn take_apart(&self, number: usize, mut way: Way, valuation: u64) -> Vec<Way> {
        let with = |mut way: Way, parts: &[usize]| {
            way.left.extend(parts);
            way
        };
        match self.all[number] {
            Normal::Constant(is_so) => {
                if is_so {
                    vec![way]
                } else {
                    Vec::new()
                }
            }
            Normal::Literal(atom, is_so) => {
                let holds = atom < 64 && valuation >> atom & 1 == 1;
                if holds == is_so { vec![way] } else { Vec::new() }
            }
            Normal::And(f, g) => vec![with(way, &[f, g])],
            Normal::Or(f, g) => vec![with(way.clone(), &[f]), with(way, &[g])],
            Normal::Next(f) => {
                way.next |= self.bit(f);
                vec![way]
            }
            Normal::Until(f, g) => {
                let now = with(way.clone(), &[g]);
                way.next |= self.bit(number);
                let set = self.untils.iter().position(|&until| until == number);
                way.put_off |= set.map_or(0, |set| 1 << set);
                vec![now, with(way, &[f])]
            }
            Normal::Release(f, g) => {
                let now = with(way.clone(), &[f, g]);
                way.next |= self.bit(number);
                vec![now, with(way, &[g])]
            }
        }
    }
}

impl RunReader for Tableau {
    fn sets(&self) -> usize {
        self.untils.len()
    }

    fn initial(&self) -> Vec<u64> {
        vec![self.bit(self.first)]
    }

    fn read(&self, node: u64, valuation: u64) -> Vec<(u64, u64)> {
        let bits = self.later.iter().enumerate();
        let left = bits.filter(|(bit, _)| node >> bit & 1 == 1).map(|(_, &number)| number);
        let (left, done) = (left.collect(), BTreeSet::new());
        let mut ways = vec![Way { left, done, next: 0, put_off: 0 }];
        let mut found = BTreeSet::new();
        let every = if self.untils.len() < 64 { (1 << self.untils.len()) - 1 } else { u64::MAX };
        while let Some(mut way) = ways.pop() {
            taut_budget::tick();
            match way.left.pop() {
                None => drop(found.insert((way.next, every & !way.put_off))),
                Some(number) if !way.done.insert(number) => ways.push(way),
                Some(number) => ways.extend(self.take_apart(number, way, valuation)),
            }
        }
        found.into_iter().collect()
    }

    /// Nothing is asked any more: what came so far violates the formula, whatever follows.
    fn is_decided(&self, node: u64) -> bool {
        node == 0
    }
}
