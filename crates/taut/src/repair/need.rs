//! What a place is needed for.

use std::collections::BTreeSet;

use taut_ir::{Action, Program};
use taut_repair::learned::LearnedClause;
use taut_repair::{RepairKind, RepairProblem, SiteId};
use taut_witness::{Address, State, Trace};

/// A run that of all places of a set one alone breaks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Justification {
    /// What the run violates.
    pub property: String,
    /// How many steps it has.
    pub steps: usize,
    /// What happens at the place, in words.
    pub words: String,
    /// The run, of the program with the places that had been chosen when it was found.
    pub trace: Trace,
}

impl Justification {
    pub(super) fn of(
        subject: &RepairProblem,
        lesson: &LearnedClause,
        place: SiteId,
    ) -> Justification {
        let found = &lesson.counterexample;
        let kind = subject.place(place).kind;
        let words = match taut_repair::clause::waiting_at(subject, &lesson.set, found, place) {
            Some((process, state)) => {
                let name = &found.program.process(process).name;
                let waits = waiting(&found.program, &state, process.index());
                match kind {
                    RepairKind::AtomicWrite => {
                        format!("{name}'s store is late, {waits} in its buffer")
                    }
                    RepairKind::Fence | RepairKind::Barrier | RepairKind::StoreFence => {
                        format!("{name} passes here with {waits} in its buffer")
                    }
                }
            }
            None => "the run could not be taken apart".into(),
        };
        let steps = found.trace.actions.iter();
        let steps = steps.filter(|a| !matches!(a, Action::Commit { .. })).count();
        let property = found.property.clone();
        Justification { property, steps, words, trace: found.trace.clone() }
    }
}

/// What waits in a buffer, in words.
fn waiting(program: &Program, state: &State, process: usize) -> String {
    let entries = state.processes[process].buffer.entries();
    let mut all: Vec<String> = Vec::new();
    let mut seen = BTreeSet::new();
    for entry in entries {
        let value = taut_witness::text::value(program, entry.address, entry.value);
        let text = format!("{} = {value}", name(program, entry.address));
        if seen.insert(text.clone()) {
            all.push(text);
        }
    }
    if all.is_empty() { "nothing".into() } else { all.join(", ") }
}

/// A location by its name in the source.
pub(super) fn name(program: &Program, address: Address) -> String {
    taut_witness::text::address(program, address)
}
