//! Choosing an engine on the command line: what each is asked, what it says, and what does not go together.

use crate::command;

use command::{code, objects, path, scratch, shown, stdout, taut};
use serde_json::Value;

macro_rules! assert_shown {
    ($name:expr, $output:expr) => {
        insta::with_settings!({filters => vec![
            (r" +\d+(\.\d+)? (µs|ms|s)\b", " TIME"),
            (r"\d+(\.\d+)? [KM]iB", "SIZE"),
            (r"\d+ states/s", "N states/s"),
            (r"\d+\.\d bytes per state", "N bytes per state"),
            (r"depth +time", "depth time"),
            (r"\S*/in_step", "in_step"),
        ]}, { insta::assert_snapshot!($name, shown(&$output)) })
    };
}

/// Both buffers grow, in step: each lap ends in a rendezvous. No language of one buffer alone says that as many
/// entries wait in the other, and no lap changes one buffer only, so nothing is accelerated.
const IN_STEP: &str = "
    chan c = [0] of { bit };
    bit x, y;
    active proctype p() { do :: x = 1; c!0 od }
    active proctype q() { do :: c?0; y = 1 od }
";

/// The engine and the coverage of the first answer, by the arguments beside `--format json`.
fn engine_and_coverage(args: &[&str]) -> (String, String) {
    let output = taut(&[&["check", "--format", "json"], args].concat());
    let objects = objects(&output);
    let object = objects.first().unwrap_or_else(|| panic!("{}", shown(&output)));
    let text = |value: &Value| value.as_str().expect("a string").to_owned();
    (text(&object["engine"]), text(&object["results"][0]["coverage"]))
}

#[test]
fn symbolic_covers_all_executions() {
    let args = ["check", "examples/two_loops.taut", "--model", "tso", "--engine", "symbolic"];
    assert_shown!("symbolic_two_loops", taut(&args));
}

#[test]
fn symbolic_shows_the_run_of_a_violation() {
    let args = ["check", "examples/two_loops.taut", "--model", "pso", "--engine", "symbolic"];
    assert_shown!("symbolic_two_loops_pso", taut(&args));
}

/// The error needs more entries than the default bound has, so only one of the engines can see it.
#[test]
fn auto_goes_where_the_bound_does_not() {
    let output = taut(&["check", "examples/late_toggles.taut", "--model", "tso"]);
    assert_eq!(code(&output), 1, "{}", shown(&output));
    let output = taut(&["check", "examples/late_toggles.taut", "--model", "tso", "--bound", "8"]);
    assert_eq!(code(&output), 0, "{}", shown(&output));
}

#[test]
fn auto_is_explicit_where_buffers_stay_finite_or_a_bound_is_given() {
    let fenced = ["examples/peterson_tso.taut", "--model", "tso"];
    let looping = ["examples/two_loops.taut", "--model", "tso"];
    let ask =
        |file: &[&'static str], more: &[&'static str]| engine_and_coverage(&[file, more].concat());
    let is = |engine: &str, coverage: &str| (engine.to_owned(), coverage.to_owned());
    assert_eq!(ask(&fenced, &[]), is("explicit", "all executions"));
    assert_eq!(ask(&fenced, &["--engine", "symbolic"]), is("symbolic", "all executions"));
    // It is robust: SC answers.
    assert_eq!(ask(&looping, &[]), is("explicit", "all executions"));
    assert_eq!(ask(&looping, &["--engine", "auto"]), is("explicit", "all executions"));
    let insisting = ["examples/insisting_lock.taut", "--model", "tso"];
    assert_eq!(ask(&insisting, &[]), is("symbolic", "all executions"));
    assert_eq!(ask(&looping, &["--engine", "explicit"]), is("explicit", "up to bound 8"));
    assert_eq!(ask(&looping, &["--bound", "4"]), is("explicit", "up to bound 4"));
    let sc = ["examples/two_loops.taut", "--model", "sc", "--engine", "symbolic"];
    assert_eq!(engine_and_coverage(&sc), is("explicit", "all executions"), "there are no buffers");
}

#[test]
fn a_bound_is_refused_where_there_is_none() {
    let symbolic = ["check", "examples/two_loops.taut", "--model", "tso", "--engine", "symbolic"];
    for more in [["--bound", "4"], ["--full-buffer", "error"]] {
        let output = taut(&[&symbolic[..], &more[..]].concat());
        assert_eq!(code(&output), 3, "{}", shown(&output));
        assert_eq!(stdout(&output), "");
        assert_shown!(format!("symbolic_and{}", more[0].replace('-', "_")), output);
    }
    let output = taut(&[&symbolic[..], &["--bound", "none"]].concat());
    assert_eq!(code(&output), 0, "no bound is what it has: {}", shown(&output));
}

#[test]
fn the_counts_are_those_of_sets() {
    let args = ["check", "examples/two_loops.taut", "--model", "tso", "--engine", "symbolic"];
    let output = taut(&[&args[..], &["--stats"]].concat());
    assert_shown!("symbolic_stats", output);
    let objects = objects(&taut(&[&args[..], &["--format", "json"]].concat()));
    assert_eq!(objects[0]["bound"], Value::Null);
    let counts = &objects[0]["symbolic"];
    for field in ["visited", "included", "accelerated", "automata", "largest"] {
        assert!(counts[field].is_u64(), "{field}: {}", objects[0]);
    }
    assert!(counts["accelerated"].as_u64() > Some(0), "{counts}");
    assert!(counts["visited"].as_u64() >= objects[0]["stats"]["states"].as_u64(), "{counts}");
    let args = ["check", "examples/two_loops.taut", "--model", "tso", "--bound", "2"];
    let objects = command::objects(&taut(&[&args[..], &["--format", "json"]].concat()));
    assert!(objects[0].get("symbolic").is_none(), "{}", objects[0]);
}

#[test]
fn what_does_not_converge_is_unknown_and_the_language_is_shown() {
    let file = scratch("in_step.pml", IN_STEP);
    let args = ["check", path(&file), "--model", "tso", "--engine", "symbolic"];
    // A send that waits for the buffer would keep it small.
    let output = taut(&[&args[..], &["--channels", "free", "--max-states", "50"]].concat());
    assert_eq!(code(&output), 2, "{}", shown(&output));
    assert!(stdout(&output).contains("kept growing: (x,1)"), "{}", shown(&output));
    assert_shown!("symbolic_in_step", output);
}

/// What the symbolic engine leaves open is answered up to the bound, and said to be.
#[test]
fn auto_comes_back_to_the_bound() {
    // Each process looks at what the other one stores: the program is not robust.
    let text = IN_STEP.replace("x = 1;", "x = 1; if :: y :: !y fi;");
    let text = text.replace("y = 1 od", "y = 1; if :: x :: !x fi od");
    let file = scratch("in_step_auto.pml", &text);
    let limited = ["--channels", "free", "--max-states", "2000"];
    let output = taut(&[&["check", path(&file), "--model", "tso"], &limited[..]].concat());
    assert_eq!(code(&output), 0, "{}", shown(&output));
    assert!(stdout(&output).contains("up to bound 8"), "{}", shown(&output));
    assert!(stdout(&output).contains("without a bound, "), "{}", shown(&output));
}

#[test]
fn a_symbolic_run_replays() {
    let trace = scratch("late.json", "");
    let file = "examples/late_toggles.taut";
    let symbolic = ["--model", "tso", "--engine", "symbolic", "--trace", path(&trace)];
    let output = taut(&[&["check", file], &symbolic[..]].concat());
    assert_eq!(code(&output), 1, "{}", shown(&output));
    let output = taut(&["replay", file, path(&trace)]);
    assert_eq!(code(&output), 0, "{}", shown(&output));
    assert!(stdout(&output).contains("late is violated under TSO"), "{}", shown(&output));
}

/// The states of the only search of a check that finds a violation, and whether `mutex` is violated.
fn states_and_mutex(args: &[&str]) -> (u64, bool) {
    let output = taut(&[&["check", "--format", "json", "-j", "1"], args].concat());
    let objects = objects(&output);
    let object = objects.first().unwrap_or_else(|| panic!("{}", shown(&output)));
    let states = object["stats"]["states"].as_u64().expect("a number");
    (states, object["results"][0]["verdict"] == "violated")
}

#[test]
fn with_all_a_search_ends_as_soon_as_everything_is_violated() {
    let peterson = ["examples/peterson.taut", "--no-deadlock", "--all"];
    let ways: [&[&str]; 4] = [
        &["--model", "pso", "--engine", "explicit", "--reduce", "none"],
        &["--model", "pso", "--engine", "explicit", "--search", "dfs", "--store", "tree"],
        &["--model", "pso", "--engine", "explicit", "--store", "compact"],
        &["--model", "pso", "--engine", "symbolic"],
    ];
    for way in ways {
        let (states, violated) = states_and_mutex(&[&peterson[..], way].concat());
        assert!(violated && states < 1_000, "{way:?}: {states} states");
    }
    let rounds = ["--model", "tso", "--engine", "rounds", "--rounds", "1"];
    let (states, violated) = states_and_mutex(&[&peterson[..], &rounds].concat());
    assert!(violated && states < 25_000, "{states} states");
    // Here deadlock is asked and there is none: all of the tens of thousands of states are visited.
    let explicit = ["--model", "pso", "--engine", "explicit", "--reduce", "none", "--all"];
    let (states, violated) =
        states_and_mutex(&[&["examples/peterson.taut"], &explicit[..]].concat());
    assert!(violated && states > 20_000, "{states} states");
}

#[test]
fn regression_rounds_finished_a_level_of_millions_of_states_after_a_violation() {
    let args = ["examples/lamport_fast.taut", "--engine", "rounds", "--rounds", "2"];
    let (states, violated) = states_and_mutex(&args);
    assert!(violated && states < 1_000_000, "{states} states");
}
