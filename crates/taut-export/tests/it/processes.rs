//! How processes come, go and wait for each other, exported and run in SPIN for real.

use crate::support;

use support::*;
use taut_ir::{
    BinaryOp, ChannelOp, Control, DefId, Effect, Expr, Fault, FullBuffer, Lifecycle, Lvalue,
    Memory, MemoryModel, PointId, ProcId, Program, RegId, Start, VarKind,
};

/// A process that sends on a full channel or, if it cannot, asserts false.
#[test]
fn else_yields_to_a_send_that_has_room() {
    let program = |capacity: u32, yields: bool| {
        let mut program = with_sender(capacity, 1, &[]);
        let property = assertion(&mut program);
        let mut process = Code::new(2, 0);
        process.send(0, 1, C, &[1]);
        let first = last(&process);
        let step = process.assert(0, 1, property, Expr::Const(0));
        if yields {
            step.yields_to = vec![first];
        }
        process.run(&mut program, "process");
        program
    };
    expect(&program(1, true), sc(), NONE);
    expect(&program(1, false), sc(), WRONG);
    // What counts as something to yield to depends on who else is there: that is not written out.
    let refused = taut_export::promela(&program(0, true), sc()).expect_err("no such export");
    assert!(refused.to_string().contains("yields to a rendezvous"), "{refused}");
}

#[test]
fn a_process_holds_the_others_until_it_blocks() {
    let program = |holds: bool, blocks: bool| {
        let mut program = Program::default();
        let x = variable(&mut program, "x", VarKind::Shared);
        let y = variable(&mut program, "y", VarKind::Shared);
        let mut holder = Code::new(4, 0);
        holder.assign(0, 1, Lvalue::Var(x), 1).holds = holds;
        let step = holder.step(1, 2);
        step.holds = holds;
        step.guard = if blocks { is(y, 1) } else { Expr::TRUE };
        holder.assign(2, 3, Lvalue::Var(x), 2);
        holder.run(&mut program, "holder");
        let mut other = Code::new(2, 0);
        other.assign(0, 1, Lvalue::Var(y), 1).guard = is(x, 1);
        other.def.points[0].end = true;
        other.run(&mut program, "other");
        forbid(&mut program, is(y, 1));
        program
    };
    expect(&program(true, false), sc(), NONE);
    expect(&program(false, false), sc(), WRONG);
    expect(&program(true, true), sc(), WRONG);
}

#[test]
fn properties_do_not_look_at_held_states() {
    let program = |holds: bool| {
        let mut program = Program::default();
        let x = variable(&mut program, "x", VarKind::Shared);
        let mut process = Code::new(3, 0);
        process.assign(0, 1, Lvalue::Var(x), 1).holds = holds;
        process.assign(1, 2, Lvalue::Var(x), 2);
        process.run(&mut program, "process");
        forbid(&mut program, is(x, 1));
        program
    };
    // A step without the hold needs something else that asks for the machine.
    let machine = |holds: bool| {
        let mut program = program(holds);
        program.lifecycle = Lifecycle::Stack;
        program
    };
    expect(&machine(true), sc(), NONE);
    expect(&machine(false), sc(), WRONG);
}

#[test]
fn a_full_buffer_makes_a_process_lose_its_hold() {
    let program = || {
        let mut program = Program::default();
        let [x, y] = ["x", "y"].map(|name| variable(&mut program, name, VarKind::Shared));
        let mut holder = Code::new(3, 0);
        holder.assign(0, 1, Lvalue::Var(x), 1).holds = true;
        holder.assign(1, 2, Lvalue::Var(y), 1);
        holder.run(&mut program, "holder");
        let between = is(x, 1).and(is(y, 0)).and(Expr::At(ProcId(0), vec![PointId(1)]));
        forbid(&mut program, between);
        program
    };
    expect(&program(), sc(), NONE);
    expect(&program(), tso(2), NONE);
    expect(&program(), tso(1), WRONG);
    let error = Memory { full_buffer: FullBuffer::Error, ..tso(1) };
    expect(&program(), error, WRONG);
    expect(&program(), Memory { full_buffer: FullBuffer::Error, ..tso(2) }, NONE);
}

/// No commit makes room for a step with more stores than a buffer has entries: the bound is to blame, so the
/// state is no deadlock.
#[test]
fn a_step_with_more_stores_than_a_buffer_has_entries_is_no_deadlock() {
    let mut program = Program::default();
    let x = variable(&mut program, "x", VarKind::Shared);
    let mut process = Code::new(2, 0);
    let step = process.assign(0, 1, Lvalue::Var(x), 1);
    step.effects.push(Effect::assign(Lvalue::Var(x), 2));
    process.run(&mut program, "process");
    for bound in [1, 2] {
        expect(&program, tso(bound), NONE);
        expect(&program, Memory::new(MemoryModel::Pso).bounded(Some(bound)), NONE);
    }
}

#[test]
fn a_timeout_waits_until_nothing_can_happen() {
    let program = |guard: Expr| {
        let mut program = Program::default();
        let x = variable(&mut program, "x", VarKind::Shared);
        let property = assertion(&mut program);
        let mut writer = Code::new(2, 0);
        writer.assign(0, 1, Lvalue::Var(x), 1);
        writer.run(&mut program, "writer");
        let mut waiter = Code::new(2, 0);
        waiter.assert(0, 1, property, is(x, 1)).guard = guard;
        waiter.run(&mut program, "waiter");
        program
    };
    for memory in [sc(), tso(2)] {
        expect(&program(Expr::Timeout), memory, NONE);
        expect(&program(Expr::TRUE), memory, WRONG);
        expect(&program(Expr::Timeout.not()), memory, WRONG);
        expect(&program(Expr::Timeout.and(Expr::Const(0))), memory, STUCK);
    }
}

#[test]
fn a_rendezvous_can_wait_for_a_timeout() {
    let program = |timeout: bool| {
        let sender = with_sender(0, 1, &[&[1]]);
        let mut program = receives(sender, vec![bind(0)], Expr::TRUE);
        if timeout {
            program.defs[0].steps[0].guard = Expr::Timeout;
        }
        let busy = DefId(2);
        let mut other = Code::new(2, 0);
        other.step(0, 1);
        assert_eq!(other.define(&mut program, "other"), busy);
        process(&mut program, "other", busy, Start::Initially);
        let early =
            Expr::At(ProcId(1), vec![PointId(1)]).and(Expr::At(ProcId(2), vec![PointId(0)]));
        forbid(&mut program, early);
        program
    };
    expect(&program(true), sc(), NONE);
    expect(&program(false), sc(), WRONG);
}

/// A parent that spawns a child twice, keeping pids; the child exits if it may.
fn family(slots: usize, exits: bool) -> Program {
    let mut program = Program { lifecycle: Lifecycle::Stack, ..Program::default() };
    let mut child = Code::new(2, 1);
    child.def.params = 1;
    let step = child.step(0, 1);
    if exits {
        step.target = Control::Exit;
    }
    let child = child.define(&mut program, "child");
    let property = assertion(&mut program);
    let mut parent = Code::new(4, 2);
    for i in 0..2 {
        let (pid, args) = (Some(Lvalue::Reg(RegId(i))), vec![Expr::Const(3)]);
        parent.step(i, i + 1).effects.push(Effect::Spawn { def: child, args, pid });
    }
    let numbers = is(reg(0), 1).and(is(reg(1), 2));
    parent.assert(2, 3, property, numbers);
    parent.run(&mut program, "parent");
    for i in 0..slots {
        process(&mut program, &format!("child{i}"), child, Start::Spawned);
    }
    program
}

#[test]
fn processes_are_numbered_in_the_order_of_their_start() {
    expect(&family(2, false), sc(), NONE);
    // With exits the second child may be number 1 again.
    expect(&family(2, true), sc(), WRONG);
    // Without a second slot the parent is held back, which is no deadlock.
    expect(&family(1, false), sc(), NONE);
}

#[test]
fn only_the_youngest_exits() {
    let program = |elder_first: bool| {
        let mut program = Program { lifecycle: Lifecycle::Stack, ..Program::default() };
        for (i, name) in ["elder", "younger"].into_iter().enumerate() {
            let mut code = Code::new(2, 0);
            code.def.points[1].end = false;
            let step = code.step(0, 1);
            if (i == 0) == elder_first {
                step.target = Control::Exit;
            }
            code.def.points[1].end = (i == 0) != elder_first;
            code.run(&mut program, name);
        }
        program
    };
    expect(&program(true), sc(), STUCK);
    expect(&program(false), sc(), NONE);
}

#[test]
fn an_exit_waits_for_the_buffer() {
    let mut program = Program { lifecycle: Lifecycle::Stack, ..Program::default() };
    let x = variable(&mut program, "x", VarKind::Shared);
    let mut watcher = Code::new(2, 0);
    watcher.step(0, 1).guard = is(Expr::Processes, 1);
    watcher.run(&mut program, "watcher");
    let mut writer = Code::new(2, 0);
    writer.assign(0, 1, Lvalue::Var(x), 1);
    writer.step(1, 1).target = Control::Exit;
    writer.run(&mut program, "writer");
    forbid(&mut program, is(Expr::Processes, 1).and(is(x, 0)));
    for memory in [sc(), tso(1), Memory::new(MemoryModel::Pso).bounded(Some(2))] {
        expect(&program, memory, NONE);
    }
    forbid(&mut program, Expr::Alive(ProcId(1)).not());
    expect(&program, tso(1), WRONG);
}

#[test]
fn steps_look_into_other_processes() {
    let program = |look: Expr| {
        let mut program = Program { lifecycle: Lifecycle::Stack, ..Program::default() };
        let mut one = Code::new(2, 1);
        one.assign(0, 1, Lvalue::Reg(RegId(0)), 7);
        one.run(&mut program, "one");
        let mut other = Code::new(2, 0);
        other.step(0, 1).guard = look;
        other.run(&mut program, "other");
        program
    };
    let one = |e: Expr| Expr::In(ProcId(0), Box::new(e));
    expect(&program(Expr::At(ProcId(0), vec![PointId(1)])), sc(), NONE);
    expect(&program(Expr::At(ProcId(0), vec![])), sc(), STUCK);
    expect(&program(is(one(reg(0)), 7)), sc(), NONE);
    expect(&program(is(one(reg(0)), 8)), sc(), STUCK);
    expect(&program(is(Expr::Pid, 1)), sc(), NONE);
    expect(&program(is(one(Expr::Pid), 1)), sc(), STUCK);
    expect(&program(Expr::Alive(ProcId(0))), sc(), NONE);
}

#[test]
fn own_channels_are_new_with_each_process() {
    let mut program = Program { lifecycle: Lifecycle::Stack, ..Program::default() };
    let c = channel(&mut program, 1, 1);
    let mut child = Code::new(2, 1);
    child.def.channel_registers = vec![(RegId(0), 0)];
    let step = child.send(0, 1, c, &[1]);
    if let Some(ChannelOp::Send { channel, .. }) = &mut step.channel {
        *channel = reg(0);
    }
    child.step(1, 1).target = Control::Exit;
    child.def.points[1].end = false;
    let child = child.define(&mut program, "child");
    let mut parent = Code::new(4, 0);
    for i in 0..2 {
        let step = parent.step(i, i + 1);
        step.effects.push(Effect::Spawn { def: child, args: vec![], pid: None });
        step.guard = is(Expr::Processes, 1);
    }
    parent.step(2, 3).guard = is(Expr::Processes, 1);
    parent.run(&mut program, "parent");
    process(&mut program, "child", child, Start::Spawned);
    program.processes[1].channels = vec![c];
    expect(&program, sc(), NONE);
    // The same without a second channel of its own: the message of the first child is in the way.
    program.defs[0].channel_registers.clear();
    program.defs[0].registers[0].init = vec![c.value()];
    program.processes[1].channels.clear();
    expect(&program, sc(), STUCK);
}

#[test]
fn a_step_that_fails_is_an_error() {
    let program = |guard: i64| {
        let mut program = Program::default();
        let mut process = Code::new(2, 0);
        let step = process.step(0, 1);
        step.guard = Expr::Const(guard);
        step.effects.push(Effect::Fail(Fault::Blocked));
        process.def.points[0].end = true;
        process.run(&mut program, "process");
        program
    };
    expect(&program(1), sc(), WRONG);
    expect(&program(0), sc(), NONE);
}

#[test]
fn nothing_comes_after_a_fault() {
    let mut program = with_sender(1, 1, &[&[0]]);
    let mut process = Code::new(3, 1);
    let quotient = Expr::Binary(BinaryOp::Div, Box::new(1.into()), Box::new(reg(0)));
    process.assign(0, 1, Lvalue::Reg(RegId(0)), quotient);
    // A deadlock, if the process ever got here.
    process.step(1, 2).guard = Expr::Const(0);
    process.run(&mut program, "process");
    expect(&program, sc(), WRONG);
}
