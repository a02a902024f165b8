//! `taut check A B …`: each program by itself, the worst exit code, annotations once; and names of processors for models.

use crate::command;

use command::{code, objects, path, shown, stderr, stdout, taut};
use serde_json::Value;

const HOLDS: &str = "examples/peterson_tso.taut";
const VIOLATED: &str = "examples/sb.taut";
const SUITE: &str = "testdata/suites/good";

#[test]
fn the_worst_exit_code_counts_and_every_program_is_checked() {
    let both = taut(&["check", HOLDS, VIOLATED, "--model", "tso"]);
    assert_eq!(code(&both), 1, "{}", shown(&both));
    for file in [HOLDS, VIOLATED] {
        assert!(stdout(&both).contains(&format!("\n{file}\n")) || stdout(&both).starts_with(file));
    }
    let good = taut(&["check", HOLDS, "examples/dekker_tso.taut", "--model", "tso"]);
    assert_eq!(code(&good), 0, "{}", shown(&good));
    let missing = taut(&["check", "no-such-file.taut", HOLDS, VIOLATED, "--model", "tso"]);
    assert_eq!(code(&missing), 3, "{}", shown(&missing));
    assert!(stderr(&missing).contains("no-such-file.taut"), "{}", shown(&missing));
    assert!(stdout(&missing).contains(VIOLATED), "the others are checked all the same");
}

#[test]
fn languages_and_directories_mix() {
    let all = taut(&["check", HOLDS, "examples/dekker.pml", SUITE]);
    // Dekker's lock is violated under TSO and PSO.
    assert_eq!(code(&all), 1, "{}", shown(&all));
    assert!(stdout(&all).contains("dekker.pml"), "{}", shown(&all));
    let refused = taut(&["check", HOLDS, SUITE, "--model", "tso"]);
    assert_eq!(code(&refused), 3, "{}", shown(&refused));
    assert!(stderr(&refused).contains("--model is not for a directory"), "{}", shown(&refused));
}

#[test]
fn json_has_the_objects_of_each_and_sarif_is_one_log() {
    let json = taut(&["check", HOLDS, VIOLATED, "--model", "tso", "--format", "json"]);
    let alone = [HOLDS, VIOLATED]
        .map(|file| objects(&taut(&["check", file, "--model", "tso", "--format", "json"])).len());
    assert_eq!(objects(&json).len(), alone[0] + alone[1], "{}", shown(&json));
    let sarif = taut(&["check", HOLDS, VIOLATED, "--model", "tso", "--format", "sarif"]);
    assert_eq!(code(&sarif), 1, "{}", shown(&sarif));
    let log: Value = serde_json::from_str(&stdout(&sarif)).expect("one log");
    let runs = log["runs"].as_array().expect("runs");
    assert_eq!(runs.len(), 1);
    let results = runs[0]["results"].as_array().expect("results");
    assert!(!results.is_empty() && results.iter().all(|r| r.to_string().contains("sb.taut")));
}

#[test]
fn what_is_for_one_program_is_refused() {
    let file = std::env::temp_dir().join(format!("taut-several-{}.json", std::process::id()));
    for option in ["--trace", "--witness", "--report", "--proof", "--checkpoint", "--junit"] {
        let output = taut(&["check", HOLDS, VIOLATED, option, path(&file)]);
        assert_eq!(code(&output), 3, "{option}: {}", shown(&output));
        assert!(stderr(&output).contains("is for one program"), "{}", shown(&output));
        assert!(!file.exists(), "{option}");
    }
}

#[test]
fn the_limit_on_time_is_one_per_program() {
    // The first one cannot be decided in so short a time, the second one is.
    let output = taut(&[
        "check",
        "examples/peterson_filter.taut",
        HOLDS,
        "--model",
        "pso",
        "--bound",
        "8",
        "--reduce",
        "none",
        "--timeout",
        "1s",
        "--all",
    ]);
    assert_eq!(
        code(&output),
        1,
        "Peterson's lock for TSO is violated under PSO: {}",
        shown(&output)
    );
    assert!(stdout(&output).contains(HOLDS), "{}", shown(&output));
}

#[test]
fn processors_are_names_of_memory_models() {
    for (name, model) in
        [("x86", "tso"), ("x86-64", "tso"), ("sparc-tso", "tso"), ("sparc-pso", "pso")]
    {
        let output = taut(&["check", HOLDS, "--model", name, "--format", "json"]);
        let found = objects(&output);
        assert!(found.iter().all(|object| object["model"] == model), "{}", shown(&output));
    }
    let unknown = taut(&["check", HOLDS, "--model", "arm"]);
    assert_eq!(code(&unknown), 3);
    assert!(stderr(&unknown).contains("sc, tso, pso, delayed, all"), "{}", shown(&unknown));
}
