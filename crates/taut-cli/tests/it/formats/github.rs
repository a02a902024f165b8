//! Workflow commands of GitHub Actions, and the summary of a job.

use super::sarif::OFFICIAL;
use super::{Folder, STORE_BUFFERING, Validator};
use crate::command::{code, shown, stderr, stdout, taut};

#[test]
fn a_violation_is_an_error_at_its_place() {
    let folder = Folder::new("github");
    folder.write("sb.taut", STORE_BUFFERING);
    let output = folder.taut(&["check", "sb.taut", "--format", "github"]);
    assert_eq!((code(&output), stderr(&output).as_str()), (1, ""));
    insta::assert_snapshot!("github_sb", stdout(&output));
}

#[test]
fn what_holds_is_no_annotation() {
    let output = taut(&["check", "examples/sb_tso.taut", "--model", "tso", "--format", "github"]);
    assert_eq!(code(&output), 0, "{}", shown(&output));
    assert_eq!(stdout(&output), "taut: verdicts 2, errors 0, left open 0, warnings 0\n");
}

#[test]
fn what_is_left_open_and_what_is_worth_a_look_are_warnings() {
    let open = ["check", "examples/peterson_tso.taut", "--model", "tso", "--max-states", "5"];
    let output = taut(&[&open[..], &["--format", "github"]].concat());
    assert_eq!(code(&output), 2);
    let text = stdout(&output);
    assert_eq!(
        text.matches("::warning file=examples/peterson_tso.taut,line=").count(),
        2,
        "{text}"
    );
    let output =
        taut(&["check", "examples/atomic_lock.pml", "--model", "tso", "--format", "github"]);
    let text = stdout(&output);
    assert!(text.contains(",title=Taut%3A P0401%3A"), "{text}");
    assert_eq!(stderr(&output), "", "messages are annotations");
}

#[test]
fn bad_input_is_an_error_with_its_hint() {
    let output = taut(&["check", "testdata/suites/mixed/malformed.taut", "--format", "github"]);
    assert_eq!(code(&output), 0, "a header matters in suites only: {}", shown(&output));
    let output = taut(&["check", "testdata/suites/mixed", "--format", "github"]);
    assert_eq!((code(&output), stderr(&output).as_str()), (3, ""));
    insta::assert_snapshot!("github_suite_mixed", stdout(&output));
    let output = taut(&["check", "no-such-file.taut", "--format", "github"]);
    assert_eq!((code(&output), stderr(&output).as_str()), (3, ""));
    assert!(stdout(&output).starts_with("::error title=Taut%3A "), "{}", shown(&output));
}

#[test]
fn the_summary_of_a_job_has_every_verdict() {
    let folder = Folder::new("summary");
    folder.write("sb.taut", STORE_BUFFERING);
    folder.write("summary.md", "before\n");
    let output =
        folder.taut_with_summary(&["compare", "sb.taut", "--format", "github"], "summary.md");
    assert_eq!(code(&output), 1);
    insta::assert_snapshot!("github_summary", folder.read("summary.md"));
    let output =
        folder.taut_with_summary(&["check", "sb.taut", "--format", "github"], "no/summary");
    assert_eq!(code(&output), 1, "a summary that cannot be written changes no verdict");
    assert!(stderr(&output).contains("warning: cannot write the summary"), "{}", shown(&output));
}

/// A file whose name and whose property would be commands if they were not escaped.
#[test]
fn hostile_names_begin_no_command() {
    let folder = Folder::new("hostile");
    let name = "a,b:c%\n::error::d µ.taut";
    folder.write(name, STORE_BUFFERING);
    let output = folder.taut(&["check", name, "--model", "tso", "--format", "github"]);
    let text = stdout(&output);
    assert_eq!(code(&output), 1, "{}", shown(&output));
    let lines: Vec<_> = text.lines().collect();
    assert_eq!(lines.len(), 2, "{text}");
    let place = "::error file=a%2Cb%3Ac%25%0A%3A%3Aerror%3A%3Ad µ.taut,line=";
    assert!(lines[0].starts_with(place), "{text}");
    assert!(lines[1].starts_with("taut: verdicts "), "{text}");
    let output = folder.taut(&["check", name, "--model", "tso", "--format", "sarif"]);
    let log = serde_json::from_str(&stdout(&output)).expect("JSON");
    Validator::new(OFFICIAL).accept(&log, "a hostile name");
    assert!(stdout(&output).contains("\"a%2Cb%3Ac%25%0A%3A%3Aerror%3A%3Ad%20%C2%B5.taut\""));
    let missing = folder.taut(&["check", "no\n::error::file.taut", "--format", "github"]);
    assert_eq!(stdout(&missing).lines().count(), 2, "{}", shown(&missing));
}
