//! Any number of processes on the command line: proofs, violations with their number, fixed numbers, what is refused.

use crate::command;

use command::{code, objects, path, scratch, shown, stderr, stdout, taut};

/// Arguments of `check`, as JSON.
fn first(args: &[&str]) -> serde_json::Value {
    let output = taut(&[&["check", "--format", "json"], args].concat());
    objects(&output).into_iter().next().unwrap_or_else(|| panic!("{}", shown(&output)))
}

#[test]
fn the_examples_meet_their_expectations() {
    let output = taut(&["check", "examples/any"]);
    assert_eq!(code(&output), 0, "{}", shown(&output));
    assert!(stdout(&output).contains("34 expectations in 17 files: 34 met"), "{}", shown(&output));
}

#[test]
fn a_proof_is_for_every_number_of_threads() {
    let answer = first(&["examples/any/tas_lock.taut", "--model", "tso"]);
    assert_eq!(answer["engine"], "any");
    for result in answer["results"].as_array().expect("results") {
        assert_eq!(result["verdict"], "holds", "{result}");
        assert_eq!(result["coverage"], "all executions, every number of threads", "{result}");
    }
}

#[test]
fn a_violation_comes_with_its_number_and_its_run() {
    let answer = first(&["examples/any/ticket_lock.taut", "--model", "tso"]);
    let mutex = &answer["results"][0];
    assert_eq!(mutex["verdict"], "violated");
    assert_eq!(mutex["note"], "with 4 of `p`: the smallest number");
    let trace = scratch("any_trace.json", "");
    let check = ["check", "examples/any/ticket_lock.taut", "--model", "tso", "--trace"];
    assert_eq!(code(&taut(&[&check[..], &[path(&trace)]].concat())), 1);
    let replay = ["replay", "examples/any/ticket_lock.taut", path(&trace)];
    let replayed = taut(&[&replay[..], &["--threads", "4"]].concat());
    assert_eq!(code(&replayed), 0, "{}", shown(&replayed));
    let without = taut(&replay);
    assert!(stderr(&without).contains("--threads 2"), "{}", shown(&without));
}

#[test]
fn a_number_is_an_ordinary_program() {
    let three = first(&["examples/any/ticket_lock.taut", "--model", "sc", "--threads", "3"]);
    assert_eq!(
        (&three["engine"], &three["results"][0]["verdict"]),
        (&"explicit".into(), &"holds".into())
    );
    let four = first(&["examples/any/ticket_lock.taut", "--model", "sc", "--threads", "4"]);
    assert_eq!(four["results"][0]["verdict"], "violated");
    // The number of a process may be looked at where there is a number.
    let looks = scratch("any_looks.taut", "shared int x; process p[*](i) begin x := i; end");
    let any = taut(&["check", path(&looks)]);
    assert_eq!(code(&any), 3, "{}", shown(&any));
    assert!(stderr(&any).contains("E0025") && stderr(&any).contains("x := i"), "{}", shown(&any));
    assert_eq!(code(&taut(&["check", path(&looks), "--threads", "2"])), 0);
}

#[test]
fn promela_has_any_number_of_processes() {
    let file = "examples/any/spinlock.pml";
    let answer = first(&[file, "--model", "tso"]);
    assert_eq!(answer["results"][0]["coverage"], "all executions, every number of threads");
    let three = first(&[file, "--model", "tso", "--threads", "3"]);
    assert_ne!(three["engine"], "any");
    assert_eq!(three["results"][0]["verdict"], "holds");
    // Without an atomic instruction two processes get in; one that looks at its number is refused.
    let broken =
        "bool lock, in; active [*] proctype p() { lock == 0; lock = 1; assert(in == 0); in = 1 }";
    let broken = scratch("any_broken.pml", broken);
    let violated = first(&[path(&broken), "--model", "sc"]);
    assert_eq!(violated["results"][0]["note"], "with 2 of `p`: the smallest number", "{violated}");
    let looks = scratch("any_pid.pml", "byte x; active [*] proctype p() { x = _pid }");
    let refused = taut(&["check", path(&looks)]);
    assert!(stderr(&refused).contains("E0025"), "{}", shown(&refused));
    let runs = "byte x; proctype q() { x = 1 } active [*] proctype p() { run q() }";
    let runs = scratch("any_run.pml", runs);
    assert!(stderr(&taut(&["check", path(&runs)])).contains("P0400"));
    let fixed = taut(&["check", "examples/spinlock.pml", "--threads", "2"]);
    assert!(stderr(&fixed).contains("P0204"), "{}", shown(&fixed));
}

#[test]
fn what_needs_a_fixed_number_says_so() {
    let file = "examples/any/sb.taut";
    for args in [
        &["check", file, "--engine", "explicit"][..],
        &["check", file, "--engine", "dual", "--model", "tso"],
        &["check", file, "--model", "pso"],
        &["check", file, "--model", "all"],
        &["check", file, "--ltl", "<> (x == 1)"],
        &["check", file, "--bound", "2"],
        &["export", file],
        &["graph", file, "--model", "sc"],
        &["simulate", file],
    ] {
        let output = taut(args);
        assert_eq!(code(&output), 3, "{args:?}: {}", shown(&output));
        assert!(stderr(&output).contains("--threads 2"), "{args:?}: {}", shown(&output));
    }
    let fixed = taut(&["check", "examples/sb.taut", "--threads", "2"]);
    assert!(stderr(&fixed).contains("T0208"), "{}", shown(&fixed));
    let wrong = taut(&["check", file, "--threads", "many"]);
    assert!(stderr(&wrong).contains("1 to 64, or `any`"), "{}", shown(&wrong));
}

#[test]
fn fences_are_proven_for_every_number() {
    let output = taut(&["repair", "examples/any/sb.taut", "--model", "tso"]);
    let text = stdout(&output);
    assert_eq!(text.matches("+  fence;").count(), 2, "{}", shown(&output));
    assert!(text.contains("all executions, every number of threads"), "{}", shown(&output));
    let compared = taut(&["compare", "examples/any/sb.taut"]);
    assert!(!stdout(&compared).contains("PSO"), "{}", shown(&compared));
    let told = taut(&["explain", "examples/any/sb.taut"]);
    assert_eq!(code(&told), 1, "{}", shown(&told));
}
