//! The runs of a program as a graph: states in which nobody holds the others, and transitions.
//!
//! Two transitions between the same states by different processes are different edges: one may be fair
//! where the other is not. A stretch in which a process holds the others may reach the same state in many
//! ways; of those that meet the same requirements of fairness, a shortest one is kept.

use std::collections::{HashMap, HashSet, VecDeque};

use taut_ir::{Action, Atom};

use crate::fairness::Requirement;
use crate::machine::Machine;
use crate::outcome::{Outcome, Successors};
use crate::state::State;

/// A graph whose nodes have a valuation of the atoms. Runs start at node 0.
pub(super) struct Graph {
    pub nodes: Vec<Node>,
    /// How many requirements of fairness there are.
    pub requirements: usize,
}

/// A state.
#[derive(Default)]
pub(super) struct Node {
    /// Bit *i* is the truth of atom *i*.
    pub valuation: u64,
    pub edges: Vec<Edge>,
}

/// A transition.
pub(super) struct Edge {
    pub to: usize,
    /// For each requirement of fairness, whether the transition meets it.
    pub met: Vec<bool>,
    /// What happens; nothing if the run has ended and stays in its last state.
    pub actions: Vec<Action>,
}

impl Graph {
    /// Every state of a program and every transition; none if there are more than `limit` states, those in
    /// which a process holds the others included.
    pub fn of(
        machine: Machine<'_>,
        atoms: &[Atom],
        requirements: &[Requirement],
        finite_runs: bool,
        limit: usize,
    ) -> Option<Graph> {
        let graph = Graph { nodes: Vec::new(), requirements: requirements.len() };
        let (ids, left) = (HashMap::new(), Vec::new());
        let mut build = Build { machine, requirements, finite_runs, limit, graph, ids, left };
        build.id(machine.initial());
        let mut passed = 0;
        while let Some(state) = build.left.pop() {
            passed += build.expand(&state);
            let id = build.ids[&state];
            build.graph.nodes[id].valuation = machine.valuation(&state, atoms);
            if build.ids.len() + passed > limit {
                return None;
            }
        }
        Some(build.graph)
    }
}

struct Build<'a> {
    machine: Machine<'a>,
    requirements: &'a [Requirement],
    finite_runs: bool,
    limit: usize,
    graph: Graph,
    ids: HashMap<State, usize>,
    left: Vec<State>,
}

impl Build<'_> {
    fn id(&mut self, state: State) -> usize {
        if let Some(&id) = self.ids.get(&state) {
            return id;
        }
        let id = self.graph.nodes.len();
        self.graph.nodes.push(Node::default());
        self.ids.insert(state.clone(), id);
        self.left.push(state);
        id
    }

    /// Finds the edges that leave a state; gives the number of states that were passed through.
    fn expand(&mut self, state: &State) -> usize {
        let from = self.ids[state];
        let next = self.machine.successors(state);
        if next.is_nothing() && self.finite_runs {
            let met = vec![true; self.requirements.len()];
            self.graph.nodes[from].edges.push(Edge { to: from, met, actions: Vec::new() });
        }
        let start = Start { machine: self.machine, requirements: self.requirements, state, next };
        let (found, passed) = start.transitions(self.limit);
        for (to, met, actions) in found {
            let to = self.id(to);
            self.graph.nodes[from].edges.push(Edge { to, met, actions });
        }
        passed
    }
}

/// Where transitions start, and what can happen there.
struct Start<'a> {
    machine: Machine<'a>,
    requirements: &'a [Requirement],
    state: &'a State,
    next: Successors,
}

impl Start<'_> {
    /// Every transition from here, breadth first through what happens while somebody holds the others, and
    /// how many such states were passed through; the search is given up after so many.
    fn transitions(&self, limit: usize) -> (Vec<Transition>, usize) {
        let mut seen = HashSet::new();
        let mut queue = VecDeque::new();
        let mut found = Vec::new();
        let mut arrive = |(after, met, actions): Transition, queue: &mut VecDeque<Transition>| {
            if !seen.insert((after.clone(), met.clone())) {
                return;
            }
            match after.holder {
                Some(_) => queue.push_back((after, met, actions)),
                None => found.push((after, met, actions)),
            }
        };
        self.onwards(&self.next, &[]).for_each(|t| arrive(t, &mut queue));
        let mut passed = 0;
        while let Some((inside, _, actions)) = queue.pop_front() {
            passed += 1;
            if passed > limit {
                break;
            }
            let next = self.machine.successors(&inside);
            self.onwards(&next, &actions).for_each(|t| arrive(t, &mut queue));
        }
        (found, passed)
    }

    /// What comes of everything that can happen after some actions.
    fn onwards(&self, next: &Successors, so_far: &[Action]) -> impl Iterator<Item = Transition> {
        next.moves.iter().filter_map(move |(action, done)| {
            let Outcome::State(after) = &done.outcome else { return None };
            let actions = [so_far, &[*action]].concat();
            let met = |wanted: &Requirement| {
                wanted.is_met(self.machine, self.state, &self.next, &actions)
            };
            let met = self.requirements.iter().map(met).collect();
            Some((after.clone(), met, actions))
        })
    }
}

/// Where a transition leads, the requirements it meets, and what happens in it.
type Transition = (State, Vec<bool>, Vec<Action>);
