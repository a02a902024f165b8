//! Every program of `testdata/regressions`, which are those that some random test once failed on: all engines against brute
//! force, under every memory model.

use std::collections::BTreeMap;
use std::path::Path;

use taut::engines::{Dual, Explicit, Rounds, Symbolic};
use taut::ir::{Finding, PropId};
use taut::load::{LoadOptions, from_path};
use taut::rounds::Scopes;
use taut::witness::{enumerate, temporal};
use taut::{Check, Engine, Fairness, Loaded, MemoryModel, Program, Reduce, Report, Verdict};
use taut_testkit::regressions;
use taut_testkit::tally::Tally;

use crate::combinations_support::{compare, ways};

/// States that brute force looks at.
const MOST_STATES: usize = 20_000;
const BOUNDS: [u32; 2] = [1, 2];

/// The answers of brute force by property: whether it is violated; none if a property of runs is violated only by a finite
/// run that nothing can fix, which an engine need not find. No answers if there are too many states.
fn by_force(
    program: &Program,
    report: &Report,
    fairness: Fairness,
) -> Option<BTreeMap<String, Option<bool>>> {
    let found = enumerate::explore(program, report.memory, MOST_STATES)?.findings;
    let mut answers = BTreeMap::new();
    for (i, property) in program.properties.iter().enumerate() {
        let id = PropId::from(i);
        let answer = match property.kind.is_temporal() {
            false => Some(found.contains(&Finding::Property(id))),
            true => {
                let run =
                    temporal::counterexample(program, report.memory, id, fairness, MOST_STATES)?;
                run.map_or(Some(false), |trace| trace.lasso.map(|_| true))
            }
        };
        answers.insert(property.name.clone(), answer);
    }
    answers.insert("deadlock".into(), Some(found.contains(&Finding::Deadlock)));
    let faults = found.iter().any(|finding| matches!(finding, Finding::Fault(_)));
    answers.insert("fault".into(), Some(faults));
    Some(answers)
}

/// The answers of a report that brute force contradicts. An engine without bounds may find more, and what it calls
/// open is no answer.
fn contradictions(
    report: &Report,
    answers: &BTreeMap<String, Option<bool>>,
    is_unbounded: bool,
) -> Vec<String> {
    let wrong = report.results.iter().filter(|result| {
        let expected = answers.get(&result.name).copied().flatten();
        match (&result.verdict, expected) {
            (Verdict::Holds(coverage), Some(true)) => coverage.scope.is_none(),
            (Verdict::Violated(_), Some(false)) => !is_unbounded,
            (Verdict::Unknown(_) | Verdict::NotAsked, Some(_)) => !is_unbounded,
            _ => false,
        }
    });
    wrong.map(|result| format!("{} {}", result.name, result.verdict.word())).collect()
}

fn run(check: &Check<'_>, place: &str) -> Report {
    check.run().unwrap_or_else(|fault| panic!("{place}: {fault}"))
}

/// Compares one program under one memory model.
fn judge(loaded: &Loaded, check: &Check<'_>, place: &str, tally: &Tally) -> Vec<String> {
    let most = Some(MOST_STATES as u64);
    let plain = run(&check.clone().reduce(Reduce::None).whole(true).max_states(most), place);
    let fairness = plain.fairness;
    let Some(answers) = by_force(&plain.program, &plain, fairness) else {
        tally.count("too large");
        return Vec::new();
    };
    tally.count("compared with brute force");
    let mut wrong = contradictions(&plain, &answers, false);
    match compare(check, &ways(), MOST_STATES as u64) {
        Ok(true) => tally.count("compared in all ways"),
        // Every question was answered before the last state: other ways may end elsewhere.
        Ok(false) => tally.count("answered early"),
        Err(why) => wrong.push(why),
    }
    let engines: [&'static dyn Engine; 4] =
        [&Symbolic, &Rounds(Scopes::Ages), &Rounds(Scopes::Rounds), &Dual];
    for engine in engines {
        if !is_for(engine, plain.memory.model) || loaded.program.priorities.is_some() {
            continue;
        }
        let report = run(&check.clone().engine(engine).all(true).max_states(Some(2_000)), place);
        let found = contradictions(&report, &answers, true);
        wrong.extend(found.into_iter().map(|what| format!("{engine:?}: {what}")));
        tally.count("compared with an engine without bounds");
    }
    wrong
}

fn is_for(engine: &dyn Engine, model: MemoryModel) -> bool {
    match engine.id() == Symbolic::ID {
        true => matches!(model, MemoryModel::Tso | MemoryModel::Pso),
        false => model == MemoryModel::Tso,
    }
}

fn load(path: &Path) -> Loaded {
    let known =
        path.extension().is_some_and(|e| ["taut", "pml", "dve", "litmus"].iter().any(|k| e == *k));
    assert!(known, "{}: no program; make a named test of it and delete the file", path.display());
    from_path(path, LoadOptions::default()).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn every_program_that_once_failed() {
    let (files, tally, mut wrong) = (regressions::files(), Tally::new(), Vec::new());
    for path in &files {
        let loaded = load(path);
        for model in MemoryModel::EVERY {
            for bound in BOUNDS {
                let place = format!("{} under {model}, bound {bound}", path.display());
                let check = Check::of(&loaded).engine(Explicit).model(model).bound(Some(bound));
                let found = judge(&loaded, &check, &place, &tally);
                wrong.extend(found.into_iter().map(|what| format!("{place}: {what}")));
            }
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
    println!("{} files: {tally}", files.len());
    assert!(files.len() >= 8, "the programs are there: {}", files.len());
    // Four memory models with two bounds each.
    let searches = files.len() as u64 * 8;
    tally.at_least("compared with brute force", searches * 8 / 9);
    tally.at_least("compared in all ways", searches * 2 / 3);
    tally.at_least("compared with an engine without bounds", 1);
}
