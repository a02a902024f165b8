//! The short cut for robust programs: answers with it and without it agree, and agree with brute force.

use proptest::prelude::*;
use taut::ir::{Finding, Program};
use taut::load::LoadOptions;
use taut::witness::enumerate;
use taut::{Check, Memory, MemoryModel, Report, Verdict};
use taut_testkit::cases::{Case, random_cases};
use taut_testkit::looping::looping;

const MODELS: [MemoryModel; 2] = [MemoryModel::Tso, MemoryModel::Pso];

/// Whether the answers are those under SC, because the program is robust.
fn is_short(report: &Report) -> bool {
    report.searches.iter().any(|search| search.robust.is_some())
}

fn run(check: &Check) -> Report {
    check.run().unwrap_or_else(|fault| panic!("{fault}"))
}

fn compare(case: &Case, program: &Program, model: MemoryModel) -> Result<(), TestCaseError> {
    let check = Check::of(program).model(model).all(true).max_states(Some(400));
    let short = run(&check);
    // Without the short cut the other searches answer, as they do where it does not.
    if !is_short(&short) {
        return case.pass_over("long");
    }
    case.count("short");
    let long = run(&check.clone().shortcut(false));
    prop_assert!(!is_short(&long));
    for (a, b) in short.results.iter().zip(&long.results) {
        prop_assert_eq!(&a.name, &b.name);
        match (&a.verdict, &b.verdict) {
            (Verdict::Holds(coverage), Verdict::Violated(_)) => {
                prop_assert!(false, "{}: {} holds {}, but is violated", model, a.name, coverage);
            }
            (Verdict::Violated(_), Verdict::Holds(coverage)) => {
                prop_assert!(!coverage.is_everything(), "{}: {} is violated", model, a.name);
            }
            (Verdict::Holds(_), Verdict::Holds(_)) => case.count("both hold"),
            (Verdict::Violated(_), Verdict::Violated(_)) => case.count("both violated"),
            _ => case.count("open without it"),
        }
    }
    let memory = Memory { bound: Some(2), ..Memory::new(model) };
    let Some(brute) = enumerate::explore(program, memory, 4_000) else {
        return case.pass_over("too large for brute force");
    };
    for found in brute.findings.iter().filter(|f| !matches!(f, Finding::FullBuffer)) {
        let name = found.name(program);
        let verdict = short.verdict(&name).map(Verdict::word);
        prop_assert_eq!(verdict, Some("violated"), "{}: {} by brute force", model, name);
    }
    case.count("beside brute force");
    Ok(())
}

#[test]
fn answers_of_robust_programs_are_those_without_the_short_cut() {
    let tally = random_cases(100, looping(), |case, draft| {
        let program = draft.program_of_processes();
        case.about(&program);
        MODELS.into_iter().try_for_each(|model| compare(case, &program, model))
    });
    println!("{tally}");
    tally.at_least("short", 40).at_least("both hold", 200).at_least("both violated", 200);
    tally.at_least("beside brute force", 40);
}

/// What looks at memory is never answered by SC: between a store and its commit memory has the old value.
#[test]
fn properties_over_memory_are_not_carried_over() {
    let tally = random_cases(10, looping(), |case, draft| {
        let program = draft.program();
        for model in MODELS {
            let ids: Vec<_> = program.property_ids().collect();
            prop_assert!(!taut_robust::carries(&program, &ids));
            let check = Check::of(&program).model(model).all(true).max_states(Some(2_000));
            prop_assert!(!is_short(&run(&check)));
            case.count("refused");
        }
        Ok(())
    });
    tally.at_least("refused", 20);
}

/// The examples that the short cut answers have the same answers without it.
#[test]
fn examples_have_the_same_answers_without_the_short_cut() {
    let folder = taut_testkit::suite::root().join("examples");
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .expect("a folder")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|e| e == "taut" || e == "pml"))
        .collect();
    files.sort();
    let mut count = 0;
    for path in files {
        let Ok(loaded) = taut::load::from_path(&path, LoadOptions::default()) else { continue };
        for model in MODELS {
            let check = Check::of(&loaded).model(model).temporal(false).max_states(Some(2_000));
            let short = run(&check);
            if !is_short(&short) {
                continue;
            }
            count += 1;
            println!("{} under {model}", path.display());
            let long = run(&check.max_states(Some(50_000)).shortcut(false));
            for (a, b) in short.results.iter().zip(&long.results) {
                let words = (a.verdict.word(), b.verdict.word());
                let agree = words.0 == words.1 || words.1 == "unknown";
                assert!(agree, "{} under {model}: {} {words:?}", path.display(), a.name);
            }
        }
    }
    println!("{count} answers by the short cut");
    assert!(count >= 1, "{count}");
}

/// Store buffering with buffers that grow: both processes get in with buffers, and SC does not say so.
#[test]
fn a_program_that_is_not_robust_is_not_answered_by_sc() {
    let side = |own: &str, other: &str| {
        format!(
            "{own} := 1; first: choose {{ {own} := 1; goto first; }} or {{ skip; }} await({other} == 0); cs: ;"
        )
    };
    let text = format!(
        "shared bool x, y; process p begin {} end process q begin {} end forbid both: p@cs && q@cs; forbid nothing: false;",
        side("x", "y"),
        side("y", "x")
    );
    let loaded = taut::load::from_text("growing_sb.taut", &text).unwrap_or_else(|e| panic!("{e}"));
    for model in MODELS {
        let report = run(&Check::of(&loaded).model(model).all(true).deadlock(false));
        assert_eq!(report.verdict("both").map(Verdict::word), Some("violated"), "{model}");
        assert!(!is_short(&report), "{model}");
    }
    let sc = run(&Check::of(&loaded).model(MemoryModel::Sc).all(true).deadlock(false));
    assert_eq!(sc.verdict("both").map(Verdict::word), Some("holds"));
}
