//! What never happens is listed after a `holds`: in every language, by every engine, in every format.

use crate::command;

use command::{code, objects, path, scratch, shown, stdout, taut};
use serde_json::Value;

/// The messages of the list of each memory model.
fn lists(args: &[&str]) -> Vec<(String, Option<Vec<String>>)> {
    let output = taut(&[&["check"], args, &["--format", "json"]].concat());
    let of = |object: &Value| {
        let list = object["vacuity"].as_array().map(|list| {
            let message = |v: &Value| v["message"].as_str().expect("a message").to_owned();
            list.iter().map(message).collect()
        });
        (object["model"].as_str().expect("a model").to_owned(), list)
    };
    objects(&output).iter().map(of).collect()
}

/// The list of the only memory model.
fn list(args: &[&str]) -> Vec<String> {
    let mut all = lists(args);
    assert_eq!(all.len(), 1, "{all:?}");
    all.remove(0).1.expect("a list")
}

/// Store buffering: only on relaxed memory do both processes read 0.
const BUFFERING: &str = "\
shared int x = 0, y = 0;
ghost int missed = 0;
process p begin
  local int r;
  x := 1;
  r := y;
  if (r == 0) { missed := 1; }
end
process q begin
  local int s;
  y := 1;
  s := x;
  await(s == 0);
  hit: assert(x == 0 || missed == 0 || missed == 1);
end
";

#[test]
fn statements_labels_and_assertions_that_are_never_reached_are_listed() {
    let text = "shared int x = 0;\nprocess p begin\n  x := 1;\n  await(x == 2);\n  cs: x := 3;\n  assert(x == 3);\nend\n";
    let file = scratch("never.taut", text);
    let args = [path(&file), "--model", "sc", "--no-deadlock"];
    let expected = [
        "p: `assert(x == 3);` is never reached",
        "p: `await(x == 2);` is never passed",
        "p: label `cs` is never reached",
        "p: `cs: x := 3;` is never reached",
    ];
    assert_eq!(list(&args), expected);
    let output = taut(&[&["check"], &args[..]].concat());
    assert_eq!(code(&output), 0, "{}", shown(&output));
    let shown = stdout(&output);
    assert!(shown.contains("never happens under sc (all executions):\n"), "{shown}");
    assert!(shown.contains("never.taut:4  p: `await(x == 2);` is never passed\n"), "{shown}");
}

#[test]
fn the_list_is_of_the_memory_model() {
    // Only a late store lets `q` pass with x == 0 after `p` has seen y == 0: SC reaches both in other orders.
    let file = scratch("buffering.taut", BUFFERING);
    let all = lists(&[path(&file), "--no-deadlock"]);
    assert!(all.iter().all(|(_, list)| list.as_deref() == Some(&[])), "{all:?}");
    let text = BUFFERING.replace("await(s == 0);", "await(s == 0 && missed == 1 && r_is_0);");
    let text = text
        .replace("ghost int missed = 0;", "ghost int missed = 0, r_is_0 = 0;")
        .replace("missed := 1;", "missed := 1; r_is_0 := 1;");
    let file = scratch("buffering_both.taut", text);
    let all = lists(&[path(&file), "--no-deadlock"]);
    let of = |model: &str| {
        let found = all.iter().find(|(name, _)| name == model).expect("a model");
        found.1.clone().expect("a list")
    };
    assert!(of("sc").iter().any(|m| m.contains("`hit` is never reached")), "{all:?}");
    assert_eq!(of("tso"), [""; 0]);
    assert_eq!(of("pso"), [""; 0]);
}

#[test]
fn conditions_that_are_never_true_are_listed() {
    let text = "shared int x = 0;\nprocess p begin\n  if (x == 5) { }\n  while (x == 7) { x := 1; }\n  x := 2;\nend\n";
    let file = scratch("conditions.taut", text);
    let expected = [
        "p: the condition of `if (x == 5)` is never true",
        "p: the condition of `while (x == 7)` is never true",
        "p: `x := 1;` is never reached",
    ];
    assert_eq!(list(&[path(&file), "--model", "tso"]), expected);
    let text = "byte x;\nactive proctype p() {\n  if\n  :: x == 1 -> x = 2\n  :: x == 0 -> x = 3\n  fi\n}\n";
    let file = scratch("options.pml", text);
    let expected = ["p: `x == 1` is never taken", "p: `x = 2` is never reached"];
    assert_eq!(list(&[path(&file), "--model", "sc"]), expected);
}

#[test]
fn left_sides_that_are_never_true_are_listed() {
    let text = "shared int x = 0, y = 0;\nprocess p begin\n  x := 1;\n  y := 1;\nend\n\
                invariant i: !(x == 5) || y == 1;\nltl once: [] (x == 1 -> (y == 8 -> <> (x == 1)));\n\
                ltl both: [] ((x == 1 && y == 1) -> <> (y == 1));\n";
    let file = scratch("left.taut", text);
    let expected =
        ["i: the left side `x == 5` is never true", "once: the left side `y == 8` is never true"];
    for model in ["sc", "tso"] {
        assert_eq!(list(&[path(&file), "--model", model]), expected);
    }
    // Without any question about states, too.
    let asked = ["--ltl", "[] (x == 9 -> <> (y == 1))"];
    let found = list(&[&[path(&file), "--model", "pso"], &asked[..]].concat());
    assert_eq!(found, ["ltl: the left side `x == 9` is never true"]);
}

#[test]
fn processes_that_never_move_are_listed() {
    let text = "shared int x = 0;\nprocess p[3](i) begin\n  await(x == 0 && i < 2);\n  l: skip;\nend\n\
                process idle begin\n  await(x == 1);\nend\n";
    let file = scratch("idle.taut", text);
    let found = list(&[path(&file), "--model", "sc", "--no-deadlock"]);
    let expected = [
        "process `p[2]` never moves",
        "process `idle` never moves",
        "idle: `await(x == 1);` is never passed",
    ];
    assert_eq!(found, expected);
    let text =
        "byte x;\nproctype worker() { x = 1 }\nactive proctype p() { x == 1; run worker() }\n";
    let file = scratch("worker.pml", text);
    let found = list(&[path(&file), "--model", "sc", "--no-deadlock"]);
    assert_eq!(
        found,
        [
            "process `worker` never starts",
            "process `p` never moves",
            "p: `x == 1` is never passed",
            "p: `run worker()` is never reached",
        ]
    );
}

/// One line says it: its statements and labels are not listed beside it, those of a procedure that others call are.
#[test]
fn a_process_that_nothing_starts_is_one_line() {
    let text = "shared int x;\nvoid f() { x := 1; }\nvoid g() { x := 3; }\nmain m { f(); }\n\
                process idle { l: x := 2; f(); g(); }\n";
    let file = scratch("nothing_starts.taut", text);
    let found = list(&[path(&file), "--model", "sc", "--no-deadlock"]);
    assert_eq!(found, ["process `idle` never starts: no statement starts it"]);
}

#[test]
fn what_three_processes_reach_is_not_listed() {
    let text = |n: u32| {
        format!(
            "shared int x = 0;\nprocess p[{n}] begin\n  local int r;\n  r := fetch_add(x, 1);\n  await(r == 2);\n  third: skip;\nend\n"
        )
    };
    let two = scratch("two.taut", text(2));
    let found = list(&[path(&two), "--model", "tso", "--no-deadlock"]);
    assert!(found.contains(&"p: label `third` is never reached".to_owned()), "{found:?}");
    let three = scratch("three.taut", text(3));
    let found = list(&[path(&three), "--model", "tso", "--no-deadlock"]);
    assert!(!found.iter().any(|m| m.contains("third") || m.contains("await")), "{found:?}");
}

#[test]
fn monitors_and_endless_processes_are_no_news() {
    let text = "bool a, b;\nactive proctype p() {\n  do\n  :: a = !a\n  od\n}\n\
                active proctype watcher() {\n  b -> assert(false)\n}\n";
    let file = scratch("monitor.pml", text);
    assert_eq!(list(&[path(&file), "--model", "sc"]), [""; 0]);
    let output = taut(&["check", path(&file), "--model", "sc"]);
    assert!(!stdout(&output).contains("never happens"), "{}", shown(&output));
}

#[test]
fn every_engine_and_language_lists_the_same() {
    let text = "shared bool x = 0, y = 0;\nprocess p begin\n  while (true) { x := 1; x := 0; }\nend\n\
                process q begin\n  await(y == 1);\n  l: skip;\nend\n";
    let file = scratch("engines.taut", text);
    let explicit = list(&[path(&file), "--model", "tso", "--engine", "explicit", "--bound", "2"]);
    let symbolic = list(&[path(&file), "--model", "tso", "--engine", "symbolic"]);
    assert_eq!(explicit, symbolic);
    assert!(explicit.contains(&"process `q` never moves".to_owned()), "{explicit:?}");
    let text = "byte x = 0;\nprocess p {\n  state a, b, c;\n  init a;\n  trans\n    a -> b { effect x = 1; },\n    \
                b -> c { guard x == 2; };\n}\nsystem async;\n";
    let file = scratch("guards.dve", text);
    let found = list(&[path(&file), "--model", "sc", "--no-deadlock"]);
    assert!(found.iter().any(|m| m.contains("is never passed")), "{found:?}");
}

#[test]
fn an_unfinished_search_lists_nothing() {
    let args = ["examples/dekker.pml", "--model", "sc", "--max-states", "9"];
    let found = lists(&args);
    assert_eq!(found, [("sc".to_owned(), None)]);
    let found = lists(&["examples/dekker.pml", "--model", "sc", "--store", "bitstate"]);
    assert_eq!(found, [("sc".to_owned(), None)], "states may have been missed");
}

#[test]
fn vacuity_can_be_an_error_or_left_out() {
    let text = "shared int x = 0;\nprocess p begin\n  await(x == 2);\n  assert(x == 2);\nend\n";
    let file = scratch("levels.taut", text);
    let args = |level: &'static str| {
        ["check", path(&file), "--model", "sc", "--no-deadlock", "--vacuity", level]
    };
    let output = taut(&args("error"));
    assert_eq!(code(&output), 1, "{}", shown(&output));
    let output = taut(&args("note"));
    assert_eq!(code(&output), 0, "{}", shown(&output));
    let output = taut(&args("off"));
    assert_eq!(code(&output), 0, "{}", shown(&output));
    assert!(!stdout(&output).contains("never"), "{}", shown(&output));
}

#[test]
fn sarif_github_and_the_report_have_notes() {
    let text = "shared int x = 0;\nprocess p begin\n  await(x == 2);\n  x := 1;\nend\n";
    let file = scratch("notes.taut", text);
    let args = |format: &'static str| {
        ["check", path(&file), "--model", "sc", "--no-deadlock", "--format", format]
    };
    let log: Value = serde_json::from_str(&stdout(&taut(&args("sarif")))).expect("SARIF");
    let results = log["runs"][0]["results"].as_array().expect("results");
    let wait = results.iter().find(|r| {
        r["message"]["text"] == "p: `await(x == 2);` is never passed under SC (all executions)."
    });
    let wait = wait.unwrap_or_else(|| panic!("{log:#}"));
    assert_eq!((&wait["ruleId"], &wait["level"]), (&"vacuity".into(), &"note".into()));
    let region = &wait["locations"][0]["physicalLocation"]["region"];
    assert_eq!((&region["startLine"], &region["startColumn"]), (&3.into(), &3.into()));
    let github = stdout(&taut(&args("github")));
    assert!(github.contains("::notice file="), "{github}");
    let page = scratch("notes.html", "");
    taut(&["check", path(&file), "--model", "sc", "--no-deadlock", "--report", path(&page)]);
    let html = std::fs::read_to_string(&page).expect("a page");
    assert!(html.contains("is never passed"), "the page has the list");
}

#[test]
fn suites_can_refuse_vacuity() {
    let folder = std::env::temp_dir().join(format!("taut-vacuity-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let program = "shared int x = 0;\nprocess p begin\n  await(x == 2);\n  x := 1;\nend\n";
    let file = folder.join("a.taut");
    let write = |options: &str| {
        let text = format!(
            "// expect: sc holds\n// options: --no-deadlock{options}\n{program}\nforbid f: x == 5;\n"
        );
        std::fs::write(&file, text).expect("a file");
    };
    let run = |more: &[&str]| taut(&[&["check", path(&folder)], more].concat());
    write("");
    let output = run(&[]);
    assert_eq!(code(&output), 0, "{}", shown(&output));
    assert!(stdout(&output).contains("that never happen"), "{}", shown(&output));
    let output = run(&["--vacuity", "error"]);
    assert_eq!(code(&output), 1, "{}", shown(&output));
    assert!(stdout(&output).contains("but process `p` never moves"), "{}", shown(&output));
    write(" --vacuity error");
    assert_eq!(code(&run(&[])), 1);
    let object = &objects(&run(&["--format", "json"]))[0];
    assert_eq!(object["status"], "differs");
    assert!(object["results"][0]["vacuity"][0].is_string(), "{object}");
    write(" --vacuity off");
    assert_eq!(code(&run(&["--vacuity", "error"])), 0);
    std::fs::remove_dir_all(&folder).expect("removed");
}
