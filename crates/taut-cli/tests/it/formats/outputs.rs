//! Real outputs of every kind, command by command.

use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::Value;
use taut_testkit::suite::root;

use crate::command::{code, shown, stdout, taut};

/// One thing that was written.
pub struct Written {
    /// The name of its schema.
    pub schema: String,
    /// The command that wrote it.
    pub command: String,
    /// What it is.
    pub value: Value,
}

/// Everything that the commands of `commands.txt` and a check of each example write.
pub fn all() -> Vec<Written> {
    let listed = include_str!("commands.txt").lines().filter(|line| !line.starts_with('#'));
    let programs = "crates/taut-cli/tests/it/formats/programs";
    let mut lines: Vec<String> = listed.map(|l| l.replace("{programs}", programs)).collect();
    // Enough of each search to see what it writes.
    let within = "--bound 2 --max-states 300 -j 1";
    lines.extend(examples().iter().map(|e| format!("check {e} --all {within}")));
    let (next, all) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some(line) = lines.get(next.fetch_add(1, Ordering::Relaxed)) {
                    all.lock().expect("a list").extend(written_by(line));
                }
            });
        }
    });
    all.into_inner().expect("a list")
}

/// The examples of every language.
fn examples() -> Vec<String> {
    let mut all: Vec<PathBuf> = Vec::new();
    for folder in ["examples", "examples/dve"] {
        let entries = std::fs::read_dir(root().join(folder)).expect("examples");
        all.extend(entries.map(|e| e.expect("an entry").path()));
    }
    let is_program = |path: &PathBuf| taut::Language::of_path(path).is_some();
    let mut names: Vec<String> = all
        .iter()
        .filter(|path| is_program(path))
        .map(|path| path.strip_prefix(root()).expect("below the root").display().to_string())
        .collect();
    names.sort();
    assert!(names.len() > 60, "{}", names.len());
    names
}

/// What a command writes.
fn written_by(line: &str) -> Vec<Written> {
    let mut words = words(line);
    let schema = match words[0].as_str() {
        "compare" => "check".to_string(),
        other => other.to_string(),
    };
    if schema == "suite" {
        words[0] = "check".into();
    }
    let format = if schema == "graph" { ["--to", "json"] } else { ["--format", "json"] };
    let arguments: Vec<&str> = words.iter().map(String::as_str).chain(format).collect();
    let output = taut(&arguments);
    let text = stdout(&output);
    let is_bad = code(&output) > 2 && schema != "suite";
    assert!(!is_bad && !text.is_empty(), "{line}: {}", shown(&output));
    let values = serde_json::Deserializer::from_str(&text).into_iter::<Value>();
    let values = values.map(|value| value.unwrap_or_else(|error| panic!("{line}: {error}")));
    let written = |value| Written { schema: schema.clone(), command: line.into(), value };
    let mut all: Vec<_> = values.map(written).collect();
    let witnesses: Vec<_> = all.iter().flat_map(|w| witnesses(&w.value)).cloned().collect();
    all.extend(witnesses.into_iter().map(|value| Written {
        schema: "trace".into(),
        command: line.into(),
        value,
    }));
    all
}

/// The traces in the results of a check, or in those of the check of a repair.
fn witnesses(value: &Value) -> impl Iterator<Item = &Value> {
    let results = [value.get("results"), value.pointer("/check/results")];
    let results = results.into_iter().flatten().filter_map(Value::as_array).flatten();
    results.filter_map(|result| result.get("witness")).filter(|witness| witness.is_object())
}

/// The words of a line: blanks separate, except in single quotes.
pub fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (i, part) in line.split('\'').enumerate() {
        match i % 2 {
            1 => words.push(part.into()),
            _ => words.extend(part.split_whitespace().map(String::from)),
        }
    }
    words
}
