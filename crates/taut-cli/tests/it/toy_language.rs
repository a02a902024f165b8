//! A language that is registered in one line reaches every part of the command line: `examples/toy_language.rs`.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::json;

use super::command::{stderr, stdout};
use super::formats::Validator;
use super::serve_support::Server;

const SB: &str = "\
# expect: sc holds
# expect: tso violated
# options: --no-deadlock --initial 3
thread p
store x 1
load r y
thread q
store y 1
load s x
never r=0 s=0
";

/// The executable with the toy language, which is built together with the tests.
fn executable() -> PathBuf {
    let tests = std::env::current_exe().expect("an executable");
    let profile = tests.ancestors().nth(2).expect("target/PROFILE/deps/it");
    let toy = profile.join("examples/toy_language");
    assert!(toy.exists(), "first `cargo build -p taut-cli --example toy_language`");
    toy
}

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("toy").join(name);
    std::fs::create_dir_all(&folder).expect("a folder");
    std::fs::write(folder.join("sb.toy"), SB).expect("a file");
    folder
}

/// Runs the executable in a folder of its own.
fn toy(name: &str, arguments: &[&str]) -> Output {
    let mut command = Command::new(executable());
    command.args(arguments).current_dir(folder(name)).output().expect("a process")
}

#[test]
fn checks_know_the_toy_by_its_extension_and_by_its_name() {
    let output = toy("check", &["check", "sb.toy", "--model", "tso"]);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    assert!(stdout(&output).contains("never r=0 s=0"), "{}", stdout(&output));
    let output = toy("check", &["check", "sb.toy", "--model", "sc", "--language", "toy"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let output = toy("check", &["check", "sb.toy", "--model", "tso", "--ltl", "[] (x <= 0)"]);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
}

#[test]
fn help_offers_the_toy_and_its_options() {
    let help = stdout(&toy("help", &["check", "--help"]));
    for text in [".toy", "toy:", "A toy assembler", "--initial <N>", "Toy: value of registers"] {
        assert!(help.contains(text), "{text}:\n{help}");
    }
    let output = toy("help", &["check", "sb.toy", "--initial", "10"]);
    assert_eq!(output.status.code(), Some(3), "{}", stdout(&output));
    let output = toy("help", &["fmt", "sb.toy", "--check"]);
    assert!(stderr(&output).contains("only .taut or .rmm files"), "{}", stderr(&output));
}

#[test]
fn options_of_the_toy_are_obeyed() {
    let run = |initial: &str| {
        let output = toy("initial", &["check", "sb.toy", "--model", "sc", "--initial", initial]);
        output.status.code()
    };
    // Registers that hold 0 from the start violate the property before anything happens.
    assert_eq!((run("0"), run("1")), (Some(1), Some(0)));
}

#[test]
fn suites_read_headers_in_comments_of_the_toy() {
    let output = toy("suite", &["check", "."]);
    assert_eq!(output.status.code(), Some(0), "{}{}", stdout(&output), stderr(&output));
    assert!(stdout(&output).contains("sb.toy"), "{}", stdout(&output));
    let wrong = SB.replace("--initial 3", "--initial 10");
    std::fs::write(folder("header").join("wrong.toy"), wrong).expect("a file");
    let output = Command::new(executable())
        .args(["check", "."])
        .current_dir(Path::new(env!("CARGO_TARGET_TMPDIR")).join("toy/header"))
        .output()
        .expect("a process");
    assert_eq!(output.status.code(), Some(3), "{}", stdout(&output));
    let text = stdout(&output) + &stderr(&output);
    assert!(text.contains("`--initial` is a number from 0 to 9"), "{text}");
    assert!(text.contains("--initial N"), "{text}");
}

#[test]
fn repairs_put_fences_into_the_toy() {
    let output = toy("repair", &["repair", "sb.toy", "--model", "tso", "--no-deadlock"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let text = stdout(&output);
    assert_eq!(text.matches("+fence").count(), 2, "{text}");
    assert!(text.contains("after `store x 1`"), "{text}");
}

#[test]
fn messages_of_the_toy_are_rules_of_sarif() {
    std::fs::write(folder("sarif").join("bad.toy"), "thread p\njump\n").expect("a file");
    let output = Command::new(executable())
        .args(["check", "bad.toy", "--format", "sarif"])
        .current_dir(Path::new(env!("CARGO_TARGET_TMPDIR")).join("toy/sarif"))
        .output()
        .expect("a process");
    assert_eq!(output.status.code(), Some(3));
    let text = stdout(&output);
    assert!(text.contains("Y0001"), "{text}");
    assert!(text.contains("A toy program is not as it should be."), "{text}");
}

#[test]
fn reports_and_traces_are_those_of_any_language() {
    let arguments =
        ["check", "sb.toy", "--model", "tso", "--format", "json", "--trace", "run.json"];
    let output = toy("json", &arguments);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    let object: serde_json::Value = serde_json::from_str(&stdout(&output)).expect("JSON");
    let schema = stdout(&toy("json", &["schema", "check"]));
    Validator::new(&schema).accept(&object, "a check of a toy program");
    let replayed = Command::new(executable())
        .args(["replay", "sb.toy", "run.json"])
        .current_dir(Path::new(env!("CARGO_TARGET_TMPDIR")).join("toy/json"))
        .output()
        .expect("a process");
    assert_eq!(replayed.status.code(), Some(0), "{}", stderr(&replayed));
}

#[test]
fn the_page_offers_the_toy_and_checks_it() {
    let server = Server::start_of(&executable(), &[]);
    let setup = server.served.get("setup").json();
    let languages = setup["languages"].as_array().expect("a list");
    let ours = languages.iter().find(|language| language["name"] == "toy").expect("the toy");
    assert_eq!((&ours["title"], &ours["extensions"][0]), (&json!("Toy"), &json!("toy")));
    assert_eq!((&ours["line_comment"], &ours["keywords"][0]), (&json!("#"), &json!("thread")));
    let events = server.served.post(&super::serve_support::job("sb.toy", "toy", SB)).events();
    let last = events.last().expect("events");
    assert_eq!(last["document"]["verdict"], "violated", "{last}");
    assert_eq!(last["document"]["language"], "Toy", "{last}");
}
