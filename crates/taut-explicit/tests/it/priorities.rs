//! Priorities of processes: the engine against the replayer's brute force on random programs. The same number of
//! stored states, the same findings, the same bounds met under every memory model, and every run replays.

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use taut_explicit::{Completion, Limits, Order, Reduce, SearchOptions, explore};
use taut_ir::{FullBuffer, Memory, MemoryModel, Program, validate};
use taut_testkit::cases::{Case, random_cases};
use taut_testkit::priorities::{Ranks, ranks};
use taut_testkit::promela_like::draft;
use taut_witness::{Trace, replay};

use crate::brute::{brute_force, expected, kinds};

/// Programs with more states than this are skipped: brute force is slow.
const MOST_STATES: usize = 2_000;

fn compare(
    case: &Case,
    program: &Program,
    memory: Memory,
    order: Order,
) -> Result<(), TestCaseError> {
    let Some(brute) = brute_force(case, program, memory, MOST_STATES) else { return Ok(()) };
    // Reductions are switched off for such programs, whatever is asked for.
    for reduce in [Reduce::None, Reduce::All] {
        let options =
            SearchOptions { order, all: true, whole: true, reduce, ..SearchOptions::default() };
        let engine = explore(program, memory, &options);
        prop_assert_eq!(engine.completion, Completion::Complete);
        prop_assert_eq!(engine.stats.states, brute.states as u64, "states under {:?}", memory);
        prop_assert_eq!(engine.stats.deadlocks, brute.deadlocks as u64);
        prop_assert_eq!(engine.bounds_met.buffer, brute.bounds.buffer);
        prop_assert_eq!(engine.bounds_met.threads, brute.bounds.threads);
        prop_assert_eq!(kinds(&engine), expected(&brute));
        for found in &engine.found {
            let trace = Trace::new(memory, found.finding, found.actions.clone());
            if let Err(error) = replay(program, &trace) {
                return Err(TestCaseError::fail(format!("{error}")));
            }
        }
    }
    Ok(())
}

#[test]
fn states_and_findings() {
    let tally = random_cases(
        200,
        (draft(), ranks(), 1_u32..4, any::<bool>()),
        |case, (draft, ranks, bound, dfs)| {
            let program = ranks.put_into(draft.program());
            prop_assert_eq!(validate::validate(&program), Ok(()));
            let order = if dfs { Order::Dfs } else { Order::Bfs };
            for model in MemoryModel::EVERY {
                let full_buffer = FullBuffer::Wait;
                compare(case, &program, Memory { model, bound: Some(bound), full_buffer }, order)?;
            }
            Ok(())
        },
    );
    tally.at_least("compared", 700).at_least("with findings", 450);
}

#[test]
fn priorities_make_a_difference_in_many_random_programs() {
    let mut runner = TestRunner::deterministic();
    let ranks = Ranks { first: vec![3, 1, 2], choices: vec![200, 10, 3, 90, 30, 2] };
    let mut different = 0;
    for _ in 0..300 {
        let program = draft().new_tree(&mut runner).expect("a draft").current().program();
        let program = ranks.put_into(program);
        let without = Program { priorities: None, ..program.clone() };
        let limits = Limits { states: Some(MOST_STATES as u64), ..Limits::default() };
        let options = SearchOptions { all: true, whole: true, limits, ..SearchOptions::default() };
        let options = SearchOptions { reduce: Reduce::None, ..options };
        let states =
            |program| explore(program, Memory::new(MemoryModel::Tso), &options).stats.states;
        different += u32::from(states(&program) != states(&without));
    }
    assert!(different > 100, "{different} programs differ");
}
