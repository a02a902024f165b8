//! The symbolic engine against the explicit one on random programs with everything the program model has: arrays,
//! registers, ghosts, read-modify-writes, atomic sections, procedures, spawned processes, faults.

use std::collections::BTreeSet;

use proptest::prelude::*;
use taut_explicit::{Completion, Limits, SearchOptions};
use taut_ir::{Fault, Finding, Memory, MemoryModel, Program};
use taut_symbolic::SymbolicOptions;
use taut_testkit::cases::{Case, random_cases};
use taut_testkit::random::{Draft, Edge, Instruction, Thread, graph, straight};
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
    let options = SearchOptions { all: true, whole: true, limits, ..SearchOptions::default() };
    let explored = taut_explicit::explore(program, Memory::new(model).bounded(Some(6)), &options);
    let complete = explored.completion == Completion::Complete;
    let found = explored.found.iter().map(|f| kind(f.finding)).collect();
    complete.then_some((found, explored.bounds_met.buffer))
}

fn compare(
    case: &Case,
    program: &Program,
    model: MemoryModel,
    reductions: bool,
) -> Result<(), TestCaseError> {
    case.about(program);
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
        return case.pass_over("left open");
    }
    let Some((bounded, met)) = explicit(program, model) else {
        return case.pass_over("too large");
    };
    case.count(if met { "compared up to a bound" } else { "compared" });
    let missed: Vec<_> = bounded.difference(&found).collect();
    prop_assert!(missed.is_empty(), "{} misses {missed:?}", model.name());
    if !met {
        prop_assert_eq!(&found, &bounded, "{} without a bound met", model.name());
    }
    Ok(())
}

#[test]
fn graphs() {
    let tally = random_cases(50, (graph(8), any::<bool>()), |case, (draft, reductions)| {
        let program = draft.program();
        for model in [MemoryModel::Tso, MemoryModel::Pso] {
            compare(case, &program, model, reductions)?;
        }
        Ok(())
    });
    tally.at_least("compared", 22).at_least("compared up to a bound", 45);
}

/// Three processes with little code each: who is kept waiting for whom is what reductions get wrong.
#[test]
fn crowds() {
    let tally =
        random_cases(50, (graph(3), graph(2), any::<bool>()), |case, (two, more, reductions)| {
            let threads = two.threads.into_iter().chain(more.threads).take(3).collect();
            let program = Draft { threads }.program();
            for model in [MemoryModel::Tso, MemoryModel::Pso] {
                compare(case, &program, model, reductions)?;
            }
            Ok(())
        });
    tally.at_least("compared", 60);
}

#[test]
fn straight_lines() {
    let tally = random_cases(50, (straight(5), any::<bool>()), |case, (draft, reductions)| {
        let program = draft.program();
        for model in [MemoryModel::Tso, MemoryModel::Pso] {
            compare(case, &program, model, reductions)?;
        }
        Ok(())
    });
    tally.at_least("compared", 80);
}

/// A process that stops in an atomic section keeps the other from its last step for ever: taking that step
/// first, as it concerns nobody, would lose the deadlock.
#[test]
fn regression_stopped_in_an_atomic_section() {
    let graph = |points, atomic, target, instruction| {
        Thread::Graph(points, atomic, vec![Edge { source: 0, target, instruction }])
    };
    let stops = graph(3, Some(3), 2, Instruction::Store(0, 0));
    let waits = graph(4, None, 3, Instruction::StoreElement(0, 0));
    let program = Draft { threads: vec![stops, waits] }.program();
    let (found, _) = explicit(&program, MemoryModel::Tso).expect("a small program");
    assert!(found.contains(&Finding::Deadlock));
    compare(&Case::default(), &program, MemoryModel::Tso, true).expect("the deadlock is found");
}

/// The store concerns nobody's variables, but one who waits for all buffers waits for its commit too: taken first,
/// as if it concerned nobody, it would lose the runs in which the other does not see it.
#[test]
fn regression_stored_before_all_buffers_are_empty() {
    let stores = Thread::Straight(vec![Instruction::Store(0, 1)]);
    let waits = Thread::Straight(vec![Instruction::Sync, Instruction::Assert(0, 0)]);
    let program = Draft { threads: vec![stores, waits] }.program();
    for model in [MemoryModel::Tso, MemoryModel::Pso] {
        let (found, _) = explicit(&program, model).expect("a small program");
        assert!(found.iter().any(|f| matches!(f, Finding::Property(_))));
        compare(&Case::default(), &program, model, true)
            .expect("the run without the store is found");
    }
}

/// One process stops in an atomic section for good, the other could go round a loop that stores, but it may not
/// move any more: its buffer must not be made larger.
#[test]
fn regression_a_loop_of_one_who_may_not_move() {
    let edge = |source, target, instruction| Edge { source, target, instruction };
    let stops = vec![
        edge(3, 0, Instruction::Store(0, 0)),
        edge(2, 0, Instruction::Call(0)),
        edge(0, 2, Instruction::Sync),
        edge(2, 3, Instruction::Store(1, 2)),
    ];
    let loops = vec![edge(0, 0, Instruction::Two(0, 0, 0))];
    let threads = vec![Thread::Graph(4, Some(1), stops), Thread::Graph(3, None, loops)];
    let program = Draft { threads }.program();
    for model in [MemoryModel::Tso, MemoryModel::Pso] {
        compare(&Case::default(), &program, model, false).expect("every run replays");
    }
}

/// After counting, the swap stores 1, and coming back to where it was closes a cycle that cannot be repeated: the
/// next swap would find the 1. The earlier state grows by the plain swap alone, and what was come to is not
/// among what that makes of it: it must be kept as it is.
#[test]
fn regression_a_cycle_closed_but_not_repeated() {
    let edge = |source, target, instruction| Edge { source, target, instruction };
    let idles = vec![edge(0, 0, Instruction::LoadElement(0, 0))];
    let swaps = vec![
        edge(0, 1, Instruction::Store(0, 1)),
        edge(1, 1, Instruction::Swap(1, 1)),
        edge(1, 1, Instruction::Count(1)),
    ];
    let threads = vec![Thread::Graph(4, None, idles), Thread::Graph(2, None, swaps)];
    let program = Draft { threads }.program();
    let (found, _) = explicit(&program, MemoryModel::Pso).expect("a small program");
    assert!(found.iter().any(|f| matches!(f, Finding::Property(_))));
    compare(&Case::default(), &program, MemoryModel::Pso, false).expect("the violation is found");
}
