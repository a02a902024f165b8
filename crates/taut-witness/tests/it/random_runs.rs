//! Random programs, formulas and fairness: what brute force finds replays, can be drawn and survives JSON,
//! and the tableau and the automata of `taut-ltl` say the same.

use crate::common;

use common::checked;
use common::shown::check_view;
use common::wild::wild;
use proptest::prelude::*;
use taut_ir::{
    Fairness, Memory, MemoryModel, Never, Program, PropId, Property, PropertyKind, Span,
};
use taut_ltl::Automaton;
use taut_render::{LaneOptions, RunView, from_json, lanes, to_json_text};
use taut_source::SourceMap;
use taut_testkit::cases::{Case, random_cases};
use taut_testkit::random::graph;
use taut_testkit::temporal::{Question, fairness, question};
use taut_witness::temporal::counterexample;
use taut_witness::{Trace, replay};
use unicode_width::UnicodeWidthStr;

/// Programs with more states than this are skipped.
const MOST_STATES: usize = 1_500;

fn memory() -> BoxedStrategy<Memory> {
    let model = prop::sample::select(MemoryModel::EVERY.to_vec());
    (model, 1..3u32).prop_map(|(model, bound)| Memory::new(model).bounded(Some(bound))).boxed()
}

fn check_trace(program: &Program, trace: &Trace) -> Result<(), TestCaseError> {
    let run = replay(program, trace).map_err(|e| TestCaseError::fail(format!("{e}: {trace:?}")))?;
    let sources = SourceMap::new();
    let text = to_json_text(RunView::new(program, &sources, &run), "random", trace.finding);
    prop_assert_eq!(&from_json(program, &text), &Ok(trace.clone()));
    check_view(RunView::new(program, &sources, &run), trace.finding)?;
    for (width, full) in [(32, false), (80, true)] {
        let options = LaneOptions { width, styled: false, full };
        let drawn = lanes(RunView::new(program, &sources, &run), trace.finding, options);
        let widest = drawn.lines().map(UnicodeWidthStr::width).max();
        prop_assert!(widest <= Some(width), "{}", drawn);
        prop_assert_eq!(
            drawn.contains("for ever ━"),
            trace.lasso.is_some_and(|l| l.cycle < trace.actions.len())
        );
    }
    Ok(())
}

/// The same question as an automaton of what must not be; none if that takes a large one, or if runs that
/// end do not count, which an automaton cannot say.
fn as_automaton(program: &mut Program, property: PropId) -> Option<PropId> {
    let PropertyKind::Ltl(ltl) = &program.property(property).kind else { return None };
    if !ltl.finite_runs {
        return None;
    }
    let automaton = Automaton::of(&ltl.formula.clone().negated(), ltl.atoms.len()).ok()?;
    let never = Never { automaton, atoms: ltl.atoms.clone() };
    let id = PropId::from(program.properties.len());
    let kind = PropertyKind::Never(Box::new(never));
    program.properties.push(Property { name: "never".into(), kind, span: Span::NONE });
    Some(id)
}

fn check(
    case: &Case,
    mut program: Program,
    question: &Question,
    memory: Memory,
    fairness: Fairness,
) -> Result<(), TestCaseError> {
    let property = question.ask(&mut program);
    let never = as_automaton(&mut program, property);
    let program = checked(program);
    case.about(&program);
    let find = |id| counterexample(&program, memory, id, fairness, MOST_STATES);
    let Some(found) = find(property) else { return case.pass_over("too large") };
    case.count(if found.is_some() { "violated" } else { "holding" });
    if let Some(trace) = &found {
        check_trace(&program, trace)?;
    }
    let Some(Some(other)) = never.map(find) else { return case.pass_over("without an automaton") };
    if let Some(trace) = &other {
        check_trace(&program, trace)?;
    }
    let by_lasso = |found: &Option<Trace>| found.as_ref().is_some_and(|t| t.lasso.is_some());
    prop_assert_eq!(by_lasso(&found), by_lasso(&other));
    case.count("compared");
    // An automaton need not know that nothing fixes a run, but it must not say so wrongly.
    prop_assert!(found.is_some() || other.is_none());
    Ok(())
}

#[test]
fn of_programs_with_buffers() {
    let tally = random_cases(
        250,
        (graph(4), question(4), memory(), fairness()),
        |case, (draft, question, memory, fairness)| {
            check(case, draft.program(), &question, memory, fairness)
        },
    );
    tally.at_least("compared", 160).at_least("violated", 80).at_least("holding", 120);
}

#[test]
fn of_programs_with_channels_and_holding() {
    let tally = random_cases(
        250,
        (wild(), question(4), memory(), fairness()),
        |case, (program, question, memory, fairness)| {
            check(case, program, &question, memory, fairness)
        },
    );
    tally.at_least("compared", 180).at_least("violated", 75).at_least("holding", 130);
}
