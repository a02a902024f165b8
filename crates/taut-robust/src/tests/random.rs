//! Random programs: what the search says beside what the definition says.

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use taut_ir::{Memory, MemoryModel, Program};
use taut_testkit::cases::{Case, random_cases};
use taut_testkit::looping::looping;
use taut_testkit::random::{Draft, Edge as LoopEdge, Instruction, Thread};

use taut_witness::replay;

use super::oracle::{Traces, traces};
use crate::{Robustness, check};
use taut_fault::{Fault, Group, with};

const MODELS: [MemoryModel; 2] = [MemoryModel::Tso, MemoryModel::Pso];

fn runs(program: &Program, model: MemoryModel, longest: usize, most: usize) -> Option<Traces> {
    traces(program, Memory::new(model).bounded(None), longest, most)
}

/// Compares the answer with the definition; an error says what differs.
fn compare(
    program: &Program,
    model: MemoryModel,
    relaxed: &Traces,
) -> Result<&'static str, String> {
    match check(program, model, 200_000) {
        Err(_) => Ok("refused"),
        Ok(Robustness::Robust(_)) if relaxed.has_circle => {
            Err(format!("{model}: a run has a circle"))
        }
        Ok(Robustness::Robust(proof)) if proof.states.is_none() => Ok("robust by code"),
        Ok(Robustness::Robust(_)) => Ok("robust"),
        Ok(Robustness::NotRobust(_)) if relaxed.is_everything && !relaxed.has_circle => {
            Err(format!("{model}: no run has a circle"))
        }
        Ok(Robustness::NotRobust(found)) => match replay(program, &found.trace) {
            Ok(_) => Ok("not robust"),
            Err(refused) => Err(format!("{model}: the run is not accepted: {refused}")),
        },
        Ok(Robustness::Unknown(_)) => Ok("open"),
    }
}

/// One loop-free program: circles are the same thing as traces that no sequentially consistent run has.
fn loop_free(case: &Case, program: &Program) -> Result<(), TestCaseError> {
    case.about(program);
    let Some(sc) = runs(program, MemoryModel::Sc, usize::MAX, 1_200) else {
        return case.pass_over("too large");
    };
    for model in MODELS {
        let Some(relaxed) = runs(program, model, usize::MAX, 1_200) else {
            case.count("too large");
            continue;
        };
        let is_subset = relaxed.complete.is_subset(&sc.complete);
        let has_atomic = program.defs.iter().any(|d| d.points.iter().any(|p| p.atomic));
        // Steps of a block that is done at once are one event, which the definition by circles of steps does not know.
        if !has_atomic {
            prop_assert_eq!(is_subset, !relaxed.has_circle, "{}: circles and traces", model);
        }
        let definition = Traces { has_circle: !is_subset, ..relaxed };
        let said = compare(program, model, &definition).map_err(TestCaseError::fail)?;
        case.count(said);
        case.count(if model == MemoryModel::Tso { "tso" } else { "pso" });
    }
    Ok(())
}

/// Instructions of which most are plain loads and stores, some are everything that the program model has.
fn instruction() -> BoxedStrategy<Instruction> {
    let (x, r, v) = (0..2_u8, 0..2_u8, 0_i64..3);
    prop_oneof![
        24 => (x.clone(), v.clone()).prop_map(|(x, v)| Instruction::Store(x, v)),
        24 => (r.clone(), x.clone()).prop_map(|(r, x)| Instruction::Load(r, x)),
        2 => (x.clone(), r.clone()).prop_map(|(x, r)| Instruction::StoreRegister(x, r)),
        3 => (r.clone(), v.clone()).prop_map(|(r, v)| Instruction::StoreElement(r, v)),
        3 => (r.clone(), r.clone()).prop_map(|(r, s)| Instruction::LoadElement(r, s)),
        2 => Just(Instruction::Fence),
        2 => Just(Instruction::StoreFence),
        1 => Just(Instruction::Sync),
        1 => (r.clone(), x.clone(), v.clone()).prop_map(|(r, x, v)| Instruction::Exchange(r, x, v)),
        1 => (r.clone(), x.clone()).prop_map(|(r, x)| Instruction::FetchAdd(r, x)),
        1 => (x.clone(), v.clone()).prop_map(|(x, v)| Instruction::AtomicWrite(x, v)),
        4 => (x.clone(), v.clone()).prop_map(|(x, v)| Instruction::Assume(x, v)),
        1 => (x.clone(), v.clone()).prop_map(|(x, v)| Instruction::Assert(x, v)),
        2 => (x.clone(), r.clone()).prop_map(|(x, r)| Instruction::Swap(x, r)),
        2 => (x.clone(), x, v.clone()).prop_map(|(x, y, v)| Instruction::Two(x, y, v)),
        1 => r.clone().prop_map(Instruction::Ghost),
        1 => (r.clone(), r.clone(), v).prop_map(|(r, s, v)| Instruction::Divide(r, s, v)),
        2 => r.prop_map(Instruction::Spawn),
    ]
    .boxed()
}

/// A thread without loops: a line of instructions with a few short cuts, and perhaps an atomic program point.
fn thread(most: usize) -> BoxedStrategy<Thread> {
    let line = prop::collection::vec(instruction(), 1..=most);
    let cuts = prop::collection::vec((0..8_u8, 1..8_u8, instruction()), 0..=1);
    let atomic = prop::option::weighted(0.1, 0..4_u8);
    let thread = (line, cuts, atomic).prop_map(|(line, cuts, atomic)| {
        let points = line.len() as u8 + 1;
        let along = line.into_iter().enumerate().map(|(i, instruction)| {
            let source = i as u8;
            LoopEdge { source, target: source + 1, instruction }
        });
        let mut edges: Vec<LoopEdge> = along.collect();
        for (source, length, instruction) in cuts {
            let source = source % (points - 1);
            let target = (source + length).min(points - 1);
            edges.push(LoopEdge { source, target, instruction });
        }
        Thread::Graph(points, atomic, edges)
    });
    thread.boxed()
}

/// Two threads of up to four instructions, or three of up to three.
fn drafts() -> BoxedStrategy<Draft> {
    let two = prop::collection::vec(thread(4), 2..=2);
    let three = prop::collection::vec(thread(2), 3..=3);
    prop_oneof![3 => two, 1 => three].prop_map(|threads| Draft { threads }).boxed()
}

#[test]
fn loop_free_programs_are_robust_as_the_definition_says() {
    let tally = random_cases(1500, drafts(), |case, draft| loop_free(case, &draft.program()));
    println!("{tally}");
    tally.at_least("tso", 1100).at_least("pso", 1100);
    tally.at_least("robust", 170).at_least("not robust", 240).at_least("robust by code", 400);
    tally.at_most("refused", 0).at_most("open", 0);
}

#[test]
fn looping_programs_have_no_short_run_that_the_search_denies() {
    let tally = random_cases(120, looping(), |case, draft| {
        let program = draft.program();
        case.about(&program);
        for model in MODELS {
            // The longest runs that brute force can follow.
            let found = (4..=8).map_while(|longest| runs(&program, model, longest, 1_000)).last();
            let Some(found) = found else { continue };
            let said = compare(&program, model, &found).map_err(TestCaseError::fail)?;
            case.count(said);
            if said == "not robust" && found.has_circle {
                case.count("found by both");
            }
        }
        Ok(())
    });
    println!("{tally}");
    tally.at_least("not robust", 40).at_least("robust", 40).at_least("found by both", 15);
}

/// The number of random programs until a mistake is noticed.
fn noticed(fault: Fault) -> bool {
    let strategy = drafts();
    let mut runner = proptest::test_runner::TestRunner::new(taut_testkit::random::config(1));
    for _ in 0..2500 {
        let Ok(tree) = strategy.new_tree(&mut runner) else { continue };
        let program = &tree.current().program();
        for model in MODELS {
            let Some(relaxed) = runs(program, model, usize::MAX, 1_000) else { continue };
            let wrong = |m| with(m, || compare(program, model, &relaxed)).is_err();
            if compare(program, model, &relaxed).is_ok() && wrong(fault) {
                return true;
            }
        }
    }
    false
}

#[test]
fn mistakes_in_the_rules_are_noticed() {
    // What is in few of the programs drawn here, or none, is in `shapes`.
    let rare = [Fault::OneDelays, Fault::ArraysAreOne];
    let own = Fault::ALL.iter().filter(|fault| fault.group() == Group::Robustness);
    let drawn = own.filter(|fault| !rare.contains(fault));
    let missed: Vec<_> = drawn.filter(|&&fault| !noticed(fault)).collect();
    assert!(missed.is_empty(), "{missed:?}");
}
