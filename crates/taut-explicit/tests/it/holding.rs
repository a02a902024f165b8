//! Steps that hold, that yield, and that wait for a timeout, by hand.

use crate::common;

use std::time::Duration;

use common::{Sketch, bind, equals, receive, send, set, step};
use taut_explicit::{Completion, Limit, Limits, Order, SearchOptions, explore};
use taut_ir::{
    BinaryOp, Effect, Expr, Finding, Lvalue, Memory, MemoryModel, PropertyKind, RegId, Step,
    StepId, Type, VarKind,
};

/// A step after which the process holds the others.
fn holding(source: u32, target: u32) -> Step {
    Step { holds: true, ..step(source, target) }
}

#[test]
fn held_states_are_passed_through() {
    let mut s = Sketch::new();
    let x = s.var(VarKind::Ghost, Type::INT);
    let store = |value| vec![set(x, value)];
    let steps = vec![
        Step { effects: store(1), ..holding(0, 1) },
        Step { effects: store(2), ..holding(1, 2) },
        Step { effects: store(3), ..step(2, 3) },
    ];
    s.process(&[3], steps);
    s.process(&[1], vec![step(0, 1)]);
    s.property(PropertyKind::Forbid(Expr::from(x).equals(2.into())));
    let three = s.property(PropertyKind::Forbid(Expr::from(x).equals(3.into())));
    let result = s.explore(MemoryModel::Sc);
    assert_eq!(result.stats.states, 4);
    // The chain of three from two states, the single step from two.
    assert_eq!(result.stats.transitions, 3 + 3 + 1 + 1);
    assert_eq!(result.found.len(), 1, "nobody looks at transient states");
    assert_eq!(result.found[0].finding, Finding::Property(three));
    assert_eq!(result.found[0].actions.len(), 3, "all actions of the chain are in the run");
    assert_eq!(result.stats.depth, 2, "a chain counts once");
}

#[test]
fn who_cannot_go_on_holds_nobody() {
    let mut s = Sketch::new();
    let x = s.var(VarKind::Ghost, Type::INT);
    let wait = Step { guard: Expr::from(x).equals(1.into()), ..holding(1, 2) };
    s.process(&[3], vec![holding(0, 1), wait, step(2, 3)]);
    s.process(&[1], vec![Step { effects: vec![set(x, 1)], ..step(0, 1) }]);
    let result = s.explore(MemoryModel::Sc);
    // (0,0) (1,0) (0,1) (1,1), where p goes on from the last one; from (0,1) it never stops at 1.
    let from_blocked = 1;
    assert_eq!(result.stats.states, 3 + from_blocked + 1);
    assert!(result.found.is_empty());
}

#[test]
fn a_finding_inside_a_chain_has_a_run() {
    let mut s = Sketch::new();
    let property = s.property(PropertyKind::Assert);
    let fails = Effect::Assert { condition: 0.into(), property };
    let steps = vec![holding(0, 1), Step { effects: vec![fails], ..holding(1, 2) }, step(2, 3)];
    s.process(&[3], steps);
    let result = s.explore(MemoryModel::Sc);
    assert_eq!(result.stats.states, 2);
    assert_eq!(result.found[0].finding, Finding::Property(property));
    assert_eq!(result.found[0].actions.len(), 2);
}

#[test]
fn after_a_rendezvous_it_is_the_receiver_who_holds() {
    let mut s = Sketch::new();
    let c = s.channel(0, 1);
    let meets = |op| Step { channel: op, ..step(0, 1) };
    s.process(&[2], vec![meets(send(c, &[7])), step(1, 2)]);
    let receives = Step { holds: true, ..meets(receive(c, vec![bind()])) };
    s.process(&[2], vec![receives, step(1, 2)]);
    let result = s.explore(MemoryModel::Sc);
    assert_eq!(result.stats.states, 3, "together, then the receiver at once, then the sender");
}

/// A process that counts for ever without letting anybody in.
fn endless(ty: Type) -> Sketch {
    let mut s = Sketch::new();
    let more = Expr::binary(BinaryOp::Add, Expr::Reg(RegId(0)), 1.into());
    let count = Effect::assign(Lvalue::Reg(RegId(0)), more);
    let def = s.def(&[], vec![Step { effects: vec![count], ..holding(0, 0) }]);
    s.0.defs[def.index()].registers[0].ty = ty;
    s.run(def);
    s
}

#[test]
fn a_chain_that_loops_ends() {
    let small = Type { lo: 0, hi: 99, overflow: taut_ir::Overflow::Wrap };
    let result = endless(small).explore(MemoryModel::Sc);
    assert_eq!(result.stats.states, 1);
    assert_eq!(result.stats.transitions, 101, "the last one is the first again");
    assert!(result.found.is_empty());
}

#[test]
fn two_that_hand_the_hold_to_each_other_for_ever_end() {
    let mut s = Sketch::new();
    let (to_p, to_q) = (s.channel(0, 1), s.channel(0, 1));
    let takes = |c, from, to| Step { channel: receive(c, vec![bind()]), ..holding(from, to) };
    let gives = |c, from, to| Step { channel: send(c, &[1]), ..step(from, to) };
    s.process(&[], vec![takes(to_p, 0, 1), gives(to_q, 1, 0)]);
    s.process(&[], vec![gives(to_p, 0, 1), takes(to_q, 1, 2), gives(to_p, 2, 1)]);
    let result = s.explore(MemoryModel::Sc);
    assert_eq!(result.stats.states, 1);
    assert!(result.found.is_empty(), "they go on for ever");
}

#[test]
fn a_chain_without_end_meets_the_limits() {
    let program = endless(Type::INT64).0;
    for order in [Order::Bfs, Order::Dfs] {
        let end = |limits| {
            let options = SearchOptions { order, limits, ..SearchOptions::default() };
            explore(&program, Memory::new(MemoryModel::Sc), &options).completion
        };
        let time = Duration::from_millis(20);
        let timed = Limits { time: Some(time), ..Limits::default() };
        assert_eq!(end(timed), Completion::Limit(Limit::Time(time)));
        let bytes = Some(1 << 20);
        let sized = Limits { bytes, ..Limits::default() };
        assert_eq!(end(sized), Completion::Limit(Limit::Bytes(1 << 20)));
        let interrupted = Limits::default();
        interrupted.interrupt.raise();
        assert_eq!(end(interrupted), Completion::Limit(Limit::Interrupted));
    }
}

#[test]
fn a_step_yields_to_those_that_could_start() {
    let mut s = Sketch::new();
    let c = s.channel(1, 1);
    // `if :: c?r :: c!1 :: else fi`, with a channel of one message: one of the first two always can.
    let steps = vec![
        Step { yields_to: vec![StepId(1), StepId(2)], ..step(0, 2) },
        Step { channel: receive(c, vec![bind()]), ..step(0, 1) },
        Step { channel: send(c, &[1]), ..step(0, 0) },
    ];
    s.process(&[1], steps);
    let result = s.explore(MemoryModel::Sc);
    assert_eq!(result.reached, [vec![false, true, true]]);
    assert_eq!(result.stats.states, 3);
}

#[test]
fn a_send_that_somebody_would_receive_comes_first() {
    for wanted in [1, 2] {
        let mut s = Sketch::new();
        let c = s.channel(0, 1);
        let steps = vec![
            Step { channel: send(c, &[1]), ..step(0, 1) },
            Step { yields_to: vec![StepId(0)], ..step(0, 1) },
        ];
        s.process(&[1], steps);
        let receives = Step { channel: receive(c, vec![equals(wanted)]), ..step(0, 1) };
        s.process(&[0, 1], vec![receives]);
        let result = s.explore(MemoryModel::Sc);
        let meet = wanted == 1;
        assert_eq!(result.reached, [vec![meet, !meet], vec![meet]]);
        assert_eq!(result.stats.states, 2);
    }
}

#[test]
fn the_receive_of_a_rendezvous_comes_first_only_among_receives() {
    let mut s = Sketch::new();
    let c = s.channel(0, 1);
    s.process(&[0, 1], vec![Step { channel: send(c, &[1]), ..step(0, 1) }]);
    let receiver = vec![
        Step { channel: receive(c, vec![equals(1)]), ..step(0, 1) },
        Step { channel: receive(c, vec![bind()]), yields_to: vec![StepId(0)], ..step(0, 2) },
        Step { yields_to: vec![StepId(0)], ..step(0, 3) },
    ];
    s.process(&[1, 2, 3], receiver);
    let result = s.explore(MemoryModel::Sc);
    assert_eq!(result.reached, [vec![true], vec![true, false, true]]);
    assert_eq!(result.stats.states, 3);
}

#[test]
fn many_alternatives_yield_as_few_do() {
    let mut s = Sketch::new();
    let x = s.var(VarKind::Ghost, Type::INT);
    let when = |v: i64| Step { guard: Expr::from(x).equals(v.into()), ..step(0, 1) };
    let mut steps: Vec<_> = (1..=100).map(when).collect();
    let all: Vec<_> = (0..100).map(StepId).collect();
    steps.push(Step { yields_to: all, effects: vec![set(x, 70)], ..step(0, 0) });
    s.process(&[1], steps);
    let result = s.explore(MemoryModel::Sc);
    let reached: Vec<_> = (0..101).filter(|&i| result.reached[0][i]).collect();
    assert_eq!(reached, [69, 100]);
    assert_eq!(result.stats.states, 3);
}

#[test]
fn a_timeout_comes_when_nothing_else_can_happen() {
    let mut s = Sketch::new();
    let x = s.var(VarKind::Shared, Type::INT);
    let waits = Step { guard: Expr::Timeout, ..step(0, 1) };
    s.process(&[1], vec![waits]);
    let never = Step { guard: Expr::Timeout.not().and(0.into()), ..step(1, 2) };
    s.process(&[1, 2], vec![Step { effects: vec![set(x, 1)], ..step(0, 1) }, never]);
    let early = Expr::At(taut_ir::ProcId(0), vec![taut_ir::PointId(1)]);
    s.property(PropertyKind::Forbid(early.and(Expr::from(x).equals(0.into()))));
    // Under TSO the commit comes first as well.
    for (model, states) in [(MemoryModel::Sc, 3), (MemoryModel::Tso, 4)] {
        let result = s.explore(model);
        assert_eq!(result.stats.states, states);
        assert!(result.found.is_empty());
    }
}

#[test]
fn a_full_buffer_loses_the_hold_and_meets_the_bound() {
    let mut s = Sketch::new();
    let x = s.var(VarKind::Shared, Type::INT);
    let store = |i: u32| Step { effects: vec![set(x, 1)], ..holding(i, i + 1) };
    s.process(&[9], (0..9).map(store).collect());
    s.process(&[1], vec![step(0, 1)]);
    let result = s.explore(MemoryModel::Tso);
    assert!(result.bounds_met.buffer);
    assert!(result.found.is_empty());
}
