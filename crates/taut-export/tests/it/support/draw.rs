//! Random programs with everything that Promela asks of the model: channels, pids, timeouts, holds and
//! priorities.

use taut_ir::{
    ChannelOp, ChannelQuery, Control, DefId, Effect, Expr, Fault, Lifecycle, Lvalue, Memory,
    MemoryModel, Mode, Overflow, Pattern, PointId, Poll, ProcId, Program, ProgramPoint, RegId,
    Start, Step, StepId, Type, VarId, VarKind,
};

use super::*;

/// Few values, so that matches and conditions are often true.
const SMALL: Type = Type { lo: 0, hi: 3, overflow: Overflow::Wrap };

/// Numbers drawn one after the other from a seed (xorshift).
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Dice {
        let mut dice = Dice(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
        dice.below(2);
        dice
    }

    pub fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % n
    }

    /// True once in n times.
    pub fn once_in(&mut self, n: u64) -> bool {
        self.below(n) == 0
    }

    fn point(&mut self, program: &Program) -> PointId {
        PointId::from(self.below(program.defs[0].points.len() as u64) as usize)
    }
}

const POINTS: usize = 4;

/// A program of two definitions, three processes and three channels. With an odd seed no channel is for
/// rendezvous, and nothing waits for a timeout.
pub fn draw(seed: u64) -> Program {
    let mut dice = Dice::new(seed);
    let stack = dice.once_in(2);
    let lifecycle = if stack { Lifecycle::Stack } else { Lifecycle::Slots };
    let mut program = Program { lifecycle, call_depth: 2, ..Program::default() };
    for name in ["x", "y"] {
        variable(&mut program, name, VarKind::Shared);
    }
    program.vars.iter_mut().for_each(|v| v.ty = SMALL);
    for _ in 0..3 {
        let (capacity, fields) = (dice.below(3) as u32, 1 + dice.below(2) as usize);
        let capacity = if seed % 2 == 1 { capacity.max(1) } else { capacity };
        let c = channel(&mut program, capacity, fields);
        program.channels[c.index()].fields.fill(SMALL);
    }
    assertion(&mut program);
    for name in ["p", "q"] {
        let code = Code::new(POINTS, 2);
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
    for point in &mut program.defs[def].points[..POINTS - 1] {
        *point = ProgramPoint { end: dice.once_in(6), ..ProgramPoint::default() };
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
    let source = PointId::from(dice.below(POINTS as u64 - 1) as usize);
    // Mostly forward, so that most programs are small.
    let target = match dice.once_in(4) {
        true => dice.point(program),
        false => PointId::from((source.index() + 1 + dice.below(2) as usize).min(POINTS - 1)),
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
    let sends = matches!(step.channel, Some(ChannelOp::Send { .. }));
    step.drains = sends && dice.once_in(2);
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

fn place(dice: &mut Dice) -> Lvalue {
    match dice.below(4) {
        0 => Lvalue::Reg(RegId(0)),
        1 => Lvalue::Reg(RegId(1)),
        2 => Lvalue::Var(VarId(0)),
        _ => Lvalue::Var(VarId(1)),
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
    let meets = program.channels.iter().any(|c| c.capacity == 0);
    match dice.below(10) {
        0 if !property && meets => Expr::Timeout,
        1 => Expr::At(other, vec![dice.point(program)]),
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

/// One of the memory models, with small buffers.
pub fn memory(seed: u64) -> Memory {
    match seed % 5 {
        0 | 1 => Memory::new(MemoryModel::Sc),
        2 => Memory::new(MemoryModel::Tso).bounded(Some(1 + (seed / 5 % 2) as u32)),
        3 => Memory::new(MemoryModel::Delayed),
        _ => Memory::new(MemoryModel::Pso).bounded(Some(1)),
    }
}

/// Whether a process may come back to where it was without ever letting go of the others: SPIN then does
/// not end.
pub fn holds_in_a_circle(program: &Program) -> bool {
    program.defs.iter().any(|def| {
        // Steps that hold and lead back, directly or not: repeat until nothing is added.
        let mut reached = vec![vec![false; def.points.len()]; def.points.len()];
        for _ in 0..=def.points.len() {
            for step in def.steps.iter().filter(|s| s.holds) {
                let Control::Goto(to) = step.target else { continue };
                let (from, to) = (step.source.index(), to.index());
                for (origin, reached) in reached.iter_mut().enumerate() {
                    reached[to] |= origin == from || reached[from];
                }
            }
        }
        (0..def.points.len()).any(|l| reached[l][l])
    })
}
