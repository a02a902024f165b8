//! What a transition of a symbolic state leads to, and what of it the machine finds.

use taut_ir::{Action, Finding, ProcId};
use taut_machine::{Bound, BoundsMet, Provenance, Sink};

use crate::edge::{Edge, EdgeKind, State};

/// A state that an edge leads to.
pub(crate) struct Arrival {
    pub(crate) state: State,
    pub(crate) edge: Edge,
}

/// Everything that one transition leads to.
#[derive(Default)]
pub(crate) struct Outcome {
    pub(crate) arrivals: Vec<Arrival>,
    pub(crate) findings: Vec<(Finding, Edge)>,
    pub(crate) bounds_met: BoundsMet,
    /// The parts of the state in which nothing happens.
    pub(crate) still: Vec<State>,
    /// What a process did while it held the others had no end in sight, or a language was too large.
    pub(crate) cut: bool,
}

/// What the steps of a process lead to in a part of a state whose words agree.
pub(crate) struct Taken {
    pub(crate) alive: bool,
    pub(crate) cut: bool,
    pub(crate) bounds_met: BoundsMet,
    pub(crate) states: Vec<(Box<[Action]>, State)>,
    pub(crate) findings: Vec<(Box<[Action]>, Finding)>,
}

impl Outcome {
    pub(crate) fn add(&mut self, part: &State, process: ProcId, timeout: bool, taken: Taken) {
        let edge = |actions| Edge {
            part: part.clone(),
            kind: EdgeKind::Steps { process, timeout, actions },
        };
        self.cut |= taken.cut;
        self.note(taken.bounds_met);
        let states = taken.states.into_iter();
        self.arrivals.extend(states.map(|(actions, state)| Arrival { state, edge: edge(actions) }));
        let findings = taken.findings.into_iter();
        self.findings.extend(findings.map(|(actions, finding)| (finding, edge(actions))));
    }

    fn note(&mut self, met: BoundsMet) {
        self.bounds_met.threads |= met.threads;
        self.bounds_met.calls |= met.calls;
        self.bounds_met.no_process = self.bounds_met.no_process.or(met.no_process);
    }

    pub(crate) fn join(&mut self, other: Outcome) {
        self.arrivals.extend(other.arrivals);
        self.findings.extend(other.findings);
        self.note(other.bounds_met);
        self.cut |= other.cut;
    }
}

/// Collects what an expansion finds.
#[derive(Default)]
pub(crate) struct Collect {
    pub(crate) states: Vec<(Provenance, State)>,
    pub(crate) findings: Vec<(Provenance, Finding)>,
    pub(crate) bounds_met: BoundsMet,
    held_states: u32,
}

/// Held states of one expansion after which it is given up.
const MOST_HELD: u32 = 20_000;

impl Collect {
    /// Whether the expansion was given up.
    pub(crate) fn is_cut(&self) -> bool {
        self.held_states > MOST_HELD
    }
}

impl Sink for Collect {
    fn successor(&mut self, way: Provenance, state: &[u64]) {
        self.states.push((way, state.into()));
    }

    fn finding(&mut self, way: Provenance, finding: Finding) {
        self.findings.push((way, finding));
    }

    fn blocked(&mut self, bound: Bound) {
        self.bounds_met.note(bound);
    }

    fn go_on(&mut self, _: u64) -> bool {
        // One step may lead through a long chain of held states.
        taut_budget::tick();
        self.held_states += 1;
        !self.is_cut()
    }
}
