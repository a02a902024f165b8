//! The library and the command line give the same answers if nothing else is asked for.

use super::command::{objects, shown, taut};
use serde_json::Value;
use taut::load::{LoadOptions, from_path};
use taut::{Check, Loaded, MemoryModel};
use taut_testkit::suite::root;

/// Names, verdicts and coverages, in the order of the report.
type Answers = Vec<[String; 3]>;

fn of_library(loaded: &Loaded, model: MemoryModel) -> Answers {
    let report = Check::of(loaded).model(model).run().expect("a report");
    let answer = |r: &taut::PropertyResult| {
        [r.name.clone(), r.verdict.word().to_owned(), r.verdict.coverage()]
    };
    report.results.iter().map(answer).collect()
}

fn of_command_line(path: &str, model: MemoryModel) -> Answers {
    let output = taut(&["check", path, "--model", model.name(), "--format", "json"]);
    let objects = objects(&output);
    let report = objects.first().unwrap_or_else(|| panic!("{path}: {}", shown(&output)));
    let results = report["results"].as_array().expect("results");
    let text = |value: &Value| value.as_str().expect("a string").to_owned();
    let answer = |r: &Value| [text(&r["property"]), text(&r["verdict"]), text(&r["coverage"])];
    results.iter().map(answer).collect()
}

/// The names of all programs of a language among the examples.
fn examples(extension: &str) -> Vec<String> {
    let entries = std::fs::read_dir(root().join("examples")).expect("examples");
    let names = entries.map(|e| e.expect("an entry").file_name().to_string_lossy().into_owned());
    let mut names: Vec<_> = names.filter(|name| name.ends_with(extension)).collect();
    names.sort();
    names.into_iter().map(|name| format!("examples/{name}")).collect()
}

fn compare(extension: &str, at_least: usize) {
    let mut compared = 0;
    for path in examples(extension) {
        let loaded = from_path(&root().join(&path), LoadOptions::default());
        let loaded = loaded.unwrap_or_else(|error| panic!("{error}"));
        for model in MemoryModel::EVERY {
            let place = format!("{path} under {model}");
            assert_eq!(of_library(&loaded, model), of_command_line(&path, model), "{place}");
            compared += 1;
        }
    }
    assert!(compared >= at_least, "only {compared} checks were compared");
}

#[test]
fn every_taut_example_has_the_same_answers() {
    compare(".taut", 200);
}

#[test]
fn every_promela_example_has_the_same_answers() {
    compare(".pml", 80);
}

/// The error needs more entries than the usual bound has. A bound that is given is the question.
#[test]
fn the_default_goes_where_the_bound_does_not() {
    let path = root().join("examples/late_toggles.taut");
    let loaded = from_path(&path, LoadOptions::default()).expect("a program");
    let check = Check::of(&loaded).model(MemoryModel::Tso);
    assert!(check.run().expect("a report").is_violated());
    let bounded = check.bound(8).run().expect("a report");
    assert!(!bounded.is_violated() && bounded.results.iter().all(|r| !bounded.proves(&r.name)));
}
