//! Channels and rendezvous, exported and run in SPIN for real; and what is refused.

use crate::support;

use support::*;
use taut_ir::{
    ChannelOp, ChannelQuery, Effect, Expr, Lvalue, Memory, MemoryModel, Mode, Pattern, PointId,
    Poll, ProcId, Program, RegId, Type, VarKind,
};

#[test]
fn messages_come_in_order() {
    let program = |value: i64| {
        let sender = with_sender(2, 1, &[&[3], &[4]]);
        receives(sender, vec![bind(0)], is(reg(0), value))
    };
    expect(&program(3), sc(), NONE);
    expect(&program(4), sc(), WRONG);
}

#[test]
fn a_full_channel_makes_a_send_wait() {
    expect(&with_sender(2, 1, &[&[1], &[2]]), sc(), NONE);
    expect(&with_sender(1, 1, &[&[1], &[2]]), sc(), STUCK);
}

#[test]
fn a_receive_waits_for_what_it_matches() {
    let program = |wanted: i64| {
        let sender = with_sender(1, 2, &[&[3, 7]]);
        receives(sender, vec![matching(wanted), bind(0)], is(reg(0), 7))
    };
    expect(&program(3), sc(), NONE);
    expect(&program(4), sc(), STUCK);
}

/// Found by a random program: the export ignored the part of a pattern for which messages have no field.
#[test]
fn a_field_that_messages_do_not_have_is_0_in_a_match() {
    let program = |capacity: u32, wanted: i64| {
        let sender = with_sender(capacity, 1, &[&[3]]);
        receives(sender, vec![bind(0), matching(wanted)], is(reg(0), 3))
    };
    for capacity in [0, 1] {
        expect(&program(capacity, 0), sc(), NONE);
        expect(&program(capacity, 2), sc(), STUCK);
    }
}

#[test]
fn a_field_that_messages_do_not_have_is_0_in_a_match_anywhere() {
    let program = |wanted: [i64; 2]| {
        let sender = with_sender(2, 1, &[&[3], &[4]]);
        let pattern = wanted.map(matching).to_vec();
        let mut program = receives(sender, pattern, Expr::TRUE);
        if let Some(ChannelOp::Receive { anywhere, .. }) = &mut program.defs[1].steps[0].channel {
            *anywhere = true;
        }
        program
    };
    expect(&program([4, 0]), sc(), NONE);
    expect(&program([4, 1]), sc(), STUCK);
}

#[test]
fn a_field_that_messages_do_not_have_is_assigned_0() {
    let program = |capacity: u32, expected: i64| {
        let mut program = with_sender(capacity, 1, &[&[3]]);
        let property = assertion(&mut program);
        let mut receiver = Code::new(4, 1);
        receiver.assign(0, 1, Lvalue::Reg(RegId(0)), 5);
        receiver.receive(1, 2, C, vec![Pattern::Any, bind(0)]);
        receiver.assert(2, 3, property, is(reg(0), expected));
        receiver.run(&mut program, "receiver");
        program
    };
    for capacity in [0, 1] {
        expect(&program(capacity, 0), sc(), NONE);
        expect(&program(capacity, 5), sc(), WRONG);
    }
}

/// The store of the 0 goes through the buffer, as that of any other field.
#[test]
fn a_field_that_messages_do_not_have_needs_room_in_the_buffer() {
    let program = |seen: i64| {
        let mut program = with_sender(1, 1, &[&[3]]);
        let x = variable(&mut program, "x", VarKind::Shared);
        program.vars[x.index()].init = vec![7];
        let property = assertion(&mut program);
        let mut receiver = Code::new(2, 0);
        let bind_x = || Pattern::Bind(Lvalue::Var(x));
        receiver.receive(0, 1, C, vec![bind_x(), bind_x()]);
        receiver.run(&mut program, "receiver");
        let mut reader = Code::new(3, 1);
        reader.assign(0, 1, Lvalue::Reg(RegId(0)), x);
        reader.assert(1, 2, property, is(reg(0), seen).not());
        reader.run(&mut program, "reader");
        program
    };
    for seen in [0, 3, 7] {
        expect(&program(seen), tso(2), WRONG);
    }
    // One entry has no room for both stores.
    expect(&program(0), tso(1), NONE);
    expect(&program(3), sc(), NONE);
}

#[test]
fn a_field_that_messages_do_not_have_is_0_in_a_poll() {
    let program = |wanted: i64| {
        let mut program = with_sender(1, 1, &[&[3]]);
        let pattern = vec![None, Some(wanted.into())];
        let poll = Poll { channel: C.value().into(), pattern, anywhere: false };
        let mut observer = Code::new(2, 0);
        observer.step(0, 1).guard = Expr::Poll(Box::new(poll));
        observer.run(&mut program, "observer");
        program
    };
    expect(&program(0), sc(), NONE);
    expect(&program(2), sc(), STUCK);
}

#[test]
fn a_receive_can_look_behind_the_first_message() {
    let program = |anywhere: bool| {
        let sender = with_sender(2, 2, &[&[1, 5], &[2, 6]]);
        let mut program = receives(sender, vec![matching(2), bind(0)], is(reg(0), 6));
        if let Some(ChannelOp::Receive { anywhere: a, .. }) = &mut program.defs[1].steps[0].channel
        {
            *a = anywhere;
        }
        program
    };
    expect(&program(true), sc(), NONE);
    expect(&program(false), sc(), STUCK);
}

#[test]
fn a_message_can_stay() {
    let program = |keep: bool| {
        let mut program = with_sender(1, 1, &[&[1]]);
        let mut receiver = Code::new(3, 1);
        receiver.receive(0, 1, C, vec![bind(0)]);
        receiver.receive(1, 2, C, vec![matching(reg(0))]);
        if let Some(ChannelOp::Receive { keep: k, .. }) = &mut receiver.def.steps[0].channel {
            *k = keep;
        }
        receiver.run(&mut program, "receiver");
        program
    };
    expect(&program(true), sc(), NONE);
    expect(&program(false), sc(), STUCK);
}

#[test]
fn messages_can_be_sorted() {
    let program = |sorted: bool| {
        let mut program = with_sender(2, 1, &[&[4], &[3]]);
        for step in &mut program.defs[0].steps {
            if let Some(ChannelOp::Send { sorted: s, .. }) = &mut step.channel {
                *s = sorted;
            }
        }
        let mut program = receives(program, vec![bind(0)], is(reg(0), 3));
        let full = Expr::Channel(ChannelQuery::Full, Box::new(C.value().into()));
        program.defs[1].steps[0].guard = full;
        program
    };
    expect(&program(true), sc(), NONE);
    expect(&program(false), sc(), WRONG);
}

#[test]
fn fields_are_made_to_fit() {
    let program = |value: i64, ty: Type| {
        let mut program = with_sender(1, 1, &[&[value]]);
        program.channels[0].fields[0] = ty;
        receives(program, vec![bind(0)], is(reg(0), 1))
    };
    let wraps = Type { lo: 0, hi: 3, overflow: taut_ir::Overflow::Wrap };
    expect(&program(5, wraps), sc(), NONE);
    expect(&program(6, wraps), sc(), WRONG);
    expect(&program(5, Type::range(0, 3)), sc(), WRONG);
}

#[test]
fn channels_are_values() {
    let program = |value: i64| {
        let mut program = with_sender(1, 1, &[&[0]]);
        let c = channel(&mut program, 1, 1);
        let mut process = Code::new(3, 1);
        process.assign(0, 1, Lvalue::Reg(RegId(0)), value);
        let step = process.send(1, 2, c, &[7]);
        if let Some(ChannelOp::Send { channel, .. }) = &mut step.channel {
            *channel = reg(0);
        }
        process.run(&mut program, "process");
        program
    };
    expect(&program(2), sc(), NONE);
    // The first channel has room for one message only, and two processes send.
    expect(&program(1), sc(), STUCK);
    expect(&program(3), sc(), WRONG);
    expect(&program(0), sc(), WRONG);
}

#[test]
fn questions_about_channels() {
    let asks = |question: Expr| {
        let mut program = with_sender(2, 1, &[&[3]]);
        let mut asker = Code::new(2, 0);
        asker.step(0, 1).guard = question;
        asker.run(&mut program, "asker");
        program
    };
    let c = || Box::new(Expr::Const(C.value()));
    let query = |q, value| is(Expr::Channel(q, c()), value);
    expect(&asks(query(ChannelQuery::Length, 1)), sc(), NONE);
    expect(&asks(query(ChannelQuery::Length, 2)), sc(), STUCK);
    expect(&asks(query(ChannelQuery::Full, 1)), sc(), STUCK);
    expect(&asks(query(ChannelQuery::Empty, 0)), sc(), NONE);
    let poll = |value: i64| {
        let pattern = vec![Some(Expr::Const(value))];
        Expr::Poll(Box::new(Poll { channel: Expr::Const(1), pattern, anywhere: false }))
    };
    expect(&asks(poll(3)), sc(), NONE);
    expect(&asks(poll(4)), sc(), STUCK);
    let no_channel = Expr::Channel(ChannelQuery::Length, Box::new(Expr::Const(2)));
    expect(&asks(no_channel), sc(), WRONG);
}

#[test]
fn a_rendezvous_moves_both() {
    let program = |sent: i64, wanted: Pattern| {
        let sender = with_sender(0, 1, &[&[sent]]);
        receives(sender, vec![wanted], is(reg(0), 5))
    };
    expect(&program(5, bind(0)), sc(), NONE);
    expect(&program(6, bind(0)), sc(), WRONG);
    expect(&program(6, matching(5)), sc(), STUCK);
    expect(&program(5, matching(5)), sc(), WRONG);
    expect(&with_sender(0, 1, &[&[1]]), sc(), STUCK);
}

#[test]
fn a_rendezvous_can_be_guarded_on_both_sides() {
    let program = |sender: i64, receiver: i64| {
        let mut program = with_sender(0, 1, &[&[1]]);
        program.defs[0].steps[0].guard = Expr::Const(sender);
        let mut program = receives(program, vec![bind(0)], Expr::TRUE);
        program.defs[1].steps[0].guard = Expr::Const(receiver);
        program
    };
    expect(&program(1, 1), sc(), NONE);
    expect(&program(0, 1), sc(), STUCK);
    expect(&program(1, 0), sc(), STUCK);
}

#[test]
fn received_fields_go_through_the_buffer() {
    let program = |mode: Mode| {
        let mut program = with_sender(1, 1, &[&[1]]);
        let x = variable(&mut program, "x", VarKind::Shared);
        let mut receiver = Code::new(2, 0);
        receiver.receive(0, 1, C, vec![Pattern::Bind(Lvalue::Var(x))]).mode = mode;
        receiver.run(&mut program, "receiver");
        forbid(&mut program, Expr::At(ProcId(1), vec![PointId(1)]).and(is(x, 0)));
        program
    };
    let pso = Memory::new(MemoryModel::Pso).bounded(Some(1));
    for memory in [tso(1), pso] {
        expect(&program(Mode::Plain), memory, WRONG);
        expect(&program(Mode::Locked), memory, NONE);
    }
    expect(&program(Mode::Plain), sc(), NONE);
}

#[test]
fn what_cannot_be_exported_is_refused() {
    let refusal = |program: &Program| {
        taut_ir::validate::validate(program).expect("a valid program");
        taut_export::promela(program, sc()).expect_err("no export").to_string()
    };
    let mut own = with_sender(1, 1, &[&[1]]);
    own.processes[0].channels = vec![C];
    own.defs[0].registers = Code::new(1, 1).def.registers;
    own.defs[0].channel_registers = vec![(RegId(0), 0)];
    assert_eq!(refusal(&own), "process `sender` has channels of its own and no pid");

    let mut atomic = with_sender(0, 1, &[&[1]]);
    atomic.defs[0].points[1].atomic = true;
    assert!(refusal(&atomic).starts_with("`sender` has atomic program points"));

    let mut large = with_sender(1, 1, &[&[1]]);
    large.channels[0].capacity = 256;
    assert_eq!(refusal(&large), "channel `c0` holds more than 255 messages");

    let mut moved = with_sender(0, 1, &[&[1]]);
    let x = variable(&mut moved, "x", VarKind::Shared);
    moved.defs[0].steps[0].effects.push(Effect::assign(Lvalue::Var(x), 1));
    let moved = receives(moved, vec![matching(x)], Expr::TRUE);
    let why = "the sender's step can change what the receiver looks at";
    assert_eq!(refusal(&moved), format!("a rendezvous of `sender` with `receiver`: {why}"));
}
