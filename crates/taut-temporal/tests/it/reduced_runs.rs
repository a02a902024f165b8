//! Stubborn sets in the search for runs against the search of everything, on random programs and formulas: the
//! same verdict by components and by nested search; every run replays.

use proptest::prelude::*;
use taut_explicit::{Completion, Limits, Reduce};
use taut_ir::{Fairness, Finding, Memory, MemoryModel, Program};
use taut_temporal::{Emptiness, TemporalOptions, TemporalSearch, find_accepting_lasso};
use taut_testkit::cases::{Case, random_cases};
use taut_testkit::looping::looping;
use taut_testkit::promela_like;
use taut_testkit::random::graph;
use taut_testkit::temporal::{Question, question};
use taut_witness::{Lasso, Trace, replay};

/// Products with more nodes than this are skipped.
const MOST_STATES: u64 = 20_000;

fn compare(
    case: &Case,
    mut program: Program,
    question: &Question,
    memory: Memory,
) -> Result<(), TestCaseError> {
    let property = question.ask(&mut program);
    case.about(&program);
    let limits = Limits { states: Some(MOST_STATES), ..Limits::default() };
    let fairness = Fairness::NONE;
    let search = |emptiness, reduce| -> Result<TemporalSearch, TestCaseError> {
        let limits = limits.clone();
        let options = TemporalOptions {
            fairness,
            emptiness,
            reduce,
            threads: 1,
            alone: 0,
            spawn_all: false,
            limits,
        };
        let search = find_accepting_lasso(&program, memory, property, &options);
        search.map_err(|e| TestCaseError::fail(e.to_string()))
    };
    let expected = search(Emptiness::Components, Reduce::None)?;
    if matches!(expected.completion, Completion::Limit(_)) {
        return case.pass_over("too large");
    }
    case.count(if expected.found.is_some() { "violated" } else { "holding" });
    for emptiness in [Emptiness::Components, Emptiness::Nested] {
        let reduced = search(emptiness, Reduce::Por)?;
        let context = format!("{emptiness:?} under {memory:?}");
        prop_assert_eq!(reduced.completion, expected.completion, "{}", context);
        prop_assert_eq!(reduced.found.is_some(), expected.found.is_some(), "{}", context);
        if expected.found.is_none() {
            prop_assert_eq!(reduced.bounds_met.buffer, expected.bounds_met.buffer, "{}", context);
        }
        if let Some(run) = reduced.found {
            let lasso = run.cycle.map(|cycle| Lasso { cycle, fairness });
            let finding = Finding::Property(property);
            let trace = Trace { memory, finding, actions: run.actions, lasso };
            if let Err(error) = replay(&program, &trace) {
                return Err(TestCaseError::fail(format!("{context}: {error}: {trace:?}")));
            }
        }
    }
    Ok(())
}

#[test]
fn of_programs_with_everything() {
    let tally =
        random_cases(200, (graph(6), question(3), 1_u32..3), |case, (draft, question, bound)| {
            for model in MemoryModel::EVERY {
                compare(case, draft.program(), &question, Memory::new(model).bounded(Some(bound)))?;
            }
            Ok(())
        });
    tally.at_least("violated", 300).at_least("holding", 400);
}

#[test]
fn of_looping_programs() {
    let tally =
        random_cases(200, (looping(), question(3), 1_u32..3), |case, (draft, question, bound)| {
            for model in MemoryModel::EVERY {
                compare(
                    case,
                    draft.program_about_ends(),
                    &question,
                    Memory::new(model).bounded(Some(bound)),
                )?;
            }
            Ok(())
        });
    tally.at_least("violated", 380).at_least("holding", 300);
}

#[test]
fn of_programs_with_channels_and_holding() {
    let tally =
        random_cases(200, (promela_like::draft(), question(3)), |case, (draft, question)| {
            for model in MemoryModel::EVERY {
                compare(case, draft.program(), &question, Memory::new(model).bounded(Some(1)))?;
            }
            Ok(())
        });
    tally.at_least("violated", 300).at_least("holding", 400);
}
