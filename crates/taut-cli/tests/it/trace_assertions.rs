//! `trace` and `notrace` assertions on the command line: messages, memory models, engines, and what is beside them.

use crate::command;

use command::{code, objects, path, scratch, shown, stderr, stdout, taut};
use serde_json::Value;
use std::time::Duration;
use taut_testkit::spin::Verifier;

const EXAMPLE: &str = "examples/announced.pml";

/// A wrong event in line 3.
const WRONG: &str = "chan q = [2] of { byte };\nactive proctype P() {\n  byte v = 2; q!1; q?_; q!v }\n\
                     trace { do\n  :: q!1; q?1\n  od }\nbyte x;\nltl small { [] (x < 5) }\n";

/// A process that stops while the assertion waits for `q?1`.
const UNFINISHED: &str = "chan q = [2] of { byte };\nactive proctype P() { q!1; end: false }\n\
                          trace { q!1;\n  q?1 }\n";

/// The verdict of each property of a report.
fn verdicts(report: &Value) -> Vec<(String, String)> {
    let text = |v: &Value| v.as_str().expect("a string").to_owned();
    let results = report["results"].as_array().expect("results");
    results.iter().map(|r| (text(&r["property"]), text(&r["verdict"]))).collect()
}

fn verdict_of(report: &Value, property: &str) -> String {
    let found = verdicts(report).into_iter().find(|(name, _)| name == property);
    found.unwrap_or_else(|| panic!("no {property} in {report}")).1
}

#[test]
fn a_wrong_event_is_named_with_those_that_are_allowed() {
    let file = scratch("trace-wrong.pml", WRONG);
    let output = taut(&["check", path(&file), "--model", "sc"]);
    assert_eq!(code(&output), 1, "{}", shown(&output));
    let said = stdout(&output);
    for words in [
        "✗ `trace` assertion violated: `q!v` is not allowed here",
        "P, line 3: q!v with the message 2",
        "allowed here: `q!1` (line 5)",
    ] {
        assert!(said.contains(words), "{said}");
    }
    let reports = objects(&taut(&["check", path(&file), "--model", "sc", "--format", "json"]));
    let words = reports[0]["results"][0]["witness"]["property"]["words"].to_string();
    assert!(words.contains("`q!v` is not allowed here"), "{words}");
}

#[test]
fn the_last_event_of_a_notrace_is_named() {
    let text =
        "chan q = [2] of { byte };\nactive proctype P() { q!1; q!2 }\nnotrace { q!1; q!2 }\n";
    let file = scratch("notrace-matched.pml", text);
    let output = taut(&["check", path(&file), "--model", "sc"]);
    let words = "`notrace` assertion violated: `q!2` is the last of its events";
    assert!(stdout(&output).contains(words), "{}", shown(&output));
}

#[test]
fn an_assertion_that_is_not_finished_is_a_deadlock() {
    let file = scratch("trace-unfinished.pml", UNFINISHED);
    let output = taut(&["check", path(&file)]);
    assert_eq!(code(&output), 1, "{}", shown(&output));
    let words = "the `trace` assertion is not finished: it waits for `q?1` (line 4)";
    assert!(stdout(&output).contains(words), "{}", shown(&output));
    assert_eq!(code(&taut(&["check", path(&file), "--no-deadlock"])), 0);
}

#[test]
fn buffers_show_in_the_order_of_messages() {
    for more in [&[][..], &["--granularity", "access"], &["--channels", "free"]] {
        let output = taut(&[&["check", EXAMPLE, "--format", "json"], more].concat());
        let reports = objects(&output);
        let found: Vec<String> = reports.iter().map(|r| verdict_of(r, "trace")).collect();
        assert_eq!(found, ["holds", "violated", "violated"], "{more:?}");
    }
}

#[test]
fn every_engine_and_reduction_gives_the_same_verdict() {
    let wrong = scratch("trace-engines.pml", WRONG);
    let unfinished = scratch("trace-engines-end.pml", UNFINISHED);
    for (file, property) in [(&wrong, "trace"), (&unfinished, "deadlock")] {
        for options in [
            &["--engine", "explicit"][..],
            &["--engine", "symbolic"],
            &["--reduce", "none"],
            &["--search", "dfs"],
            &["-j", "2"],
        ] {
            let first = ["check", path(file), "--model", "tso", "--all", "--format", "json"];
            let reports = objects(&taut(&[&first[..], options].concat()));
            assert_eq!(verdict_of(&reports[0], property), "violated", "{options:?}");
        }
    }
}

#[test]
fn a_formula_beside_an_assertion_has_its_own_verdict() {
    let file = scratch("trace-formula.pml", WRONG);
    let reports = objects(&taut(&["check", path(&file), "--all", "--format", "json"]));
    for report in &reports {
        assert_eq!(verdict_of(report, "trace"), "violated");
        assert_eq!(verdict_of(report, "small"), "holds");
    }
}

#[test]
fn the_replayer_accepts_both_kinds_of_violation() {
    for (name, text) in [("trace-run", WRONG), ("trace-run-end", UNFINISHED)] {
        let file = scratch(&format!("{name}.pml"), text);
        let run = scratch(&format!("{name}.json"), "");
        let written = taut(&["check", path(&file), "--model", "tso", "--trace", path(&run)]);
        assert_eq!(code(&written), 1, "{}", shown(&written));
        let output = taut(&["replay", path(&file), path(&run)]);
        assert!(stdout(&output).contains("The replayer accepts the run"), "{}", shown(&output));
    }
}

#[test]
fn an_export_is_right_or_refused() {
    let file = scratch("trace-export.pml", UNFINISHED);
    let output = taut(&["export", path(&file), "--model", "sc"]);
    assert_ne!(code(&output), 0);
    assert!(stderr(&output).contains("must be finished where the program stops"));
    let text = "chan q = [2] of { byte };\nactive proctype P() { q!1; q?_; q!LAST; end: false }\n\
                trace { end: do :: q!1; end2: q?1 od }\n";
    for (last, wrong) in [("1", false), ("2", true)] {
        let file = scratch(&format!("trace-export-{last}.pml"), text.replace("LAST", last));
        let output = taut(&["export", path(&file), "--model", "sc"]);
        assert_eq!(code(&output), 0, "{}", shown(&output));
        let verifier = Verifier::plain(&stdout(&output)).expect("SPIN runs");
        let search = verifier.search(Duration::from_secs(20)).expect("SPIN ends");
        assert_eq!((search.assertion(), search.end_state()), (wrong, false), "{last}");
    }
}

#[test]
fn a_fence_repairs_an_assertion() {
    let output = taut(&["repair", EXAMPLE, "--model", "tso"]);
    assert!(stdout(&output).contains("cheapest set: 1 fence"), "{}", shown(&output));
}
