//! Rebuilding the run that leads to a finding.
//!
//! A search knows the stored states on the way, or which successor to take each time. The actions between two
//! stored states, of which there are several if a process held the others in between, are found again by
//! expanding each state of the path once more, which costs nothing beside the search.

use taut_ir::{Action, Finding};
use taut_memory::MemorySystem;

use crate::expander::{Expander, Space};
use crate::reduce::symmetry::Symmetry;
use taut_machine::{Bound, Machine, Provenance, Scratch, Sink};

/// The stored states on the way from the initial state by successors with these ordinals, both ends included.
pub(crate) fn follow<M: MemorySystem>(
    machine: &Machine<M>,
    expander: &impl Expander,
    ordinals: &[u32],
) -> Vec<Vec<u64>> {
    let mut space = Space::default();
    let mut states = vec![machine.initial().to_vec()];
    for (level, &ordinal) in ordinals.iter().enumerate() {
        let from = states.last().expect("the initial state");
        let mut nth = Nth { left: ordinal, state: None };
        let expansion = expander.expand(level, from, &mut space, &mut nth);
        if expansion.reduced && nth.state.is_none() {
            expander.expand_fully(from, &mut space, &mut nth);
        }
        let state = nth.state.expect("a successor comes at the same place again");
        states.push(state);
    }
    states
}

/// The actions of a run through stored states, and then of an action that goes wrong. Where equal processes are
/// sorted in stored states, real ones are followed beside them ([`crate::reduce::symmetry`]).
pub(crate) fn actions<M: MemorySystem>(
    machine: &Machine<M>,
    symmetry: Option<&Symmetry>,
    states: &[impl AsRef<[u64]>],
    wrong: Option<(Action, Finding)>,
) -> Vec<Action> {
    let mut actions = Vec::new();
    let mut real = machine.initial().to_vec();
    for state in states.iter().skip(1) {
        let wanted = Wanted::State(state.as_ref());
        actions.extend(actions_to(machine, symmetry, &mut real, wanted));
    }
    if let Some((action, finding)) = wrong {
        let wanted = Wanted::Finding(action, finding);
        actions.extend(actions_to(machine, symmetry, &mut real, wanted));
    }
    actions
}

/// The first actions that lead from a state to something; the state becomes the one they lead to.
fn actions_to<M: MemorySystem>(
    machine: &Machine<M>,
    symmetry: Option<&Symmetry>,
    state: &mut Vec<u64>,
    wanted: Wanted<'_>,
) -> Vec<Action> {
    let mut scratch = Scratch::tracing();
    let mut first = First { wanted, symmetry, found: None, real: Vec::new(), sorted: Vec::new() };
    machine.expand(state, &mut scratch, &mut first);
    *state = first.real;
    scratch.path(first.found.expect("what was found once is found again"))
}

/// Waits for the successor that comes after so many others.
struct Nth {
    left: u32,
    state: Option<Vec<u64>>,
}

impl Sink for Nth {
    fn successor(&mut self, _: Provenance, state: &[u64]) {
        if self.left == 0 && self.state.is_none() {
            self.state = Some(state.to_vec());
        }
        self.left = self.left.saturating_sub(1);
    }

    fn finding(&mut self, _: Provenance, _: Finding) {}

    fn blocked(&mut self, _: Bound) {}

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
    symmetry: Option<&'s Symmetry>,
    found: Option<Provenance>,
    /// The state that was found.
    real: Vec<u64>,
    /// Space to sort a state in.
    sorted: Vec<u64>,
}

impl First<'_> {
    /// Whether a state is the one that is wanted, but for the order of equal processes.
    fn is_wanted(&mut self, state: &[u64]) -> bool {
        let Wanted::State(to) = self.wanted else { return false };
        let Some(symmetry) = self.symmetry else { return to == state };
        self.sorted.clear();
        self.sorted.extend_from_slice(state);
        symmetry.canonicalise(&mut self.sorted);
        self.sorted == to
    }
}

/// Whether two actions are the same but for who takes them.
fn same_kind(a: Action, b: Action) -> bool {
    match (a, b) {
        (Action::Step { step: s, .. }, Action::Step { step: t, .. }) => {
            s == t && a.choice() == b.choice()
        }
        (
            Action::Handshake { step: s, receive: r, .. },
            Action::Handshake { step: t, receive: u, .. },
        ) => (s, r) == (t, u) && a.choice() == b.choice(),
        _ => a == b,
    }
}

impl Sink for First<'_> {
    fn successor(&mut self, way: Provenance, state: &[u64]) {
        if self.found.is_none() && self.is_wanted(state) {
            self.found = Some(way);
            self.real = state.to_vec();
        }
    }

    fn finding(&mut self, way: Provenance, finding: Finding) {
        let wanted = match self.wanted {
            Wanted::Finding(a, f) if self.symmetry.is_none() => (a, f) == (way.action, finding),
            Wanted::Finding(a, f) => {
                let renumbers = self.symmetry.is_some_and(Symmetry::renumbers);
                f == finding && (renumbers || same_kind(a, way.action))
            }
            Wanted::State(_) => false,
        };
        if self.found.is_none() && wanted {
            self.found = Some(way);
        }
    }

    fn blocked(&mut self, _: Bound) {}

    fn go_on(&mut self, _: u64) -> bool {
        self.found.is_none()
    }
}
