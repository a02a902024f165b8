//! Verdicts do not depend on what is left out, how states are kept, how many threads search, and in which order: on
//! random programs of every kind, on all examples and on litmus tests, some of the combinations for each program and
//! all of them over the whole set.

use crate::combinations_support;

use std::cell::Cell;
use std::path::{Path, PathBuf};

use combinations_support::{Way, compare, some, ways};
use proptest::prelude::*;
use proptest::sample::select;
use taut::load::{LoadOptions, from_bytes, from_path};
use taut::{Check, FullBuffer, Language, MemoryModel, Program};
use taut_testkit::cases::{Case, random_cases};
use taut_testkit::looping::looping;
use taut_testkit::promela::{generate, generate_with_formula};
use taut_testkit::random::{graph, straight};
use taut_testkit::suite::root;
use taut_testkit::temporal::{fairness, question};

/// Random programs with more states than this are left out: a few large ones would take all the time.
const MOST_STATES: u64 = 3_000;

fn model() -> impl Strategy<Value = MemoryModel> {
    select(MemoryModel::EVERY.to_vec())
}

fn three_ways() -> impl Strategy<Value = [Way; 3]> {
    prop::array::uniform3(select(ways()))
}

fn agrees(case: &Case, check: &Check<'_>, ways: &[Way]) -> Result<(), TestCaseError> {
    let compared = compare(check, ways, MOST_STATES).map_err(TestCaseError::fail)?;
    case.count(if compared { "compared" } else { "too large" });
    Ok(())
}

fn checked(program: &Program, model: MemoryModel, bound: u32) -> Check<'_> {
    Check::of(program).model(model).bound(Some(bound))
}

/// A model in Promela as it is read; SPIN refuses a few, and so does Taut.
fn read(text: &str) -> Option<taut::Loaded> {
    let options = LoadOptions { language: Language::named("promela"), ..LoadOptions::default() };
    from_bytes("random.pml", text.as_bytes().to_vec(), options).ok()
}

#[test]
fn of_programs_with_buffers() {
    let tally = random_cases(
        1_800,
        (prop_oneof![straight(4), graph(5)], model(), 1_u32..4, any::<bool>(), three_ways()),
        |case, (draft, model, bound, full_is_error, ways)| {
            let program = draft.program();
            case.about(&program);
            let full = if full_is_error { FullBuffer::Error } else { FullBuffer::Wait };
            agrees(case, &checked(&program, model, bound).full_buffer(full), &ways)
        },
    );
    tally.at_least("compared", 1_600);
}

#[test]
fn of_programs_with_loops() {
    let tally = random_cases(
        1_800,
        (looping(), model(), 1_u32..4, three_ways()),
        |case, (draft, model, bound, ways)| {
            let program = draft.program();
            case.about(&program);
            agrees(case, &checked(&program, model, bound), &ways)
        },
    );
    tally.at_least("compared", 1_600);
}

#[test]
fn of_runs() {
    let tally = random_cases(
        800,
        (graph(4), question(4), fairness(), model(), 1_u32..3, three_ways()),
        |case, (draft, question, fairness, model, bound, ways)| {
            let mut program = draft.program();
            question.ask(&mut program);
            case.about(&program);
            agrees(case, &checked(&program, model, bound).fairness(fairness), &ways)
        },
    );
    tally.at_least("compared", 700);
}

#[test]
fn of_promela_models() {
    let tally =
        random_cases(800, (any::<u64>(), model(), three_ways()), |case, (seed, model, ways)| {
            let text = generate(seed).text();
            case.about_promela(&text);
            let Some(loaded) = read(&text) else { return case.pass_over("refused") };
            let compared = agrees(case, &Check::of(&loaded).model(model).bound(Some(2)), &ways);
            prop_assert!(compared.is_ok(), "{compared:?}\n{text}");
            Ok(())
        });
    tally.at_least("compared", 510);
}

#[test]
fn of_runs_of_promela_models() {
    let tally = random_cases(
        800,
        (any::<u64>(), any::<bool>(), fairness(), model(), three_ways()),
        |case, (seed, next, fairness, model, ways)| {
            let (random, formula) = generate_with_formula(seed, next);
            let text = format!("{}\nltl asked {{ {} }}\n", random.text(), formula.text());
            case.about_promela(&text);
            let Some(loaded) = read(&text) else { return case.pass_over("refused") };
            let check = Check::of(&loaded).model(model).bound(Some(2)).fairness(fairness);
            let compared = agrees(case, &check, &ways);
            prop_assert!(compared.is_ok(), "{compared:?}\n{text}");
            Ok(())
        },
    );
    tally.at_least("compared", 455);
}

/// The files below a folder with one of these extensions, in order.
fn files(folder: &Path, extensions: &[&str]) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("a folder").map(|e| e.expect("an entry").path());
    let mut entries: Vec<PathBuf> = entries.collect();
    entries.sort();
    let mut all = Vec::new();
    for path in entries {
        if path.is_dir() {
            all.extend(files(&path, extensions));
        } else if path.extension().is_some_and(|e| extensions.iter().any(|x| e == *x)) {
            all.push(path);
        }
    }
    all
}

/// Compares files under every model; how many searches were compared.
fn compare_files(files: &[PathBuf], bound: u32, most_states: u64) -> usize {
    let (number, compared) = (Cell::new(0), Cell::new(0));
    for path in files {
        let loaded = from_path(path, LoadOptions::default()).unwrap_or_else(|e| panic!("{e}"));
        for model in MemoryModel::EVERY {
            number.set(number.get() + 1);
            let check = Check::of(&loaded).model(model).bound(Some(bound));
            match compare(&check, &some(number.get()), most_states) {
                Ok(yes) => compared.set(compared.get() + usize::from(yes)),
                Err(why) => panic!("{}: {why}", path.display()),
            }
        }
    }
    compared.get()
}

#[test]
fn of_every_example() {
    let files = files(&root().join("examples"), &["taut", "pml", "dve"]);
    let compared = compare_files(&files, 2, 20_000);
    assert!(compared > 3 * files.len(), "{compared} searches of {} files", files.len());
}

#[test]
fn of_litmus_tests() {
    let files = files(&root().join("testdata/litmus"), &["litmus"]);
    let compared = compare_files(&files, 3, 20_000);
    assert!(compared > 3 * files.len(), "{compared} searches of {} files", files.len());
}
