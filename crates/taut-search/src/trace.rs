//! Rebuilding the run that leads to a state.
//!
//! The store keeps only parents. The actions between them are found again by expanding each state of the
//! path once more, which costs nothing beside the search.

use taut_ir::{Action, Finding};
use taut_memory::MemorySystem;

use crate::explore::Found;
use crate::ledger::Entry;
use crate::machine::{Bound, Machine, Sink};
use crate::store::{StateId, StateStore};

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
    let between =
        |pair: &[StateId]| action_between(machine, store.state(pair[0]), store.state(pair[1]));
    let actions = path.windows(2).map(between).chain(entry.action).collect();
    Found { finding: entry.finding, actions }
}

/// The first action that leads from one state to another.
fn action_between<M: MemorySystem>(machine: &Machine<M>, from: &[u64], to: &[u64]) -> Action {
    let mut search = Search { to, found: None };
    machine.expand(from, &mut Vec::new(), &mut search);
    search.found.expect("a state follows from its parent")
}

struct Search<'s> {
    to: &'s [u64],
    found: Option<Action>,
}

impl Sink for Search<'_> {
    fn successor(&mut self, action: Action, state: &[u64]) {
        if self.found.is_none() && state == self.to {
            self.found = Some(action);
        }
    }

    fn finding(&mut self, _: Action, _: Finding) {}

    fn held(&mut self, _: Bound) {}
}
