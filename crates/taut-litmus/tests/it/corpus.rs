//! The shared corpus: every file is accepted, and means what the oracles say.

use crate::support;

use std::collections::HashMap;
use std::path::Path;

use serde_json::Value;
use support::{corpus, files, json_lines, machine, parse_file};
use taut_ir::MemoryModel;

/// How many tests the corpus has.
const TESTS: usize = 1_565;

fn oracle(corpus: &Path, model: MemoryModel) -> HashMap<String, Value> {
    let lines = json_lines(&corpus.join(format!("oracle/litmus_{model}.jsonl")));
    lines.into_iter().map(|line| (line["file"].as_str().unwrap().to_owned(), line)).collect()
}

#[test]
fn every_file_is_accepted_with_its_name_and_quantifier() {
    let Some(corpus) = corpus() else { return };
    let oracle = oracle(&corpus, MemoryModel::Sc);
    let folder = corpus.join("litmus");
    let files = files(&folder);
    assert_eq!(files.len(), TESTS);
    for file in &files {
        let test = parse_file(&folder.join(file));
        let expected = &oracle[file];
        assert_eq!(test.name, expected["name"], "{file}");
        assert_eq!(test.quantifier.word(), expected["quantifier"], "{file}");
        let state = expected["states"][0].as_object().unwrap();
        let mut names: Vec<_> = test.observed().iter().map(|&w| test.name_of(w)).collect();
        names.sort();
        assert_eq!(names, state.keys().cloned().collect::<Vec<_>>(), "{file}");
    }
}

/// Runs every test on the plain machine and compares its answer with the oracle.
fn every_file_means_what_the_oracle_says(model: MemoryModel) {
    let Some(corpus) = corpus() else { return };
    let folder = corpus.join("litmus");
    let oracle = oracle(&corpus, model);
    for file in files(&folder) {
        let test = parse_file(&folder.join(&file));
        let found = machine::run(&test, model).outcome.json(&test, &file, model.name());
        let mut expected = oracle[&file].clone();
        expected["model"] = model.name().into();
        assert_eq!(serde_json::from_str::<Value>(&found).unwrap(), expected, "{file}");
    }
}

#[test]
fn every_file_means_what_the_oracle_says_under_sc() {
    every_file_means_what_the_oracle_says(MemoryModel::Sc);
}

#[test]
fn every_file_means_what_the_oracle_says_under_tso() {
    every_file_means_what_the_oracle_says(MemoryModel::Tso);
}

#[test]
fn every_file_means_what_the_oracle_says_under_pso() {
    every_file_means_what_the_oracle_says(MemoryModel::Pso);
}
