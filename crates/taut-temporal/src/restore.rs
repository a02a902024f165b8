//! Runs as they are handed over; and putting the commits of private variables back ([`super::private`]).
//!
//! The run is followed on the program as it is, where these stores wait in buffers. After every transition
//! they are committed, so that at its ends the buffers of private variables are empty, as in the run that was
//! found.

use taut_ir::{Action, ProcId, VarId};
use taut_memory::MemorySystem;

use taut_machine::{Bound, Machine, Provenance, Scratch, Sink};

/// A run that violates a property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundLasso {
    /// What happens, from the initial state.
    pub actions: Vec<Action>,
    /// The action with which the cycle begins, which is repeated for ever. The number of actions, if the
    /// run ends and its last state is taken to last for ever; none, if the run is wrong already whatever
    /// follows.
    pub cycle: Option<usize>,
}

/// A run as transitions, each of one or more actions.
pub(super) struct Transitions {
    pub(super) all: Vec<Vec<Action>>,
    /// The first of the cycle.
    pub(super) cycle: Option<usize>,
}

impl Transitions {
    /// How many actions there are.
    pub(super) fn len(&self) -> usize {
        self.all.iter().map(Vec::len).sum()
    }

    /// The run as it is.
    pub(super) fn plain(self) -> FoundLasso {
        let length = |transitions: &[Vec<Action>]| transitions.iter().map(Vec::len).sum();
        let cycle = self.cycle.map(|cycle| length(&self.all[..cycle]));
        FoundLasso { actions: self.all.into_iter().flatten().collect(), cycle }
    }

    /// The run on a machine whose private variables are buffered; none if it cannot be followed there, which
    /// happens if a bound is met while a process holds the others.
    pub(super) fn restored<M: MemorySystem>(
        self,
        machine: &Machine<M>,
        private: &[(VarId, ProcId)],
    ) -> Option<FoundLasso> {
        let mut state = machine.initial().to_vec();
        let mut actions = Vec::new();
        let mut cycle = None;
        for (i, transition) in self.all.iter().enumerate() {
            if self.cycle == Some(i) {
                cycle = Some(actions.len());
            }
            state = after(machine, &state, transition)?;
            actions.extend(transition);
            commit(machine, &mut state, private, &mut actions);
        }
        if self.cycle == Some(self.all.len()) {
            cycle = Some(actions.len());
        }
        Some(FoundLasso { actions, cycle })
    }
}

/// The state after a transition.
fn after<M: MemorySystem>(
    machine: &Machine<M>,
    state: &[u64],
    transition: &[Action],
) -> Option<Vec<u64>> {
    let mut scratch = Scratch::tracing();
    let mut outcomes = Outcomes::default();
    machine.expand(state, &mut scratch, &mut outcomes);
    let found = outcomes.all(machine.words()).find(|(way, _)| scratch.path(*way) == transition);
    found.map(|(_, state)| state.to_vec())
}

/// The states that follow one, and how they come about.
#[derive(Default)]
pub(super) struct Outcomes {
    ways: Vec<Provenance>,
    states: Vec<u64>,
}

impl Outcomes {
    /// All of them, of so many words each.
    pub(super) fn all(&self, words: usize) -> impl Iterator<Item = (Provenance, &[u64])> {
        self.ways.iter().copied().zip(self.states.chunks(words))
    }
}

impl Sink for Outcomes {
    fn successor(&mut self, way: Provenance, state: &[u64]) {
        self.ways.push(way);
        self.states.extend_from_slice(state);
    }

    fn finding(&mut self, _: Provenance, _: taut_ir::Finding) {}

    fn blocked(&mut self, _: Bound) {}
}

/// Commits all stores to private variables.
fn commit<M: MemorySystem>(
    machine: &Machine<M>,
    state: &mut Vec<u64>,
    private: &[(VarId, ProcId)],
    actions: &mut Vec<Action>,
) {
    loop {
        let mut next = None;
        for &(var, process) in private {
            machine.memory().for_each_commit(state, process, |place| {
                let (of, index) = machine.places().variable(place);
                if of == var && next.is_none() {
                    next = Some((Action::Commit { process, var, index }, process, place));
                }
            });
        }
        let Some((action, process, place)) = next else { return };
        let mut after = state.clone();
        machine.memory().commit(&mut after, process, place);
        *state = after;
        actions.push(action);
    }
}
