//! Traces that were tampered with are not accepted, and the message says what is wrong.

use crate::common;

use common::*;
use taut_ir::MemoryModel::{Pso, Sc, Tso};
use taut_ir::{Action, Effect, Fault, Finding, Memory, ProcId, PropId, VarId};
use taut_source::{SourceMap, Span};
use taut_witness::{Trace, describe_action, replay};

fn message(program: &taut_ir::Program, trace: &Trace) -> String {
    replay(program, trace).expect_err("it was tampered with").to_string()
}

/// The stale read of message passing under PSO: the flag commits before the data.
fn stale() -> (taut_ir::Program, Trace) {
    let program = message_passing(None);
    let actions = vec![step(0, 0), step(0, 1), commit(0, 1), step(1, 0), step(1, 1)];
    let trace = Trace::new(Memory::new(Pso), first_property(), actions);
    replay(&program, &trace).expect("the original is fine");
    (program, trace)
}

#[test]
fn a_missing_commit() {
    let (program, mut trace) = stale();
    trace.actions.remove(2);
    assert_eq!(
        message(&program, &trace),
        "the trace does not end in what it claims to show: a violation of forbid `stale data`"
    );
}

#[test]
fn actions_in_the_wrong_order() {
    let (program, mut trace) = stale();
    trace.actions.swap(1, 2);
    assert_eq!(
        message(&program, &trace),
        "action 2: p cannot commit its store to `flag`: its buffer holds no store to `flag`"
    );
    let (program, mut trace) = stale();
    trace.actions.swap(3, 4);
    assert_eq!(
        message(&program, &trace),
        "action 4: q cannot take the step `s := data`: it is somewhere else"
    );
}

#[test]
fn another_model() {
    let (program, mut trace) = stale();
    trace.memory = Memory::new(Tso);
    assert_eq!(
        message(&program, &trace),
        "action 3: p cannot commit its store to `flag`: its store to `data` is older"
    );
    trace.memory = Memory::new(Sc);
    assert!(message(&program, &trace).contains("holds no store to `flag`"));
}

#[test]
fn an_sfence_in_the_program() {
    let (_, trace) = stale();
    let fenced = message_passing(Some(Effect::StoreFence));
    let actions = vec![step(0, 0), step(0, 1), step(0, 2), commit(0, 1)];
    assert!(
        message(&fenced, &Trace { actions, ..trace })
            .ends_with("an sfence holds its store to `flag` back behind older ones")
    );
}

#[test]
fn a_truncated_trace_and_one_with_too_much() {
    let (program, mut trace) = stale();
    trace.actions.pop();
    assert!(message(&program, &trace).contains("does not end in what it claims"));
    let (program, mut trace) = stale();
    trace.actions.push(step(1, 1));
    let error = replay(&program, &trace).unwrap_err();
    assert_eq!(error.action(), Some(6));
}

#[test]
fn another_finding() {
    let (program, mut trace) = stale();
    trace.finding = Finding::Deadlock;
    assert!(message(&program, &trace).ends_with("claims to show: a deadlock"));
    trace.finding = Finding::Fault(Fault::Index);
    assert!(message(&program, &trace).ends_with("a fault (array index out of range)"));
    trace.finding = Finding::Property(PropId(77));
    assert!(message(&program, &trace).ends_with("a violation of property 77"));
}

#[test]
fn actions_of_nobody_with_nothing() {
    let (program, trace) = stale();
    let with = |action| message(&program, &Trace { actions: vec![action], ..trace.clone() });
    assert_eq!(
        with(step(9, 0)),
        "action 1: process 9 cannot take step 0: the program has no such process"
    );
    assert_eq!(with(step(0, 9)), "action 1: p cannot take step 9: the process has no such step");
    let nowhere = Action::Commit { process: ProcId(0), var: VarId(9), index: 0 };
    assert!(with(nowhere).ends_with("the program has no such variable"));
    let outside = Action::Commit { process: ProcId(0), var: VarId(0), index: 4 };
    assert!(with(outside).ends_with("the program has no such variable"));
    for action in [step(9, 0), step(0, 9), nowhere, outside] {
        assert!(!describe_action(&program, action).is_empty());
    }
}

/// `x := 1; assert(x == 0); x := 5; x := 0` with x in 0..1: the assertion fails, then a store faults.
fn failing() -> taut_ir::Program {
    let mut b = taut_ir::build::ProgramBuilder::new("failing");
    let x = b.shared("x", taut_ir::Type::range(0, 1), 0);
    b.forbid("unused", taut_ir::Expr::Const(0));
    let mut p = b.process("p");
    p.store(x, 1).assert("zero", taut_ir::Expr::from(x).equals(0.into())).store(x, 5).store(x, 0);
    p.finish();
    b.build().unwrap()
}

#[test]
fn a_failed_assertion_counts_in_the_last_action_only() {
    let program = failing();
    let zero = Finding::Property(PropId(1));
    let trace = Trace::new(Memory::new(Tso), zero, vec![step(0, 0), step(0, 1)]);
    let run = replay(&program, &trace).unwrap();
    assert_eq!(run.rows[1].failure.as_ref().map(|f| f.finding), Some(zero));
    let commit = Action::Commit { process: ProcId(0), var: VarId(0), index: 0 };
    let longer = Trace { actions: vec![step(0, 0), step(0, 1), commit], ..trace.clone() };
    assert!(message(&program, &longer).contains("a violation of assert `zero`"));
    let other = Trace { finding: Finding::Property(PropId(0)), ..trace.clone() };
    assert!(message(&program, &other).contains("a violation of forbid `unused`"));
    let shorter = Trace { actions: vec![step(0, 0)], ..trace };
    assert!(message(&program, &shorter).contains("a violation of assert `zero`"));
}

#[test]
fn a_faulting_step_ends_the_run() {
    let program = failing();
    let fault = Finding::Fault(taut_ir::Fault::Range);
    let actions = vec![step(0, 0), step(0, 1), step(0, 2)];
    let trace = Trace::new(Memory::new(Tso), fault, actions);
    let run = replay(&program, &trace).unwrap();
    assert_eq!(run.rows[2].after, run.rows[1].after, "a step that faults has no effects");
    let mut longer = trace.clone();
    longer.actions.push(step(0, 3));
    assert!(message(&program, &longer).starts_with("action 3 of 4 already ends the run"));
    let other = Trace { finding: Finding::Property(PropId(0)), ..trace };
    assert!(message(&program, &other).contains("not with a violation of forbid `unused`"));
}

#[test]
fn the_message_names_the_line_if_the_source_is_at_hand() {
    let mut program = store_buffering(true);
    let mut sources = SourceMap::new();
    let file = sources.add("sb.taut", "x := 1\nfence\nr := y\n");
    program.defs[0].steps[1].span = Span::new(file, 7..12);
    let actions = vec![step(0, 0), step(0, 1)];
    let trace = Trace::new(Memory::new(Tso), first_property(), actions);
    let error = replay(&program, &trace).unwrap_err();
    assert_eq!(
        error.describe(&sources),
        "action 2: p cannot take the step `fence` at line 2: its buffer is not empty"
    );
    assert_eq!(
        error.to_string(),
        "action 2: p cannot take the step `fence`: its buffer is not empty"
    );
    assert_eq!(describe_action(&program, step(0, 1)), "p: fence");
    assert_eq!(describe_action(&program, commit(1, 1)), "q: y commits");
}
