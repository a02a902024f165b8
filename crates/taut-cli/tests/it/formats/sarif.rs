//! SARIF beside the official schema, and what is in it.

use serde_json::{Value, json};

use super::{Folder, STORE_BUFFERING, Validator, without_version};
use crate::command::{code, shown, stderr, stdout, taut};

/// The schema of OASIS; `schemas/README.md` says where it is from.
pub const OFFICIAL: &str = include_str!("../../schemas/sarif-schema-2.1.0.json");

fn log(output: &std::process::Output) -> Value {
    serde_json::from_str(&stdout(output)).unwrap_or_else(|e| panic!("{e}: {}", shown(output)))
}

fn results(log: &Value) -> &Vec<Value> {
    log["runs"][0]["results"].as_array().expect("results")
}

#[test]
fn every_log_fits_the_official_schema() {
    let validator = Validator::new(OFFICIAL);
    let commands: [&[&str]; 12] = [
        &["check", "examples/peterson.taut", "--all"],
        &["check", "examples/peterson_tso.taut"],
        &["check", "examples/deadlock.taut", "--model", "sc"],
        &["check", "examples/peterson_live.taut", "--model", "tso", "--fairness", "none"],
        &["check", "examples/peterson.pml", "--model", "tso", "--all"],
        &["check", "examples/dve/peterson2.dve", "--model", "delayed", "--ltl", "<> P_0.cs"],
        &["check", "examples/peterson_tso.taut", "--max-states", "5"],
        &["check", "testdata/litmus/classic/SB.litmus"],
        &["check", "testdata/suites/mixed"],
        &["check", "testdata/suites/good"],
        &["check", "testdata/suites/mixed/broken.taut"],
        &["compare", "examples/mp.taut"],
    ];
    for command in commands {
        let output = taut(&[command, &["--format", "sarif"]].concat());
        let log = log(&output);
        validator.accept(&log, &format!("{command:?}"));
        let invocation = &log["runs"][0]["invocations"][0];
        assert_eq!(invocation["exitCode"], code(&output), "{command:?}");
        assert_eq!(invocation["executionSuccessful"], code(&output) < 3, "{command:?}");
        names_what_it_lists(&log, command);
    }
}

/// Every result names a rule and a file that the log lists.
fn names_what_it_lists(log: &Value, command: &[&str]) {
    let run = &log["runs"][0];
    for result in results(log) {
        let index = result["ruleIndex"].as_u64().expect("a number");
        assert_eq!(run["tool"]["driver"]["rules"][index as usize]["id"], result["ruleId"]);
        let file = &result["locations"][0]["physicalLocation"]["artifactLocation"];
        let index = file["index"].as_u64().expect("a number");
        let listed = &run["artifacts"][index as usize]["location"];
        assert_eq!(listed["uri"], file["uri"], "{command:?}");
        let subject = &result["partialFingerprints"]["tautSubject/v1"];
        assert!(subject.as_str().is_some_and(|s| !s.is_empty()), "{command:?}");
    }
}

#[test]
fn the_official_schema_refuses_a_log_that_was_tampered_with() {
    let validator = Validator::new(OFFICIAL);
    let good = log(&taut(&["check", "examples/sb.taut", "--format", "sarif"]));
    validator.accept(&good, "as it is");
    let places = [
        ("/version", json!("2.0.0")),
        ("/runs/0/results/0/level", json!("grave")),
        ("/runs/0/results/0/message", json!("text")),
        ("/runs/0/results/0/locations/0/physicalLocation/region/startLine", json!(0)),
        ("/runs/0/tool", json!({})),
        ("/runs/0/columnKind", json!("bytes")),
    ];
    for (place, value) in places {
        let mut bad = good.clone();
        *bad.pointer_mut(place).expect("a place") = value;
        assert!(validator.refusal(&bad).is_some(), "{place}");
    }
}

#[test]
fn a_violation_is_a_result_with_its_run() {
    let folder = Folder::new("sarif-run");
    folder.write("sb.taut", STORE_BUFFERING);
    let output = folder.taut(&["check", "sb.taut", "--model", "tso", "--format", "sarif"]);
    assert_eq!((code(&output), stderr(&output).as_str()), (1, ""));
    insta::assert_snapshot!("sarif_sb", without_version(&stdout(&output)));
}

#[test]
fn a_commit_is_shown_at_the_store_that_it_is_of() {
    let log = log(&taut(&["check", "examples/mp.taut", "--model", "pso", "--format", "sarif"]));
    let flow = &results(&log)[0]["codeFlows"][0]["threadFlows"][0]["locations"];
    let flow = flow.as_array().expect("a flow");
    let text = |l: &Value| l["location"]["message"]["text"].as_str().expect("text").to_string();
    let line = |l: &Value| {
        l["location"]["physicalLocation"]["region"]["startLine"].as_u64().expect("a line")
    };
    let commit = flow.iter().find(|l| text(l).contains("reaches memory")).expect("a commit");
    // `p: flag = 1 reaches memory`, made by `p: flag := 1 (into the buffer)`.
    let stored = text(commit).replace(" reaches memory", "").replace(" = ", " := ");
    let store = flow.iter().find(|l| text(l).starts_with(&stored)).expect("its store");
    assert_eq!(line(commit), line(store), "{flow:?}");
    let orders: Vec<_> =
        flow.iter().map(|l| l["executionOrder"].as_u64().expect("order")).collect();
    assert_eq!(orders, (1..=flow.len() as u64).collect::<Vec<_>>());
}

#[test]
fn what_is_left_open_is_a_note_and_what_holds_is_in_the_list_of_verdicts() {
    let open = ["check", "examples/peterson_tso.taut", "--model", "tso", "--max-states", "5"];
    let log = log(&taut(&[&open[..], &["--format", "sarif"]].concat()));
    let levels: Vec<_> = results(&log).iter().map(|r| &r["level"]).collect();
    assert_eq!(levels, ["note", "note"]);
    let text = results(&log)[0]["message"]["text"].as_str().expect("text");
    assert!(text.starts_with("mutex is unknown under TSO: "), "{text}");
    let log = self::log(&taut(&["check", "examples/peterson_tso.taut", "--format", "sarif"]));
    assert_eq!(results(&log).len(), 1, "PSO alone is violated");
    let verdicts = log["runs"][0]["properties"]["verdicts"].as_array().expect("verdicts");
    let holds = verdicts.iter().find(|v| v["model"] == "tso" && v["property"] == "mutex");
    let holds = holds.expect("a verdict");
    assert_eq!(
        (&holds["verdict"], &holds["coverage"]),
        (&"holds".into(), &"all executions".into())
    );
}

#[test]
fn bad_input_is_told_at_its_place_and_what_has_none_as_a_notification() {
    let output = taut(&["check", "testdata/suites/mixed/broken.taut", "--format", "sarif"]);
    assert_eq!(code(&output), 3);
    assert!(stderr(&output).contains("error[T0010]"), "{}", shown(&output));
    let broken = log(&output);
    let result = &results(&broken)[0];
    assert_eq!((&result["ruleId"], &result["level"]), (&"T0010".into(), &"error".into()));
    let region = &result["locations"][0]["physicalLocation"]["region"];
    assert_eq!((&region["startLine"], &region["startColumn"]), (&2.into(), &17.into()));
    let cases: [&[&str]; 4] = [
        &["check", "no-such-file.taut"],
        &["check", "examples/sb.taut", "--engine", "symbolic", "--bound", "2"],
        &["check", "examples/sb.taut", "--property", "nothing"],
        &["check", "examples/sb.taut", "--stats"],
    ];
    let validator = Validator::new(OFFICIAL);
    for case in cases {
        let output = taut(&[case, &["--format", "sarif"]].concat());
        assert_eq!(code(&output), 3, "{}", shown(&output));
        assert!(!stderr(&output).is_empty(), "{case:?}");
        let log = log(&output);
        validator.accept(&log, &format!("{case:?}"));
        let notes = &log["runs"][0]["invocations"][0]["toolExecutionNotifications"];
        assert_eq!(notes[0]["level"], "error", "{case:?}: {log}");
        assert_eq!(results(&log).len(), 0);
    }
}

#[test]
fn suites_tell_what_is_not_as_expected() {
    let output = taut(&["check", "testdata/suites/mixed", "--format", "sarif"]);
    let log = log(&output);
    let told: Vec<String> = results(&log)
        .iter()
        .map(|r| {
            let place = &r["locations"][0]["physicalLocation"];
            let uri = place["artifactLocation"]["uri"].as_str().expect("an address");
            let file = uri.rsplit('/').next().expect("a name").to_string();
            let steps = r["codeFlows"][0]["threadFlows"][0]["locations"].as_array();
            let steps = steps.map_or(0, Vec::len);
            let line = &place["region"]["startLine"];
            format!("{file}:{line} {} {} {steps}", r["ruleId"], r["level"])
        })
        .collect();
    insta::assert_snapshot!("sarif_suite_mixed", told.join("\n"));
}

#[test]
fn a_file_beside_what_is_printed() {
    let folder = Folder::new("sarif-file");
    folder.write("sb.taut", STORE_BUFFERING);
    folder.write("suite/sb.taut", &format!("// expect: tso holds\n{STORE_BUFFERING}"));
    let printed = stdout(&folder.taut(&["check", "sb.taut", "--format", "sarif"]));
    let output = folder.taut(&["check", "sb.taut", "--sarif", "it.sarif"]);
    assert_eq!(code(&output), 1);
    assert!(stdout(&output).contains("both_miss violated"), "{}", shown(&output));
    // The arguments are part of it, and they differ.
    let without_arguments = |text: &str| {
        let mut log: Value = serde_json::from_str(text).expect("SARIF");
        log["runs"][0]["invocations"][0]["arguments"] = Value::Null;
        log
    };
    assert_eq!(without_arguments(&folder.read("it.sarif")), without_arguments(&printed));
    let output = folder.taut(&["check", "suite", "--sarif", "it.sarif", "--format", "json"]);
    assert_eq!(code(&output), 1);
    assert!(folder.read("it.sarif").contains("\"ruleId\": \"expectation\""));
    let output = folder.taut(&["compare", "sb.taut", "--sarif", "no/it.sarif"]);
    assert_eq!(code(&output), 74);
    assert!(stderr(&output).contains("cannot write `no/it.sarif`"), "{}", shown(&output));
}

#[test]
fn long_runs_are_told_by_their_ends() {
    let folder = Folder::new("sarif-long");
    let count = "shared 0..3000 x = 0;\nprocess p begin\n  while (x < 2500) { x := x + 1; }\n  assert(x == 0);\nend\n";
    folder.write("long.taut", count);
    let output = folder.taut(&["check", "long.taut", "--model", "sc", "--format", "sarif"]);
    let log = log(&output);
    let flow = &results(&log)[0]["codeFlows"][0]["threadFlows"][0]["locations"];
    let flow = flow.as_array().expect("a flow");
    assert_eq!(flow.len(), 1000);
    let gaps = flow.iter().filter(|l| l.to_string().contains("actions are left out)")).count();
    assert_eq!(gaps, 1);
    let last = flow.last().expect("a last one")["executionOrder"].as_u64().expect("a number");
    assert!(last > 2500, "{last}");
}
