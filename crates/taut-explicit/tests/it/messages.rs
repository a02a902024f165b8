//! Channels and rendezvous by hand.

use crate::common;

use common::{Sketch, bind, equals, receive, register, send, step};
use taut_ir::{
    Action, BinaryOp, ChannelOp, Effect, EffectOrder, Expr, Fault, Finding, Lvalue, MemoryModel,
    Pattern, ProcId, PropertyKind, RegId, Step, Type, VarKind,
};

#[test]
fn messages_arrive_in_order_and_a_full_channel_makes_its_sender_wait() {
    let mut s = Sketch::new();
    let c = s.channel(1, 1);
    let sender = |i: u32| Step { channel: send(c, &[i64::from(i) + 1]), ..step(i, i + 1) };
    s.process(&[3], (0..3).map(sender).collect());
    let receiver = |i: u32| Step { channel: receive(c, vec![bind()]), ..step(i, i + 1) };
    s.process(&[3], (0..3).map(receiver).collect());
    let in_order = |n| register(1).equals(n);
    s.property(PropertyKind::Forbid(in_order(4.into())));
    let three = s.property(PropertyKind::Forbid(in_order(3.into())));
    let result = s.explore(MemoryModel::Sc);
    // Sent and received: (0,0) (1,0) (1,1) (2,1) (2,2) (3,2) (3,3).
    assert_eq!(result.stats.states, 7);
    assert_eq!(result.stats.matched, 0);
    assert_eq!(result.found.len(), 1, "only what was sent arrives, and nothing is stuck");
    assert_eq!(result.found[0].finding, Finding::Property(three));
    assert_eq!(result.found[0].actions.len(), 6);
}

#[test]
fn a_receive_waits_for_a_first_message_that_matches_unless_it_looks_anywhere() {
    for anywhere in [false, true] {
        let mut s = Sketch::new();
        let c = s.channel(2, 2);
        s.process(
            &[2],
            vec![
                Step { channel: send(c, &[1, 5]), ..step(0, 1) },
                Step { channel: send(c, &[2, 6]), ..step(1, 2) },
            ],
        );
        let pattern = vec![equals(2), bind()];
        let channel = c.into();
        let wanted = ChannelOp::Receive { channel, pattern, anywhere, keep: false };
        s.process(&[1], vec![Step { channel: Some(wanted), ..step(0, 1) }]);
        let six = s.property(PropertyKind::Forbid(register(1).equals(6.into())));
        let result = s.explore(MemoryModel::Sc);
        let expected = if anywhere { Finding::Property(six) } else { Finding::Deadlock };
        assert_eq!(result.found.iter().map(|f| f.finding).collect::<Vec<_>>(), [expected]);
    }
}

#[test]
fn a_sorted_send_goes_before_the_first_greater_message_and_a_copy_stays() {
    let mut s = Sketch::new();
    let c = s.channel(3, 1);
    let sorted = |i: u32, v: i64| {
        let op = ChannelOp::Send { channel: c.into(), message: vec![v.into()], sorted: true };
        Step { channel: Some(op), ..step(i, i + 1) }
    };
    let pattern = vec![Pattern::Bind(Lvalue::Reg(RegId(1)))];
    let copy = ChannelOp::Receive { channel: c.into(), pattern, anywhere: false, keep: true };
    let mut steps = vec![sorted(0, 3), sorted(1, 1), sorted(2, 2)];
    steps.push(Step { channel: Some(copy), ..step(3, 4) });
    for (i, value) in [1, 2, 3].into_iter().enumerate() {
        let at = 4 + i as u32;
        steps.push(Step { channel: receive(c, vec![equals(value)]), ..step(at, at + 1) });
    }
    s.process(&[7], steps);
    let result = s.explore(MemoryModel::Sc);
    assert_eq!(result.stats.states, 8, "it comes to its end");
    assert!(result.found.is_empty());
    assert!(result.reached[0].iter().all(|&reached| reached));
}

#[test]
fn a_rendezvous_is_one_action_of_two_processes() {
    let mut s = Sketch::new();
    let c = s.channel(0, 1);
    s.process(&[1], vec![Step { channel: send(c, &[7]), ..step(0, 1) }]);
    s.process(&[1], vec![Step { channel: receive(c, vec![bind()]), ..step(0, 1) }]);
    let refuses = Step { channel: receive(c, vec![equals(8)]), ..step(0, 1) };
    s.process(&[0, 1], vec![refuses]);
    let seven = s.property(PropertyKind::Forbid(register(1).equals(7.into())));
    let result = s.explore(MemoryModel::Sc);
    assert_eq!(result.stats.states, 2);
    assert_eq!(result.found[0].finding, Finding::Property(seven));
    let [Action::Handshake { process, receiver, .. }] = result.found[0].actions[..] else {
        panic!("{:?}", result.found[0].actions);
    };
    assert_eq!((process, receiver), (ProcId(0), ProcId(1)));
    assert_eq!(result.reached, [vec![true], vec![true], vec![false]]);
}

#[test]
fn a_process_does_not_meet_itself() {
    let mut s = Sketch::new();
    let c = s.channel(0, 1);
    let both = vec![
        Step { channel: send(c, &[7]), ..step(0, 1) },
        Step { channel: receive(c, vec![bind()]), ..step(0, 1) },
    ];
    s.process(&[1], both);
    let result = s.explore(MemoryModel::Sc);
    assert_eq!(result.stats.states, 1);
    assert_eq!(result.found[0].finding, Finding::Deadlock);
}

#[test]
fn the_receiver_sees_what_the_sender_did_in_the_same_rendezvous() {
    let mut s = Sketch::new();
    let c = s.channel(0, 1);
    let x = s.var(VarKind::Ghost, Type::INT);
    let effects = vec![common::set(x, 7)];
    s.process(&[1], vec![Step { channel: send(c, &[7]), effects, ..step(0, 1) }]);
    let as_sent = vec![Pattern::Match(x.into())];
    s.process(&[1], vec![Step { channel: receive(c, as_sent), ..step(0, 1) }]);
    let result = s.explore(MemoryModel::Sc);
    assert_eq!(result.stats.states, 2);
    assert!(result.found.is_empty());
}

/// `c!x, x = 10 * x + 2` meets `c?r, x = 10 * x + r + 4`, with x = 1 at first: what x is in the end.
#[test]
fn whose_effects_come_first_is_up_to_the_channel() {
    let ends_with = |order, value: i64| {
        let mut s = Sketch::new();
        let c = s.channel(0, 1);
        s.0.channels[0].order = order;
        let x = s.var(VarKind::Shared, Type::INT);
        s.0.vars[0].init = vec![1];
        let add = |term: Expr| {
            let sum = Expr::binary(BinaryOp::Mul, x.into(), 10.into());
            Effect::assign(Lvalue::Var(x), Expr::binary(BinaryOp::Add, sum, term))
        };
        let message = vec![x.into()];
        let op = ChannelOp::Send { channel: c.into(), message, sorted: false };
        let sent = Step { channel: Some(op), effects: vec![add(2.into())], ..step(0, 1) };
        s.process(&[1], vec![sent]);
        let received = Expr::Reg(RegId(0));
        let effects = vec![add(Expr::binary(BinaryOp::Add, received, 4.into()))];
        s.process(&[1], vec![Step { channel: receive(c, vec![bind()]), effects, ..step(0, 1) }]);
        s.property(PropertyKind::Forbid(Expr::Var(x).equals(value.into())));
        let result = s.explore(MemoryModel::Sc);
        assert_eq!((result.stats.states, result.stats.deadlocks), (2, 0));
        !result.found.is_empty()
    };
    assert!(ends_with(EffectOrder::SenderFirst, 125));
    assert!(ends_with(EffectOrder::ReceiverFirst, 152));
}

#[test]
fn a_receiver_that_comes_first_decides_before_the_sender_does_anything() {
    let states = |order| {
        let mut s = Sketch::new();
        let c = s.channel(0, 1);
        s.0.channels[0].order = order;
        let x = s.var(VarKind::Ghost, Type::INT);
        let effects = vec![common::set(x, 7)];
        s.process(&[1], vec![Step { channel: send(c, &[7]), effects, ..step(0, 1) }]);
        let as_sent = vec![Pattern::Match(x.into())];
        s.process(&[1], vec![Step { channel: receive(c, as_sent), ..step(0, 1) }]);
        let stats = s.explore(MemoryModel::Sc).stats;
        (stats.states, stats.deadlocks)
    };
    assert_eq!(states(EffectOrder::SenderFirst), (2, 0));
    assert_eq!(states(EffectOrder::ReceiverFirst), (1, 1));
}

/// Two processes go wrong or go on; the second may not stop where it then is.
#[test]
fn faults_and_deadlocks_are_counted_by_a_search_that_goes_on() {
    let mut s = Sketch::new();
    let fails = || Step { effects: vec![Effect::Fail(Fault::Blocked)], ..step(0, 1) };
    s.process(&[1], vec![fails(), step(0, 1)]);
    s.process(&[], vec![fails(), fails(), step(0, 1), step(0, 2)]);
    let stats = s.explore(MemoryModel::Sc).stats;
    assert_eq!((stats.states, stats.transitions), (6, 7));
    // The first fails in three states, the second twice in two; both ways of the second end stuck.
    assert_eq!((stats.faults, stats.deadlocks), (3 + 2 * 2, 2));
}

#[test]
fn what_is_received_into_memory_waits_in_the_buffer() {
    let states = |model| {
        let mut s = Sketch::new();
        let c = s.channel(1, 1);
        let x = s.var(VarKind::Shared, Type::INT);
        let into = vec![Pattern::Bind(Lvalue::Var(x))];
        let steps = vec![
            Step { channel: send(c, &[7]), ..step(0, 1) },
            Step { channel: receive(c, into), ..step(1, 2) },
        ];
        s.process(&[2], steps);
        s.explore(model).stats.states
    };
    assert_eq!(states(MemoryModel::Sc), 3);
    assert_eq!(states(MemoryModel::Tso), 4);
    assert_eq!(states(MemoryModel::Pso), 4);
}

#[test]
fn no_channel_is_a_fault_and_so_is_a_sequence_that_blocks() {
    let fault = |step: Step| {
        let mut s = Sketch::new();
        s.channel(1, 1);
        s.process(&[1], vec![step]);
        let result = s.explore(MemoryModel::Sc);
        assert!(result.may_fault);
        result.found[0].finding
    };
    let nowhere = Step { channel: send(0, &[1]), ..step(0, 1) };
    assert_eq!(fault(nowhere), Finding::Fault(Fault::Channel));
    let asks = Expr::Channel(taut_ir::ChannelQuery::Empty, Box::new(2.into()));
    assert_eq!(fault(Step { guard: asks, ..step(0, 1) }), Finding::Fault(Fault::Channel));
    let fails = Step { effects: vec![Effect::Fail(Fault::Blocked)], ..step(0, 1) };
    assert_eq!(fault(fails), Finding::Fault(Fault::Blocked));
}
