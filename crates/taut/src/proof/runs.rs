//! The evidence for a property of runs: the product of all states and the reader of violations, in components.
//!
//! A component of the product that is reached, and that has everything that an accepted fair run needs, is a violation.
//! So if the property holds, every component misses an acceptance set or a requirement of fairness. Components are numbered
//! by Tarjan's algorithm ("Depth-first search and linear graph algorithms", 1972), in which a component gets its number after
//! all that it leads to: numbers never rise along an edge.

use std::collections::HashMap;

use taut_budget::tick;
use taut_certify::{RunReader, run_reader, transitions};
use taut_ir::{Fairness, Memory, Program, PropId};
use taut_proof::{Claim, Damaged, Evidence, Interner, Kind, Proven, Writer};
use taut_witness::Machine;
use taut_witness::fairness::Requirement;

use super::header::written;
use super::walk::{Walked, walk};

/// What came of the search for evidence.
pub(super) enum Sought {
    /// The evidence.
    Found(Claim, Vec<u8>, u64),
    /// A store met a full buffer and must not.
    Full,
    /// The formula is too large, or a finite run decides it.
    Open(&'static str),
    /// There is a fair run that violates the property.
    Violated,
}

/// The claim that a property of runs holds.
pub(super) fn claim_runs(
    program: &Program,
    memory: Memory,
    property: PropId,
    fairness: Fairness,
    must_fit: bool,
) -> Result<Sought, Damaged> {
    let property = program.property(property);
    let Some((reader, finite_runs)) = run_reader(property) else {
        return Ok(Sought::Open("no certificate: the formula has too many parts"));
    };
    let Some(walked) = walk(program, memory, must_fit, None)? else { return Ok(Sought::Full) };
    let machine = Machine::new(program, memory);
    let requirements = Requirement::all(program, memory, fairness);
    let mut product = Product::new(&*reader, requirements.len());
    let atoms = property.kind.atoms().unwrap_or_default();
    let mut edges = Vec::new();
    for number in 0..walked.states.len() as u32 {
        tick();
        let Some(state) = walked.states.state(number) else { continue };
        let found = transitions(machine, &requirements, &state, finite_runs);
        let to = |(after, met)| Some((walked.states.find(&after)?, met));
        edges.push((machine.valuation(&state, atoms), found.into_iter().filter_map(to).collect()));
    }
    product.build(&edges);
    if product.is_decided() {
        return Ok(Sought::Open("no certificate: a finite run may decide against the property"));
    }
    let Some(missed) = product.missed() else { return Ok(Sought::Violated) };
    let holds = vec![Proven { name: property.name.clone(), kind: Kind::Property }];
    Ok(finish(memory, holds, fairness, walked, &product, &missed))
}

fn finish(
    memory: Memory,
    holds: Vec<Proven>,
    fairness: Fairness,
    walked: Walked<'_>,
    product: &Product<'_>,
    missed: &[usize],
) -> Sought {
    let nodes = product.by_state(walked.states.len());
    let states = walked.states.len() as u64;
    let mut out = Writer::default();
    let Walked { states: list, cut, .. } = walked;
    let order = Interner::write(list, &mut out);
    out.number(missed.len() as u64);
    missed.iter().for_each(|&set| out.number(set as u64));
    for state in order {
        let of_state = &nodes[state as usize];
        out.number(of_state.len() as u64);
        for &(node, component) in of_state {
            out.number(node);
            out.number(component as u64);
        }
    }
    let evidence = Evidence::Runs { fairness: fairness.name().into() };
    let (claim, body) = written(memory, holds, cut, evidence, out.into_bytes());
    Sought::Found(claim, body, states)
}

/// A state's valuation and its transitions.
type Edges = (u64, Vec<(u32, Vec<bool>)>);

/// An edge of the product: where it leads, and what it has.
struct Edge {
    to: usize,
    marks: u64,
    /// The place of the transition among those of its state.
    transition: usize,
}

/// The product of all states and a reader.
struct Product<'a> {
    reader: &'a dyn RunReader,
    requirements: usize,
    numbers: HashMap<(u32, u64), usize>,
    pairs: Vec<(u32, u64)>,
    edges: Vec<Vec<Edge>>,
    component: Vec<usize>,
    components: usize,
    /// For each component and set, whether an edge inside has it.
    has: Vec<Vec<bool>>,
    is_cyclic: Vec<bool>,
}

impl<'a> Product<'a> {
    fn new(reader: &'a dyn RunReader, requirements: usize) -> Product<'a> {
        Product {
            reader,
            requirements,
            numbers: HashMap::new(),
            pairs: Vec::new(),
            edges: Vec::new(),
            component: Vec::new(),
            components: 0,
            has: Vec::new(),
            is_cyclic: Vec::new(),
        }
    }

    fn pair(&mut self, state: u32, node: u64) -> usize {
        let next = self.pairs.len();
        let number = *self.numbers.entry((state, node)).or_insert(next);
        if number == next {
            self.pairs.push((state, node));
        }
        number
    }

    fn build(&mut self, states: &[Edges]) {
        for node in self.reader.initial() {
            self.pair(0, node);
        }
        let mut at = 0;
        while let Some(&(state, node)) = self.pairs.get(at) {
            tick();
            let (valuation, transitions) = &states[state as usize];
            let mut edges = Vec::new();
            for (next, marks) in self.reader.read(node, *valuation) {
                for (transition, &(after, _)) in transitions.iter().enumerate() {
                    edges.push(Edge { to: self.pair(after, next), marks, transition });
                }
            }
            self.edges.push(edges);
            at += 1;
        }
        self.find_components();
        self.note_sets(states);
    }

    /// Notes what the edges inside of each component have.
    fn note_sets(&mut self, states: &[Edges]) {
        let sets = self.reader.sets();
        self.has = vec![vec![false; sets + self.requirements]; self.components];
        self.is_cyclic = vec![false; self.components];
        for (from, edges) in self.edges.iter().enumerate() {
            let component = self.component[from];
            for edge in edges.iter().filter(|edge| self.component[edge.to] == component) {
                self.is_cyclic[component] = true;
                let (_, transitions) = &states[self.pairs[from].0 as usize];
                let met = &transitions[edge.transition].1;
                let has = &mut self.has[component];
                (0..sets).for_each(|set| has[set] |= edge.marks >> set & 1 == 1);
                met.iter().enumerate().for_each(|(i, &met)| has[sets + i] |= met);
            }
        }
    }

    fn is_decided(&self) -> bool {
        self.pairs.iter().any(|&(_, node)| self.reader.is_decided(node))
    }

    /// For each component a set that it misses; none if one has them all.
    fn missed(&self) -> Option<Vec<usize>> {
        let missed = |(has, &is_cyclic): (&Vec<bool>, &bool)| {
            if is_cyclic { has.iter().position(|has| !has) } else { Some(0) }
        };
        self.has.iter().zip(&self.is_cyclic).map(missed).collect()
    }

    /// For each state its nodes with their components, in order.
    fn by_state(&self, states: usize) -> Vec<Vec<(u64, usize)>> {
        let mut all = vec![Vec::new(); states];
        for (&(state, node), &component) in self.pairs.iter().zip(&self.component) {
            all[state as usize].push((node, component));
        }
        all.iter_mut().for_each(|nodes| nodes.sort_unstable());
        all
    }

    /// Tarjan's algorithm, with a stack of its own.
    fn find_components(&mut self) {
        const NONE: usize = usize::MAX;
        let count = self.pairs.len();
        let (mut index, mut low) = (vec![NONE; count], vec![0; count]);
        self.component = vec![NONE; count];
        let (mut open, mut calls, mut next) = (Vec::new(), Vec::new(), 0);
        for root in 0..count {
            if index[root] != NONE {
                continue;
            }
            calls.push((root, 0));
            while let Some((node, edge)) = calls.pop() {
                if edge == 0 {
                    (index[node], low[node]) = (next, next);
                    next += 1;
                    open.push(node);
                }
                if let Some(Edge { to, .. }) = self.edges[node].get(edge) {
                    calls.push((node, edge + 1));
                    if index[*to] == NONE {
                        calls.push((*to, 0));
                    } else if self.component[*to] == NONE {
                        low[node] = low[node].min(index[*to]);
                    }
                    continue;
                }
                if low[node] == index[node] {
                    while let Some(member) = open.pop() {
                        self.component[member] = self.components;
                        if member == node {
                            break;
                        }
                    }
                    self.components += 1;
                }
                // What a node can reach, the one that it was reached from can reach.
                if let Some(&(parent, _)) = calls.last()
                    && self.component[node] == NONE
                {
                    low[parent] = low[parent].min(low[node]);
                }
            }
        }
    }
}
