//! The repository's own tests: every file is accepted, and means what `expected.jsonl` says.
//!
//! The expectations come from an enumerator that shares no code with Taut: it reads the files its own
//! way and was checked against the oracles of the shared corpus.

use crate::support;

use support::{files, machine, own, parse_file};
use taut_ir::MemoryModel;
use taut_litmus::{Quantifier, Test};

/// Each line of the expectations with its test and its memory model.
fn expectations() -> Vec<(String, String, MemoryModel, Test)> {
    let folder = own();
    let text = std::fs::read_to_string(folder.join("expected.jsonl")).unwrap();
    let read = |line: &str| {
        let fields: serde_json::Value = serde_json::from_str(line).unwrap();
        let file = fields["file"].as_str().unwrap().to_owned();
        let model = fields["model"].as_str().unwrap().parse().unwrap();
        let test = parse_file(&folder.join(&file));
        (line.to_owned(), file, model, test)
    };
    text.lines().map(read).collect()
}

#[test]
fn every_file_has_an_expectation_for_every_model() {
    let expected = expectations();
    let mut expected: Vec<_> = expected.iter().map(|(_, file, model, _)| (file, *model)).collect();
    expected.sort();
    let files = files(&own());
    let all: Vec<_> =
        files.iter().flat_map(|file| MemoryModel::ALL.map(|model| (file, model))).collect();
    assert_eq!(expected, all);
    assert!(files.len() >= 60);
}

#[test]
fn every_file_means_what_is_expected() {
    for (line, file, model, test) in expectations() {
        let found = machine::run(&test, model).outcome.json(&test, &file, model.name());
        assert_eq!(found, line, "{file} under {model}");
    }
}

#[test]
fn the_property_is_violated_exactly_if_the_condition_says_so() {
    for (_, file, model, test) in expectations() {
        let run = machine::run(&test, model);
        let bad = match test.quantifier {
            Quantifier::Exists | Quantifier::NotExists => run.outcome.positive,
            Quantifier::Forall => run.outcome.negative,
        };
        assert_eq!(run.violated, bad > 0, "{file} under {model}");
    }
}
