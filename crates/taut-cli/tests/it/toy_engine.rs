//! An engine that is registered in one line reaches every part of the command line: `examples/toy_engine.rs`.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;
use taut_testkit::suite::root;

use super::command::{code, objects, shown, stderr, stdout, taut};
use super::formats::Validator;
use super::serve_support::Server;

/// The executable with the toy engine, which is built together with the tests.
fn executable() -> PathBuf {
    let tests = std::env::current_exe().expect("an executable");
    let profile = tests.ancestors().nth(2).expect("target/PROFILE/deps/it");
    let toy = profile.join("examples/toy_engine");
    assert!(toy.exists(), "first `cargo build -p taut-cli --example toy_engine`");
    toy
}

fn toy(arguments: &[&str]) -> Output {
    let mut command = Command::new(executable());
    command.args(arguments).current_dir(root()).output().expect("a process")
}

#[test]
fn the_command_line_offers_the_toy_and_asks_it() {
    assert!(
        stdout(&toy(&["check", "--help"])).contains("explicit, symbolic, rounds, dual, any, toy")
    );
    let args = ["check", "examples/peterson.taut", "--model", "tso", "--engine", "toy"];
    let output = toy(&args);
    assert_eq!(code(&output), 1, "{}", shown(&output));
    assert!(stdout(&output).contains("found within buffers of 1"), "{}", shown(&output));
    // The executable of Taut does not know it.
    assert_eq!(code(&taut(&args)), 3);
}

/// The stages go on until no buffer is full, and what holds there holds for all executions.
#[test]
fn stages_end_when_no_run_leaves_the_scope() {
    let args = ["--format", "json", "--model", "pso", "--engine", "toy", "--no-deadlock"];
    let output = toy(&[&["check", "examples/mp_pso.taut"], &args[..]].concat());
    let report = objects(&output).remove(0);
    assert_eq!((&report["engine"], code(&output)), (&Value::from("toy"), 0), "{}", shown(&output));
    for result in report["results"].as_array().expect("results") {
        assert_eq!(result["coverage"], "all executions", "{result}");
    }
    let output = toy(&[&["check", "examples/insisting_lock.taut"], &args[..]].concat());
    let text = stdout(&output);
    assert!(text.contains("up to buffers of 6 (toy)"), "{text}");
}

#[test]
fn what_the_toy_refuses_is_said_in_its_words() {
    let args = ["check", "examples/peterson.taut", "--model", "tso", "--engine", "toy"];
    let output = toy(&[&args[..], &["--bound", "2"]].concat());
    assert_eq!(code(&output), 3, "{}", shown(&output));
    assert!(stderr(&output).contains("the toy chooses its bounds"), "{}", stderr(&output));
    let output = toy(&args);
    assert!(stdout(&output).contains("not asked: the toy does not look"), "{}", stdout(&output));
    // Where there are no buffers the explicit search answers.
    let sc = ["check", "examples/peterson.taut", "--model", "sc", "--engine", "toy"];
    let output = toy(&[&sc[..], &["--format", "json"]].concat());
    assert_eq!(objects(&output)[0]["engine"], "explicit", "{}", shown(&output));
}

#[test]
fn suites_know_the_toy() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("toy_engine");
    std::fs::create_dir_all(&folder).expect("a folder");
    let program = std::fs::read_to_string(root().join("examples/sb.taut")).expect("a program");
    let header = "// expect: tso violated\n// options: --engine toy --no-deadlock\n";
    std::fs::write(folder.join("sb.taut"), format!("{header}{program}")).expect("a file");
    let run = |executable: &Path| {
        let mut command = Command::new(executable);
        command.args(["check", "."]).current_dir(&folder).output().expect("a process")
    };
    let output = run(&executable());
    assert_eq!(code(&output), 0, "{}", shown(&output));
    let output = run(Path::new(env!("CARGO_BIN_EXE_taut")));
    assert_eq!(code(&output), 3, "{}", shown(&output));
    let message = "an engine is one of auto, explicit, symbolic, rounds, dual, any";
    assert!(shown(&output).contains(message), "{}", shown(&output));
}

#[test]
fn the_schema_knows_the_toy() {
    let args = ["--format", "json", "--model", "tso", "--engine", "toy"];
    let report = toy(&[&["check", "examples/peterson.taut"], &args[..]].concat());
    let report = objects(&report).remove(0);
    let with_toy = Validator::new(&stdout(&toy(&["schema", "check"])));
    assert_eq!(with_toy.refusal(&report), None);
    let without = Validator::new(&stdout(&taut(&["schema", "check"])));
    assert!(without.refusal(&report).is_some());
}

#[test]
fn the_page_offers_the_toy() {
    let server = Server::start_of(&executable(), &[]);
    let setup = server.served.get("setup").json();
    let engines = setup["engines"].as_array().expect("a list");
    let ours = engines.iter().find(|engine| engine["name"] == "toy").expect("the toy");
    assert_eq!(ours["title"], "toy: buffers that grow");
}
