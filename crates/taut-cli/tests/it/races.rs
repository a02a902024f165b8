//! Data races of C programs on the command line: exit codes, every format, traces, suites.

use std::path::PathBuf;

use crate::command::{code, objects, path, shown, stderr, stdout, taut};

const RACY: &str = "examples/c/done_flag_plain.c";
const RIGHT: &str = "examples/c/done_flag.c";

/// An empty folder.
fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("taut-{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

#[test]
fn a_warning_changes_no_exit_code_and_an_error_does() {
    let output = taut(&["check", RACY, "--model", "tso"]);
    assert_eq!(code(&output), 0, "{}", shown(&output));
    assert!(stderr(&output).contains("warning[W0008]: data race: main's plain load of done"));
    assert!(!stdout(&output).contains("race"), "{}", shown(&output));
    let output = taut(&["check", RACY, "--model", "tso", "--races", "error"]);
    assert_eq!(code(&output), 1, "{}", shown(&output));
    assert!(stdout(&output).contains("SC: race violated"), "{}", shown(&output));
    assert!(stdout(&output).contains("are not"), "{}", shown(&output));
    assert!(!stderr(&output).contains("W0008"), "{}", shown(&output));
    let output = taut(&["check", RACY, "--model", "tso", "--races", "off"]);
    assert_eq!(code(&output), 0, "{}", shown(&output));
    assert!(!shown(&output).contains("race:"), "{}", shown(&output));
    let output = taut(&["check", RIGHT, "--races", "error"]);
    assert_eq!(code(&output), 0, "{}", shown(&output));
    let output = taut(&["check", RACY, "--model", "sc", "--property", "race"]);
    assert_eq!(code(&output), 1, "{}", shown(&output));
}

#[test]
fn the_answer_is_in_one_document() {
    let output = taut(&["check", RACY, "--format", "json"]);
    let all = objects(&output);
    let races: Vec<_> = all.iter().map(|o| &o["races"]).filter(|r| r.is_object()).collect();
    let [races] = races.as_slice() else { panic!("{}", shown(&output)) };
    assert_eq!((&races["level"], &races["verdict"]), (&"warn".into(), &"violated".into()));
    assert_eq!(races["accesses"][0]["line"], 34);
    assert_eq!(races["accesses"][1]["access"], "plain store to done");
    let results = all.iter().flat_map(|o| o["results"].as_array().expect("results"));
    assert!(results.into_iter().all(|r| r["property"] != "race"));
}

#[test]
fn other_tools_see_a_warning_or_an_error() {
    for (level, word) in [("warn", "warning"), ("error", "error")] {
        let output = taut(&["check", RACY, "--model", "sc", "--races", level, "--format", "sarif"]);
        let log: serde_json::Value = serde_json::from_str(&stdout(&output)).expect("a log");
        let results = log["runs"][0]["results"].as_array().expect("results");
        let found: Vec<_> = results.iter().filter(|r| r["ruleId"] == "race").collect();
        assert_eq!(found.len(), 1, "{log}");
        assert_eq!(found[0]["level"], word);
        let output =
            taut(&["check", RACY, "--model", "sc", "--races", level, "--format", "github"]);
        assert!(stdout(&output).contains(&format!("::{word} file={RACY},line=26")), "{output:?}");
    }
}

#[test]
fn the_run_of_a_race_can_be_replayed() {
    let folder = folder("race-trace");
    let trace = folder.join("trace.json");
    taut(&["check", RACY, "--model", "sc", "--races", "error", "--trace", path(&trace)]);
    let output = taut(&["replay", RACY, path(&trace)]);
    assert_eq!(code(&output), 0, "{}", shown(&output));
    assert!(stdout(&output).contains("data race: main's plain load of done (line 34)"));
    // A program without candidates cannot have had this run.
    let output = taut(&["replay", "examples/c/message_passing.c", path(&trace)]);
    assert_eq!(code(&output), 3, "{}", shown(&output));
}

#[test]
fn suites_expect_races() {
    let folder = folder("race-suite");
    let text = std::fs::read_to_string(taut_testkit::suite::root().join(RACY)).expect("a text");
    let head = "// expect: sc violated race\n";
    let body = text.split("\n\n").skip(1).collect::<Vec<_>>().join("\n\n");
    std::fs::write(folder.join("named.c"), format!("{head}{body}")).expect("written");
    let error = "// expect: sc violated\n// options: --races error\n";
    std::fs::write(folder.join("error.c"), format!("{error}{body}")).expect("written");
    std::fs::write(folder.join("warned.c"), format!("// expect: sc holds\n{body}"))
        .expect("written");
    let output = taut(&["check", path(&folder)]);
    assert_eq!(code(&output), 0, "{}", shown(&output));
    assert!(stdout(&output).contains("3 expectations in 3 files: 3 met"), "{}", shown(&output));
    let wrong = format!("// expect: sc holds race\n{body}");
    std::fs::write(folder.join("wrong.c"), wrong).expect("written");
    let output = taut(&["check", path(&folder)]);
    assert_eq!(code(&output), 1, "{}", shown(&output));
}

#[test]
fn reports_show_the_run_of_a_warning() {
    let folder = folder("race-report");
    let page = folder.join("report.html");
    let output = taut(&["check", RACY, "--model", "sc", "--report", path(&page)]);
    assert_eq!(code(&output), 0, "{}", shown(&output));
    let text = std::fs::read_to_string(&page).expect("a page");
    assert!(text.contains("plain store to done"), "the race is told");
}
