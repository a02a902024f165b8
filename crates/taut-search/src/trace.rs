//! Rebuilding the run that leads to a state.
//!
//! The store keeps only parents. The actions between them, of which there are several if a process held the
//! others in between, are found again by expanding each state of the path once more, which costs nothing
//! beside the search.

use taut_ir::{Action, Finding};
use taut_memory::MemorySystem;

use crate::explore::{Explorer, Found};
use crate::ledger::Entry;
use crate::machine::{Bound, Scratch, Sink, Way};
use crate::reduce::symmetry::Symmetry;

/// The run to a finding. It is followed through real states: those that are stored may be sorted
/// ([`crate::reduce::symmetry`]).
pub(crate) fn rebuild<M: MemorySystem>(explorer: &Explorer<'_, M>, entry: &Entry) -> Found {
    let store = &explorer.store;
    let mut path = vec![entry.state];
    while let Some(&last) = path.last()
        && store.parent(last) != last
    {
        path.push(store.parent(last));
    }
    let mut actions = Vec::new();
    let mut state = explorer.machine.initial().to_vec();
    for &next in path.iter().rev().skip(1) {
        let wanted = Wanted::State(store.state(next));
        actions.extend(actions_to(explorer, &mut state, wanted));
    }
    if let Some(action) = entry.action {
        let wanted = Wanted::Finding(action, entry.finding);
        actions.extend(actions_to(explorer, &mut state, wanted));
    }
    Found { finding: entry.finding, actions }
}

/// The first actions that lead from a state to something; the state becomes the one they lead to.
fn actions_to<M: MemorySystem>(
    explorer: &Explorer<'_, M>,
    state: &mut Vec<u64>,
    wanted: Wanted<'_>,
) -> Vec<Action> {
    let mut scratch = Scratch::tracing();
    let symmetry = &explorer.symmetry;
    let mut search = Search { wanted, symmetry, found: None, real: Vec::new(), work: Vec::new() };
    explorer.machine.expand(state, &mut scratch, &mut search);
    *state = search.real;
    scratch.path(search.found.expect("what was found once is found again"))
}

/// What to look for.
enum Wanted<'s> {
    State(&'s [u64]),
    Finding(Action, Finding),
}

struct Search<'s> {
    wanted: Wanted<'s>,
    symmetry: &'s Symmetry,
    found: Option<Way>,
    /// The state that was found.
    real: Vec<u64>,
    /// Space to sort a state in.
    work: Vec<u64>,
}

impl Search<'_> {
    /// Whether a state is the one that is wanted, but for the order of equal processes.
    fn is_wanted(&mut self, state: &[u64]) -> bool {
        let Wanted::State(to) = self.wanted else { return false };
        self.work.clear();
        self.work.extend_from_slice(state);
        self.symmetry.canonicalise(&mut self.work);
        self.work == to
    }
}

/// Whether two actions are the same but for who takes them.
fn is_like(a: Action, b: Action) -> bool {
    match (a, b) {
        (Action::Step { step: s, .. }, Action::Step { step: t, .. }) => s == t,
        (
            Action::Handshake { step: s, receive: r, .. },
            Action::Handshake { step: t, receive: u, .. },
        ) => (s, r) == (t, u),
        _ => a == b,
    }
}

impl Sink for Search<'_> {
    fn successor(&mut self, way: Way, state: &[u64]) {
        if self.found.is_none() && self.is_wanted(state) {
            self.found = Some(way);
            self.real = state.to_vec();
        }
    }

    fn finding(&mut self, way: Way, finding: Finding) {
        let exact = self.symmetry.is_trivial();
        let wanted = match self.wanted {
            Wanted::Finding(a, f) if exact => (a, f) == (way.action, finding),
            Wanted::Finding(a, f) => f == finding && is_like(a, way.action),
            Wanted::State(_) => false,
        };
        if self.found.is_none() && wanted {
            self.found = Some(way);
        }
    }

    fn held(&mut self, _: Bound) {}

    fn go_on(&mut self, _: u64) -> bool {
        self.found.is_none()
    }
}
