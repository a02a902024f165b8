//! The engine against the replayer's brute force on random programs with what Promela brings: the same
//! number of stored states, the same findings, the same bounds met, however deep `atomic` sequences go;
//! every run replays.

use std::collections::BTreeMap;

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use taut_explicit::{Completion, Exploration, Limits, Order, SearchOptions, explore};
use taut_ir::{
    ChannelOp, Control, Effect, Expr, Finding, FullBuffer, Memory, MemoryModel, Program, Step,
};
use taut_testkit::cases::{Case, random_cases};
use taut_testkit::promela_like::draft;
use taut_witness::{Trace, enumerate, replay};

use crate::brute::{brute_force, expected, kinds};

/// Programs with more states than this are skipped: brute force is slow.
const MOST_STATES: usize = 2_000;

fn compare(
    case: &Case,
    program: &Program,
    memory: Memory,
    order: Order,
) -> Result<(), TestCaseError> {
    let Some(brute) = brute_force(case, program, memory, MOST_STATES) else { return Ok(()) };
    let options = SearchOptions { order, all: true, whole: true, ..SearchOptions::default() };
    let engine = explore(program, memory, &options);
    prop_assert_eq!(engine.completion, Completion::Complete);
    prop_assert_eq!(engine.stats.states, brute.states as u64, "states under {:?}", memory);
    prop_assert_eq!(engine.stats.deadlocks, brute.deadlocks as u64);
    if !program.defs.iter().flat_map(|d| &d.steps).any(|s| s.holds) {
        prop_assert_eq!(engine.stats.faults, brute.faults as u64);
    }
    prop_assert_eq!(engine.bounds_met.buffer, brute.bounds.buffer);
    prop_assert_eq!(engine.bounds_met.threads, brute.bounds.threads);
    prop_assert_eq!(kinds(&engine), expected(&brute));
    replays(program, memory, &engine, order)
}

fn replays(
    program: &Program,
    memory: Memory,
    engine: &Exploration,
    order: Order,
) -> Result<(), TestCaseError> {
    let holds = program.defs.iter().flat_map(|d| &d.steps).any(|s| s.holds);
    for found in &engine.found {
        let actions = found.actions.clone();
        let trace = Trace::new(memory, found.finding, actions);
        if let Err(error) = replay(program, &trace) {
            return Err(TestCaseError::fail(format!("{error}")));
        }
        // Where processes hold others, runs are shortest in stored states, not in actions.
        if order == Order::Bfs && !holds && !matches!(trace.finding, Finding::Fault(_)) {
            let shortest = enumerate::shortest(program, memory, trace.finding, MOST_STATES);
            prop_assert_eq!(Some(trace.actions.len()), shortest.map(|t| t.actions.len()));
        }
    }
    Ok(())
}

#[test]
fn states_and_findings() {
    let tally = random_cases(
        300,
        (draft(), 1_u32..4, any::<bool>(), any::<bool>()),
        |case, (draft, bound, full_is_error, dfs)| {
            let program = draft.program();
            let full_buffer = if full_is_error { FullBuffer::Error } else { FullBuffer::Wait };
            let order = if dfs { Order::Dfs } else { Order::Bfs };
            for model in MemoryModel::EVERY {
                compare(case, &program, Memory { model, bound: Some(bound), full_buffer }, order)?;
            }
            Ok(())
        },
    );
    tally.at_least("compared", 1_000).at_least("with findings", 700);
}

/// What a step that was reached shows the comparison above.
fn features(program: &Program, def: &taut_ir::ProcessDef, step: &Step) -> Vec<&'static str> {
    let mut all = Vec::new();
    let capacity = |channel: &Expr| match channel {
        Expr::Const(c) => Some(program.channels[*c as usize - 1].capacity),
        _ => None,
    };
    match &step.channel {
        Some(ChannelOp::Send { channel, .. }) if capacity(channel) == Some(0) => {
            all.push("rendezvous");
        }
        Some(ChannelOp::Send { sorted: true, .. }) => all.push("sorted send"),
        Some(ChannelOp::Send { .. }) => all.push("send"),
        Some(ChannelOp::Receive { keep: true, .. }) => all.push("copy"),
        Some(ChannelOp::Receive { anywhere: true, .. }) => all.push("receive anywhere"),
        Some(ChannelOp::Receive { .. }) => all.push("receive"),
        None => {}
    }
    if step.drains {
        all.push("drain");
    }
    if step.channel.as_ref().is_some_and(|op| op.places().any(|p| p.variable().is_some())) {
        all.push("receive into memory");
    }
    let mut timeout = false;
    step.guard.visit(&mut |e| timeout |= *e == Expr::Timeout);
    let held = def.steps.iter().any(|s| s.holds && s.target == Control::Goto(step.source));
    let spawns = |e: &Effect| matches!(e, Effect::Spawn { .. });
    let others = [
        (step.target == Control::Exit, "exit"),
        (step.effects.iter().any(spawns), "spawn"),
        (timeout, "timeout"),
        (!step.yields_to.is_empty(), "yield"),
        (step.holds, "hold"),
        (held && step.holds, "hold on"),
    ];
    all.extend(others.iter().filter(|(there, _)| *there).map(|(_, name)| *name));
    all
}

#[test]
fn random_programs_do_everything() {
    let mut runner = TestRunner::deterministic();
    let mut counts: BTreeMap<&str, u32> = BTreeMap::new();
    let mut large = 0;
    for _ in 0..1_000 {
        let program = draft().new_tree(&mut runner).expect("a draft").current().program();
        let options = SearchOptions { all: true, whole: true, ..SearchOptions::default() };
        let limits = Limits { states: Some(MOST_STATES as u64), ..Limits::default() };
        let options = SearchOptions { limits, ..options };
        let result = explore(&program, Memory::new(MemoryModel::Tso), &options);
        large += u32::from(result.stats.states > 50);
        for (def, reached) in program.defs.iter().zip(&result.reached) {
            let steps = def.steps.iter().zip(reached).filter(|(_, reached)| **reached);
            for feature in steps.flat_map(|(step, _)| features(&program, def, step)) {
                *counts.entry(feature).or_default() += 1;
            }
        }
    }
    assert!(large > 200, "{large} programs have more than 50 states");
    assert_eq!(counts.len(), 14, "{counts:?}");
    assert!(counts.values().all(|&count| count >= 50), "{counts:?}");
}
