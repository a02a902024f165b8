//! Runs that claim nothing: followed, written to JSON and read back.

use crate::common;

use common::*;
use serde_json::{Value, json};
use taut_ir::MemoryModel::Tso;
use taut_ir::{Memory, Program};
use taut_render::RunView;
use taut_render::json::document_of_run;
use taut_render::{from_json, recording_from_json};
use taut_source::SourceMap;
use taut_witness::{Run, Trace, follow, replay};

/// The beginning of a violating run, which violates nothing yet.
fn beginning() -> (Program, Run) {
    let program = store_buffering(false);
    let trace = trace_to(&program, Memory::new(Tso), first_property());
    let run = follow(&program, trace.memory, &trace.actions[..3]).expect("a run");
    (program, run)
}

fn written(program: &Program, run: &Run) -> Value {
    let document = document_of_run(RunView::new(program, &SourceMap::new(), run), "sb.taut");
    serde_json::to_value(document).expect("a value")
}

#[test]
fn a_run_survives_the_round_trip() {
    let (program, run) = beginning();
    let value = written(&program, &run);
    assert_eq!(value["property"], json!({"name": "", "kind": "run", "words": []}));
    let recording = recording_from_json(&program, &value.to_string()).expect("a recording");
    assert_eq!((recording.finding, recording.trace()), (None, None));
    assert_eq!(recording.replay(&program), Ok(run));
}

#[test]
fn a_run_is_no_trace() {
    let (program, run) = beginning();
    let mut value = written(&program, &run);
    let error = from_json(&program, &value.to_string()).expect_err("nothing is claimed");
    assert_eq!(error.to_string(), "the run does not claim to violate anything");
    value["lasso"] = json!({"cycle": 0, "fairness": "none"});
    let error = recording_from_json(&program, &value.to_string()).expect_err("nothing to show");
    assert!(error.to_string().contains("claims nothing that it could show"), "{error}");
}

#[test]
fn a_trace_is_a_recording_with_a_claim() {
    let (program, run) = beginning();
    let trace = trace_to(&program, run.memory, first_property());
    let run = replay(&program, &trace).expect("a run");
    let value = taut_render::to_json(
        RunView::new(&program, &SourceMap::new(), &run),
        "sb.taut",
        trace.finding,
    );
    let recording = recording_from_json(&program, &value.to_string()).expect("a recording");
    assert_eq!(recording.trace(), Some(trace));
    assert_eq!(recording.replay(&program), Ok(run));
}

#[test]
fn what_cannot_happen_is_not_followed() {
    let (program, run) = beginning();
    let twice = [step(0, 0), step(0, 0)];
    let error = follow(&program, run.memory, &twice).expect_err("it happened already");
    assert_eq!(error.action(), Some(2));
}

#[test]
fn a_trace_that_claims_too_much_is_still_refused() {
    let (program, run) = beginning();
    let trace = Trace::new(run.memory, first_property(), run.actions());
    assert!(replay(&program, &trace).is_err());
}
