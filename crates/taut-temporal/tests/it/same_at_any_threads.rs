//! The search for runs gives the same result to the letter at any number of threads: the run, how the search ended, the
//! bounds that were met, and every count but times and bytes. For searches of states see `explore/tests.rs`.

use proptest::prelude::*;
use proptest::sample::select;
use taut_explicit::{Limits, Reduce};
use taut_ir::{Fairness, Memory, MemoryModel, Program, PropId};
use taut_temporal::{Emptiness, TemporalOptions, TemporalSearch, find_accepting_lasso};
use taut_testkit::promela_like;
use taut_testkit::random::{config, graph};
use taut_testkit::temporal::{fairness, question};

/// More nodes than this are not visited, so that some searches end at the limit.
const MOST_NODES: u64 = 2_000;

/// Everything that is reported but times and bytes.
fn letters(search: &TemporalSearch) -> impl PartialEq + std::fmt::Debug + use<> {
    let s = &search.stats;
    let counts = [s.states, s.transitions, s.matched, s.depth, s.state_bits];
    let run = search.found.as_ref().map(|run| (run.actions.clone(), run.cycle));
    let rest = format!("{:?} {:?}", search.bounds_met, search.private);
    (run, search.completion, counts, s.buffer_size, rest)
}

struct Setup {
    memory: Memory,
    fairness: Fairness,
    reduce: Reduce,
    most: u64,
    alone: usize,
}

fn compare(program: &Program, property: PropId, setup: &Setup) -> Result<(), TestCaseError> {
    let with = |threads| {
        let options = TemporalOptions {
            fairness: setup.fairness,
            emptiness: Emptiness::Components,
            reduce: setup.reduce,
            threads,
            alone: setup.alone,
            spawn_all: false,
            limits: Limits { states: Some(setup.most), ..Limits::default() },
        };
        let search = find_accepting_lasso(program, setup.memory, property, &options);
        search.map(|search| letters(&search)).map_err(|e| TestCaseError::fail(e.to_string()))
    };
    let one = with(1)?;
    for threads in [2, 3, 2, 4] {
        prop_assert_eq!(&one, &with(threads)?, "{} threads", threads);
    }
    Ok(())
}

proptest! {
    #![proptest_config(config(40))]

    #[test]
    fn runs_of_programs_with_buffers(
        draft in graph(5),
        question in question(4),
        bound in prop_oneof![Just(None), (1_u32..3).prop_map(Some)],
        fairness in fairness(),
        model in select(MemoryModel::EVERY.to_vec()),
        reduce in select(vec![Reduce::None, Reduce::Por, Reduce::All]),
        most in prop_oneof![Just(MOST_NODES), 1_u64..300],
        alone in prop_oneof![Just(0), 0_usize..40],
    ) {
        let mut program = draft.program();
        let property = question.ask(&mut program);
        let memory = Memory::new(model).bounded(bound);
        compare(&program, property, &Setup { memory, fairness, reduce, most, alone })?;
    }

    #[test]
    fn runs_of_programs_with_channels_and_holding(
        draft in promela_like::draft(),
        question in question(4),
        fairness in fairness(),
        model in select(MemoryModel::EVERY.to_vec()),
        most in prop_oneof![Just(MOST_NODES), 1_u64..300],
    ) {
        let mut program = draft.program();
        let property = question.ask(&mut program);
        let memory = Memory::new(model).bounded(Some(1));
        let reduce = Reduce::All;
        compare(&program, property, &Setup { memory, fairness, reduce, most, alone: 0 })?;
    }
}
