//! Traces to JSON and back.

mod common;

use common::*;
use serde_json::{Value, json};
use taut_diag::SourceMap;
use taut_ir::MemoryModel::Pso;
use taut_ir::{Effect, Fault, Finding, FullBuffer, Memory, Program};
use taut_witness::{Trace, from_json, replay, to_json, to_json_text};

fn written() -> (Program, Trace, Value) {
    let program = message_passing(Some(Effect::assign(
        taut_ir::Place::Var(taut_ir::VarId(0)),
        taut_ir::Expr::Const(2),
    )));
    let memory = Memory::new(Pso).bounded(Some(3));
    let trace = trace_to(&program, memory, first_property());
    let run = replay(&program, &trace).unwrap();
    let value = to_json(&program, &SourceMap::new(), "mp.taut", &trace, &run);
    (program, trace, value)
}

fn refused(program: &Program, value: &Value) -> String {
    from_json(program, &value.to_string()).expect_err("it is wrong").to_string()
}

#[test]
fn a_trace_survives_the_round_trip() {
    let (program, trace, value) = written();
    assert_eq!(from_json(&program, &value.to_string()), Ok(trace.clone()));
    let run = replay(&program, &trace).unwrap();
    let text = to_json_text(&program, &SourceMap::new(), "mp.taut", &trace, &run);
    assert_eq!(from_json(&program, &text), Ok(trace));
    insta::assert_snapshot!(text);
}

#[test]
fn the_essentials_are_enough() {
    let (program, trace, mut value) = written();
    for step in value["steps"].as_array_mut().unwrap() {
        let keep = ["process", "action", "step", "variable", "index"];
        step.as_object_mut().unwrap().retain(|key, _| keep.contains(&key.as_str()));
    }
    assert_eq!(from_json(&program, &value.to_string()), Ok(trace));
}

#[test]
fn every_kind_of_finding_is_read_back() {
    let (program, trace, mut value) = written();
    let mut check = |property: Value, finding| {
        value["property"] = property;
        let expected = Trace { finding, ..trace.clone() };
        assert_eq!(from_json(&program, &value.to_string()), Ok(expected));
    };
    check(json!({"name": "deadlock", "kind": "deadlock"}), Finding::Deadlock);
    check(json!({"name": "full-buffer", "kind": "full-buffer"}), Finding::FullBuffer);
    for (word, fault) in [
        ("division-by-zero", Fault::DivisionByZero),
        ("index", Fault::Index),
        ("range", Fault::Range),
        ("shift", Fault::Shift),
    ] {
        let property = json!({"name": "fault", "kind": "fault", "fault": word});
        check(property, Finding::Fault(fault));
    }
}

#[test]
fn bounds_are_read_back_and_must_be_there() {
    let (program, _, mut value) = written();
    value["bound"] = Value::Null;
    value["full_buffer"] = "error".into();
    let memory = from_json(&program, &value.to_string()).unwrap().memory;
    assert_eq!((memory.bound, memory.full_buffer), (None, FullBuffer::Error));
    value.as_object_mut().unwrap().remove("bound");
    assert!(refused(&program, &value).contains("missing field `bound`"));
}

#[test]
fn errors_say_what_is_wrong_and_where() {
    let (program, _, good) = written();
    let with = |change: &dyn Fn(&mut Value)| {
        let mut value = good.clone();
        change(&mut value);
        refused(&program, &value)
    };
    assert_eq!(
        with(&|v| v["version"] = 2.into()),
        "the trace has version 2 of the format; this program reads version 1"
    );
    assert!(with(&|v| v["format"] = "other".into()).starts_with("this is no trace"));
    assert_eq!(with(&|v| v["model"] = "arm".into()), "unknown memory model `arm`");
    assert_eq!(
        with(&|v| v["full_buffer"] = "drop".into()),
        "`full_buffer` is \"drop\", neither \"wait\" nor \"error\""
    );
    assert_eq!(
        with(&|v| v["property"]["name"] = "other".into()),
        "the program has no forbid property `other`"
    );
    assert_eq!(
        with(&|v| v["property"] = json!({"name": "fault", "kind": "fault"})),
        "there is no fault \"\""
    );
    assert_eq!(
        with(&|v| v["steps"][1]["process"] = "z".into()),
        "action 2: the program has no process `z`"
    );
    assert_eq!(
        with(&|v| v["steps"][0]["action"] = "jump".into()),
        "action 1: `action` is \"jump\", neither \"step\" nor \"commit\""
    );
    assert_eq!(
        with(&|v| v["steps"][0] = json!({"process": "p", "action": "step"})),
        "action 1: a step needs its number in `step`"
    );
    assert_eq!(
        with(&|v| v["steps"][0] = json!({"process": "p", "action": "commit"})),
        "action 1: a commit needs its `variable`"
    );
    let commit = |name: &str, index: u32| json!({"process": "p", "action": "commit", "variable": name, "index": index});
    assert_eq!(
        with(&|v| v["steps"][0] = commit("z", 0)),
        "action 1: the program has no variable `z`"
    );
    assert_eq!(with(&|v| v["steps"][0] = commit("data", 3)), "action 1: `data` has no element 3");
}

#[test]
fn a_trace_of_another_program_is_recognised() {
    let (_, _, value) = written();
    let other = message_passing(None);
    assert_eq!(
        refused(&other, &value),
        "action 2: the trace belongs to another program: step 1 of `p` is `flag := 1` there, \
         `data := 2` here"
    );
}

#[test]
fn syntax_errors_have_a_line_and_a_column() {
    let (program, _, _) = written();
    let error = from_json(&program, "{\n  \"format\": }").unwrap_err().to_string();
    assert_eq!(error, "line 2, column 13: expected value");
    for text in ["", "[]", "null", "{", "\u{0}", "{\"format\": 1e999}"] {
        assert!(from_json(&program, text).is_err(), "{text:?}");
    }
    let deep = "[".repeat(100_000);
    assert!(from_json(&program, &deep).is_err());
}
