//! The symbolic engine against the explicit one on random programs with everything the program model has: arrays,
//! registers, ghosts, read-modify-writes, atomic sections, procedures, spawned processes, faults.

use std::collections::BTreeSet;

use proptest::prelude::*;
use taut_ir::{Fault, Finding, Memory, MemoryModel, Program};
use taut_search::{Completion, Limits, SearchOptions};
use taut_symbolic::SymbolicOptions;
use taut_testkit::random::{config, graph, straight};
use taut_witness::{Trace, replay};

/// Engines report one fault of all that a program has.
fn kind(finding: Finding) -> Finding {
    match finding {
        Finding::Fault(_) => Finding::Fault(Fault::Range),
        other => other,
    }
}

/// What the explicit engine finds with buffers of six entries, and whether any was ever full.
fn explicit(program: &Program, model: MemoryModel) -> Option<(BTreeSet<Finding>, bool)> {
    let limits = Limits { states: Some(100_000), ..Limits::default() };
    let options = SearchOptions { all: true, limits, ..SearchOptions::default() };
    let explored = taut_search::explore(program, Memory::new(model).bounded(Some(6)), &options);
    let complete = explored.completion == Completion::Complete;
    let found = explored.found.iter().map(|f| kind(f.finding)).collect();
    complete.then_some((found, explored.bounds_met.buffer))
}

fn compare(program: &Program, model: MemoryModel, reductions: bool) -> Result<(), TestCaseError> {
    let memory = Memory::new(model).bounded(None);
    let options = SymbolicOptions {
        all: true,
        sleep_sets: reductions,
        ample_sets: reductions,
        limits: Limits { states: Some(1_000), ..Limits::default() },
        ..SymbolicOptions::default()
    };
    let search = taut_symbolic::explore(program, memory, &options);
    let mut found = BTreeSet::new();
    for one in &search.exploration.found {
        let trace = Trace::new(memory, one.finding, one.actions.clone());
        let replayed = replay(program, &trace);
        prop_assert!(replayed.is_ok(), "{:?} does not replay: {:?}", one.finding, replayed.err());
        found.insert(kind(one.finding));
    }
    if matches!(search.exploration.completion, Completion::Limit(_)) {
        return Ok(());
    }
    if let Some((bounded, met)) = explicit(program, model) {
        let missed: Vec<_> = bounded.difference(&found).collect();
        prop_assert!(missed.is_empty(), "{} misses {missed:?}", model.name());
        if !met {
            prop_assert_eq!(&found, &bounded, "{} without a bound met", model.name());
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(config(80))]

    #[test]
    fn graphs(draft in graph(8), reductions in any::<bool>()) {
        let program = draft.program();
        for model in [MemoryModel::Tso, MemoryModel::Pso] {
            compare(&program, model, reductions)?;
        }
    }

    #[test]
    fn straight_lines(draft in straight(5), reductions in any::<bool>()) {
        let program = draft.program();
        for model in [MemoryModel::Tso, MemoryModel::Pso] {
            compare(&program, model, reductions)?;
        }
    }
}
