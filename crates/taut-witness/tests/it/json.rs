//! Traces to JSON and back.

use crate::common;

use common::code::{self, Also, edge, into_reg, receive, send, shake};
use common::*;
use serde_json::{Value, json};
use taut_ir::MemoryModel::Pso;
use taut_ir::{Effect, Fault, Finding, FullBuffer, Memory, Program};
use taut_render::{RunView, from_json, to_json, to_json_text};
use taut_source::SourceMap;
use taut_witness::{Trace, replay};

fn written() -> (Program, Trace, Value) {
    let program = message_passing(Some(Effect::assign(
        taut_ir::Lvalue::Var(taut_ir::VarId(0)),
        taut_ir::Expr::Const(2),
    )));
    let memory = Memory::new(Pso).bounded(Some(3));
    let trace = trace_to(&program, memory, first_property());
    let run = replay(&program, &trace).unwrap();
    let value = to_json(RunView::new(&program, &SourceMap::new(), &run), "mp.taut", trace.finding);
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
    let text =
        to_json_text(RunView::new(&program, &SourceMap::new(), &run), "mp.taut", trace.finding);
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
        ("channel", Fault::Channel),
        ("blocked", Fault::Blocked),
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
        "action 1: `action` is \"jump\", not \"step\", \"handshake\" or \"commit\""
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

/// A rendezvous, then a message that stays in its channel; the last step finds no channel at all.
fn messages() -> (Program, Trace) {
    let nowhere = taut_ir::ChannelOp::Send { channel: 0.into(), message: vec![], sorted: false };
    let p = vec![
        edge(0, 1).on(send(0, &[3.into()])),
        edge(1, 2).on(send(1, &[4.into(), 5.into()])),
        edge(2, 3).on(nowhere),
    ];
    let q = vec![edge(0, 1).on(receive(0, &[into_reg(0)]))];
    let code = vec![code::code("p", &[], p), code::code("q", &["r"], q)];
    let channels = vec![code::channel("c", 0, 1), code::channel("d", 1, 2)];
    let program = checked(code::program(vec![], channels, code));
    let actions = vec![shake(0, 0, 1, 0), step(0, 1), step(0, 2)];
    let finding = Finding::Fault(Fault::Channel);
    (program, Trace::new(Memory::new(Pso), finding, actions))
}

#[test]
fn a_handshake_survives_the_round_trip() {
    let (program, trace) = messages();
    let run = replay(&program, &trace).unwrap();
    let text =
        to_json_text(RunView::new(&program, &SourceMap::new(), &run), "c.pml", trace.finding);
    assert_eq!(from_json(&program, &text), Ok(trace));
    insta::assert_snapshot!(text);
}

#[test]
fn a_handshake_needs_a_receiver_of_the_program() {
    let (program, trace) = messages();
    let run = replay(&program, &trace).unwrap();
    let good = to_json(RunView::new(&program, &SourceMap::new(), &run), "c.pml", trace.finding);
    let with = |receiver: Value| {
        let mut value = good.clone();
        value["steps"][0]["receiver"] = receiver;
        refused(&program, &value)
    };
    assert_eq!(with(Value::Null), "action 1: a handshake needs its `receiver`");
    assert_eq!(
        with(json!({"process": "z", "step": 0})),
        "action 1: the program has no process `z`"
    );
    assert_eq!(with(json!({"process": "q"})), "action 1: a step needs its number in `step`");
    assert_eq!(
        with(json!({"process": "q", "step": 0, "text": "c?s"})),
        "action 1: the trace belongs to another program: step 0 of `q` is `c?r` there, `c?s` here"
    );
    let mut essential = good.clone();
    essential["steps"][0] = json!({
        "process": "p", "action": "handshake", "step": 0, "receiver": {"process": "q", "step": 0}
    });
    assert_eq!(from_json(&program, &essential.to_string()), Ok(trace));
}
