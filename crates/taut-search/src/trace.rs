//! Rebuilding the run that leads to a finding.
//!
//! A search knows the stored states on the way, or which successor to take each time. The actions between two
//! stored states, of which there are several if a process held the others in between, are found again by
//! expanding each state of the path once more, which costs nothing beside the search.

use taut_ir::{Action, Finding};
use taut_memory::MemorySystem;

use crate::explore::expander::Expander;
use crate::machine::{Bound, Machine, Scratch, Sink, Way};

/// The stored states on the way from the initial state by successors with these ordinals, both ends included.
pub(crate) fn follow<M: MemorySystem>(
    machine: &Machine<M>,
    expander: &impl Expander,
    ordinals: &[u32],
) -> Vec<Vec<u64>> {
    let mut scratch = Scratch::default();
    let mut states = vec![machine.initial().to_vec()];
    for &ordinal in ordinals {
        let from = states.last().expect("the initial state");
        let mut nth = Nth { left: ordinal, state: None };
        if expander.expand(from, &mut scratch, &mut nth).reduced && nth.state.is_none() {
            expander.expand_fully(from, &mut scratch, &mut nth);
        }
        let state = nth.state.expect("a successor comes at the same place again");
        states.push(state);
    }
    states
}

/// The actions of a run through stored states, and then of an action that goes wrong.
pub(crate) fn actions<M: MemorySystem>(
    machine: &Machine<M>,
    states: &[impl AsRef<[u64]>],
    wrong: Option<(Action, Finding)>,
) -> Vec<Action> {
    let mut actions = Vec::new();
    for pair in states.windows(2) {
        actions.extend(actions_to(machine, pair[0].as_ref(), Wanted::State(pair[1].as_ref())));
    }
    if let (Some((action, finding)), Some(last)) = (wrong, states.last()) {
        actions.extend(actions_to(machine, last.as_ref(), Wanted::Finding(action, finding)));
    }
    actions
}

/// The first actions that lead from a stored state to something.
fn actions_to<M: MemorySystem>(
    machine: &Machine<M>,
    from: &[u64],
    wanted: Wanted<'_>,
) -> Vec<Action> {
    let mut scratch = Scratch::tracing();
    let mut search = First { wanted, found: None };
    machine.expand(from, &mut scratch, &mut search);
    scratch.path(search.found.expect("what was found once is found again"))
}

/// Waits for the successor that comes after so many others.
struct Nth {
    left: u32,
    state: Option<Vec<u64>>,
}

impl Sink for Nth {
    fn successor(&mut self, _: Way, state: &[u64]) {
        if self.left == 0 && self.state.is_none() {
            self.state = Some(state.to_vec());
        }
        self.left = self.left.saturating_sub(1);
    }

    fn finding(&mut self, _: Way, _: Finding) {}

    fn held(&mut self, _: Bound) {}

    fn go_on(&mut self, _: u64) -> bool {
        self.state.is_none()
    }
}

/// What to look for.
enum Wanted<'s> {
    State(&'s [u64]),
    Finding(Action, Finding),
}

/// Waits for the first way to something.
struct First<'s> {
    wanted: Wanted<'s>,
    found: Option<Way>,
}

impl Sink for First<'_> {
    fn successor(&mut self, way: Way, state: &[u64]) {
        if self.found.is_none() && matches!(self.wanted, Wanted::State(to) if to == state) {
            self.found = Some(way);
        }
    }

    fn finding(&mut self, way: Way, finding: Finding) {
        let wanted =
            matches!(self.wanted, Wanted::Finding(a, f) if (a, f) == (way.action, finding));
        if self.found.is_none() && wanted {
            self.found = Some(way);
        }
    }

    fn held(&mut self, _: Bound) {}

    fn go_on(&mut self, _: u64) -> bool {
        self.found.is_none()
    }
}
