//! `taut simulate` by commands: all languages, all models, traces in and out, and what is refused.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use taut_testkit::suite::root;

fn taut(arguments: &[&str], input: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_taut"));
    let command = command.args(arguments).current_dir(root());
    let pipes = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = pipes.spawn().expect("taut runs");
    // A program that refuses its arguments does not wait for its input.
    let _ = child.stdin.take().expect("a pipe").write_all(input.as_bytes());
    child.wait_with_output().expect("an end")
}

fn simulate(arguments: &[&str]) -> String {
    let output = taut(&[&["simulate"], arguments].concat(), "");
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {error}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// The message of a command that is refused.
fn refused(arguments: &[&str], input: &str) -> String {
    let output = taut(&[&["simulate"], arguments].concat(), input);
    assert_eq!(output.status.code(), Some(3), "{arguments:?}");
    String::from_utf8(output.stderr).expect("UTF-8")
}

fn scratch(name: &str) -> String {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    path.to_str().expect("UTF-8").to_string()
}

#[test]
fn saved_runs_replay_in_every_language_and_model() {
    let programs = [
        "examples/peterson.taut",
        "examples/spawn.taut",
        "examples/leader.pml",
        "examples/workers.pml",
        "examples/dve/peterson2.dve",
        "testdata/litmus/classic/SB.litmus",
    ];
    for (i, program) in programs.iter().enumerate() {
        for model in ["sc", "tso", "pso", "delayed"] {
            let file = scratch(&format!("simulated_{i}_{model}.json"));
            let script = format!("r25 b s({file})");
            simulate(&[program, "--model", model, "--seed", "7", "--script", &script]);
            let replayed = taut(&["replay", program, &file], "");
            let text = String::from_utf8(replayed.stdout).expect("UTF-8");
            assert_eq!(replayed.status.code(), Some(0), "{program} {model}");
            assert!(text.contains("The replayer accepts the run"), "{text}");
            let row = simulate(&[program, "--trace", &file, "--row", "3", "--script", ""]);
            assert!(row.starts_with("after 3\n"), "{row}");
        }
    }
}

#[test]
fn what_is_wrong_at_the_end_is_what_a_saved_run_shows() {
    let file = scratch("simulated_violation.json");
    let script = format!("u(p[0]@cs && p[1]@cs) s({file})");
    simulate(&["examples/peterson.taut", "--model", "tso", "--script", &script]);
    let replayed = taut(&["replay", "examples/peterson.taut", &file], "");
    let text = String::from_utf8(replayed.stdout).expect("UTF-8");
    assert!(text.contains("mutex is violated under TSO"), "{text}");
}

#[test]
fn commands_come_from_standard_input_too() {
    let script = simulate(&["examples/sb.taut", "--script", "1 2 r3 h"]);
    let lines = taut(&["simulate", "examples/sb.taut"], "1\n2 r3 # and then\n\nh\nq\n1\n");
    assert_eq!(String::from_utf8(lines.stdout).expect("UTF-8"), script);
    assert_eq!(lines.status.code(), Some(0));
    let silent = taut(&["simulate", "examples/sb.taut"], "");
    assert!(String::from_utf8_lossy(&silent.stdout).starts_with("at the start\n"));
}

#[test]
fn the_same_seed_makes_the_same_walk() {
    let walk = |seed| simulate(&["examples/bakery.taut", "--seed", seed, "--script", "r30"]);
    assert_eq!(walk("5"), walk("5"));
    assert_ne!(walk("5"), walk("6"));
}

#[test]
fn a_model_gets_as_many_processes_as_it_starts() {
    // Three workers live at the same time, and the program begins with room for one.
    let text = simulate(&["examples/workers.pml", "--script", "u(_nr_pr == 4)"]);
    assert!(text.contains("worker#3"), "{text}");
}

#[test]
fn counterexamples_are_gone_through() {
    let file = scratch("simulated_counterexample.json");
    let check = ["check", "examples/sb.taut", "--model", "tso", "--trace", &file];
    assert_eq!(taut(&check, "").status.code(), Some(1));
    let text = simulate(&["examples/sb.taut", "--trace", &file, "--script", "f4 b f"]);
    let at_the_end = text.matches("✗ both_miss is violated").count();
    assert_eq!(at_the_end, 2, "{text}");
    // The trace knows its memory model.
    let error = refused(&["examples/sb.taut", "--trace", &file, "--model", "sc"], "");
    assert!(error.contains("cannot be used with"), "{error}");
    let error = refused(&["examples/sb.taut", "--trace", &file, "--row", "9"], "");
    assert!(error.contains("there is no row 9; the history ends at 4"), "{error}");
    let error = refused(&["examples/sb_tso.taut", "--trace", &file, "--script", ""], "");
    assert!(error.contains("the trace belongs to another program"), "{error}");
}

#[test]
fn bad_commands_are_refused_with_a_hint() {
    let bad = |script| refused(&["examples/sb.taut", "--script", script], "");
    assert_eq!(
        bad("x"),
        "error: --script: there is no command `x`; a command is a number or one of b f g r u s p h ? q\n"
    );
    assert_eq!(bad("7"), "error: 7: there is no action 7; 1 to 2 can happen\n");
    assert!(bad("u(z == 1)").contains("u(z == 1): "));
    assert!(bad("u([] (x == 1))").contains("a condition is about one state"));
    assert!(bad("s(/nowhere/at/all)").contains("cannot write"));
    let error = refused(&["examples/sb.taut"], "1\n2 bakc\n");
    assert_eq!(error, "error: line 2: there is no command `bakc`; back is `b`\n");
    let error = refused(&["-"], "shared int x;");
    assert!(error.contains("give the commands with --script"), "{error}");
}
