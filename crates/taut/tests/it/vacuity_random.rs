//! The list of what never happens against brute force, on random programs: exactly the steps that no execution takes.

use std::collections::BTreeSet;

use proptest::prelude::*;
use taut::diag::Span;
use taut::engines::{Explicit, Symbolic};
use taut::ir::{Effect, Expr};
use taut::vacuity::VacuityKind;
use taut::witness::enumerate;
use taut::{Check, Engine, Loaded, Memory, MemoryModel, Reduce, Report, load};
use taut_testkit::cases::{Case, random_cases};
use taut_testkit::random::{Draft, graph, straight};

const MOST_STATES: usize = 4_000;
const BOUND: u32 = 2;

/// The random program as text, whose steps have places. A property that always holds gives a coverage.
fn loaded(draft: &Draft) -> Option<Loaded> {
    let text = taut::lang::print(&draft.program()).ok()? + "\nforbid nothing: false;\n";
    load::from_text("random.taut", &text).ok()
}

/// The places of all steps that brute force never takes.
fn never_taken(loaded: &Loaded, memory: Memory) -> Option<BTreeSet<Span>> {
    let brute = enumerate::explore(&loaded.program, memory, MOST_STATES)?;
    let all = |wanted: bool| -> BTreeSet<Span> {
        let steps =
            loaded.program.defs.iter().zip(&brute.taken).flat_map(|(d, t)| d.steps.iter().zip(t));
        steps.filter(|(_, taken)| **taken == wanted).map(|(step, _)| step.span).collect()
    };
    Some(all(false).difference(&all(true)).copied().collect())
}

fn listed(report: &Report) -> Option<BTreeSet<Span>> {
    let list = &report.vacuity.as_ref()?.list;
    let kinds =
        [VacuityKind::Statement, VacuityKind::Assertion, VacuityKind::Wait, VacuityKind::Guard];
    Some(list.iter().filter(|v| kinds.contains(&v.kind)).map(|v| v.span).collect())
}

/// The places of all steps of processes that the report says never start. The list does not repeat them.
fn of_processes_that_never_start(loaded: &Loaded, report: &Report) -> BTreeSet<Span> {
    let list = report.vacuity.iter().flat_map(|vacuity| &vacuity.list);
    let idle =
        list.filter(|v| v.kind == VacuityKind::Process && v.message.contains("never starts"));
    let names: BTreeSet<&str> = idle.map(|v| v.owner.as_str()).collect();
    let defs = loaded.program.defs.iter().filter(|def| names.contains(def.name.as_str()));
    defs.flat_map(|def| &def.steps).map(|step| step.span).collect()
}

/// Whether the program says itself that something is not to be reached.
fn has_monitor(loaded: &Loaded) -> bool {
    let effects = loaded.program.defs.iter().flat_map(|d| &d.steps).flat_map(|s| &s.effects);
    effects.into_iter().any(|e| matches!(e, Effect::Assert { condition: Expr::Const(0), .. }))
}

fn compare(
    case: &Case,
    draft: &Draft,
    model: MemoryModel,
    engine: &'static dyn Engine,
    reduce: Reduce,
) -> Result<(), TestCaseError> {
    case.about(&draft.program());
    let Some(loaded) = loaded(draft) else { return case.pass_over("not printed") };
    let memory = Memory { bound: Some(BOUND), ..Memory::new(model) };
    let Some(expected) = never_taken(&loaded, memory) else { return case.pass_over("too large") };
    let check = Check::of(&loaded).model(model).bound(Some(BOUND)).engine(engine).reduce(reduce);
    // Only what always holds is asked, since after a violation nothing is listed.
    let check = check.only(vec!["nothing".into()]).max_states(Some(50_000));
    let report = check.run().map_err(|fault| TestCaseError::fail(fault.to_string()))?;
    let report = report.with_vacuity(&check, &loaded);
    let Some(found) = listed(&report) else { return case.pass_over("without a list") };
    // The symbolic engine has no bound, so it may reach more than brute force.
    let is_bounded = engine.id() == Symbolic::ID;
    let unstarted = of_processes_that_never_start(&loaded, &report);
    prop_assert!(unstarted.is_subset(&expected), "{model:?} {engine:?}: never starts, but moves");
    let is_empty = found.is_empty() && unstarted.is_empty();
    case.count(if is_empty { "empty lists" } else { "lists" });
    if !found.is_empty() {
        case.count("lists of statements");
    }
    let wrong: Vec<_> = found.difference(&expected).map(|&s| loaded.sources.text(s)).collect();
    prop_assert!(wrong.is_empty(), "{model:?} {engine:?}: listed, but taken: {wrong:?}");
    if !has_monitor(&loaded) && !is_bounded {
        let found = &found | &unstarted;
        let missed: Vec<_> = expected.difference(&found).map(|&s| loaded.sources.text(s)).collect();
        prop_assert!(
            missed.is_empty(),
            "{model:?} {engine:?}: never taken, not listed: {missed:?}"
        );
    }
    Ok(())
}

fn everywhere(case: &Case, draft: &Draft) -> Result<(), TestCaseError> {
    for model in MemoryModel::EVERY {
        compare(case, draft, model, &Explicit, Reduce::None)?;
        compare(case, draft, model, &Explicit, Reduce::All)?;
    }
    for model in [MemoryModel::Tso, MemoryModel::Pso] {
        compare(case, draft, model, &Symbolic, Reduce::All)?;
    }
    Ok(())
}

#[test]
fn the_list_is_what_brute_force_never_takes_in_graphs() {
    let tally = random_cases(60, graph(5), |case, draft| everywhere(case, &draft));
    tally.at_least("lists", 400);
}

#[test]
fn the_list_is_what_brute_force_never_takes_in_straight_code() {
    let tally = random_cases(60, straight(3), |case, draft| everywhere(case, &draft));
    tally.at_least("lists", 540);
}
