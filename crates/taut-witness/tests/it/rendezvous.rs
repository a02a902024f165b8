//! What a rendezvous means: who can meet, in which order things happen, and who is to blame.

use crate::common;

use std::collections::BTreeSet;

use common::code::*;
use common::*;
use taut_ir::MemoryModel::{Sc, Tso};
use taut_ir::{
    ChannelOp, Effect, EffectOrder, Expr, Fault, Finding, Lvalue, Memory, Mode, Pattern, ProcId,
    Program, RegId, Step, VarId,
};
use taut_witness::{Machine, Outcome, Refusal, Target, Trace, replay};

/// One process takes one step, another takes another, with two channels of capacity 0, `c` and `d`.
fn meeting(sends: Step, receives: Step) -> Program {
    let code = vec![code("p", &["a"], vec![sends]), code("q", &["b"], vec![receives])];
    let channels = vec![channel("c", 0, 1), channel("d", 0, 1)];
    checked(program(vec![shared("x"), shared("y")], channels, code))
}

fn sends() -> Step {
    edge(0, 1).on(send(0, &[4.into()]))
}

fn receives() -> Step {
    edge(0, 1).on(receive(0, &[into_reg(0)]))
}

/// Why the two cannot meet at the start.
fn obstacle(sends: Step, receives: Step, memory: Memory) -> Refusal {
    let program = meeting(sends, receives);
    refusal(&Machine::new(&program, memory), &[], shake(0, 0, 1, 0))
}

fn failure(program: &Program) -> (Finding, ProcId) {
    let machine = Machine::new(program, Memory::new(Sc));
    match machine.apply(&machine.initial(), shake(0, 0, 1, 0)).map(|done| done.outcome) {
        Ok(Outcome::Failure(failure)) => (failure.finding, failure.process),
        other => panic!("{other:?}"),
    }
}

#[test]
fn both_move_at_once_and_neither_alone() {
    let program = meeting(sends(), receives());
    let all = all_of(&program, Memory::new(Sc));
    assert_eq!((all.states, all.findings.len()), (2, 0));
    assert_eq!(register_outcomes(&program, Sc), set([[0, 4]]));
    let machine = Machine::new(&program, Memory::new(Sc));
    let alone = Refusal::NeedsPartner(taut_ir::ChanId(0));
    assert_eq!(refusal(&machine, &[], step(0, 0)), alone);
    assert_eq!(refusal(&machine, &[], step(1, 0)), alone);
    assert_eq!(refusal(&machine, &[], shake(1, 0, 0, 0)), Refusal::NoRendezvous);
    assert_eq!(refusal(&machine, &[], shake(0, 0, 0, 0)), Refusal::OwnPartner);
    assert_eq!(refusal(&machine, &[], shake(0, 0, 9, 0)), Refusal::NoSuchProcess);
    assert_eq!(refusal(&machine, &[], shake(0, 0, 1, 9)), Refusal::NoSuchStep);
    let met = [shake(0, 0, 1, 0)];
    assert_eq!(refusal(&machine, &met, shake(0, 0, 1, 0)), Refusal::NotAtSource);
    let mut nobody = meeting(sends(), receives());
    nobody.processes.pop();
    let found = all_of(&checked(nobody), Memory::new(Sc)).findings;
    assert_eq!(found, BTreeSet::from([Finding::Deadlock]));
}

#[test]
fn who_can_meet() {
    let sc = Memory::new(Sc);
    let not_ready = Refusal::PartnerNotReady(ProcId(1));
    assert_eq!(obstacle(sends().when(0.into()), receives(), sc), Refusal::GuardFalse);
    assert_eq!(obstacle(sends(), receives().when(0.into()), sc), not_ready);
    assert_eq!(obstacle(sends(), edge(0, 1).on(receive(1, &[])), sc), not_ready);
    assert_eq!(obstacle(sends(), edge(0, 1).on(send(0, &[])), sc), not_ready);
    let kept =
        ChannelOp::Receive { channel: named(0), pattern: vec![], anywhere: false, keep: true };
    assert_eq!(obstacle(sends(), edge(0, 1).on(kept), sc), not_ready);
    let other = edge(0, 1).on(receive(0, &[Pattern::Match(5.into())]));
    assert_eq!(obstacle(sends(), other, sc), Refusal::PartnerWantsOther(ProcId(1)));
    // What a step that is about another channel does is no business of this rendezvous.
    let elsewhere = edge(0, 1).when(bad()).on(receive(1, &[]));
    assert_eq!(obstacle(sends(), elsewhere, sc), not_ready);
}

#[test]
fn the_sender_yields_and_the_receiver_does_not() {
    let with = |sender_yields: bool| {
        let mut program = meeting(sends(), receives());
        let def = &mut program.defs[usize::from(!sender_yields)];
        def.steps[0].yields_to = vec![taut_ir::StepId(1)];
        def.steps.push(edge(0, 0));
        checked(program)
    };
    let sender = with(true);
    let machine = Machine::new(&sender, Memory::new(Sc));
    let refused = refusal(&machine, &[], shake(0, 0, 1, 0));
    assert_eq!(refused, Refusal::Yields { process: ProcId(0), to: taut_ir::StepId(1) });
    let receiver = with(false);
    let machine = Machine::new(&receiver, Memory::new(Sc));
    assert_eq!(machine.actions(&machine.initial()), [shake(0, 0, 1, 0), step(1, 1)]);
}

#[test]
fn the_message_first_then_the_senders_effects_then_the_receiver() {
    let x = || Expr::Var(VarId(0));
    // `c!x; x := 5` with `c?b, y := x`: the old x is sent, the new one is seen.
    let program = meeting(
        edge(0, 1).on(send(0, &[x()])).does(set_var(0, 5)),
        receives().does(set_var(1, x())),
    );
    let machine = Machine::new(&program, Memory::new(Sc));
    let end = after(&machine, &[shake(0, 0, 1, 0)]);
    assert_eq!((end.memory, &end.processes[1].registers), (vec![vec![5], vec![5]], &vec![vec![0]]));
    // Matches are decided after the sender's effects: `c!5; x := 5` with `c?eval(x)`.
    let matching = edge(0, 1).on(receive(0, &[Pattern::Match(x())]));
    let program =
        meeting(edge(0, 1).on(send(0, &[5.into()])).does(set_var(0, 5)), matching.clone());
    assert_eq!(all_of(&program, Memory::new(Sc)).states, 2);
    // The receiver's guard is looked at before.
    let program = meeting(sends().does(set_var(0, 5)), receives().when(x()));
    assert_eq!(all_of(&program, Memory::new(Sc)).states, 1);
    // What a mismatch makes impossible leaves nothing behind, not even a failed assertion.
    let mut program = meeting(sends(), matching);
    program.properties.push(taut_ir::Property {
        name: "never".into(),
        kind: taut_ir::PropertyKind::Assert,
        span: taut_ir::Span::NONE,
    });
    let assert = Effect::Assert { condition: 0.into(), property: taut_ir::PropId(0) };
    program.defs[0].steps[0].effects.push(assert);
    let found = all_of(&checked(program), Memory::new(Sc)).findings;
    assert_eq!(found, BTreeSet::from([Finding::Deadlock]));
}

#[test]
fn the_receiver_comes_first_where_the_channel_says_so() {
    let x = || Expr::Var(VarId(0));
    let first = |sends: Step, receives: Step| {
        let mut program = meeting(sends, receives);
        program.channels[0].order = EffectOrder::ReceiverFirst;
        program
    };
    // `c!x; x := 5` with `c?x, y := x`: the old x is sent and seen, the new one stays.
    let program = first(
        edge(0, 1)
            .on(send(0, &[Expr::binary(taut_ir::BinaryOp::Add, x(), 1.into())]))
            .does(set_var(0, 5)),
        edge(0, 1).on(receive(0, &[into_var(0)])).does(set_var(1, x())),
    );
    let machine = Machine::new(&program, Memory::new(Sc));
    let end = after(&machine, &[shake(0, 0, 1, 0)]);
    assert_eq!(end.memory, vec![vec![5], vec![1]]);
    let both: Vec<_> = end.processes.iter().map(|p| p.point.0).collect();
    assert_eq!(both, [1, 1]);
    // Matches are decided before the sender does anything.
    let matching = edge(0, 1).on(receive(0, &[Pattern::Match(x())]));
    let program = first(edge(0, 1).on(send(0, &[5.into()])).does(set_var(0, 5)), matching);
    assert_eq!(all_of(&program, Memory::new(Sc)).states, 1);
    // Where both go wrong, the receiver is to blame.
    let program = first(sends().does(set_var(0, bad())), receives().does(set_var(0, bad())));
    assert_eq!(failure(&program).1, ProcId(1));
    assert_eq!(failure(&first(sends().does(set_var(0, bad())), receives())).1, ProcId(0));
}

#[test]
fn who_goes_wrong() {
    let division = Finding::Fault(Fault::DivisionByZero);
    let p = (division, ProcId(0));
    let q = (division, ProcId(1));
    assert_eq!(failure(&meeting(sends().when(bad()), receives())), p);
    assert_eq!(failure(&meeting(edge(0, 1).on(send(0, &[bad()])), receives())), p);
    assert_eq!(failure(&meeting(sends().does(set_var(0, bad())), receives())), p);
    assert_eq!(failure(&meeting(sends(), receives().when(bad()))), q);
    assert_eq!(failure(&meeting(sends(), receives().does(set_var(0, bad())))), q);
    let matching = edge(0, 1).on(receive(0, &[Pattern::Match(bad())]));
    assert_eq!(failure(&meeting(sends(), matching)), q);
    let nowhere = |guard: i64| {
        let pattern = vec![];
        let op = ChannelOp::Receive { channel: 0.into(), pattern, anywhere: false, keep: false };
        edge(0, 1).when(guard.into()).on(op)
    };
    let channel = Finding::Fault(Fault::Channel);
    assert_eq!(failure(&meeting(sends(), nowhere(1))), (channel, ProcId(1)));
    let idle = all_of(&meeting(sends(), nowhere(0)), Memory::new(Sc)).findings;
    assert_eq!(idle, BTreeSet::from([Finding::Deadlock]), "its guard is false");
}

#[test]
fn each_stores_into_its_own_buffer_and_waits_for_its_own() {
    let tso = Memory::new(Tso);
    let into_x = edge(0, 1).on(receive(0, &[into_var(0)]));
    let program = meeting(sends().does(set_var(1, 1)), into_x.clone());
    let machine = Machine::new(&program, tso);
    let done = machine.apply(&machine.initial(), shake(0, 0, 1, 0)).unwrap();
    let theirs = done.record.partner.expect("there is one");
    assert_eq!((done.record.writes[0].to, theirs.writes[0].to), (Target::Buffer, Target::Buffer));
    let end = after(&machine, &[shake(0, 0, 1, 0)]);
    let held: Vec<_> = end.processes.iter().map(|p| p.buffer.entries().count()).collect();
    assert_eq!(held, [1, 1]);
    let full = all_of(&program, tso.bounded(Some(0)));
    assert!(full.bounds.buffer && full.findings.is_empty() && full.states == 1);
    // The receiver's fence waits for the receiver's buffer.
    let mut fenced = meeting(sends(), edge(0, 1).does(set_var(0, 1)));
    fenced.defs[1] = code(
        "q",
        &["b"],
        vec![
            edge(0, 1).does(set_var(0, 1)),
            edge(1, 2).mode(Mode::Fence).on(receive(0, &[into_reg(0)])),
        ],
    );
    let fenced = checked(fenced);
    let machine = Machine::new(&fenced, tso);
    let not_ready = Refusal::PartnerNotReady(ProcId(1));
    assert_eq!(refusal(&machine, &[step(1, 0)], shake(0, 0, 1, 1)), not_ready);
    after(&machine, &[step(1, 0), commit(1, 0), shake(0, 0, 1, 1)]);
}

#[test]
fn a_sender_meets_every_receiver() {
    let mut program = meeting(sends(), receives());
    let third = taut_ir::Process { name: "q2".into(), ..program.processes[1].clone() };
    program.processes.push(third);
    let program = checked(program);
    let machine = Machine::new(&program, Memory::new(Sc));
    let both = [shake(0, 0, 1, 0), shake(0, 0, 2, 0)];
    assert_eq!(machine.actions(&machine.initial()), both);
    // Whoever was left out waits for ever.
    let all = all_of(&program, Memory::new(Sc));
    assert_eq!((all.states, all.findings), (3, BTreeSet::from([Finding::Deadlock])));
}

#[test]
fn traces_with_a_rendezvous_are_judged() {
    let mut program = meeting(sends(), receives());
    let end = Expr::In(ProcId(1), Box::new(Expr::Reg(RegId(0)))).equals(4.into());
    program.properties.push(taut_ir::Property {
        name: "four".into(),
        kind: taut_ir::PropertyKind::Forbid(end),
        span: taut_ir::Span::NONE,
    });
    let program = checked(program);
    let memory = Memory::new(Sc);
    let trace = Trace::new(memory, first_property(), vec![shake(0, 0, 1, 0)]);
    assert_eq!(trace_to(&program, memory, first_property()), trace);
    replay(&program, &trace).expect("it is fine");
    let message = |action| {
        let wrong = Trace { actions: vec![action], ..trace.clone() };
        replay(&program, &wrong).expect_err("it is wrong").to_string()
    };
    assert_eq!(
        message(step(0, 0)),
        "action 1: p cannot take the step `c!4`: it needs a partner at the other end of channel `c`"
    );
    assert_eq!(
        message(shake(1, 0, 0, 0)),
        "action 1: q cannot hand over `c?b` to p: it is no send on a channel of capacity 0"
    );
    assert_eq!(
        message(shake(0, 7, 8, 0)),
        "action 1: p cannot hand over `step 7` to process 8: the process has no such step"
    );
    assert_eq!(taut_witness::describe_action(&program, shake(0, 0, 1, 0)), "p: c!4, q: c?b");
    for nobody in [shake(9, 0, 1, 0), shake(0, 0, 9, 0)] {
        assert!(!taut_witness::describe_action(&program, nobody).is_empty());
        assert!(message(nobody).ends_with("the program has no such process"));
    }
    // A place in an array is still a place: nothing here panics on one that is not there.
    let mut outside = program.clone();
    outside.vars[0].len = Some(1);
    let bind = Pattern::Bind(Lvalue::VarElem(VarId(0), 3.into()));
    outside.defs[1].steps[0].channel = Some(receive(0, &[bind]));
    assert_eq!(failure(&checked(outside)), (Finding::Fault(Fault::Index), ProcId(1)));
}
