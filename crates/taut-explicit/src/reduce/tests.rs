//! Stubborn sets where several places are one object, against the search of everything, on random programs.
//!
//! Programs with so many variables would be too large for that. So there are a few objects only, and almost all places of
//! these programs share one with others.

use std::collections::BTreeSet;

use proptest::prelude::*;
use taut_ir::{Fault, Finding, FullBuffer, Memory, MemoryModel, Program};
use taut_testkit::cases::{Case, random_cases};
use taut_testkit::looping::looping;
use taut_testkit::promela_like;
use taut_testkit::random::{Draft, Instruction, REGISTERS, Thread, graph_over, straight_over};
use taut_testkit::variants::{has_atomic_sections, with_bystander, without_ends};
use taut_witness::{Trace, replay};

use super::objects::with_objects;
use crate::expander::with_enough;
use crate::{Completion, Exploration, Limits, Order, Reduce, SearchOptions, explore};

/// Programs with more states than this are passed over.
const MOST_STATES: u64 = 4_000;

/// Number of scalars, more than there are objects.
const SCALARS: u8 = 6;

/// The number of objects, the order, and the number of states after which it is weighed whether to go on with it.
const WAYS: [(usize, Order, u64); 6] = [
    (1, Order::Bfs, 2_048),
    (2, Order::Dfs, 2_048),
    (3, Order::Bfs, 2_048),
    (5, Order::Dfs, 2_048),
    (5, Order::Bfs, 16),
    (5, Order::Dfs, 16),
];

fn findings(exploration: &Exploration) -> BTreeSet<Finding> {
    let one_fault = |finding| match finding {
        Finding::Fault(_) => Finding::Fault(Fault::Range),
        other => other,
    };
    exploration.found.iter().map(|f| one_fault(f.finding)).collect()
}

fn bounds(e: &Exploration) -> [bool; 3] {
    [e.bounds_met.buffer, e.bounds_met.threads, e.bounds_met.calls]
}

fn compare(
    case: &Case,
    program: &Program,
    memory: Memory,
    counts_deadlocks: bool,
) -> Result<(), TestCaseError> {
    let limits = Limits { states: Some(MOST_STATES), ..Limits::default() };
    let whole = SearchOptions { all: true, whole: true, limits, ..SearchOptions::default() };
    let expected = explore(program, memory, &whole);
    if expected.completion != Completion::Complete {
        return case.pass_over("too large");
    }
    case.count("compared");
    for (objects, order, enough) in WAYS {
        let options = SearchOptions { order, reduce: Reduce::Por, ..whole.clone() };
        let search = || explore(program, memory, &options);
        let reduced = with_enough(enough, || with_objects(objects, search));
        let context = format!("{memory:?}, {order:?}, {objects} objects, {enough} enough");
        prop_assert_eq!(reduced.completion, Completion::Complete, "{}", &context);
        prop_assert_eq!(findings(&reduced), findings(&expected), "{}", &context);
        prop_assert_eq!(bounds(&reduced), bounds(&expected), "{}", &context);
        if counts_deadlocks {
            let deadlocks = [reduced.stats.deadlocks, expected.stats.deadlocks];
            prop_assert_eq!(deadlocks[0], deadlocks[1], "deadlocks: {}", &context);
        }
        prop_assert_eq!(&reduced.reached, &expected.reached, "{}", &context);
        prop_assert!(reduced.stats.states <= expected.stats.states, "{}", &context);
        case.count(if reduced.stats.states < expected.stats.states { "smaller" } else { "equal" });
        for found in reduced.found {
            let trace = Trace::new(memory, found.finding, found.actions);
            if let Err(error) = replay(program, &trace) {
                return Err(TestCaseError::fail(format!("{error}: {context}")));
            }
        }
    }
    Ok(())
}

/// Under every memory model: the program, the one in which every last state is a deadlock, and that with a bystander.
fn compare_all(case: &Case, program: &Program, bound: u32) -> Result<(), TestCaseError> {
    let counts = !has_atomic_sections(program);
    let stuck = without_ends(program.clone());
    let watched = with_bystander(stuck.clone());
    for program in [program.clone(), stuck].into_iter().chain(watched) {
        case.about(&program);
        for model in MemoryModel::EVERY {
            let memory = Memory { model, bound: Some(bound), full_buffer: FullBuffer::Wait };
            compare(case, &program, memory, counts)?;
        }
    }
    Ok(())
}

#[test]
fn straight_programs_with_few_objects() {
    let tally = random_cases(
        150,
        (straight_over(5, (0..SCALARS).boxed()), 1_u32..4),
        |case, (draft, bound)| compare_all(case, &draft.program_with(SCALARS), bound),
    );
    tally.at_least("compared", 1_650).at_least("smaller", 6_000);
}

#[test]
fn programs_with_everything_and_few_objects() {
    let tally = random_cases(
        150,
        (graph_over(7, (0..SCALARS).boxed()), 1_u32..4),
        |case, (draft, bound)| compare_all(case, &draft.program_with(SCALARS), bound),
    );
    tally.at_least("compared", 1_480).at_least("smaller", 2_500);
}

/// A process that mostly stores and one that mostly loads: few orders of the commits are told apart by random programs, most
/// are by these.
fn writer_and_reader() -> BoxedStrategy<Draft> {
    let (x, r, v) = (0..3_u8, 0..REGISTERS, 1_i64..3);
    let store = (x.clone(), v.clone()).prop_map(|(x, v)| Instruction::Store(x, v));
    let load = (r.clone(), x.clone()).prop_map(|(r, x)| Instruction::Load(r, x));
    let write = (x, v).prop_map(|(x, v)| Instruction::AtomicWrite(x, v));
    let fence = Just(Instruction::StoreFence);
    let writes = prop_oneof![6 => store.clone(), 1 => fence, 1 => write, 2 => load.clone()];
    let reads = prop_oneof![6 => load, 3 => store];
    let thread = |of: BoxedStrategy<Instruction>| prop::collection::vec(of, 2..=4);
    (thread(writes.boxed()), thread(reads.boxed()))
        .prop_map(|(a, b)| Draft { threads: [a, b].map(Thread::Straight).into() })
        .boxed()
}

#[test]
fn a_writer_and_a_reader_with_few_objects() {
    let tally = random_cases(900, (writer_and_reader(), 1_u32..3), |case, (draft, bound)| {
        compare_all(case, &draft.program_with(SCALARS), bound)
    });
    tally.at_least("compared", 10_400).at_least("smaller", 40_000);
}

#[test]
fn looping_programs_with_few_objects() {
    let tally = random_cases(100, (looping(), 1_u32..3), |case, (draft, bound)| {
        compare_all(case, &draft.program_about_ends(), bound)
    });
    tally.at_least("compared", 1_100).at_least("smaller", 2_600);
}

#[test]
fn programs_with_channels_and_few_objects() {
    let tally = random_cases(100, (promela_like::draft(), 1_u32..3), |case, (draft, bound)| {
        compare_all(case, &draft.program(), bound)
    });
    tally.at_least("compared", 690).at_least("smaller", 110);
}
