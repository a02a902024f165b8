//! The search for runs against the replayer's brute force on random programs, formulas and fairness: the
//! same verdict by components, on one thread and on several, and by nested search; every run that is found replays.
//!
//! Brute force multiplies by a tableau of the formula, the engine by an automaton: the two share nothing but
//! the program.

use proptest::prelude::*;
use taut_explicit::{Completion, Limits, Reduce};
use taut_ir::{Fairness, Finding, Memory, MemoryModel, Program, PropId};
use taut_temporal::{Emptiness, FoundLasso, TemporalOptions, find_accepting_lasso};
use taut_testkit::cases::{Case, random_cases};
use taut_testkit::padding::padding;
use taut_testkit::priorities::ranks;
use taut_testkit::promela_like;
use taut_testkit::random::graph;
use taut_testkit::temporal::{Question, fairness, question};
use taut_witness::temporal::counterexample;
use taut_witness::{Lasso, Trace, replay};

/// Programs with more states than this are skipped: brute force is slow.
const MOST_STATES: usize = 3_000;

const MODELS: [MemoryModel; 4] =
    [MemoryModel::Sc, MemoryModel::Tso, MemoryModel::Pso, MemoryModel::Delayed];

fn trace(memory: Memory, property: PropId, fairness: Fairness, run: FoundLasso) -> Trace {
    let lasso = run.cycle.map(|cycle| Lasso { cycle, fairness });
    Trace { memory, finding: Finding::Property(property), actions: run.actions, lasso }
}

fn compare(
    case: &Case,
    mut program: Program,
    question: &Question,
    memory: Memory,
    fairness: Fairness,
) -> Result<(), TestCaseError> {
    let property = question.ask(&mut program);
    case.about(&program);
    let Some(expected) = counterexample(&program, memory, property, fairness, MOST_STATES) else {
        return case.pass_over("too large");
    };
    case.count(if expected.is_some() { "violated" } else { "holding" });
    let ways = [
        (Emptiness::Components, Reduce::All, 1),
        (Emptiness::Components, Reduce::None, 1),
        (Emptiness::Components, Reduce::All, 2),
        (Emptiness::Components, Reduce::None, 3),
        (Emptiness::Nested, Reduce::All, 1),
        (Emptiness::Nested, Reduce::None, 1),
    ];
    for (emptiness, reduce, threads) in ways {
        let options = TemporalOptions {
            fairness,
            emptiness,
            reduce,
            threads,
            // All threads from the start.
            alone: 0,
            spawn_all: false,
            limits: Limits::default(),
        };
        let search = find_accepting_lasso(&program, memory, property, &options);
        let search = search.map_err(|e| TestCaseError::fail(e.to_string()))?;
        match (&expected, search.found) {
            (None, None) => prop_assert_eq!(search.completion, Completion::Complete),
            // A finite run that nothing can fix need not be seen if no run goes on from it.
            (Some(found), None) => prop_assert!(
                found.lasso.is_none(),
                "{:?} under {:?}, {:?}: {:?}",
                emptiness,
                memory,
                fairness,
                found
            ),
            (_, Some(run)) => {
                prop_assert!(expected.is_some(), "{:?}: {:?}", emptiness, run);
                let trace = trace(memory, property, fairness, run);
                if let Err(error) = replay(&program, &trace) {
                    return Err(TestCaseError::fail(format!("{emptiness:?}: {error}: {trace:?}")));
                }
            }
        }
    }
    Ok(())
}

#[test]
fn of_programs_with_buffers() {
    let tally = random_cases(
        150,
        (graph(4), question(4), 1_u32..3, fairness()),
        |case, (draft, question, bound, fairness)| {
            for model in MODELS {
                let memory = Memory::new(model).bounded(Some(bound));
                compare(case, draft.program(), &question, memory, fairness)?;
            }
            Ok(())
        },
    );
    tally.at_least("violated", 200).at_least("holding", 330);
}

#[test]
fn of_programs_with_channels_and_holding() {
    let tally = random_cases(
        150,
        (promela_like::draft(), question(4), fairness()),
        |case, (draft, question, fairness)| {
            for model in MODELS {
                let memory = Memory::new(model).bounded(Some(1));
                compare(case, draft.program(), &question, memory, fairness)?;
            }
            Ok(())
        },
    );
    tally.at_least("violated", 200).at_least("holding", 310);
}

#[test]
fn of_programs_with_priorities() {
    let tally = random_cases(
        100,
        (promela_like::draft(), ranks(), question(4), fairness()),
        |case, (draft, ranks, question, fairness)| {
            for model in MODELS {
                let memory = Memory::new(model).bounded(Some(1));
                let program = ranks.put_into(draft.program());
                compare(case, program, &question, memory, fairness)?;
            }
            Ok(())
        },
    );
    tally.at_least("violated", 105).at_least("holding", 240);
}

#[test]
fn of_programs_with_local_steps() {
    let tally = random_cases(
        70,
        (graph(4), padding(), question(4), fairness()),
        |case, (draft, padding, question, fairness)| {
            for model in MODELS {
                let memory = Memory::new(model).bounded(Some(1));
                compare(case, padding.put_into(draft.program()), &question, memory, fairness)?;
            }
            Ok(())
        },
    );
    tally.at_least("violated", 80).at_least("holding", 140);
}

#[test]
fn of_programs_with_local_steps_and_channels() {
    let tally = random_cases(
        70,
        (promela_like::draft(), padding(), question(4), fairness()),
        |case, (draft, padding, question, fairness)| {
            let memory = Memory::new(MemoryModel::Tso).bounded(Some(1));
            compare(case, padding.put_into(draft.program()), &question, memory, fairness)
        },
    );
    tally.at_least("violated", 18).at_least("holding", 25);
}
