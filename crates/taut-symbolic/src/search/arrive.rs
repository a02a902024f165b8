//! Coming to a state: what is known about it, how large it can be made, what remains to be done with it.

use std::sync::Arc;

use taut_explicit::{Completion, Limit};
use taut_fault::{Fault, is_on};
use taut_ir::{Finding, ProcId};

use super::result::At;
use super::{Search, Task, bit};
use crate::cycle::{Growth, Taken};
use crate::edge::{Edge, State, Transition};
use crate::node::{Node, NodeId, Nodes, SkeletonId};

/// A state that was come to, and what remains to be done with it.
pub(super) struct Arrived {
    pub(super) state: State,
    pub(super) skeleton: SkeletonId,
    /// From which node and how; none for the initial state.
    pub(super) via: Option<(NodeId, Arc<Taken>)>,
    /// If it is an earlier node with a larger language, that node.
    pub(super) base: Option<NodeId>,
    pub(super) grown: Vec<Growth>,
    /// The transitions to take, if nodes include it that take the others.
    open: Option<u128>,
    sleep: u128,
}

impl Arrived {
    fn node(self, nodes: &Nodes) -> Node {
        let (parent, via) = match (self.base, self.via) {
            (Some(base), _) => (Some(base), None),
            (None, Some((node, taken))) => (Some(node), Some(taken)),
            (None, None) => (None, None),
        };
        let depth = parent.map_or(0, |parent| nodes.get(parent).depth + 1);
        let Arrived { state, skeleton, grown, sleep, .. } = self;
        Node { state, sleep, parent, via, grown, depth, skeleton }
    }
}

impl Search<'_> {
    /// Comes to a state, and sees to it that it is expanded as far as that is new. Whether it is a new state,
    /// to be expanded in full.
    pub(super) fn visit(
        &mut self,
        state: State,
        from: Option<(NodeId, Edge)>,
        sleep: u128,
    ) -> bool {
        self.counts.visited += 1;
        let via = from.map(|(node, edge)| {
            let from = self.nodes.get(node).state.clone();
            (node, Arc::new(Taken { from, edge, to: state.clone() }))
        });
        let skeleton = self.nodes.skeleton(self.expander.skeleton(&state));
        let (base, grown) = (None, Vec::new());
        self.settle(Arrived { state, skeleton, via, base, grown, open: None, sleep })
    }

    /// Keeps a state, made as large as cycles make it, unless nothing remains to be done with it.
    pub(super) fn settle(&mut self, mut arrived: Arrived) -> bool {
        if self.end.is_some() || self.is_seen(&mut arrived) {
            return false;
        }
        let before = arrived.grown.len();
        let choices = self.accelerate(&mut arrived);
        if arrived.grown.len() > before {
            self.counts.accelerated += 1;
            // What is asleep was explored for the smaller language only.
            if !is_on(Fault::GrownStaysAsleep) {
                (arrived.sleep, arrived.open) = (0, None);
            }
            if self.is_seen(&mut arrived) {
                return false;
            }
        }
        let skeleton = arrived.skeleton;
        let is_new = arrived.open.is_none();
        let Some(node) = self.keep(arrived) else { return false };
        for (state, growth) in choices {
            self.counts.accelerated += 1;
            let (base, grown) = (Some(node), vec![growth]);
            let larger = Arrived { state, skeleton, via: None, base, grown, open: None, sleep: 0 };
            self.tasks.push_back(Task::Grow(Box::new(larger)));
        }
        is_new
    }

    /// Looks what is known about a state from the nodes that include it, and takes from it what need not be
    /// done again. True if nothing remains.
    fn is_seen(&mut self, arrived: &mut Arrived) -> bool {
        let memory = self.expander.memory();
        let including = self.nodes.including(memory, &arrived.state, arrived.skeleton);
        let Some(&first) = including.first() else { return false };
        let asleep = including.iter().fold(u128::MAX, |all, &id| all & self.nodes.get(id).sleep);
        let open = asleep & !arrived.sleep;
        arrived.open = Some(open);
        arrived.sleep &= asleep;
        if open == 0 {
            self.counts.included += 1;
            if let (Some(recorder), Some((node, taken))) = (&mut self.recorder, &arrived.via) {
                recorder.included(*node, &taken.edge, first);
            }
        }
        open == 0
    }

    /// Keeps a state, unless it is kept, and expands it.
    fn keep(&mut self, arrived: Arrived) -> Option<NodeId> {
        let Arrived { open, sleep, .. } = arrived;
        let node = match self.nodes.find(&arrived.state) {
            Some(node) => {
                self.nodes.get_mut(node).sleep = sleep;
                node
            }
            None if self.nodes.len() as u64 >= self.watch.most_states() => {
                let limit = Limit::States(self.nodes.len() as u64);
                self.end = Some(Completion::Limit(limit));
                return None;
            }
            None => self.nodes.insert(arrived.node(&self.nodes)),
        };
        self.depth = self.depth.max(u64::from(self.nodes.get(node).depth));
        if open.is_none() {
            self.look_at(node);
        }
        if self.end.is_none() && !self.is_too_large(node) {
            let todo = self.todo(node, open, sleep);
            self.tasks.push_back(Task::Expand { node, todo, sleep });
        }
        Some(node)
    }

    /// The transitions to take, in their order.
    fn todo(&self, node: NodeId, open: Option<u128>, sleep: u128) -> Vec<usize> {
        let state = &self.nodes.get(node).state;
        let alone = self.expander.machine.moves_alone(state);
        let may_move = |&number: &usize| match (alone, self.transitions[number]) {
            (None, _) | (_, Transition::Timeout) => true,
            (Some(process), other) => other == Transition::Steps(process),
        };
        let is_open = |&number: &usize| match open {
            Some(open) => open & bit(number) != 0,
            None => sleep & bit(number) == 0,
        };
        (0..self.transitions.len()).filter(may_move).filter(is_open).collect()
    }

    /// Looks for violations in a new state.
    fn look_at(&mut self, node: NodeId) {
        let state = self.nodes.get(node).state.clone();
        for (part, finding) in self.expander.violated(&state) {
            self.discover(finding, node, At::Part(part));
        }
        if self.options.deadlock {
            let alone = self.expander.machine.moves_alone(&state);
            let still = self.expander.still(&state, alone);
            for part in self.expander.when_still(&still, alone).still {
                if self.expander.machine.is_stuck(&part) {
                    self.discover(Finding::Deadlock, node, At::Part(part));
                }
            }
        }
    }

    /// Whether a state is given up because a language of it has grown too large.
    fn is_too_large(&mut self, node: NodeId) -> bool {
        let memory = self.expander.memory();
        let state = &self.nodes.get(node).state;
        let size = |p: &ProcId| {
            let language = memory.language(state, *p);
            memory.with_languages(|languages| languages.size(language))
        };
        let Some(process) = memory.processes().max_by_key(size) else { return false };
        let largest = size(&process);
        self.counts.largest = self.counts.largest.max(largest as u64);
        if largest <= self.options.largest_language {
            return false;
        }
        self.given_up.get_or_insert((node, process));
        true
    }
}
