//! `--baseline`: only new violations fail, whatever happens to lines; stale entries are told.

use serde_json::Value;

use crate::command::{code, shown, stderr, stdout};
use crate::formats::{Folder, STORE_BUFFERING};

/// Two properties, of which one is violated under TSO and PSO.
const FIRST: &str = "forbid both: p@done && q@done && p:r == 0 && q:r == 0;";
const TWO: &str = "shared bool x = 0, y = 0;
process p begin local bool r; x := 1; r := y; done: skip; end
process q begin local bool r; y := 1; r := x; done: skip; end
";

fn two(name: &str, properties: &str) -> Folder {
    let folder = Folder::new(name);
    folder.write("models/a.taut", &format!("{TWO}{FIRST}\n{properties}"));
    folder
}

#[test]
fn known_violations_do_not_fail_and_new_ones_do() {
    let folder = two("baseline-new", "");
    let check = ["check", "models/a.taut"];
    assert_eq!(code(&folder.taut(&check)), 1);
    let written = folder.taut(&[&check[..], &["--write-baseline", "known.json"]].concat());
    assert_eq!(code(&written), 0, "{}", shown(&written));
    assert!(stdout(&written).contains("baseline `known.json`: 2 violations written"));
    let with = [&check[..], &["--baseline", "known.json"]].concat();
    let known = folder.taut(&with);
    assert_eq!(code(&known), 0, "{}", shown(&known));
    assert!(stdout(&known).contains("2 known violations, 0 new\n"), "{}", shown(&known));
    // Lines move; a second property is violated behind the first.
    let moved = format!("// new\n\n\n{TWO}{FIRST}\nforbid one: p@done && p:r == 0;\n");
    folder.write("models/a.taut", &moved);
    let new = folder.taut(&with);
    assert_eq!(code(&new), 1, "{}", shown(&new));
    assert!(stdout(&new).contains("2 known violations, 3 new\n"), "{}", shown(&new));
    assert!(stdout(&new).contains("  new: models/a.taut: one (forbid) under SC\n"));
    // The same with other programs beside it, and from another folder.
    folder.write("models/b.taut", &format!("{TWO}{FIRST}\n"));
    let several = folder.taut(&[&with[..], &["models/b.taut", "--model", "tso"]].concat());
    assert_eq!(code(&several), 1, "{}", shown(&several));
    assert!(stdout(&several).contains("  new: models/b.taut: both (forbid) under TSO\n"));
}

#[test]
fn stale_entries_are_told_and_do_not_fail() {
    let folder = two("baseline-stale", "");
    folder.taut(&["check", "models/a.taut", "--write-baseline", "models/known.json"]);
    folder.write("models/a.taut", &TWO.replace(":= 1;", ":= 1; fence;"));
    let check = ["check", "models/a.taut", "--baseline", "models/known.json"];
    let gone = folder.taut(&check);
    assert_eq!(code(&gone), 0, "{}", shown(&gone));
    assert!(
        stdout(&gone).contains("0 known violations, 0 new, 2 entries stale"),
        "{}",
        shown(&gone)
    );
    assert!(stdout(&gone).contains("  stale: a.taut: both (forbid) under PSO\n"));
    // What was not checked, or not decided, is not stale.
    let one = folder.taut(&[&check[..], &["--model", "sc"]].concat());
    assert!(stdout(&one).contains("0 known violations, 0 new\n"), "{}", shown(&one));
    folder.write("models/a.taut", &format!("{TWO}{FIRST}\n"));
    let open = folder.taut(&[&check[..], &["--max-states", "2"]].concat());
    assert_eq!(code(&open), 2, "{}", shown(&open));
    assert!(!stdout(&open).contains("stale"), "{}", shown(&open));
    let missing = folder.taut(&["check", "models/none.taut", "--baseline", "models/known.json"]);
    assert_eq!(code(&missing), 3, "{}", shown(&missing));
}

#[test]
fn json_of_an_earlier_run_is_a_baseline() {
    let folder = two("baseline-json", "forbid never: x == 0 && x == 1;\n");
    let json = folder.taut(&["check", "models/a.taut", "--all", "--format", "json"]);
    folder.write("run.json", &stdout(&json));
    let known = folder.taut(&["check", "models/a.taut", "--baseline", "run.json"]);
    assert_eq!(code(&known), 0, "{}", shown(&known));
    let quiet = ["check", "models/a.taut", "--baseline", "run.json", "--format", "json"];
    let output = folder.taut(&quiet);
    assert!(stderr(&output).contains("2 known violations, 0 new"), "JSON stays JSON");
    assert!(stdout(&output).lines().all(|l| serde_json::from_str::<Value>(l).is_ok()));
}

#[test]
fn expectations_of_suites_are_known() {
    let folder = Folder::new("baseline-suite");
    let text = |expected: &str| format!("// expect: tso {expected}\n{STORE_BUFFERING}");
    folder.write("models/a.taut", &text("holds"));
    folder.write("models/b.taut", &text("violated"));
    assert_eq!(code(&folder.taut(&["check", "models"])), 1);
    let written = folder.taut(&["check", "models", "--write-baseline", "known.json"]);
    assert_eq!(code(&written), 0, "{}", shown(&written));
    let args = ["check", "models", "--baseline", "known.json", "--junit", "out.xml"];
    let known = folder.taut(&args);
    assert_eq!(code(&known), 0, "{}", shown(&known));
    let xml = folder.read("out.xml");
    assert!(xml.contains("failures=\"0\"") && xml.contains("skipped=\"1\""), "{xml}");
    let json = folder.taut(&["check", "models", "--format", "json"]);
    folder.write("run.json", &stdout(&json));
    assert_eq!(code(&folder.taut(&["check", "models", "--baseline", "run.json"])), 0);
    folder.write("models/b.taut", &text("holds"));
    let new = folder.taut(&args);
    assert_eq!(code(&new), 1, "{}", shown(&new));
    assert!(stdout(&new).contains("1 known violation, 1 new"), "{}", shown(&new));
}

#[test]
fn annotations_say_what_is_known() {
    let folder = two("baseline-sarif", "");
    let check = ["check", "models/a.taut", "--model", "tso"];
    folder.taut(&[&check[..], &["--write-baseline", "known.json"]].concat());
    let with = [&check[..], &["--baseline", "known.json", "--format"]].concat();
    let sarif = stdout(&folder.taut(&[&with[..], &["sarif"]].concat()));
    let log: Value = serde_json::from_str(&sarif).expect("SARIF");
    let results = log["runs"][0]["results"].as_array().expect("results");
    let known = results.iter().find(|r| r["ruleId"] == "forbid").expect("a violation");
    assert_eq!(
        (&known["level"], &known["suppressions"][0]["kind"]),
        (&"note".into(), &"external".into())
    );
    let github = stdout(&folder.taut(&[&with[..], &["github"]].concat()));
    assert!(github.contains("::notice ") && !github.contains("::error "), "{github}");
    assert!(github.contains(", known 1\n"), "{github}");
}

#[test]
fn what_is_no_baseline_is_refused_before_anything_is_checked() {
    let folder = two("baseline-refused", "");
    folder.write("empty.json", "");
    folder.write("other.json", "{\"file\": \"a.taut\"}\n");
    for (file, why) in [
        ("none.json", "cannot read"),
        ("empty.json", "is empty"),
        ("other.json", "line 1"),
        ("models", "cannot read"),
    ] {
        let output = folder.taut(&["check", "models/a.taut", "--baseline", file]);
        assert_eq!(code(&output), 3, "{file}: {}", shown(&output));
        assert!(stderr(&output).contains(why), "{file}: {}", shown(&output));
        assert_eq!(stdout(&output), "");
    }
    folder.write("models/bad.taut", "process");
    let bad = ["check", "models/a.taut", "models/bad.taut", "--write-baseline", "known.json"];
    let output = folder.taut(&bad);
    assert_eq!(code(&output), 3, "{}", shown(&output));
    assert!(stdout(&output).contains("is not written"), "{}", shown(&output));
    assert!(!folder.path().join("known.json").exists());
}
