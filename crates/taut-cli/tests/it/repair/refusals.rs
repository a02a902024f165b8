//! What cannot be fixed or must not be asked, and what is written when.

use serde_json::Value;
use taut_testkit::suite::root;

use crate::command::{code, objects, shown, stderr, stdout};

use super::{Folder, array};

#[test]
fn what_is_wrong_under_sc_is_refused_with_the_run() {
    let (folder, file) = Folder::with_copy("under-sc", "examples/deadlock.taut");
    let before = folder.read(&file);
    let output = folder.taut(&["repair", &file, "--model", "tso", "--write"]);
    assert_eq!(code(&output), 1, "{}", shown(&output));
    let text = stdout(&output);
    assert!(text.contains("SC: deadlock violated"), "{text}");
    assert!(text.contains("p waits at line 13"), "the run is shown: {text}");
    assert!(text.contains("deadlock.taut: violated under SC already: no fence helps"), "{text}");
    assert_eq!(folder.read(&file), before);
    let output = folder.taut(&["repair", &file, "--model", "pso", "--format", "json"]);
    let report = &objects(&output)[0];
    assert_eq!((code(&output), &report["outcome"]), (1, &"wrong-under-sc".into()), "{report}");
    assert_eq!(report["check"]["model"], "sc", "{report}");
    assert!(report["diff"].is_null() && array(&report["sets"]).is_empty(), "{report}");
}

/// The exit code is 3 and standard error says so.
fn refused(folder: &Folder, args: &[&str], why: &str) {
    let output = folder.taut(&[&["repair"], args].concat());
    assert_eq!(code(&output), 3, "{args:?}: {}", shown(&output));
    assert!(stderr(&output).contains(why), "{args:?}: {}", shown(&output));
    assert_eq!(stdout(&output), "", "{args:?}");
}

#[test]
fn what_makes_no_sense_is_refused() {
    let (folder, file) = Folder::with_copy("refused", "examples/sb.taut");
    let file = file.as_str();
    let litmus = root().join("testdata/litmus/classic/SB.litmus");
    let litmus = litmus.to_str().expect("UTF-8");
    let dve = root().join("examples/dve/peterson2.dve");
    let dve = dve.to_str().expect("UTF-8");
    refused(&folder, &[file, "--model", "sc"], "there is nothing that a fence could fix");
    refused(&folder, &[litmus, "--with", "atomics"], "x86 has no store that is atomic");
    refused(&folder, &[file, "--strategy", "greedy", "--with", "fences"], "atomic writes only");
    refused(&folder, &[file, "--strategy", "greedy", "--with", "both"], "atomic writes only");
    refused(&folder, &[file, "--strategy", "greedy", "--all"], "finds one set, not all");
    refused(&folder, &[file, "--atomic-out", "x.txt"], "--atomic-out is for DVE models");
    refused(&folder, &[dve, "--model", "delayed", "--write"], "say with --atomic-out");
    refused(&folder, &[file, "--diff", "--write"], "cannot be used with");
    refused(&folder, &["no_such.taut"], "no_such.taut");
    for (cost, why) in [
        ("fence=0", "is no number from 1 to 1000"),
        ("fence=1001", "is no number from 1 to 1000"),
        ("lock=2", "there are fence, sfence, atomic and loop"),
        ("loop=0", "is no number from 1 to 1000"),
        ("fence", "is not of the form"),
    ] {
        refused(&folder, &[file, "--cost", cost], why);
    }
    assert!(!folder.has("x.txt"));
}

#[test]
fn standard_input_can_be_shown_a_diff_but_not_be_changed() {
    let (folder, file) = Folder::with_copy("stdin", "examples/sb.taut");
    let text = folder.read(&file);
    let output = folder.taut_with(&text, &["repair", "-", "--language", "taut", "--write"]);
    assert_eq!(code(&output), 3, "{}", shown(&output));
    assert!(stderr(&output).contains("cannot be changed"), "{}", shown(&output));
    let output = folder.taut_with(&text, &["repair", "-", "--language", "taut", "--diff"]);
    assert_eq!(code(&output), 0, "{}", shown(&output));
    assert_eq!(stdout(&output).matches("\n+  fence;\n").count(), 2, "{}", stdout(&output));
}

#[test]
fn a_limit_ends_in_unknown_and_writes_nothing() {
    let (folder, file) = Folder::with_copy("limit", "examples/peterson.taut");
    let before = folder.read(&file);
    for limit in [["--timeout", "0s"], ["--max-states", "5"]] {
        let args = [&["repair", &file, "--model", "tso", "--write"], &limit[..]].concat();
        let output = folder.taut(&args);
        assert_eq!(code(&output), 2, "{}", shown(&output));
        assert!(stdout(&output).contains("unknown under TSO"), "{}", stdout(&output));
        assert_eq!(folder.read(&file), before);
        let args = [&["repair", &file, "--format", "json"], &limit[..]].concat();
        let report = objects(&folder.taut(&args)).remove(0);
        assert_eq!(report["outcome"], "unknown");
        assert!(report["why"].as_str().is_some_and(|why| why.contains("limit")), "{report}");
        assert_eq!((&report["cost"], &report["optimal"]), (&Value::Null, &false.into()));
    }
    let dve = root().join("examples/dve/peterson2.dve");
    let dve = dve.to_str().expect("UTF-8");
    let args =
        ["repair", dve, "--model", "delayed", "--max-states", "5", "--atomic-out", "atomic.txt"];
    assert_eq!(code(&folder.taut(&args)), 2);
    assert!(!folder.has("atomic.txt"));
}

/// Enough states for the broken program's counterexamples, too few for the fixed one's proof.
#[test]
fn a_limit_on_the_way_is_no_answer() {
    let (folder, file) = Folder::with_copy("late-limit", "examples/peterson.taut");
    let before = folder.read(&file);
    let args = ["repair", &file, "--model", "tso", "--write", "--reduce", "none"];
    let output = folder.taut(&[&args[..], &["--max-states", "140"]].concat());
    assert_eq!(code(&output), 2, "148 states are needed: {}", shown(&output));
    assert_eq!(folder.read(&file), before);
    assert_eq!(code(&folder.taut(&["repair", &file, "--model", "tso", "--max-states", "1000"])), 0);
}

#[test]
fn write_changes_the_file_once() {
    let (folder, file) = Folder::with_copy("write", "examples/peterson.taut");
    let before = folder.read(&file);
    let output = folder.taut(&["repair", &file, "--model", "tso", "--write"]);
    assert_eq!(code(&output), 0, "{}", shown(&output));
    assert!(stdout(&output).contains("written to peterson.taut"), "{}", stdout(&output));
    let after = folder.read(&file);
    assert_eq!(after, before.replace("turn := 1 - i;\n", "turn := 1 - i;\n    fence;\n"));
    let output = folder.taut(&["repair", &file, "--model", "tso", "--write"]);
    assert_eq!(code(&output), 0, "{}", shown(&output));
    assert!(stdout(&output).contains("nothing to fix"), "{}", stdout(&output));
    assert_eq!(folder.read(&file), after);
    let output = folder.taut(&["repair", &file, "--model", "tso", "--diff"]);
    assert_eq!((code(&output), stdout(&output).as_str()), (0, ""));
}

#[test]
fn json_has_the_promised_fields() {
    let (folder, file) = Folder::with_copy("json", "examples/peterson.taut");
    let report = folder.repair(&file, &["--model", "pso", "--all"]);
    assert_eq!(report["file"], "peterson.taut");
    assert_eq!(report["optimal"], true);
    assert_eq!(report["cost"], 4, "a fence and a store fence");
    let sets = array(&report["sets"]);
    assert_eq!((sets.len(), &sets[0]["cost"]), (1, &4.into()));
    assert_eq!(report["places"], sets[0]["places"]);
    assert!(report["iterations"].as_u64().is_some_and(|n| n > 1), "{report}");
    assert!(report["counterexamples"].as_u64().is_some_and(|n| n >= 2), "{report}");
    assert!(report["candidates"].as_u64().is_some_and(|n| n >= 10), "{report}");
    for (place, line, kind) in [(0, 17, "sfence"), (1, 18, "fence")] {
        let place = &report["places"][place];
        assert_eq!((&place["line"], &place["kind"]), (&line.into(), &kind.into()), "{place}");
        assert_eq!(place["file"], "peterson.taut");
        assert_eq!(place["process"], serde_json::json!(["p[0]", "p[1]"]));
        assert_eq!(place["breaks"]["property"], "mutex", "why it is needed: {place}");
    }
    assert_eq!(report["check"]["results"][0]["verdict"], "holds");
    assert_eq!(report["check"]["model"], "pso");
}

#[test]
fn the_run_that_each_place_breaks_can_be_shown() {
    let (folder, file) = Folder::with_copy("show-runs", "examples/peterson.taut");
    let output = folder.taut(&["repair", &file, "--model", "pso", "--show-runs"]);
    assert_eq!(code(&output), 0, "{}", shown(&output));
    let text = stdout(&output);
    assert!(text.contains("without the sfence at line 17:\n\nPSO: mutex violated"), "{text}");
    assert!(text.contains("without the fence at line 18:\n\nPSO: mutex violated"), "{text}");
}
