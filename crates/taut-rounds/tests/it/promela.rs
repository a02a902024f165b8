//! What Promela has and the Taut language has not: steps that hold the others, steps that yield, processes on
//! a stack that exit, and steps that ask where another process is. Random programs are given some of each and
//! compared with brute force, as in `theorems.rs`.

use crate::support;

use std::sync::atomic::{AtomicU32, Ordering};

use proptest::prelude::*;
use support::{Unequal, compare, translated, with_fuel};
use taut_ir::{
    BinaryOp, Control, Effect, Expr, Lifecycle, Mode, PointId, ProcId, ProcessDef, Program, Step,
    StepId,
};
use taut_rounds::{Scope, translate};
use taut_testkit::random;

const LIMIT: usize = 3_000;

/// Numbers that look random, from a seed.
struct Dice(u64);

impl Dice {
    fn throw(&mut self, sides: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % sides
    }
}

/// The program with some steps that hold, yield and ask, and with processes that exit.
fn decorated(mut program: Program, seed: u64) -> Program {
    let mut dice = Dice(seed);
    let processes = program.processes.len() as u64;
    let points: Vec<usize> =
        program.process_ids().map(|p| program.def_of(p).points.len()).collect();
    if dice.throw(2) == 0 {
        program.lifecycle = Lifecycle::Stack;
    }
    let stack = program.lifecycle == Lifecycle::Stack;
    for def in &mut program.defs {
        for id in 0..def.steps.len() {
            yield_or_hold(def, id, &mut dice);
            if dice.throw(8) == 0 {
                let other = dice.throw(processes);
                let point = dice.throw(points[other as usize] as u64);
                let at = Expr::At(ProcId(other as u32), vec![PointId(point as u32)]);
                def.steps[id].guard = def.steps[id].guard.clone().and(at.not());
            }
            if stack && dice.throw(8) == 0 {
                let first = Expr::binary(BinaryOp::Lt, Expr::Pid, 1.into());
                def.steps[id].guard = def.steps[id].guard.clone().and(first);
            }
        }
        if stack && dice.throw(2) == 0 {
            add_exits(def);
        }
    }
    program
}

fn yield_or_hold(def: &mut ProcessDef, id: usize, dice: &mut Dice) {
    let source = def.steps[id].source;
    // Only to steps before it, so in no circle.
    let before =
        (0..id).filter(|&s| def.steps[s].source == source && !def.steps[s].needs_drained());
    let before: Vec<StepId> = before.map(StepId::from).collect();
    if dice.throw(2) == 0 {
        def.steps[id].yields_to = before;
    }
    let Control::Goto(to) = def.steps[id].target else { return };
    // Who holds the others and finds no room for a new process is stuck, and the translation does not see it:
    // runs with more processes than there is room for are in no scope.
    let spawns = |s: &Step| s.effects.iter().any(|e| matches!(e, Effect::Spawn { .. }));
    let spawns_next = def.steps.iter().any(|s| s.source == to && spawns(s));
    let waits = spawns_next || def.steps.iter().any(|s| s.source == to && s.needs_drained());
    // A locked step leaves an empty buffer behind, so what comes next may wait for one.
    let locked = def.steps[id].mode == Mode::Locked && !spawns_next;
    def.steps[id].holds = (!waits || locked) && dice.throw(3) == 0;
}

/// Lets processes exit where they would end.
fn add_exits(def: &mut ProcessDef) {
    let held = |l: PointId| def.steps.iter().any(|s| s.holds && s.target == Control::Goto(l));
    let ends = (0..def.points.len()).map(PointId::from).filter(|&l| {
        !def.steps.iter().any(|s| s.source == l) && !held(l) && !def.points[l.index()].atomic
    });
    let exits = ends.map(|l| Step { target: Control::Exit, ..Step::skip(l, l, def.span) });
    let exits: Vec<Step> = exits.collect();
    def.steps.extend(exits);
}

fn programs() -> BoxedStrategy<Program> {
    let draft = (random::graph(5), 2..=4_i64, any::<u64>());
    draft
        .prop_map(|(draft, fuel, seed)| {
            decorated(with_fuel(&draft.without_atomic().program(), fuel), seed)
        })
        .boxed()
}

static HELD: AtomicU32 = AtomicU32::new(0);
static YIELDED: AtomicU32 = AtomicU32::new(0);
static EXITED: AtomicU32 = AtomicU32::new(0);

fn count(program: &Program) {
    let steps: Vec<&Step> = program.defs.iter().flat_map(|d| &d.steps).collect();
    let some = |counter: &AtomicU32, is: fn(&Step) -> bool| {
        counter.fetch_add(u32::from(steps.iter().any(|s| is(s))), Ordering::Relaxed);
    };
    some(&HELD, |s| s.holds);
    some(&YIELDED, |s| !s.yields_to.is_empty());
    some(&EXITED, |s| s.target == Control::Exit);
}

fn test(program: &Program, scope: Scope) -> Result<(), TestCaseError> {
    match compare(program, scope, LIMIT) {
        Ok(()) => count(program),
        Err(Unequal::Skipped) => return Err(TestCaseError::reject("too large or not translated")),
        Err(Unequal::Wrong(what)) => return Err(TestCaseError::fail(what)),
    }
    // And without holding and yielding, which other languages cannot say.
    let translation = translate(program, scope).expect("it was translated before");
    let held = translated(&translation, &translation.program, LIMIT);
    let portable = translated(&translation, &translation.portable(), 10 * LIMIT);
    if let (Some((held, _)), Some((portable, _))) = (held, portable) {
        prop_assert_eq!(held.findings, portable.findings);
        prop_assert!(portable.configurations.is_superset(&held.configurations));
    }
    Ok(())
}

proptest! {
    #![proptest_config(random::config(400))]

    fn scopes_reach_what_tso_reaches(program in programs(), k in 0..=2_u32, age in any::<bool>()) {
        test(&program, if age { Scope::Age(k) } else { Scope::Rounds(k) })?;
    }
}

/// The comparison would be empty without what it is about.
#[test]
fn holding_yielding_and_exiting_are_carried_over() {
    scopes_reach_what_tso_reaches();
    for counter in [&HELD, &YIELDED, &EXITED] {
        assert!(counter.load(Ordering::Relaxed) >= 30, "{HELD:?} {YIELDED:?} {EXITED:?}");
    }
}
