//! The engine against other ways to the same answers. These are unit tests because of the switch for mistakes
//! (`taut-fault`), which only tests can switch on.

mod ends;
mod everything;
mod ghosts;
mod looping;
mod pso;
mod semantics;
mod shapes;
mod spawned;
mod tiny;

use std::collections::BTreeSet;

use taut_explicit::{Completion, Limits, SearchOptions};
use taut_ir::{Fault, Finding, Memory, MemoryModel, Program};
use taut_witness::{Trace, replay};

/// Engines report one fault of all that a program has.
pub(crate) fn kind(finding: Finding) -> Finding {
    match finding {
        Finding::Fault(_) => Finding::Fault(Fault::Range),
        other => other,
    }
}

/// What the explicit engine finds under TSO with a bound, and whether a buffer was full; none if that is too much.
fn explicit(program: &Program, bound: u32, states: u64) -> Option<(BTreeSet<Finding>, bool)> {
    let limits = Limits { states: Some(states), ..Limits::default() };
    let options = SearchOptions { all: true, whole: true, limits, ..SearchOptions::default() };
    let memory = Memory::new(MemoryModel::Tso).bounded(Some(bound));
    let explored = taut_explicit::explore(program, memory, &options);
    let complete = explored.completion == Completion::Complete;
    let found = explored.found.iter().map(|f| kind(f.finding)).collect();
    complete.then_some((found, explored.bounds_met.buffer))
}

/// What the engine says of a program.
enum Said {
    /// Everything that is found, and each run replays.
    Found(BTreeSet<Finding>),
    Refused,
    Limit,
    Wrong(String),
}

fn ask(program: &Program, states: u64) -> Said {
    let limits = Limits { states: Some(states), ..Limits::default() };
    let options = SearchOptions { all: true, limits, ..SearchOptions::default() };
    let Ok(search) = crate::explore(program, &options) else { return Said::Refused };
    let memory = Memory::new(MemoryModel::Tso).bounded(None);
    let mut found = BTreeSet::new();
    for one in &search.exploration.found {
        let trace = Trace::new(memory, one.finding, one.actions.clone());
        if let Err(error) = replay(program, &trace) {
            return Said::Wrong(format!("{:?} does not replay: {error}", one.finding));
        }
        found.insert(kind(one.finding));
    }
    match search.exploration.completion {
        Completion::Complete | Completion::Answered => Said::Found(found),
        Completion::Limit(taut_explicit::Limit::Run) => Said::Wrong("no run".into()),
        _ => Said::Limit,
    }
}
