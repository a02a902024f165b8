//! Rebuilding the run that leads to a state.
//!
//! The store keeps only parents. The actions between them, of which there are several if a process held the
//! others in between, are found again by expanding each state of the path once more, which costs nothing
//! beside the search.

use taut_ir::{Action, Finding};
use taut_memory::MemorySystem;

use crate::explore::Found;
use crate::ledger::Entry;
use crate::machine::{Bound, Machine, Scratch, Sink, Way};
use crate::store::StateStore;

/// The run to a finding.
pub(crate) fn rebuild<M: MemorySystem>(
    machine: &Machine<M>,
    store: &StateStore,
    entry: &Entry,
) -> Found {
    let mut path = vec![entry.state];
    while let Some(&last) = path.last()
        && store.parent(last) != last
    {
        path.push(store.parent(last));
    }
    path.reverse();
    let mut actions = Vec::new();
    for pair in path.windows(2) {
        let wanted = Wanted::State(store.state(pair[1]));
        actions.extend(actions_to(machine, store.state(pair[0]), wanted));
    }
    if let Some(action) = entry.action {
        let wanted = Wanted::Finding(action, entry.finding);
        actions.extend(actions_to(machine, store.state(entry.state), wanted));
    }
    Found { finding: entry.finding, actions }
}

/// The first actions that lead from a stored state to something.
fn actions_to<M: MemorySystem>(
    machine: &Machine<M>,
    from: &[u64],
    wanted: Wanted<'_>,
) -> Vec<Action> {
    let mut scratch = Scratch::tracing();
    let mut search = Search { wanted, found: None };
    machine.expand(from, &mut scratch, &mut search);
    scratch.path(search.found.expect("what was found once is found again"))
}

/// What to look for.
enum Wanted<'s> {
    State(&'s [u64]),
    Finding(Action, Finding),
}

struct Search<'s> {
    wanted: Wanted<'s>,
    found: Option<Way>,
}

impl Sink for Search<'_> {
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
