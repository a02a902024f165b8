//! `taut explain`: the sentences, the JSON, and the exit codes.

use crate::command;

use command::{code, objects, path, scratch, shown, stdout, taut};

/// Explains and compares what is said; times are no part of it.
macro_rules! assert_told {
    ($name:expr, $($arg:expr),+) => {
        insta::assert_snapshot!($name, shown(&taut(&["explain", $($arg),+])))
    };
}

#[test]
fn the_story_of_mutual_exclusion() {
    assert_told!("peterson", "examples/peterson.taut");
    assert_told!("dekker", "examples/dekker.taut");
}

#[test]
fn the_story_of_store_buffering() {
    assert_told!("sb", "examples/sb.taut");
    assert_told!("forwarding", "examples/lw_forwarding.taut");
    assert_told!("sb_litmus", "testdata/litmus/classic/SB.litmus");
}

#[test]
fn the_story_of_overtaking_stores() {
    assert_told!("mp", "examples/mp.taut");
    assert_told!("unseen_by_the_property", "examples/repeated_message.taut");
    assert_told!("two_plus_two", "testdata/litmus/classic/2+2W.litmus", "--model", "pso");
    assert_told!("two_stores", "examples/lw_two_writers.taut");
}

#[test]
fn the_story_of_a_deadlock_without_late_stores() {
    assert_told!("deadlock", "examples/deadlock.taut");
    assert_told!("deadlock_tso", "examples/deadlock.taut", "--model", "tso");
    assert_told!("philosophers", "examples/philosophers.pml");
}

#[test]
fn the_story_of_what_goes_on_for_ever() {
    assert_told!("lasso", "examples/polite_lock.taut");
    let ltl = "examples/locks.ltl";
    assert_told!("starving", "examples/tas_lock_pso.taut", "--model", "tso", "--ltl-file", ltl);
    let live = "examples/peterson_live.taut";
    assert_told!("stays", live, "--model", "tso", "--fairness", "none");
}

#[test]
fn the_story_of_models_in_other_languages() {
    assert_told!("promela", "examples/peterson.pml");
    assert_told!("dve", "examples/dve/peterson2.dve", "--model", "delayed");
}

#[test]
fn the_story_of_steps_that_go_wrong() {
    let fault = scratch("fault.taut", "shared int x = 0;\nprocess p begin\n  x := 1 / x;\nend\n");
    let output = taut(&["explain", path(&fault)]);
    let text = stdout(&output);
    assert_eq!(code(&output), 1, "{}", shown(&output));
    assert!(text.contains("(line 3) goes wrong: "), "{text}");
    assert!(text.contains("p read x (line 3) and saw 0."), "{text}");
    assert!(text.contains("with x' = 0."), "{text}");
    let stores = "shared int x = 0;\nprocess p begin\n  x := 1;\n  x := 2;\nend\n";
    let full = scratch("full.taut", stores);
    let options = ["--model", "tso", "--bound", "1", "--full-buffer", "error"];
    let output = taut(&[&["explain", path(&full)], &options[..]].concat());
    let text = stdout(&output);
    assert!(text.contains("p's `x := 2` (line 4) meets a full buffer"), "{text}");
}

#[test]
fn what_holds_is_said_with_its_coverage() {
    let output = taut(&["explain", "examples/peterson_tso.taut", "--model", "tso"]);
    assert_eq!(code(&output), 0);
    let said = "examples/peterson_tso.taut: mutex, deadlock hold under TSO (all executions)\n";
    assert!(stdout(&output).starts_with(said), "{}", stdout(&output));
}

#[test]
fn the_exit_codes_are_those_of_check() {
    let output = taut(&["explain", "examples/bakery.taut", "--model", "sc", "--max-states", "5"]);
    assert_eq!(code(&output), 2, "{}", shown(&output));
    assert!(stdout(&output).contains("unknown under SC"), "{}", shown(&output));
    assert_eq!(code(&taut(&["explain", "examples/peterson.taut"])), 1);
    assert_eq!(code(&taut(&["explain", "examples/absent.taut"])), 3);
    assert_eq!(code(&taut(&["explain", "examples/sb.taut", "--property", "nobody"])), 3);
}

#[test]
fn json_has_the_same_sentences_with_rows_and_lines() {
    let output = taut(&["explain", "examples/peterson.taut", "--format", "json"]);
    assert_eq!(code(&output), 1);
    let objects = objects(&output);
    let verdicts: Vec<_> = objects.iter().map(|o| (&o["model"], &o["verdict"])).collect();
    assert_eq!(verdicts.len(), 2, "it stops at the first model with a violation");
    assert_eq!((&objects[0]["model"], &objects[0]["verdict"]), (&"sc".into(), &"holds".into()));
    let told = &objects[1];
    assert_eq!((&told["property"], &told["under_sc"]), (&"mutex".into(), &false.into()));
    let sentences = told["sentences"].as_array().expect("a list");
    assert_eq!(sentences[0]["kind"], "delay");
    assert_eq!(sentences[0]["rows"], serde_json::json!([1, 3, 6]));
    assert_eq!(sentences[0]["lines"], serde_json::json!([17, 19]));
    let text = stdout(&taut(&["explain", "examples/peterson.taut"]));
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    for sentence in sentences {
        let sentence = sentence["text"].as_str().expect("a sentence");
        assert!(words(&text).contains(&words(sentence)), "{sentence}");
    }
}
