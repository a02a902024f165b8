//! Random programs, with channels, pids, timeouts, holds and priorities and without: SPIN, run for real on what
//! is exported, agrees with brute force.

mod support;

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use support::*;
use taut_ir::{
    ChannelOp, ChannelQuery, Control, DefId, Effect, Expr, Fault, Lifecycle, LocId, Location,
    Memory, MemoryModel, Mode, Overflow, Pattern, Place, Poll, ProcId, Program, RegId, Start, Step,
    StepId, Type, VarId, VarKind,
};
use taut_testkit::random::{graph, straight};

/// Few values, so that matches and conditions are often true.
const SMALL: Type = Type { lo: 0, hi: 3, overflow: Overflow::Wrap };

/// Numbers drawn one after the other from a seed (xorshift).
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % n
    }

    /// True once in n times.
    fn once_in(&mut self, n: u64) -> bool {
        self.below(n) == 0
    }

    fn location(&mut self, program: &Program) -> LocId {
        LocId::from(self.below(program.defs[0].locations.len() as u64) as usize)
    }
}

const LOCATIONS: usize = 4;

/// A program of two definitions, three processes and up to three channels.
fn draw(seed: u64) -> Program {
    let mut dice = Dice(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    dice.below(2);
    let stack = dice.once_in(2);
    let lifecycle = if stack { Lifecycle::Stack } else { Lifecycle::Slots };
    let mut program = Program { lifecycle, call_depth: 2, ..Program::default() };
    for name in ["x", "y"] {
        variable(&mut program, name, VarKind::Shared);
    }
    program.vars.iter_mut().for_each(|v| v.ty = SMALL);
    for _ in 0..3 {
        let (capacity, fields) = (dice.below(3) as u32, 1 + dice.below(2) as usize);
        let c = channel(&mut program, capacity, fields);
        program.channels[c.index()].fields.fill(SMALL);
    }
    assertion(&mut program);
    for name in ["p", "q"] {
        let code = Code::new(LOCATIONS, 2);
        code.define(&mut program, name);
    }
    process(&mut program, "p", DefId(0), Start::Initially);
    process(&mut program, "q", DefId(1), Start::Initially);
    process(&mut program, "q2", DefId(1), Start::Spawned);
    for def in 0..2 {
        complete(&mut dice, &mut program, def);
    }
    let bad = is(VarId(0), dice.below(4) as i64).and(is(VarId(1), dice.below(4) as i64));
    let bad = bad.and(condition(&mut dice, &program, true));
    forbid(&mut program, bad);
    program
}

/// Gives a definition its steps.
fn complete(dice: &mut Dice, program: &mut Program, def: usize) {
    for location in &mut program.defs[def].locations[..LOCATIONS - 1] {
        *location = Location { end: dice.once_in(6), ..Location::default() };
    }
    program.defs[def].registers.iter_mut().for_each(|r| r.ty = SMALL);
    for _ in 0..5 + dice.below(3) {
        let mut step = draw_step(dice, program);
        let steps = &program.defs[def].steps;
        if dice.once_in(3) {
            let same = (0..steps.len()).filter(|&i| steps[i].source == step.source);
            step.yields_to = same.map(StepId::from).collect();
        }
        program.defs[def].steps.push(step);
    }
}

fn draw_step(dice: &mut Dice, program: &Program) -> Step {
    let source = LocId::from(dice.below(LOCATIONS as u64 - 1) as usize);
    // Mostly forward, so that most programs are small.
    let target = match dice.once_in(4) {
        true => dice.location(program),
        false => LocId::from((source.index() + 1 + dice.below(2) as usize).min(LOCATIONS - 1)),
    };
    let mut step = Step::skip(source, target, taut_ir::Span::NONE);
    if dice.once_in(3) {
        step.guard = condition(dice, program, false);
    }
    if dice.once_in(6) {
        step.mode = [Mode::Fence, Mode::Sync, Mode::Locked][dice.below(3) as usize];
    }
    if dice.once_in(2) {
        step.channel = Some(operation(dice));
    }
    for _ in 0..dice.below(2) {
        step.effects.push(effect(dice, program));
    }
    let alone = step.effects.is_empty() && step.channel.is_none();
    if alone && program.lifecycle == Lifecycle::Stack && dice.once_in(3) {
        step.target = Control::Exit;
    }
    step.holds = dice.once_in(3);
    step
}

fn value(dice: &mut Dice) -> Expr {
    match dice.below(6) {
        0 => reg(0),
        1 => reg(1),
        2 => VarId(0).into(),
        _ => Expr::Const(dice.below(4) as i64),
    }
}

fn place(dice: &mut Dice) -> Place {
    match dice.below(4) {
        0 => Place::Reg(RegId(0)),
        1 => Place::Reg(RegId(1)),
        2 => Place::Var(VarId(0)),
        _ => Place::Var(VarId(1)),
    }
}

/// Mostly a channel that there is, sometimes what a register says.
fn which(dice: &mut Dice) -> Expr {
    if dice.once_in(5) { reg(1) } else { Expr::Const(1 + dice.below(3) as i64) }
}

fn operation(dice: &mut Dice) -> ChannelOp {
    let (channel, fields) = (which(dice), dice.below(3));
    if dice.once_in(2) {
        let message = (0..fields).map(|_| value(dice)).collect();
        return ChannelOp::Send { channel, message, sorted: dice.once_in(3) };
    }
    let pattern = (0..fields).map(|_| match dice.below(3) {
        0 => Pattern::Match(value(dice)),
        1 => Pattern::Any,
        _ => Pattern::Bind(place(dice)),
    });
    let pattern = pattern.collect();
    ChannelOp::Receive { channel, pattern, anywhere: dice.once_in(3), keep: dice.once_in(5) }
}

fn effect(dice: &mut Dice, program: &Program) -> Effect {
    match dice.below(12) {
        0 => Effect::Assert {
            condition: condition(dice, program, false),
            property: taut_ir::PropId(0),
        },
        1 | 2 => {
            let stack = program.lifecycle == Lifecycle::Stack;
            let pid = (stack && dice.once_in(2)).then(|| place(dice));
            Effect::Spawn { def: DefId(1), args: vec![], pid }
        }
        3 if dice.once_in(3) => Effect::Fail(Fault::Blocked),
        4 => Effect::StoreFence,
        _ => Effect::assign(place(dice), value(dice)),
    }
}

/// Something to wait for; in a property nothing that only a step can ask.
fn condition(dice: &mut Dice, program: &Program, property: bool) -> Expr {
    let other = ProcId(dice.below(3) as u32);
    let stack = program.lifecycle == Lifecycle::Stack;
    match dice.below(10) {
        0 if !property => Expr::Timeout,
        1 => Expr::At(other, vec![dice.location(program)]),
        2 => Expr::Alive(other),
        3 => is(Expr::In(other, Box::new(reg(0))), dice.below(3) as i64),
        4 if stack => is(Expr::Processes, 1 + dice.below(3) as i64),
        5 if stack && !property => is(Expr::Pid, dice.below(3) as i64),
        6 => {
            let channel = Expr::Const(1 + dice.below(3) as i64);
            let pattern = (0..dice.below(3)).map(|_| dice.once_in(2).then_some(Expr::Const(1)));
            let pattern = pattern.collect();
            let anywhere = dice.once_in(2);
            Expr::Poll(Box::new(Poll { channel, pattern, anywhere }))
        }
        7 => {
            let queries = [ChannelQuery::Length, ChannelQuery::Full, ChannelQuery::Empty];
            let query = queries[dice.below(3) as usize];
            let channel = if property { Expr::Const(1) } else { which(dice) };
            is(Expr::Channel(query, Box::new(channel)), 1)
        }
        8 if !property => is(reg(0), dice.below(4) as i64),
        _ => is(VarId(dice.below(2) as u32), dice.below(3) as i64),
    }
}

fn memory(seed: u64) -> Memory {
    match seed % 4 {
        0 | 1 => Memory::new(MemoryModel::Sc),
        2 => Memory::new(MemoryModel::Tso).bounded(Some(1 + (seed / 4 % 2) as u32)),
        _ => Memory::new(MemoryModel::Pso).bounded(Some(1)),
    }
}

/// Compares one program; what the verdicts are, or nothing if it is too large or is not exported.
fn compare(name: &str, program: &Program, memory: Memory) -> Result<Option<Verdicts>, String> {
    taut_ir::validate::validate(program).map_err(|e| format!("{name}: {e:?}"))?;
    let Some(force) = by_force(program, memory) else { return Ok(None) };
    let Ok(promela) = taut_export::promela(program, memory) else { return Ok(None) };
    let spin = by_spin(&promela).map_err(|e| format!("{name}: {e}"))?;
    match spin == force {
        true => Ok(Some(force)),
        false => Err(format!(
            "{name}, {memory:?}: (wrong, deadlock): brute force {force:?}, SPIN {spin:?}\n{promela}"
        )),
    }
}

/// Compares programs on two threads; how often each verdict came out.
fn compare_all(programs: &[(Program, Memory)]) -> BTreeMap<Verdicts, usize> {
    let next = AtomicUsize::new(0);
    let (verdicts, wrong) = (Mutex::new(BTreeMap::new()), Mutex::new(Vec::new()));
    let work = || {
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some((program, memory)) = programs.get(number) else { return };
            match compare(&format!("program {number}"), program, *memory) {
                Ok(Some(v)) => *verdicts.lock().expect("no panic").entry(v).or_insert(0) += 1,
                Ok(None) => {}
                Err(message) => wrong.lock().expect("no panic").push(message),
            }
        }
    };
    std::thread::scope(|scope| {
        scope.spawn(work);
        scope.spawn(work);
    });
    let wrong = wrong.into_inner().expect("no panic");
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
    let verdicts = verdicts.into_inner().expect("no panic");
    let compared: usize = verdicts.values().sum();
    println!("{verdicts:?}");
    assert!(compared * 10 >= programs.len() * 6, "{compared} of {}", programs.len());
    verdicts
}

/// How many programs are compared: always the same ones, as SPIN and gcc take a second for each. With
/// `TAUT_SEEDS` there are more.
fn seeds() -> u64 {
    let asked = std::env::var("TAUT_SEEDS").ok();
    asked.map_or(40, |seeds| seeds.parse().expect("a number of seeds"))
}

#[test]
fn random_programs_of_promela_have_the_same_verdicts_in_spin() {
    let programs: Vec<_> = (0..seeds()).map(|seed| (draw(seed), memory(seed))).collect();
    let verdicts = compare_all(&programs);
    assert_eq!(verdicts.len(), 4, "all verdicts come out: {verdicts:?}");
}

#[test]
fn random_programs_of_taut_have_the_same_verdicts_in_spin() {
    let mut runner = TestRunner::deterministic();
    let drafts = prop_oneof![straight(4), graph(5)];
    let program = |seed: u64| {
        let draft = drafts.new_tree(&mut runner).expect("a draft").current();
        (draft.program(), memory(seed))
    };
    let programs: Vec<_> = (0..seeds() / 2).map(program).collect();
    assert!(compare_all(&programs).len() > 1);
}
