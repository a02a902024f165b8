//! What sends and receives mean: when they can happen, in which order, and what can go wrong.

use crate::common;

use std::collections::BTreeSet;

use common::code::*;
use common::*;
use taut_ir::MemoryModel::{Sc, Tso};
use taut_ir::{
    BinaryOp, ChannelOp, ChannelQuery, Effect, Expr, Fault, Finding, Lvalue, Memory, Mode,
    Overflow, Pattern, Poll, Program, RegId, Type, VarId,
};
use taut_witness::{Machine, Refusal, Target};

const SC: fn() -> Memory = || Memory::new(Sc);

fn findings(program: &Program) -> BTreeSet<Finding> {
    all_of(program, SC()).findings
}

fn fault(fault: Fault) -> BTreeSet<Finding> {
    BTreeSet::from([Finding::Fault(fault)])
}

/// One process sends 1 and 2, another receives twice.
fn two_messages(capacity: u32) -> Program {
    let p = vec![edge(0, 1).on(send(0, &[1.into()])), edge(1, 2).on(send(0, &[2.into()]))];
    let q =
        vec![edge(0, 1).on(receive(0, &[into_reg(0)])), edge(1, 2).on(receive(0, &[into_reg(0)]))];
    let code = vec![code("p", &[], p), code("q", &["r"], q)];
    checked(program(vec![], vec![channel("c", capacity, 1)], code))
}

#[test]
fn a_channel_holds_as_many_messages_as_it_has_room_for() {
    // The states are the pairs of messages sent and received.
    for (capacity, states) in [(0, 3), (1, 5), (2, 6), (3, 6)] {
        let program = two_messages(capacity);
        let all = all_of(&program, SC());
        assert_eq!(all.states, states, "capacity {capacity}");
        assert!(all.findings.is_empty());
        assert_eq!(register_outcomes(&program, Sc), set([[2]]));
    }
    let program = two_messages(1);
    let machine = Machine::new(&program, SC());
    let c = taut_ir::ChanId(0);
    assert_eq!(refusal(&machine, &[step(0, 0)], step(0, 1)), Refusal::ChannelFull(c));
    assert_eq!(refusal(&machine, &[], step(1, 0)), Refusal::ChannelEmpty(c));
    assert_eq!(refusal(&machine, &[], shake(0, 0, 1, 0)), Refusal::NoRendezvous);
}

/// One process does one thing after the other on a channel with three places and two fields.
fn alone(registers: &[&str], ops: Vec<ChannelOp>) -> Program {
    let steps = ops.into_iter().zip(0..).map(|(op, i)| edge(i, i + 1).on(op));
    let p = code("p", registers, steps.collect());
    checked(program(vec![shared("x")], vec![channel("c", 3, 2)], vec![p]))
}

fn contents(program: &Program) -> Vec<Vec<i64>> {
    let machine = Machine::new(program, SC());
    let all: Vec<_> = (0..program.defs[0].steps.len() as u32).map(|i| step(0, i)).collect();
    after(&machine, &all).channels[0].clone()
}

#[test]
fn messages_are_made_to_fit_the_channel() {
    let three: [Expr; 3] = [5.into(), 6.into(), bad()];
    assert_eq!(contents(&alone(&[], vec![send(0, &three)])), [[5, 6]], "too much is dropped");
    assert_eq!(contents(&alone(&[], vec![send(0, &[5.into()])])), [[5, 0]], "the rest is 0");
    let mut wraps = alone(&[], vec![send(0, &[257.into()])]);
    wraps.channels[0].fields[0] = Type { lo: 0, hi: 255, overflow: Overflow::Wrap };
    assert_eq!(contents(&wraps), [[1, 0]]);
    wraps.channels[0].fields[0].overflow = Overflow::Fault;
    assert_eq!(findings(&wraps), fault(Fault::Range));
}

#[test]
fn a_sorted_send_goes_before_the_first_greater_message() {
    let sorted = |a: i64, b: i64| ChannelOp::Send {
        channel: named(0),
        message: vec![a.into(), b.into()],
        sorted: true,
    };
    let program = alone(&[], vec![sorted(2, 1), sorted(1, 9), sorted(2, 0)]);
    assert_eq!(contents(&program), [[1, 9], [2, 0], [2, 1]]);
    // Only the messages before it are looked at from the front: this is no sort of the rest.
    let program = alone(&[], vec![send(0, &[3.into()]), send(0, &[1.into()]), sorted(2, 0)]);
    assert_eq!(contents(&program), [[2, 0], [3, 0], [1, 0]]);
}

fn receiving(pattern: &[Pattern], anywhere: bool, keep: bool) -> Program {
    let last = ChannelOp::Receive { channel: named(0), pattern: pattern.to_vec(), anywhere, keep };
    let sends = [send(0, &[1.into(), 2.into()]), send(0, &[3.into(), 4.into()])];
    alone(&["a", "b"], sends.into_iter().chain([last]).collect())
}

#[test]
fn a_receive_takes_the_first_message_or_the_first_that_matches() {
    let three = [Pattern::Match(3.into()), into_reg(1)];
    let first = receiving(&three, false, false);
    let sent = [step(0, 0), step(0, 1)];
    let no_match = Refusal::NoMatch(taut_ir::ChanId(0));
    assert_eq!(refusal(&Machine::new(&first, SC()), &sent, step(0, 2)), no_match);
    assert_eq!(findings(&first), BTreeSet::from([Finding::Deadlock]));
    let anywhere = receiving(&three, true, false);
    assert_eq!(contents(&anywhere), [[1, 2]]);
    assert_eq!(register_outcomes(&anywhere, Sc), set([[0, 4]]));
    let kept = receiving(&[into_reg(0), into_reg(1)], false, true);
    assert_eq!(contents(&kept), [[1, 2], [3, 4]]);
    assert_eq!(register_outcomes(&kept, Sc), set([[1, 2]]));
    let ignored = receiving(&[Pattern::Any], false, false);
    assert_eq!(contents(&ignored), [[3, 4]]);
    let beyond = receiving(&[Pattern::Any, Pattern::Any, into_reg(0)], false, false);
    assert_eq!(register_outcomes(&beyond, Sc), set([[0, 0]]), "a field that is not there is 0");
}

#[test]
fn all_matches_are_decided_first_and_fields_assigned_one_after_the_other() {
    // `c?a, eval(a + 2)`: what a was, not what it becomes.
    let a = || Expr::Reg(RegId(0));
    let old = Pattern::Match(Expr::binary(BinaryOp::Add, a(), 2.into()));
    let program = receiving(&[into_reg(0), old], false, false);
    assert_eq!(register_outcomes(&program, Sc), set([[1, 0]]));
    // `c?a, list[a]`: the element that a has become.
    let mut program = receiving(&[], false, false);
    let list = Pattern::Bind(Lvalue::RegElem(RegId(1), a()));
    program.defs[0].steps[2].channel = Some(receive(0, &[into_reg(0), list]));
    program.defs[0].registers[1].len = Some(2);
    program.defs[0].registers[1].init = vec![0, 0];
    let program = checked(program);
    let machine = Machine::new(&program, SC());
    let end = after(&machine, &[step(0, 0), step(0, 1), step(0, 2)]);
    assert_eq!(end.processes[0].registers, [vec![1], vec![0, 2]]);
    // A match that cannot be computed is a fault even if another match fails.
    let both = [Pattern::Match(9.into()), Pattern::Match(bad())];
    assert_eq!(findings(&receiving(&both, false, false)), fault(Fault::DivisionByZero));
}

#[test]
fn a_received_value_is_stored_like_any_other() {
    let mut program = alone(&[], vec![send(0, &[7.into()]), receive(0, &[into_var(0)])]);
    let tso = Memory::new(Tso);
    let done = |program: &Program, memory| {
        let machine = Machine::new(program, memory);
        machine.apply(&after(&machine, &[step(0, 0)]), step(0, 1))
    };
    let moved = done(&program, tso).unwrap();
    assert_eq!(moved.record.writes[0].to, Target::Buffer);
    assert_eq!(moved.record.message.map(|m| m.values), Some(vec![7, 0]));
    let x = taut_witness::Address { var: VarId(0), index: 0 };
    assert_eq!(done(&program, tso.bounded(Some(0))), Err(Refusal::BufferFull(x)));
    let all = all_of(&program, tso.bounded(Some(0)));
    assert!(all.bounds.buffer && all.findings.is_empty(), "a bound is no deadlock");
    program.defs[0].steps[1].mode = Mode::Locked;
    assert_eq!(done(&program, tso).unwrap().record.writes[0].to, Target::Memory);
    program.vars[0].ty = Type::range(0, 6);
    assert_eq!(findings(&program), fault(Fault::Range));
}

#[test]
fn what_comes_first_is_looked_at_first() {
    let with = |step: taut_ir::Step| {
        checked(program(vec![], vec![channel("c", 1, 1)], vec![code("p", &[], vec![step])]))
    };
    let nowhere = ChannelOp::Send { channel: 0.into(), message: vec![], sorted: false };
    let beyond = ChannelOp::Send { channel: 2.into(), message: vec![], sorted: false };
    assert_eq!(findings(&with(edge(0, 1).on(nowhere.clone()))), fault(Fault::Channel));
    assert_eq!(findings(&with(edge(0, 1).on(beyond))), fault(Fault::Channel));
    let stuck = BTreeSet::from([Finding::Deadlock]);
    assert_eq!(findings(&with(edge(0, 1).when(0.into()).on(nowhere))), stuck, "the guard first");
    let empty = receive(0, &[Pattern::Match(bad())]);
    assert_eq!(findings(&with(edge(0, 1).on(empty))), stuck, "the message before its pattern");
    let full =
        with(edge(0, 0).on(send(0, &[Expr::Channel(ChannelQuery::Length, Box::new(named(0)))])));
    assert_eq!(all_of(&full, SC()).states, 2);
    let mut full = full;
    full.defs[0].steps.push(edge(0, 0).when(full_c()).on(send(0, &[bad()])));
    assert_eq!(findings(&checked(full)), stuck, "the room before the message");
    let fails = with(edge(0, 1).on(send(0, &[1.into()])).does(Effect::Fail(Fault::Blocked)));
    assert_eq!(findings(&fails), fault(Fault::Blocked));
}

fn full_c() -> Expr {
    Expr::Channel(ChannelQuery::Full, Box::new(named(0)))
}

#[test]
fn questions_about_channels() {
    let ask = |query, c: u32| Expr::Channel(query, Box::new(named(c)));
    let poll = |c: u32, anywhere| {
        let pattern = vec![Some(3.into()), None];
        Expr::Poll(Box::new(Poll { channel: named(c), pattern, anywhere }))
    };
    let is = |e: Expr, value: i64| e.equals(value.into());
    let mut program = alone(&[], vec![send(0, &[1.into()]), send(0, &[3.into()])]);
    program.channels.push(channel("meet", 0, 2));
    let questions = [
        (is(ask(ChannelQuery::Length, 0), 2), true),
        (ask(ChannelQuery::Full, 0), false),
        (ask(ChannelQuery::Empty, 0), false),
        (is(ask(ChannelQuery::Length, 1), 0), true),
        (ask(ChannelQuery::Full, 1), true),
        (ask(ChannelQuery::Empty, 1), true),
        (poll(0, false), false),
        (poll(0, true), true),
        (poll(1, true), false),
    ];
    for (i, (question, answer)) in questions.into_iter().enumerate() {
        let mut program = program.clone();
        let guard = if answer { question } else { question.not() };
        let steps = [program.defs[0].steps.clone(), vec![edge(2, 3).when(guard)]].concat();
        program.defs[0] = code("p", &[], steps);
        assert_eq!(all_of(&checked(program), SC()).states, 4, "question {i}");
    }
    let nothing = Expr::Channel(ChannelQuery::Length, Box::new(9.into()));
    let asks = code("p", &[], vec![edge(0, 1).when(nothing)]);
    let asks = checked(common::code::program(vec![], vec![], vec![asks]));
    assert_eq!(findings(&asks), fault(Fault::Channel));
}

/// One process with two steps from program point 0 to 1 and 2; the second yields to the first.
fn yielding(first: taut_ir::Step, capacity: u32) -> Program {
    let steps = vec![first, edge(0, 2).yields(&[0])];
    checked(program(
        vec![shared("x")],
        vec![channel("c", capacity, 1)],
        vec![code("p", &[], steps)],
    ))
}

fn choices(program: &Program, memory: Memory) -> Vec<taut_ir::Action> {
    let machine = Machine::new(program, memory);
    machine.actions(&machine.initial())
}

#[test]
fn a_step_yields_to_what_could_start() {
    let (one, other) = (vec![step(0, 0)], vec![step(0, 1)]);
    let choose = |first, capacity| choices(&yielding(first, capacity), SC());
    assert_eq!(choose(edge(0, 1), 1), one);
    assert_eq!(choose(edge(0, 1).when(0.into()), 1), other);
    assert_eq!(choose(edge(0, 1).when(bad()), 1), one, "a guard that faults counts");
    assert_eq!(choose(edge(0, 1).on(send(0, &[bad()])), 1), one, "there is room");
    assert_eq!(choose(edge(0, 1).on(receive(0, &[])), 1), other, "there is no message");
    assert_eq!(choose(edge(0, 1).on(send(0, &[])), 0), other, "a rendezvous never counts");
    let none =
        ChannelOp::Receive { channel: 0.into(), pattern: vec![], anywhere: false, keep: false };
    assert_eq!(choose(edge(0, 1).on(none), 1), one, "no channel at all counts");
    let yields = yielding(edge(0, 1), 1);
    let machine = Machine::new(&yields, SC());
    let process = taut_ir::ProcId(0);
    let expected = Refusal::Yields { process, to: taut_ir::StepId(0) };
    assert_eq!(refusal(&machine, &[], step(0, 1)), expected);
    assert_eq!(expected.describe(&yields), "it yields to `skip`");
}

#[test]
fn effects_and_what_holds_them_back_do_not_matter_to_those_that_yield() {
    let program = yielding(edge(0, 1).does(set_var(0, 1)), 1);
    let full = Memory::new(Tso).bounded(Some(0));
    assert_eq!(choices(&program, full), []);
    let all = all_of(&program, full);
    assert!(all.bounds.buffer && all.findings.is_empty());
    let fenced = yielding(edge(0, 1).mode(Mode::Fence), 1);
    assert_eq!(choices(&fenced, Memory::new(Tso)), [step(0, 0)]);
}

#[test]
fn yielding_goes_on_from_step_to_step() {
    // 2 yields to 1, which yields to 0: if 0 can start, 1 cannot, and 2 can.
    let with = |guard: i64| {
        let steps =
            vec![edge(0, 1).when(guard.into()), edge(0, 2).yields(&[0]), edge(0, 3).yields(&[1])];
        choices(&checked(program(vec![], vec![], vec![code("p", &[], steps)])), SC())
    };
    assert_eq!(with(1), [step(0, 0), step(0, 2)]);
    assert_eq!(with(0), [step(0, 1)]);
}
