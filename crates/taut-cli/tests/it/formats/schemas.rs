//! Schemas and outputs say the same: every output fits, everything in a schema is in some output, and what was
//! tampered with fits no more.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use taut_testkit::suite::root;

use super::outputs::{self, Written};
use super::walk::Walk;
use super::{Folder, Validator};
use crate::command::{code, shown, stderr, stdout, taut};

const NAMES: [&str; 9] =
    ["check", "trace", "suite", "explain", "litmus", "repair", "graph", "run", "baseline"];

/// What no command writes: a receive that starts a process, which the program model allows and no language says.
const NEVER_WRITTEN: [&str; 1] = ["trace: /$defs/receiver/properties/spawned"];

fn schema(name: &str) -> String {
    let output = taut(&["schema", name]);
    assert_eq!(code(&output), 0, "{}", shown(&output));
    stdout(&output)
}

/// A run of the simulator, which claims nothing.
fn saved_run() -> Written {
    let folder = Folder::new("saved-run");
    folder.write("sb.taut", super::STORE_BUFFERING);
    let output = folder.taut(&["simulate", "sb.taut", "--script", "1 2 s(run.json) q"]);
    let value = serde_json::from_str(&folder.read("run.json")).expect("JSON");
    Written { schema: "trace".into(), command: shown(&output), value }
}

/// A run with a compare-and-swap that fails and a wait that starts anew.
fn saved_run_that_waits() -> Written {
    let folder = Folder::new("waits");
    let text = "shared 0..3 x = 0; shared bool y = 0;
        process p { bool ok = 0; ok := cas(x, 1, 2); await(x == 0 && y == 1); } process q { x := 1; }";
    folder.write("waits.taut", text);
    let script = "1 1 1 1 1 s(run.json) q";
    let output = folder.taut(&["simulate", "waits.taut", "--model", "sc", "--script", script]);
    let value = serde_json::from_str(&folder.read("run.json")).expect("JSON");
    Written { schema: "trace".into(), command: shown(&output), value }
}

/// Saved runs of one program with each granularity, in languages where it is not the usual one.
fn saved_runs_by_granularity() -> [Written; 2] {
    let model = "byte x;\nactive proctype p() { x = x + 1 }\n";
    let programs = [("sb.taut", super::STORE_BUFFERING, "statement"), ("p.pml", model, "access")];
    programs.map(|(name, text, granularity)| {
        let folder = Folder::new(granularity);
        folder.write(name, text);
        let script = "1 s(run.json) q";
        let output =
            folder.taut(&["simulate", name, "--granularity", granularity, "--script", script]);
        let value = serde_json::from_str(&folder.read("run.json")).expect("JSON");
        Written { schema: "trace".into(), command: shown(&output), value }
    })
}

/// A check that went on from a checkpoint.
fn resumed_check() -> Written {
    let folder = Folder::new("resumed");
    let file = root().join("examples/peterson_filter.taut").display().to_string();
    let check = ["check", &file, "--model=pso", "--bound=3", "--reduce=none", "--format", "json"];
    let kept = ["--checkpoint", "kept", "--max-memory", "2M"];
    let output = folder.taut(&[check.as_slice(), &kept].concat());
    assert_eq!(code(&output), 2, "{}", shown(&output));
    let output = folder.taut(&["resume", "kept"]);
    let value = serde_json::from_str(&stdout(&output)).expect("JSON");
    Written { schema: "check".into(), command: shown(&output), value }
}

/// The known violations of a program, under every memory model.
fn baselines() -> [Written; 2] {
    ["all", "delayed"].map(|model| {
        let folder = Folder::new(&format!("baseline-{model}"));
        folder.write(
            "a.taut",
            "shared bool x = 0;\nprocess p begin x := 1; end\nforbid one: x == 1;\n",
        );
        let known = ["--model", model, "--write-baseline", "known.json"];
        let output = folder.taut(&[&["check", "a.taut"], &known[..]].concat());
        let value = serde_json::from_str(&folder.read("known.json")).expect("JSON");
        Written { schema: "baseline".into(), command: shown(&output), value }
    })
}

#[test]
fn every_output_fits_its_schema_and_nothing_in_a_schema_is_made_up() {
    let schemas: BTreeMap<&str, String> = NAMES.map(|name| (name, schema(name))).into();
    let validators: BTreeMap<&str, Validator> =
        schemas.iter().map(|(name, text)| (*name, Validator::new(text))).collect();
    let mut walks: BTreeMap<&str, Walk> =
        schemas.iter().map(|(name, text)| (*name, Walk::new(text))).collect();
    let mut all = outputs::all();
    all.push(saved_run());
    all.push(saved_run_that_waits());
    all.extend(saved_runs_by_granularity());
    all.push(resumed_check());
    all.extend(baselines());
    for written in &all {
        let name = written.schema.as_str();
        validators[name].accept(&written.value, &written.command);
        walks.get_mut(name).expect("a schema").meet(&written.value);
    }
    let left = walks.iter().flat_map(|(name, walk)| {
        walk.left().into_iter().map(move |place| format!("{name}: {place}"))
    });
    assert_eq!(left.collect::<Vec<_>>(), NEVER_WRITTEN);
}

#[test]
fn every_field_has_a_description() {
    for name in NAMES {
        assert_eq!(Walk::new(&schema(name)).undescribed(), [""; 0], "{name}");
    }
}

/// Changes an output at one place.
fn tampered(value: &Value, place: &str, change: impl FnOnce(&mut Value)) -> Value {
    let mut value = value.clone();
    change(value.pointer_mut(place).unwrap_or_else(|| panic!("there is {place}")));
    value
}

fn without(value: &mut Value, field: &str) {
    let removed = value.as_object_mut().and_then(|fields| fields.remove(field));
    assert!(removed.is_some(), "there is {field}");
}

#[test]
fn what_was_tampered_with_is_refused() {
    let output = taut(&["check", "examples/sb.taut", "--model", "tso", "--format", "json"]);
    let value: Value = serde_json::from_str(&stdout(&output)).expect("JSON");
    let validator = Validator::new(&schema("check"));
    validator.accept(&value, "as it is");
    let step = "/results/0/witness/steps/0";
    let bad = [
        tampered(&value, "", |v| v["verdict"] = json!("holds")),
        tampered(&value, "", |v| without(v, "stats")),
        tampered(&value, "/model", |v| *v = json!("TSO")),
        tampered(&value, "/bound", |v| *v = json!(0)),
        tampered(&value, "/results/0/verdict", |v| *v = json!("holds")),
        tampered(&value, "/results/0/witness", |v| *v = Value::Null),
        tampered(&value, "/results/0/coverage", |v| *v = Value::Null),
        tampered(&value, "/results/0/witness/property/kind", |v| *v = json!("fault")),
        tampered(&value, "/results/0/witness", |v| v["truth"] = json!([true])),
        tampered(&value, step, |v| v["value"] = json!(1)),
        tampered(&value, step, |v| v["action"] = json!("commit")),
        tampered(&value, step, |v| v["memory"]["x"] = json!("0")),
        tampered(&value, &format!("{step}/writes/0"), |v| v["from"] = json!("memory")),
        tampered(&value, "/stats", |v| v["new"] = json!(1)),
        tampered(&value, "/stats/pruned/fused", |v| *v = json!(-1)),
    ];
    for value in bad {
        assert!(validator.refusal(&value).is_some(), "{value}");
    }
}

#[test]
fn tampered_outputs_of_the_other_commands_are_refused() {
    let cases: [(&str, &[&str], &str, Value); 5] = [
        ("litmus", &["litmus", "testdata/litmus/classic/SB.litmus"], "/verdict", json!("Unknown")),
        ("suite", &["check", "testdata/suites/good"], "/status", json!("error")),
        (
            "explain",
            &["explain", "examples/deadlock.taut", "--model", "sc"],
            "/under_sc",
            json!(null),
        ),
        ("repair", &["repair", "examples/sb.taut"], "/outcome", json!("right")),
        ("graph", &["graph", "examples/sb.taut", "--model", "sc"], "/states/0/state", json!("0")),
    ];
    for (name, arguments, place, other) in cases {
        let format = if name == "graph" { ["--to", "json"] } else { ["--format", "json"] };
        let output = taut(&[arguments, &format[..]].concat());
        let text = stdout(&output);
        let mut values = serde_json::Deserializer::from_str(&text).into_iter::<Value>();
        let value = values.next().expect("a value").expect("JSON");
        let validator = Validator::new(&schema(name));
        validator.accept(&value, name);
        let bad = tampered(&value, place, |v| *v = other);
        assert!(validator.refusal(&bad).is_some(), "{name}: {bad}");
    }
}

#[test]
fn schemas_are_listed_printed_and_written() {
    let listed = stdout(&taut(&["schema", "--list"]));
    let names: Vec<_> = listed.lines().filter_map(|line| line.split(' ').next()).collect();
    assert_eq!(names, NAMES);
    assert_eq!(stdout(&taut(&["schema"])), schema("check"));
    let folder = Folder::new("schemas");
    assert_eq!(code(&folder.taut(&["schema", "--out", "all"])), 0);
    for name in NAMES {
        assert_eq!(folder.read(&format!("all/taut-{name}.schema.json")), schema(name));
    }
}

#[test]
fn what_there_is_no_schema_of_is_refused_with_what_there_is() {
    let output = taut(&["schema", "checks"]);
    assert_eq!(code(&output), 3);
    assert!(stderr(&output).contains("possible values: check, trace"), "{}", shown(&output));
    let folder = Folder::new("no-schemas");
    folder.write("file", "");
    let output = folder.taut(&["schema", "--out", "file"]);
    assert_eq!(code(&output), 74);
    assert!(stderr(&output).contains("cannot write to `file`"), "{}", shown(&output));
}
