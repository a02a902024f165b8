//! Any number of processes against fixed numbers of them. These are unit tests because of the switch for mistakes
//! (`taut-fault`).

mod everything;
mod examples;
mod figures;
mod random;
mod refusals;
mod windows;

use std::collections::BTreeSet;

use taut_explicit::{Completion, Limits, SearchOptions};
use taut_ir::replicated::Count;
use taut_ir::{Finding, Memory, MemoryModel, Program};
use taut_witness::{Trace, replay};

use super::{AnySearch, explore};

fn options(states: u64) -> SearchOptions {
    let limits = Limits { states: Some(states), ..Limits::default() };
    SearchOptions { all: true, limits, ..SearchOptions::default() }
}

/// The search of a program under a model; each run has been replayed.
fn search(program: &Program, model: MemoryModel, states: u64) -> Result<AnySearch, String> {
    let search = explore(program, model, &options(states)).map_err(|why| why.message)?;
    let memory = Memory::new(model).bounded(None);
    for found in &search.exploration.found {
        let trace = Trace::new(memory, found.finding, found.actions.clone());
        let name = found.finding.name(program);
        replay(&search.instance, &trace)
            .map_err(|error| format!("{name} does not replay: {error}"))?;
    }
    match search.exploration.completion {
        Completion::Complete | Completion::Answered => Ok(search),
        other => Err(format!("ended by {other:?}")),
    }
}

/// What the explicit engine finds in an instance, with buffers up to a bound; none if that is too much.
fn explicit(
    program: &Program,
    counts: &[Count],
    model: MemoryModel,
    bound: u32,
    states: u64,
) -> Option<BTreeSet<Finding>> {
    explicitly(program, counts, model, bound, SearchOptions { whole: true, ..options(states) })
}

/// The same with the reductions of the explicit engine.
fn reduced(
    program: &Program,
    counts: &[Count],
    model: MemoryModel,
    bound: u32,
    states: u64,
) -> Option<BTreeSet<Finding>> {
    explicitly(program, counts, model, bound, options(states))
}

fn explicitly(
    program: &Program,
    counts: &[Count],
    model: MemoryModel,
    bound: u32,
    options: SearchOptions,
) -> Option<BTreeSet<Finding>> {
    let memory = Memory::new(model).bounded(Some(bound));
    let options = SearchOptions { deadlock: false, ..options };
    let explored = taut_explicit::explore(&program.instance(counts), memory, &options);
    let complete = explored.completion == Completion::Complete;
    complete.then(|| explored.found.iter().map(|f| super::super::tests::kind(f.finding)).collect())
}

/// As many processes of each definition.
fn each(program: &Program, count: u32) -> Vec<Count> {
    program.replicated.iter().map(|&def| (def, count)).collect()
}

/// What a search found.
fn found(search: &AnySearch) -> BTreeSet<Finding> {
    let all = search.exploration.found.iter();
    all.map(|f| super::super::tests::kind(f.finding)).collect()
}
