//! What came of a search, with a run for everything that was found.

use taut_explicit::{Completion, Exploration, Found, Limit, Limits, SearchOptions, Stats};
use taut_ir::{Finding, ProcId};

use super::Search;
use crate::concretise::{End, concretise};
use crate::edge::{Edge, State};
use crate::graph::{self, Graph};
use crate::node::NodeId;
use crate::options::{Diverging, SymbolicSearch};

/// Something that was found.
pub(super) struct Discovery {
    pub(super) finding: Finding,
    pub(super) node: NodeId,
    pub(super) at: At,
}

/// Where.
pub(super) enum At {
    /// In a part of the node.
    Part(State),
    /// On an edge from it.
    Edge(Edge),
}

impl Search<'_> {
    pub(super) fn finish(mut self) -> SymbolicSearch {
        let found = self.found();
        let completion = match (self.end, &self.given_up) {
            // A violation without a run is neither told nor passed over.
            _ if found.len() < self.discovered => Completion::Limit(Limit::Run),
            // After an overflow languages may lack words: what was found replays, but nothing holds.
            _ if self.expander.memory().overflowed() => {
                Completion::Limit(Limit::Language(self.options.largest_language as u64))
            }
            (Some(end), _) => end,
            (None, Some(_)) => {
                Completion::Limit(Limit::Language(self.options.largest_language as u64))
            }
            (None, None) => Completion::Complete,
        };
        let limited = matches!(completion, Completion::Limit(_));
        let growing = if limited { self.growing() } else { None };
        let memory = self.expander.memory();
        let (automata, bytes) = memory.with_languages(|l| (l.len() as u64, l.bytes()));
        self.counts.automata = automata;
        let machine = self.expander.machine;
        let nodes = &self.nodes;
        let graph = self.recorder.map(|recorder| Graph::of(self.program, machine, nodes, recorder));
        let exploration = Exploration {
            found,
            completion,
            bounds_met: self.bounds_met,
            may_fault: machine.may_fault(),
            reached: self.reached,
            stats: Stats {
                states: self.nodes.len() as u64,
                transitions: self.taken,
                matched: self.counts.included,
                depth: self.depth,
                time: self.watch.elapsed(),
                peak_bytes: self.nodes.bytes() + bytes,
                state_bits: machine.state_bits() as u64,
                ..Stats::default()
            },
        };
        SymbolicSearch { exploration, counts: self.counts, growing, graph }
    }

    /// A language that kept growing: that of the node that was given up, or else the largest of all. Shown is
    /// the last one on the way there that a person can read.
    fn growing(&self) -> Option<Diverging> {
        let (node, process) = self.given_up.or_else(|| self.largest())?;
        let memory = self.expander.memory();
        let language = |id: NodeId| memory.language(&self.nodes.get(id).state, process);
        let size = |id: NodeId| memory.with_languages(|l| l.size(language(id)));
        let readable = |&id: &NodeId| size(id) <= MOST_READABLE;
        let shown = self.nodes.ancestors(node).find(readable)?;
        let language = graph::regex(self.program, self.expander.machine, language(shown));
        Some(Diverging { process, language })
    }

    /// The node with the largest language of all, and whose it is; none if all are small.
    fn largest(&self) -> Option<(NodeId, ProcId)> {
        let memory = self.expander.memory();
        let sizes = (0..self.nodes.len() as NodeId)
            .flat_map(|id| memory.processes().map(move |process| (id, process)));
        let size = |&(id, process): &(NodeId, ProcId)| {
            let language = memory.language(&self.nodes.get(id).state, process);
            memory.with_languages(|l| l.size(language))
        };
        sizes.max_by_key(size).filter(|largest| size(largest) >= LEAST_GROWN)
    }

    /// What was found, each with a run. One for which no run was found in reasonable time is left out.
    fn found(&mut self) -> Vec<Found> {
        let discoveries = std::mem::take(&mut self.discoveries);
        self.discovered = discoveries.len();
        discoveries.iter().filter_map(|discovery| self.with_run(discovery)).collect()
    }

    fn with_run(&mut self, Discovery { finding, node, at }: &Discovery) -> Option<Found> {
        let initial: State = self.expander.machine.initial().into();
        let trail = self.nodes.trail(None, *node);
        let end = match at {
            At::Part(part) => End::State { part, finding: *finding },
            At::Edge(edge) => End::Edge { edge, finding: *finding },
        };
        let run = concretise(&mut self.expander, &initial, &trail, &end);
        match run {
            Some(actions) => Some(Found { finding: *finding, actions }),
            None => self.with_small_buffers(*finding),
        }
    }

    /// A run to a finding with buffers of a few entries: where the symbolic way has too many turns to try, a
    /// plain search may still be quick.
    fn with_small_buffers(&self, finding: Finding) -> Option<Found> {
        let limits = Limits { states: Some(MOST_STATES), ..self.options.limits.clone() };
        let others = self.asked.iter().filter(|other| !other.same_kind(finding));
        let (deadlock, unasked) = (finding == Finding::Deadlock, others.copied().collect());
        let options = SearchOptions { deadlock, unasked, limits, ..SearchOptions::default() };
        SMALL_BOUNDS.iter().find_map(|&bound| {
            let memory = self.memory.bounded(Some(bound));
            let explored = taut_explicit::explore(self.program, memory, &options);
            explored.found.into_iter().find(|found| found.finding == finding)
        })
    }
}

/// The largest language that is shown as an expression, in automaton states.
const MOST_READABLE: usize = 12;
/// The smallest that is taken for one that grows.
const LEAST_GROWN: usize = 5;
/// Bounds that are tried for a run.
const SMALL_BOUNDS: [u32; 3] = [2, 4, 8];
/// States that are looked at for a run with each of them.
const MOST_STATES: u64 = 200_000;
