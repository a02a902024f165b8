//! What is seen: store buffering is, what TSO forbids is not.

use serde_json::{Value, json};
use taut_testkit::suite::root;

use super::{has_two_processors, run, soak, until, violated};
use crate::command::{code, shown, stdout, taut};

#[test]
fn store_buffering_is_seen_in_every_language() {
    if !has_two_processors("store_buffering_is_seen_in_every_language") {
        return;
    }
    let zeros = |d: &Value| {
        let states = d["states"].as_array().expect("states");
        states.iter().find(|s| s["values"] == json!([0, 0])).cloned().expect("a model allows it")
    };
    let is_seen = |d: &Value| zeros(d)["seen"].as_u64() > Some(0);
    let (litmus, code) = until("testdata/litmus/classic/SB.litmus", is_seen);
    // The condition of a litmus test is a question, not a property.
    assert_eq!(code, 0);
    assert_eq!(zeros(&litmus)["allowed"], json!([false, true, true]));
    assert!(litmus["condition"]["seen"].as_u64() > Some(0), "{litmus:#}");
    assert_eq!(litmus["condition"]["allowed"], json!([false, true, true]));

    let (program, code) = until("examples/sb.taut", |d| violated(d, "both_miss") > Some(0));
    assert_eq!(code, 1, "{program:#}");
    let row = &program["properties"][0];
    assert_eq!(row["verdicts"], json!(["holds", "violated", "violated"]));
    assert_eq!(row["line"], 27);

    let (c, code) =
        until("examples/c/store_buffering.c", |d| violated(d, "seen_by_left") > Some(0));
    assert_eq!(code, 1, "{c:#}");
    let row = &c["properties"][0];
    assert_eq!(row["verdicts"], json!(["holds", "violated", "violated"]));
    assert_eq!(row["line"], 48);
}

#[test]
fn a_lock_without_its_fence_is_seen_to_break() {
    if has_two_processors("a_lock_without_its_fence_is_seen_to_break") {
        let (_, code) = until("examples/peterson.taut", |d| violated(d, "mutex") > Some(0));
        assert_eq!(code, 1);
    }
    for file in ["examples/peterson_tso.taut", "examples/c/store_buffering_fenced.c"] {
        let (document, code) = run(file, &["--seconds", "500ms"]);
        assert_eq!(code, 0, "{document:#}");
        assert!(document["rounds"].as_u64() > Some(0), "{document:#}");
    }
}

/// Every state that is seen is allowed. The floor says that something was seen.
#[test]
fn states_of_litmus_tests_are_those_that_tso_allows() {
    let folder = root().join("testdata/litmus");
    let mut files = Vec::new();
    for entry in ["classic", "coherence", "instructions", "intel", "locked", "x86-tso"] {
        let entries = std::fs::read_dir(folder.join(entry)).expect("a folder");
        files.extend(entries.map(|e| e.expect("an entry").path()));
    }
    files.retain(|path| path.extension().is_some_and(|e| e == "litmus"));
    files.sort();
    // One in sixteen, or all in a soak.
    let step = if soak() > 1 { 1 } else { 16 };
    let mut seen = 0;
    for file in files.iter().step_by(step) {
        let (document, code) = run(file.to_str().expect("UTF-8"), &["--seconds", "50ms"]);
        assert_eq!(code, 0, "{document:#}");
        let states = document["states"].as_array().expect("states");
        seen += states.iter().filter(|s| s["seen"].as_u64() > Some(0)).count();
        for state in states.iter().filter(|s| s["seen"].as_u64() > Some(0)) {
            assert_eq!(state["allowed"][1], json!(true), "{document:#}");
        }
    }
    assert!(seen >= 8, "{seen} states in {} tests", files.len());
}

/// Examples of three and four threads, procedures, ghosts, locked steps, deadlock.
#[test]
fn examples_show_nothing_that_tso_forbids() {
    let few = ["iriw", "deadlock", "work_stealing_deque_tso", "ticket_lock", "recursion"];
    let all = std::fs::read_dir(root().join("examples")).expect("the examples");
    let all = all.map(|e| e.expect("an entry").file_name().into_string().expect("UTF-8"));
    let names: Vec<String> = match soak() {
        1 => few.map(|name| format!("{name}.taut")).to_vec(),
        _ => all.filter(|name| name.ends_with(".taut")).collect(),
    };
    let mut ran = 0;
    for name in names {
        let file = format!("examples/{name}");
        let output = taut(&["run", &file, "--seconds", "100ms", "--format", "json"]);
        assert!(code(&output) <= 3, "{}", shown(&output));
        if code(&output) == 3 {
            continue;
        }
        ran += 1;
        assert!(stdout(&output).contains("\"contradictions\":[]"), "{}", shown(&output));
    }
    assert!(ran >= 5, "{ran}");
}

#[test]
fn people_read_tables() {
    let output = taut(&["run", "examples/sb.taut", "--seconds", "200ms"]);
    assert!(code(&output) <= 1, "{}", shown(&output));
    let text = stdout(&output);
    for words in ["rounds in 0.2 s: 2 threads on", "p:r", "seen", "TSO", "both_miss"] {
        assert!(text.contains(words), "{words}: {text}");
    }
}
