//! Litmus tests: what a memory model allows beyond SC, fences forbid.

use std::collections::BTreeMap;

use serde_json::Value;
use taut_testkit::suite::root;

use crate::command::objects;

use super::{Folder, array};

/// Whether a test's condition says that something is wrong: what `exists` asks for is there, or what `forall` asks
/// for is not always so.
fn is_wrong(answer: &Value) -> bool {
    match answer["quantifier"].as_str() {
        Some("forall") => answer["observation"] != "Always" && !array(&answer["states"]).is_empty(),
        _ => answer["observation"] != "Never",
    }
}

/// The tests that are wrong under a model and not under SC, by what is known of all of them.
fn relaxed(model: &str) -> Vec<String> {
    let known = root().join("testdata/litmus/expected.jsonl");
    let known = std::fs::read_to_string(known).expect("answers");
    let mut answers: BTreeMap<(String, String), bool> = BTreeMap::new();
    for line in known.lines() {
        let answer: Value = serde_json::from_str(line).expect("an object per line");
        let text = |key: &str| answer[key].as_str().expect("a string").to_owned();
        answers.insert((text("file"), text("model")), is_wrong(&answer));
    }
    let of = |file: &str, model: &str| answers[&(file.to_owned(), model.to_owned())];
    let files = answers.keys().filter(|(_, m)| m == model).map(|(file, _)| file.clone());
    files.filter(|file| of(file, model) && !of(file, "sc")).collect()
}

/// Fixes a test under a model and runs it again; the report of the repair.
fn fixed(test: &str, model: &str) -> Value {
    let name = format!("litmus-{model}-{}", test.replace('/', "-"));
    let (folder, file) = Folder::with_copy(&name, &format!("testdata/litmus/{test}"));
    let report = folder.repair(&file, &["--model", model]);
    assert_eq!(report["outcome"], "fixed", "{test} under {model}: {report}");
    folder.patch(report["diff"].as_str().expect("a diff"));
    let output = folder.taut(&["litmus", &file, "--model", model, "--format", "json"]);
    let again = objects(&output).remove(0);
    assert!(!is_wrong(&again), "{test} under {model}: {again}\n{}", folder.read(&file));
    report
}

#[test]
fn what_tso_allows_beyond_sc_is_forbidden_by_mfence() {
    let tests = relaxed("tso");
    assert!(tests.len() >= 30, "{tests:?}");
    for test in tests {
        let report = fixed(&test, "tso");
        let is_full = |p: &Value| p["kind"] == "fence";
        assert!(array(&report["places"]).iter().all(is_full), "{test}: {report}");
        assert!(report["diff"].as_str().is_some_and(|diff| diff.contains("mfence")), "{report}");
    }
}

#[test]
fn what_pso_allows_beyond_sc_is_forbidden_by_fences() {
    let tests = relaxed("pso");
    assert!(tests.len() >= 45, "{tests:?}");
    for test in tests {
        fixed(&test, "pso");
    }
}

#[test]
fn message_passing_under_pso_needs_one_store_fence() {
    for test in ["MP", "MP+lfence", "MP+po+mfence", "MP+sfence-late", "S", "ISA2"] {
        let report = fixed(&format!("classic/{test}.litmus"), "pso");
        assert_eq!((&report["cost"], &report["optimal"]), (&1.into(), &true.into()), "{report}");
        assert_eq!(report["places"][0]["kind"], "sfence", "{report}");
        assert_eq!(report["places"][0]["process"], serde_json::json!(["P0"]), "{report}");
    }
}

#[test]
fn each_thread_of_store_buffering_needs_a_fence() {
    for (test, number) in [("SB", 2), ("3.SB", 3), ("4.SB", 4), ("SB+mfence+po", 1), ("R", 1)] {
        let report = fixed(&format!("classic/{test}.litmus"), "tso");
        assert_eq!(array(&report["places"]).len(), number, "{test}: {report}");
    }
}
