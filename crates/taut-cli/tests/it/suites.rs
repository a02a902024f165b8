//! `taut check DIR`: expected verdicts, tables, JSON, JUnit, exit codes; and what shells and manuals need.

use crate::command;

use std::path::PathBuf;

use command::{code, objects, path, shown, stderr, stdout, taut};
use serde_json::Value;

const GOOD: &str = "testdata/suites/good";
const MIXED: &str = "testdata/suites/mixed";

/// The smallest program whose deadlock and property hold.
const HOLDS: &str =
    "shared bool x = 0;\nprocess p begin x := 1; end\nforbid never: x == 1 && x == 0;\n";

macro_rules! assert_shown {
    ($name:expr, $output:expr) => {
        insta::with_settings!({filters => vec![
            (r" +\d+(\.\d+)? (µs|ms|s)\b", " TIME"),
            (r"got +time", "got time"),
        ]}, { insta::assert_snapshot!($name, shown(&$output)) })
    };
}

/// A new folder with some files.
fn folder(name: &str, files: &[(&str, &str)]) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("taut-suites-{}-{name}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    for (file, text) in files {
        let path = folder.join(file);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        std::fs::write(path, text).expect("a file");
    }
    folder
}

/// The exit code and messages of a suite with one program that has this header.
fn with_header(name: &str, header: &str) -> (i32, String) {
    let folder = folder(name, &[("a.taut", &format!("{header}\n{HOLDS}"))]);
    let output = taut(&["check", path(&folder)]);
    std::fs::remove_dir_all(&folder).expect("removed");
    (code(&output), shown(&output))
}

#[test]
fn a_suite_that_meets_all_its_expectations() {
    let output = taut(&["check", GOOD]);
    assert_eq!(code(&output), 0, "{}", shown(&output));
    assert_shown!("suite_good", output);
}

#[test]
fn what_went_wrong_comes_first() {
    let output = taut(&["check", MIXED]);
    assert_eq!(code(&output), 3, "{}", shown(&output));
    assert_shown!("suite_mixed", output);
}

#[test]
fn the_order_does_not_depend_on_the_number_of_jobs() {
    let plain = |jobs: &str| {
        let output = taut(&["check", MIXED, "-j", jobs, "--format", "json"]);
        let mut all = objects(&output);
        for object in &mut all {
            object["seconds"] = Value::Null;
            object["provenance"]["arguments"] = Value::Null;
        }
        all
    };
    let one = plain("1");
    assert_eq!(one.len(), 8);
    for jobs in ["2", "7", "64"] {
        assert_eq!(plain(jobs), one, "-j {jobs}");
    }
}

#[test]
fn json_has_one_object_a_file() {
    let output = taut(&["check", MIXED, "--format", "json"]);
    assert_eq!(code(&output), 3);
    let all = objects(&output);
    let status = |name: &str| {
        let file = format!("{MIXED}/{name}");
        let object = all.iter().find(|o| o["file"] == file.as_str()).expect("the file");
        (object["status"].as_str().expect("a word").to_string(), object.clone())
    };
    assert_eq!(status("differs.taut").0, "differs");
    assert_eq!(status("holds.pml").0, "differs");
    assert_eq!(status("met.litmus").0, "met");
    assert_eq!(status("open.taut").0, "unknown");
    assert_eq!(status("plain.taut").0, "no-expectation");
    for file in ["broken.taut", "malformed.taut", "misnamed.dve"] {
        let (word, object) = status(file);
        assert_eq!(word, "error");
        assert!(object["error"].as_str().expect("a message").contains(file));
    }
    let results = status("differs.taut").1["results"].clone();
    let got: Vec<_> = results.as_array().expect("a list").iter().map(|r| &r["got"]).collect();
    assert_eq!(got, ["holds", "violated", "violated"]);
    assert_eq!(results[1]["property"], "both_miss");
    assert_eq!(results[1]["expected"], "holds");
    assert!(results[1]["coverage"].as_str().expect("words").contains("steps"));
}

/// The counts of a JUnit file and the texts of its cases.
fn junit(folder: &str, name: &str) -> (Vec<usize>, String) {
    let file = std::env::temp_dir().join(format!("taut-suites-{}-{name}.xml", std::process::id()));
    taut(&["check", folder, "--junit", path(&file)]);
    let text = std::fs::read_to_string(&file).expect("a file");
    std::fs::remove_file(&file).expect("removed");
    let document = roxmltree::Document::parse(&text).expect("well-formed XML");
    let suite = document.root_element().first_element_child().expect("a suite");
    assert_eq!(suite.attribute("name"), Some(folder));
    let count = |tag: &str| suite.descendants().filter(|n| n.has_tag_name(tag)).count();
    let counts = ["testcase", "failure", "error", "skipped"].map(count);
    let said = ["tests", "failures", "errors", "skipped"];
    for (name, count) in said.iter().zip(counts) {
        assert_eq!(suite.attribute(*name), Some(count.to_string().as_str()), "{name}");
    }
    for case in suite.children().filter(|n| n.is_element()) {
        let time = case.attribute("time").expect("a time");
        assert!(time.parse::<f64>().is_ok_and(|t| t >= 0.0), "{time}");
    }
    let texts = suite.descendants().filter(|n| n.is_element()).map(|n| {
        let attributes: Vec<_> = n.attributes().map(|a| a.value()).collect();
        format!("{} {}\n", attributes.join(" "), n.text().unwrap_or(""))
    });
    (counts.to_vec(), texts.collect())
}

#[test]
fn junit_counts_what_happened() {
    assert_eq!(junit(GOOD, "good").0, [16, 0, 0, 0]);
    let (counts, text) = junit(MIXED, "mixed");
    assert_eq!(counts, [10, 4, 3, 1]);
    assert!(text.contains("expected holds both_miss, got violated"), "{text}");
    assert!(text.contains("`tsoo` is not a memory model"), "{text}");
}

#[test]
fn junit_holds_any_name() {
    let name = "a & <b> \"c\" 'd'.taut";
    let text = "// expect: sc violated never <&>\"\n// options: --no-deadlock\n";
    let program = "shared bool x = 0;\nprocess p begin x := 1; end\nforbid `x`: x == 1;\n";
    let folder =
        folder("names", &[(name, &format!("// expect: sc holds\n{program}")), ("b.taut", text)]);
    let (counts, text) = junit(path(&folder), "names");
    std::fs::remove_dir_all(&folder).expect("removed");
    assert_eq!(counts, [2, 1, 1, 0]);
    assert!(text.contains(name), "{text}");
    // The command in the hint is one that a shell understands.
    assert!(text.contains(r#"a & <b> "c" '\''d'\''.taut'"#), "{text}");
}

#[test]
fn exit_codes_say_the_worst_that_happened() {
    let violated = "shared bool x = 0;\nprocess p begin x := 1; end\nforbid one: x == 1;\n";
    let met = format!("// expect: sc violated one\n{violated}");
    let differs = format!("// expect: sc holds one\n{violated}");
    let open = format!("// expect: tso holds deadlock\n// options: --engine rounds\n{HOLDS}");
    let unmet_unknown = format!("// expect: sc unknown\n{HOLDS}");
    let bad = format!("// expect: sc\n{HOLDS}");
    let cases: [(&[&str], i32); 7] = [
        (&[&met], 0),
        (&[&met, &open], 2),
        (&[&met, &differs], 1),
        (&[&open, &differs], 1),
        (&[&unmet_unknown], 1),
        (&[&differs, &bad, &open], 3),
        (&[violated], 3),
    ];
    for (i, (texts, expected)) in cases.into_iter().enumerate() {
        let names: Vec<_> = (0..texts.len()).map(|n| format!("{n}.taut")).collect();
        let files: Vec<_> = names.iter().map(String::as_str).zip(texts.iter().copied()).collect();
        let folder = folder(&format!("exit-{i}"), &files);
        let output = taut(&["check", path(&folder)]);
        std::fs::remove_dir_all(&folder).expect("removed");
        assert_eq!(code(&output), expected, "case {i}: {}", shown(&output));
    }
}

#[test]
fn a_limit_is_no_verdict() {
    let output = taut(&["check", GOOD, "--max-states", "2"]);
    assert_eq!(code(&output), 2, "{}", shown(&output));
    let text = stdout(&output);
    let summary = text.lines().rev().find(|line| line.contains(" in ")).expect("a summary");
    assert!(summary.ends_with(" unknown") && !summary.contains("not met"), "{text}");
}

#[test]
fn bad_headers_are_refused_with_their_place() {
    let cases = [
        ("// expect:", "a memory model is missing", "a.taut:1:11"),
        ("// expect: arm holds", "`arm` is not a memory model", "a.taut:1:12"),
        ("// expect: sc", "a verdict is missing", "a.taut:1:14"),
        ("/*\n * expect: sc hold */", "did you mean `holds`", "a.taut:2:15"),
        ("// expect: sc holds nevr", "did you mean `never`", "a.taut:1:21"),
        ("// expect: all holds\n// expect: tso violated", "two expectations", "a.taut:2:12"),
        ("// expect: sc holds\n// options: --trace x", "no option of a file", "a.taut:2:13"),
        ("// expect: sc holds\n// options: --bound 0", "from 1 to 4096", "a.taut:2:21"),
        ("// expect: sc holds\n// options: --ltl 'a", "never closed", "a.taut:2:19"),
        ("// expect: sc holds\n// options: --engine rounds", "for TSO alone", "a.taut:1:12"),
        (
            "// expect: sc holds deadlock\n// options: --no-deadlock",
            "called `deadlock`",
            "a.taut:1:21",
        ),
    ];
    for (i, (header, message, place)) in cases.into_iter().enumerate() {
        let (exit, text) = with_header(&format!("bad-{i}"), header);
        assert_eq!(exit, 3, "{header}: {text}");
        assert!(text.contains(message) && text.contains(place), "{header}: {text}");
        assert!(text.contains("error[E0011]") && text.contains("^"), "{header}: {text}");
    }
}

#[test]
fn nothing_asked_is_nothing_expected() {
    let program = "// expect: sc holds\n// options: --no-deadlock\nprocess p begin skip; end\n";
    let folder = folder("nothing", &[("a.taut", program)]);
    let output = taut(&["check", path(&folder)]);
    std::fs::remove_dir_all(&folder).expect("removed");
    assert_eq!(code(&output), 3, "{}", shown(&output));
    assert!(stderr(&output).contains("nothing is asked"), "{}", stderr(&output));
}

#[test]
fn files_are_found_in_folders_and_hidden_ones_are_not() {
    let text = format!("// expect: sc holds\n{HOLDS}");
    let files = ["b.taut", "a/z.taut", ".hidden.taut", ".git/c.taut", "notes.txt"];
    let folder = folder("found", &files.map(|f| (f, text.as_str())));
    let output = taut(&["check", path(&folder), "--format", "json"]);
    let names: Vec<String> =
        objects(&output).iter().map(|o| o["file"].as_str().expect("a name").into()).collect();
    let found = ["a/z.taut", "b.taut"].map(|f| path(&folder.join(f)).to_string());
    std::fs::remove_dir_all(&folder).expect("removed");
    assert_eq!(names, found);
}

#[test]
fn an_expectation_in_the_midst_of_a_program_is_none() {
    let text = "shared bool x = 0;\n// expect: sc violated\nprocess p begin x := 1; end\n";
    let folder = folder("midst", &[("a.taut", text)]);
    let output = taut(&["check", path(&folder)]);
    std::fs::remove_dir_all(&folder).expect("removed");
    assert_eq!(code(&output), 3);
    assert!(stdout(&output).contains("no expectation"), "{}", shown(&output));
    assert!(stderr(&output).contains("nothing was checked"), "{}", shown(&output));
}

#[test]
fn bytes_that_are_no_text_and_empty_folders_are_refused() {
    let empty = folder("empty", &[("notes.txt", "")]);
    let output = taut(&["check", path(&empty)]);
    assert_eq!(code(&output), 3);
    assert!(stderr(&output).contains("there are no programs in"), "{}", stderr(&output));
    std::fs::write(empty.join("a.pml"), b"/* expect: sc holds */\xff").expect("a file");
    let output = taut(&["check", path(&empty)]);
    std::fs::remove_dir_all(&empty).expect("removed");
    assert_eq!(code(&output), 3);
    assert!(stderr(&output).contains("E0001"), "{}", stderr(&output));
}

#[test]
fn options_that_would_be_ignored_are_refused() {
    for option in [&["--model", "tso"][..], &["--all"], &["--bound", "2"], &["--ltl", "[] p"]] {
        let output = taut(&[&["check", GOOD], option].concat());
        assert_eq!(code(&output), 3, "{option:?}");
        assert!(stderr(&output).contains("is not for a directory"), "{}", stderr(&output));
    }
    let output = taut(&["check", "examples/sb.taut", "--junit", "x.xml"]);
    assert_eq!(code(&output), 3);
    assert!(stderr(&output).contains("for directories only"), "{}", stderr(&output));
}

/// The commands, as the help lists them.
fn commands() -> Vec<String> {
    let help = stdout(&taut(&["--help"]));
    let after = help.split("Commands:\n").nth(1).expect("commands");
    let lines = after.lines().take_while(|l| !l.trim().is_empty());
    // Descriptions that go on on the next line are indented further.
    let first = lines.filter(|l| l.starts_with("  ") && !l.starts_with("   "));
    let names = first.filter_map(|l| l.split_whitespace().next().map(String::from));
    names.filter(|name| name != "help").collect()
}

#[test]
fn completions_know_every_command() {
    let commands = commands();
    assert!(commands.len() >= 13, "{commands:?}");
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let output = taut(&["completions", shell]);
        assert_eq!(code(&output), 0);
        let script = stdout(&output);
        for command in &commands {
            assert!(script.contains(command.as_str()), "{shell}: {command}");
        }
        assert!(script.contains("junit"), "{shell}: options, too");
    }
    assert_eq!(code(&taut(&["completions", "tcsh"])), 3);
}

#[test]
fn every_command_has_a_manual_page() {
    let folder = folder("man", &[]);
    let output = taut(&["man", "--out", path(&folder)]);
    assert_eq!(code(&output), 0, "{}", shown(&output));
    let mut pages: Vec<String> = commands().iter().map(|c| format!("taut-{c}.1")).collect();
    pages.push("taut.1".into());
    pages.sort();
    let entries = std::fs::read_dir(&folder).expect("pages").map(|e| e.expect("a page"));
    let mut found: Vec<String> =
        entries.map(|e| e.file_name().into_string().expect("UTF-8")).collect();
    found.sort();
    assert_eq!(found, pages);
    let page = std::fs::read_to_string(folder.join("taut-check.1")).expect("a page");
    std::fs::remove_dir_all(&folder).expect("removed");
    assert!(page.contains(".TH taut-check 1") && page.contains("junit"), "{page}");
    assert_eq!(stdout(&taut(&["man", "check"])), page);
    assert!(stdout(&taut(&["man"])).contains(".TH taut 1"));
}

#[test]
fn manual_pages_that_cannot_be_made_are_refused() {
    let output = taut(&["man", "chekc"]);
    assert_eq!(code(&output), 3);
    assert!(stderr(&output).contains("there is no command `chekc`"), "{}", stderr(&output));
    assert_eq!(code(&taut(&["man", "--out", "Cargo.toml"])), 74);
}
