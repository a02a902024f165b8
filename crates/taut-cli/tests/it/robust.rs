//! `--robust` as a user types it: verdicts, runs that replay, known numbers of fences, refusals.

use serde_json::Value;
use taut_testkit::suite::root;

use crate::command::{code, objects, shown, stdout, taut};
use crate::repair::{BY_NUMBER, Folder, in_all_processes};

/// A file of `examples`.
fn example(name: &str) -> String {
    root().join("examples").join(name).to_str().expect("UTF-8").to_owned()
}

/// The answer to the question under a model.
fn robust(file: &str, model: &str) -> Value {
    let args = ["check", file, "--property", "robust", "--no-fault", "--model", model];
    let output = taut(&[&args[..], &["--format", "json"]].concat());
    let report = objects(&output).remove(0);
    let results = report["results"].as_array().expect("results");
    let found = results.iter().find(|r| r["kind"] == "robust");
    found.unwrap_or_else(|| panic!("{}", shown(&output))).clone()
}

#[test]
fn the_store_and_the_load_that_changed_places_are_named() {
    let found = taut(&["explain", &example("sb.taut"), "--property", "robust", "--model", "tso"]);
    assert_eq!(code(&found), 1, "{}", shown(&found));
    let text = stdout(&found).replace("\n    ", " ");
    assert!(text.contains("store to"), "{text}");
    assert!(text.contains("is delayed past its load of"), "{text}");
    assert!(text.contains("(line 1"), "{text}");
    assert!(text.contains("Happens-before has a circle"), "{text}");
}

#[test]
fn a_run_that_is_written_replays_and_one_that_was_changed_does_not() {
    let folder = Folder::new("robust-trace");
    let file = example("sb.taut");
    let trace = ["check", &file, "--property", "robust", "--model", "tso", "--trace", "run.json"];
    assert_eq!(code(&folder.taut(&trace)), 1);
    let replayed = folder.taut(&["replay", &file, "run.json"]);
    assert_eq!(code(&replayed), 0, "{}", shown(&replayed));
    // Without the last commit nothing closes the circle.
    let text = folder.read("run.json");
    let mut run: Value = serde_json::from_str(&text).expect("JSON");
    let steps = run["steps"].as_array_mut().expect("steps");
    steps.pop();
    folder.write("cut.json", &run.to_string());
    let cut = folder.taut(&["replay", &file, "cut.json"]);
    assert_ne!(code(&cut), 0, "{}", shown(&cut));
}

#[test]
fn safe_and_robust_are_two_facts() {
    let table = taut(&["compare", "testdata/robust/clh_lock.taut", "--robust"]);
    let text = stdout(&table);
    let row = |name: &str| {
        let found = text.lines().find(|line| line.trim_start().starts_with(name));
        found.unwrap_or_else(|| panic!("{}", shown(&table))).to_owned()
    };
    assert_eq!(row("mutex").matches("holds").count(), 3, "{text}");
    assert_eq!(row("robust").matches("holds").count(), 1, "{text}");
    assert_eq!(row("robust").matches("violated").count(), 2, "{text}");
}

/// A place is a point of the text and changes all processes of that text, as in `repair/locks.rs`.
#[test]
fn robustness_needs_as_many_fences_as_is_known() {
    let folder = Folder::new("robust-known");
    let known = [
        ("peterson", 2),
        ("dekker", 4),
        ("burns", 3),
        ("dijkstra", 4),
        ("lamport_fast", 4),
        ("clh_lock", 2),
    ];
    for (lock, number) in known {
        let file = root().join(format!("testdata/robust/{lock}.taut"));
        let file = file.to_str().expect("UTF-8");
        let report = folder.repair(file, &[&["--robust"], BY_NUMBER].concat());
        let set = &report["sets"][0];
        assert_eq!(in_all_processes(set), number, "{lock}: {report}");
    }
}

#[test]
fn a_patch_makes_a_lock_robust() {
    let (folder, file) = Folder::with_copy("robust-patch", "examples/dekker.taut");
    folder.repair_and_patch(&file, &["--robust"]);
    let path = folder.path().join(&file);
    let path = path.to_str().expect("UTF-8");
    assert_eq!(robust(path, "tso")["verdict"], "holds");
    assert_eq!(robust(&example("dekker.taut"), "tso")["verdict"], "violated");
}

#[test]
fn languages_without_an_answer_are_none() {
    for (file, tso) in [
        ("c/peterson.c", "violated"),
        ("dekker.pml", "violated"),
        ("mp.pml", "holds"),
        ("dve/peterson2.dve", "violated"),
        ("spawn.taut", "holds"),
    ] {
        let found = robust(&example(file), "tso");
        assert_eq!(found["verdict"], tso, "{file}: {found}");
    }
}

#[test]
fn what_cannot_be_asked_is_refused_with_its_place() {
    let folder = Folder::new("robust-refused");
    folder.write("late.pml", "byte x;\nactive proctype p() { x = 1; timeout; x = 2 }\n");
    let refused = folder.taut(&["check", "late.pml", "--robust"]);
    assert_eq!(code(&refused), 3, "{}", shown(&refused));
    let text = shown(&refused);
    assert!(text.contains("E0020") && text.contains("late.pml:2"), "{text}");
    folder.write("any.taut", "shared bool x = 0;\nprocess p[*](i) begin x := 1; end\n");
    let any = folder.taut(&["check", "any.taut", "--robust", "--model", "tso"]);
    assert_eq!(code(&any), 3, "{}", shown(&any));
    assert!(shown(&any).contains("any.taut:2"), "{}", shown(&any));
    let delayed = folder.taut(&["check", &example("sb.taut"), "--robust", "--model", "delayed"]);
    assert_eq!(code(&delayed), 3, "{}", shown(&delayed));
}

#[test]
fn a_suite_expects_robustness() {
    let folder = Folder::new("robust-suite");
    let text = "// expect: tso holds robust\n// options: --robust\n";
    let fenced = std::fs::read_to_string(example("sb_tso.taut")).expect("a file");
    folder.write("sb.taut", &format!("{text}{fenced}"));
    assert_eq!(folder.check(".", &[]), 0);
    let plain = std::fs::read_to_string(example("sb.taut")).expect("a file");
    folder.write("sb.taut", &format!("{text}{plain}"));
    assert_eq!(folder.check(".", &[]), 1);
}

/// Where buffers grow, SC answers for a robust program, and every output says so.
#[test]
fn the_automatic_choice_uses_robustness_and_says_so() {
    let file = root().join("crates/taut-cli/tests/it/formats/programs/robust.taut");
    let file = file.to_str().expect("UTF-8");
    for model in ["tso", "pso"] {
        let told = taut(&["check", file, "--model", model, "--stats"]);
        let text = stdout(&told);
        assert_eq!(code(&told), 0, "{}", shown(&told));
        assert!(
            text.contains("odd: the program is robust, so this is the answer under sc"),
            "{text}"
        );
        assert!(text.contains("under sc, because the program is robust: by the code"), "{text}");
        let json = taut(&["check", file, "--model", model, "--format", "json"]);
        let report = objects(&json).remove(0);
        let search = &report["searches"][0];
        assert_eq!((&search["model"], &report["model"]), (&"sc".into(), &model.into()));
        assert_eq!(search["robust"]["attack_states"], Value::Null);
        assert_eq!(report["bound"], Value::Null);
        // The same program with a certificate: of the states with buffers, or none, but never another verdict.
        let certified = taut(&["check", file, "--model", model, "--proof", "/dev/null"]);
        assert_eq!(code(&certified), 0, "{}", shown(&certified));
    }
}
