//! Brute force for properties of runs, for tests to compare engines with.
//!
//! All states are listed first (`graph`), then multiplied by what reads the runs (`product`): the
//! tableau of the formula (`tableau`), which has nothing in common with the automata of `taut-ltl`, or a
//! given automaton. A violation is a component of the product that can be reached and that has all it takes
//! to go round in it for ever. A few thousand states and a dozen temporal operators are the limit.
//!
//! A formula is also violated by a finite run that nothing can fix, and an automaton accepts at once in a
//! universal state, whatever becomes of the run afterwards: it may only be able to fault, or have no fair
//! continuation. Such a run is looked for if there is no other.

mod graph;
mod prefix;
mod product;
mod scc;
mod tableau;

use taut_ir::{Fairness, Finding, Memory, Never, Program, PropId, PropertyKind};
use taut_ltl::Formula;

use crate::fairness::Requirement;
use crate::machine::Machine;
use crate::trace::{Lasso, Trace};
use graph::{Edge, Graph};
pub(crate) use prefix::Outlook;
use product::{Product, Reader};
use tableau::Tableau;

/// The most temporal subformulas of a formula.
const MOST_BITS: usize = 12;

/// Whether a property of runs is violated; none if that takes more than `limit` states or nodes of the
/// product, or if it is no property of runs.
pub fn violates(
    program: &Program,
    memory: Memory,
    property: PropId,
    fairness: Fairness,
    limit: usize,
) -> Option<bool> {
    Some(counterexample(program, memory, property, fairness, limit)?.is_some())
}

/// A violation of a property of runs, if there is one; none under the conditions of [`violates`].
///
/// It has a lasso if there is a fair run that violates the property, and is a finite run that nothing can
/// fix only if there is none. An engine need not find the latter: whether a finite run can be fixed is
/// decided exactly here.
pub fn counterexample(
    program: &Program,
    memory: Memory,
    property: PropId,
    fairness: Fairness,
    limit: usize,
) -> Option<Option<Trace>> {
    let kind = &program.properties.get(property.index())?.kind;
    let finite_runs = match kind {
        PropertyKind::Ltl(ltl) => ltl.finite_runs,
        _ => true,
    };
    let machine = Machine::new(program, memory);
    let requirements = Requirement::all(program, memory, fairness);
    let graph = Graph::of(machine, kind.atoms()?, &requirements, finite_runs, limit)?;
    let claim = Claim { memory, finding: Finding::Property(property), fairness };
    match kind {
        PropertyKind::Ltl(ltl) => claim.of_formula(&graph, &ltl.formula, limit),
        PropertyKind::Never(never) => claim.of_automaton(&graph, never, limit),
        _ => None,
    }
}

/// The automaton of a never claim reads a position and moves.
impl Reader for Never {
    fn sets(&self) -> usize {
        self.automaton.sets as usize
    }

    fn initial(&self, _: u64) -> Vec<u32> {
        self.automaton.initial.clone()
    }

    fn read(&self, at: u32, valuation: u64, _: u64) -> Vec<(u32, u64)> {
        let edges = self.automaton.states[at as usize].edges.iter();
        let open = edges.filter(|edge| edge.guard.is_satisfied(valuation));
        open.map(|edge| (edge.target, edge.accepts)).collect()
    }
}

/// What a trace claims besides its actions.
struct Claim {
    memory: Memory,
    finding: Finding,
    fairness: Fairness,
}

impl Claim {
    fn of_formula(&self, graph: &Graph, formula: &Formula, limit: usize) -> Option<Option<Trace>> {
        let valuations = graph.nodes.iter().map(|node| node.valuation);
        let tableau = Tableau::new(formula, false, MOST_BITS, valuations)?;
        let product = Product::new(graph, &tableau, limit)?;
        if let Some(cycle) = product.accepting() {
            return Some(Some(self.lasso(cycle.lasso())));
        }
        let prefix = prefix::beyond_fixing(graph, formula, limit)?;
        Some(prefix.map(|edges| self.prefix(&edges)))
    }

    fn of_automaton(&self, graph: &Graph, never: &Never, limit: usize) -> Option<Option<Trace>> {
        let product = Product::new(graph, never, limit)?;
        if let Some(cycle) = product.accepting() {
            return Some(Some(self.lasso(cycle.lasso())));
        }
        let universal = never.automaton.universal();
        let accepts_at_once = |valuation: u64, state: u32| {
            never.read(state, valuation, 0).iter().any(|&(to, _)| universal[to as usize])
        };
        Some(product.shortest(accepts_at_once).map(|edges| self.prefix(&edges)))
    }

    fn prefix(&self, edges: &[&Edge]) -> Trace {
        let actions = edges.iter().flat_map(|edge| &edge.actions).copied().collect();
        Trace::new(self.memory, self.finding, actions)
    }

    fn lasso(&self, (stem, cycle): (Vec<&Edge>, Vec<&Edge>)) -> Trace {
        let mut trace = self.prefix(&stem);
        trace.lasso = Some(Lasso { cycle: trace.actions.len(), fairness: self.fairness });
        // A run that has ended goes round without any action, and that is how its lasso is written.
        trace.actions.extend(cycle.iter().flat_map(|edge| &edge.actions));
        trace
    }
}
