//! `taut run`: what is seen on the real processor is a subset of what TSO allows, always.

mod c_programs;
mod compiles;
mod ended;
mod random;
mod refused;
mod seen;

use std::process::Command;

use serde_json::Value;
use taut_testkit::corpus::skipped;

use crate::command::{code, objects, shown, taut};

/// How much longer random and exhaustive tests are to be.
fn soak() -> u32 {
    std::env::var("TAUT_SOAK").ok().and_then(|s| s.parse().ok()).unwrap_or(1)
}

/// Whether there are two processors; it is told if not.
fn has_two_processors(test: &str) -> bool {
    let is_so = std::thread::available_parallelism().is_ok_and(|n| n.get() >= 2);
    if !is_so {
        skipped(test, "two processors");
    }
    is_so
}

/// Whether a compiler can be started.
fn is_there(compiler: &str) -> bool {
    Command::new(compiler).arg("--version").output().is_ok_and(|output| output.status.success())
}

/// What `taut run` says about a file, and its exit code. What TSO forbids must not be seen.
fn run(file: &str, arguments: &[&str]) -> (Value, i32) {
    let output = taut(&[&["run", file, "--format", "json"], arguments].concat());
    let all = objects(&output);
    let [document] = all.as_slice() else { panic!("{file}: {}", shown(&output)) };
    assert_eq!(document["contradictions"], serde_json::json!([]), "{file}: {document:#}");
    (document.clone(), code(&output))
}

/// The number of rounds that violated a property; none if there is no such property.
fn violated(document: &Value, name: &str) -> Option<u64> {
    let all = document["properties"].as_array()?;
    all.iter().find(|p| p["name"].as_str().is_some_and(|n| n.contains(name)))?["seen"].as_u64()
}

/// Runs a file until something is seen, for at most ten seconds of rounds.
fn until(file: &str, is_seen: impl Fn(&Value) -> bool) -> (Value, i32) {
    let mut last = None;
    for seed in 1..=10 {
        let (document, code) = run(file, &["--seconds", "1", "--seed", &seed.to_string()]);
        if is_seen(&document) {
            return (document, code);
        }
        last = Some(document);
    }
    panic!("{file}: not seen in ten seconds: {last:#?}");
}
