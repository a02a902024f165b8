//! Random programs with channels, holds, timeouts and processes that come and go: what can happen is
//! what may be replayed, and every finding has a trace that replays, can be drawn and survives JSON.

use crate::common;

use common::checked;
use common::wild::wild;
use proptest::prelude::*;
use taut_ir::{Action, Memory, MemoryModel, Program};
use taut_render::{LaneOptions, RunView, from_json, lanes, to_json_text};
use taut_source::SourceMap;
use taut_testkit::cases::{Case, random_cases};
use taut_witness::enumerate::{explore, shortest};
use taut_witness::{Machine, Outcome, State, replay};

/// Programs with more states than this are skipped.
const MOST_STATES: usize = 2_000;

fn memory() -> BoxedStrategy<Memory> {
    let model = prop::sample::select(MemoryModel::EVERY.to_vec());
    (model, 0..3u32).prop_map(|(model, bound)| Memory::new(model).bounded(Some(bound))).boxed()
}

fn check_traces(case: &Case, program: &Program, memory: Memory) -> Result<(), TestCaseError> {
    case.about(program);
    let Some(found) = explore(program, memory, MOST_STATES) else {
        return case.pass_over("too large");
    };
    case.count("explored");
    let sources = SourceMap::new();
    for finding in found.findings {
        case.count("findings");
        let trace = shortest(program, memory, finding, MOST_STATES).expect("it was found");
        let run = replay(program, &trace).map_err(|e| TestCaseError::fail(e.to_string()))?;
        let text = to_json_text(RunView::new(program, &sources, &run), "wild", trace.finding);
        prop_assert_eq!(from_json(program, &text), Ok(trace));
        let drawn = lanes(RunView::new(program, &sources, &run), finding, LaneOptions::default());
        prop_assert!(drawn.contains('✗'));
    }
    Ok(())
}

/// Every action that could be written down about a program.
fn all_actions(program: &Program) -> Vec<Action> {
    let steps = |p| (0..program.def_of(p).steps.len()).map(taut_ir::StepId::from);
    let all = || program.process_ids().flat_map(move |p| steps(p).map(move |s| (p, s)));
    let shakes = all().flat_map(|(process, step)| {
        all()
            .map(move |(receiver, receive)| Action::handshake((process, step), (receiver, receive)))
    });
    all().map(|(process, step)| Action::step(process, step)).chain(shakes).collect()
}

/// Walks at random and compares what is listed with what is accepted.
fn check_walk(
    case: &Case,
    program: &Program,
    memory: Memory,
    choices: &[usize],
) -> Result<(), TestCaseError> {
    case.about(program);
    let machine = Machine::new(program, memory);
    let mut state: State = machine.initial();
    for choice in choices {
        case.count("states");
        let listed = machine.successors(&state);
        for action in all_actions(program) {
            let done = machine.apply(&state, action);
            let expected = listed.moves.iter().find(|(a, _)| *a == action).map(|(_, m)| m);
            prop_assert_eq!(done.as_ref().ok(), expected);
            if let Err(refusal) = done {
                prop_assert!(!refusal.describe(program).is_empty());
            }
        }
        if let Some(holder) = state.holder {
            prop_assert!(!listed.moves.is_empty(), "whoever holds can go on");
            prop_assert!(listed.moves.iter().all(|(action, _)| action.process() == holder));
        }
        let next = listed.moves.into_iter().filter_map(|(_, m)| match m.outcome {
            Outcome::State(state) => Some(state),
            Outcome::Failure(_) => None,
        });
        let mut next: Vec<_> = next.collect();
        if next.is_empty() {
            break;
        }
        state = next.swap_remove(choice % next.len());
    }
    Ok(())
}

#[test]
fn findings_replay() {
    let tally = random_cases(600, (wild(), memory()), |case, (program, memory)| {
        check_traces(case, &checked(program), memory)
    });
    tally.at_least("explored", 550).at_least("findings", 400);
}

#[test]
fn what_is_listed_is_what_is_accepted() {
    let tally = random_cases(
        600,
        (wild(), memory(), prop::collection::vec(0..100usize, 12)),
        |case, (program, memory, choices)| check_walk(case, &checked(program), memory, &choices),
    );
    tally.at_least("states", 3_000);
}
