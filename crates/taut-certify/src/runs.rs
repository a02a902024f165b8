//! Properties of runs: no fair run is accepted by the reader of violations.
//!
//! The evidence is a set of states that no step leaves, and for each state some nodes of the reader ([`crate::tableau`]),
//! each with the number of a *component*. Each component has one acceptance set of the reader, or one requirement of
//! fairness, that it *misses*. It is checked that
//!
//! - the initial state has the initial nodes;
//! - each way of reading a state, along each transition, leads to a listed node of a listed state;
//! - numbers of components never rise along the way;
//! - no edge within a component has what the component misses.
//!
//! **Why that is a proof.** Suppose that a fair run violates the property. The reader accepts it, so there is an infinite
//! path through listed nodes along it. Numbers never rise, so from some point on they stay the same. What that component
//! misses never happens again, although the run is fair and accepted: a contradiction.
//!
//! A run that ends stays in its last state for ever, and meets every requirement of fairness. A step that faults, and a
//! bound that blocks everything, belong to no run; the claim names them.

use std::collections::{BTreeMap, HashSet};

use taut_budget::tick;
use taut_ir::{Fairness, Memory, Program, Property, PropertyKind};
use taut_proof::{Claim, Kind, Nodes, Parts, Reader, Rows};
use taut_witness::fairness::Requirement;
use taut_witness::{Machine, Outcome, State, describe_state};

use crate::states::Closed;
use crate::tableau::{Given, RunReader, Tableau};
use crate::{Accepted, Refusal};

/// A transition: where it leads, and for each requirement of fairness whether it meets it.
pub type Transition = (State, Vec<bool>);

/// Every transition from a state, through states in which a process holds the others; where the run ends, the one that
/// stays there.
pub fn transitions(
    machine: Machine<'_>,
    requirements: &[Requirement],
    state: &State,
    finite_runs: bool,
) -> Vec<Transition> {
    let first = machine.successors(state);
    if first.is_nothing() {
        let ends = (state.clone(), vec![true; requirements.len()]);
        return if finite_runs { vec![ends] } else { Vec::new() };
    }
    let (mut seen, mut found) = (HashSet::new(), Vec::new());
    let mut left = vec![(state.clone(), vec![false; requirements.len()])];
    while let Some((at, met)) = left.pop() {
        tick();
        for (action, done) in machine.successors(&at).moves {
            let Outcome::State(after) = done.outcome else { continue };
            let meets = |(wanted, &so_far): (&Requirement, &bool)| {
                so_far || wanted.is_met(machine, state, &first, &[action])
            };
            let met: Vec<bool> = requirements.iter().zip(&met).map(meets).collect();
            if !seen.insert((after.clone(), met.clone())) {
                continue;
            }
            match after.holder {
                Some(_) => left.push((after, met)),
                None => found.push((after, met)),
            }
        }
    }
    found
}

/// The reader of the runs that violate a property, and whether runs that end count; none if there is no such reader.
pub fn reader(property: &Property) -> Option<(Box<dyn RunReader + '_>, bool)> {
    match &property.kind {
        PropertyKind::Ltl(ltl) => {
            Some((Box::new(Tableau::of_violations(&ltl.formula)?), ltl.finite_runs))
        }
        PropertyKind::Never(never) => Some((Box::new(Given::new(never)), true)),
        _ => None,
    }
}

/// Checks a claim about runs.
pub(crate) fn check(
    program: &Program,
    memory: Memory,
    claim: &Claim,
    fairness: &str,
    body: &[u8],
) -> Result<Accepted, Refusal> {
    let fairness: Fairness = fairness.parse().map_err(Refusal::Proof)?;
    let property = property(program, claim)?;
    let mut input = Reader::new(body);
    let rows = Rows::read(Parts::new(program), &mut input)?;
    let ranked = Nodes::read(rows.len(), &mut input)?;
    input.end()?;
    let machine = Machine::new(program, memory);
    let cut = Closed::of_nothing(machine, &rows).check()?;
    let too_large = || Refusal::proof("the formula has too many parts for this checker");
    let (reader, finite_runs) = reader(property).ok_or_else(too_large)?;
    let requirements = Requirement::all(program, memory, fairness);
    let walk = Walk { machine, rows: &rows, ranked: &ranked, reader, requirements, finite_runs };
    let nodes = walk.check(property)?;
    let evidence = format!("{} states, {nodes} nodes, none left out", rows.len());
    let mut accepted = Accepted::new(program, memory, claim, cut, evidence)?;
    accepted.coverage += &format!(", fairness {fairness}");
    Ok(accepted)
}

fn property<'p>(program: &'p Program, claim: &Claim) -> Result<&'p Property, Refusal> {
    let [proven] = claim.holds.as_slice() else {
        return Err(Refusal::proof("a claim about runs is about one property"));
    };
    let mut named = program.properties.iter().filter(|p| p.name == proven.name);
    let none = || Refusal::Proof(format!("the program has no property `{}`", proven.name));
    let property = named.next().ok_or_else(none)?;
    if named.next().is_some() || proven.kind != Kind::Property || !property.kind.is_temporal() {
        return Err(Refusal::Proof(format!("`{}` is not one property of runs", proven.name)));
    }
    Ok(property)
}

struct Walk<'a, 'p> {
    machine: Machine<'p>,
    rows: &'a Rows<'p>,
    ranked: &'a Nodes,
    reader: Box<dyn RunReader + 'a>,
    requirements: Vec<Requirement>,
    finite_runs: bool,
}

impl Walk<'_, '_> {
    /// The number of nodes, if all is well.
    fn check(&self, property: &Property) -> Result<usize, Refusal> {
        let atoms = property.kind.atoms().unwrap_or_default();
        if atoms.len() > 64 {
            return Err(Refusal::proof("the property has more than 64 atoms"));
        }
        let initial = self.rows.find(&self.machine.initial()).unwrap_or(usize::MAX);
        let nodes = self.ranked.nodes.get(initial);
        if !self.reader.initial().iter().all(|q| nodes.is_some_and(|all| all.contains_key(q))) {
            return Err(Refusal::proof("the initial state has no initial node"));
        }
        for (number, nodes) in self.ranked.nodes.iter().enumerate() {
            tick();
            let Some(state) = self.rows.state(number).filter(|_| !nodes.is_empty()) else {
                continue;
            };
            let valuation = self.machine.valuation(&state, atoms);
            self.leaves_no(&state, valuation, nodes).map_err(|why| {
                let text = describe_state(self.machine.program(), &state);
                Refusal::Proof(format!("{why}, in state {number}: {text}"))
            })?;
        }
        Ok(self.ranked.nodes.iter().map(BTreeMap::len).sum())
    }

    fn leaves_no(
        &self,
        state: &State,
        valuation: u64,
        nodes: &BTreeMap<u64, usize>,
    ) -> Result<(), String> {
        let all = transitions(self.machine, &self.requirements, state, self.finite_runs);
        let to: Vec<_> = all.iter().map(|(after, met)| (self.rows.find(after), met)).collect();
        for (&node, &component) in nodes {
            if self.reader.is_decided(node) {
                return Err("a finite run decides against the property".into());
            }
            for (next, marks) in self.reader.read(node, valuation) {
                for &(after, met) in &to {
                    let listed = after.and_then(|after| self.ranked.nodes[after].get(&next));
                    let &reached = listed.ok_or("a transition leads to no listed node")?;
                    self.judge(component, reached, marks, met)?;
                }
            }
        }
        Ok(())
    }

    /// Whether an edge obeys the rules of components.
    fn judge(&self, from: usize, to: usize, marks: u64, met: &[bool]) -> Result<(), String> {
        if to > from {
            return Err("the number of the component rises along a transition".into());
        }
        if to < from {
            return Ok(());
        }
        let (set, sets) = (self.ranked.missed[from], self.reader.sets());
        let has = match set.checked_sub(sets) {
            None => marks >> set & 1 == 1,
            Some(requirement) => {
                *met.get(requirement).ok_or("a component misses a set that there is not")?
            }
        };
        match has {
            true => Err(format!("a transition within component {from} has what it misses")),
            false => Ok(()),
        }
    }
}
