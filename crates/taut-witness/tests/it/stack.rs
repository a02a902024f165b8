//! Processes that come and go as in SPIN: pids, exits in order, and channels of their own.

use crate::common;

use std::collections::BTreeSet;

use common::code::*;
use common::*;
use taut_ir::MemoryModel::{Sc, Tso};
use taut_ir::{
    BinaryOp, ChanId, ChannelOp, DefId, Effect, Expr, Fault, Finding, Lvalue, Memory, ProcId,
    Program, Property, PropertyKind, RegId, Span, Type,
};
use taut_witness::{Machine, Refusal};

fn spawn(def: u32, args: &[Expr], pid: Option<u32>) -> Effect {
    let pid = pid.map(|r| Lvalue::Reg(RegId(r)));
    Effect::Spawn { def: DefId(def), args: args.to_vec(), pid }
}

/// `main` starts two workers, each with its number as the argument, and exits; a worker exits at once.
/// There are two workers.
fn family() -> Program {
    let main = vec![
        edge(0, 1).does(spawn(1, &[7.into()], Some(0))),
        edge(1, 2).does(spawn(1, &[8.into()], Some(0))),
        edge(2, 2).exits(),
    ];
    let mut worker = code("worker", &["n"], vec![edge(0, 0).exits()]);
    worker.params = 1;
    let mut all = on_a_stack(program(vec![], vec![], vec![code("main", &["pid"], main), worker]));
    all.processes.truncate(1);
    let template = taut_ir::Process { def: DefId(1), ..waiting(&all, 0, "worker#1") };
    all.processes.push(template.clone());
    all.processes.push(taut_ir::Process { name: "worker#2".into(), ..template });
    checked(all)
}

#[test]
fn a_pid_is_how_many_lived_before() {
    let program = family();
    let machine = Machine::new(&program, Memory::new(Sc));
    assert_eq!(machine.initial().processes[0].pid, 0);
    let both = after(&machine, &[step(0, 0), step(0, 1)]);
    let pids: Vec<_> = both.processes.iter().map(|p| p.pid).collect();
    assert_eq!(pids, [0, 1, 2]);
    assert_eq!(both.processes[0].registers, [[2]], "the pid of the last one");
    assert_eq!(both.processes[1].registers, [[7]]);
    assert_eq!(both.living(), 3);
    // The first exits before the second starts: the process and the pid are used again.
    let again = after(&machine, &[step(0, 0), step(1, 0), step(0, 1)]);
    assert_eq!((again.processes[1].pid, &again.processes[1].registers), (1, &vec![vec![8]]));
    assert!(!again.processes[2].started);
}

#[test]
fn only_the_youngest_exits() {
    let program = family();
    let machine = Machine::new(&program, Memory::new(Sc));
    let refused = refusal(&machine, &[step(0, 0), step(0, 1)], step(1, 0));
    assert_eq!(refused, Refusal::NotYoungest);
    assert_eq!(refused.describe(&program), "a younger process lives");
    let gone = after(&machine, &[step(0, 0), step(0, 1), step(2, 0), step(1, 0), step(0, 2)]);
    assert_eq!(gone.living(), 0);
    let mut fresh = machine.initial();
    fresh.processes[0].started = false;
    assert_eq!(gone, fresh, "nothing is left of a process that is gone");
    let late = refusal(&machine, &[step(0, 0), step(1, 0)], step(1, 0));
    assert_eq!(late, Refusal::NotStarted);
    // main at 0; at 1 with a worker or none; at 2 with two, one or none, remembering pid 2; at 2 with one
    // or none, remembering pid 1, if the first was gone by then; all gone.
    let all = all_of(&program, Memory::new(Sc));
    assert_eq!((all.states, all.findings.len()), (1 + 2 + 3 + 2 + 1, 0));
    assert!(!all.bounds.any());
}

#[test]
fn without_a_process_left_a_spawn_waits() {
    let mut program = family();
    program.processes.pop();
    let program = checked(program);
    let machine = Machine::new(&program, Memory::new(Sc));
    assert_eq!(refusal(&machine, &[step(0, 0)], step(0, 1)), Refusal::NoThreadLeft);
    let all = all_of(&program, Memory::new(Sc));
    assert!(all.bounds.threads && all.findings.is_empty());
}

#[test]
fn a_process_from_the_start_can_be_spawned_again() {
    // The second process exits, and the first starts it anew with another argument.
    let main = vec![edge(0, 1).does(spawn(1, &[5.into()], None))];
    let mut worker = code("worker", &["n"], vec![edge(0, 0).exits()]);
    worker.params = 1;
    let mut program = on_a_stack(program(vec![], vec![], vec![code("main", &[], main), worker]));
    program.processes[1].args = vec![4];
    let program = checked(program);
    let machine = Machine::new(&program, Memory::new(Sc));
    assert_eq!(machine.initial().processes[1].registers, [[4]]);
    assert_eq!(machine.initial().processes[1].pid, 1);
    assert_eq!(refusal(&machine, &[], step(0, 0)), Refusal::NoThreadLeft);
    assert_eq!(after(&machine, &[step(1, 0), step(0, 0)]).processes[1].registers, [[5]]);
    // Both at the start; the worker gone; it lives again; it is gone again.
    assert_eq!(all_of(&program, Memory::new(Sc)).states, 4);
}

#[test]
fn a_finished_process_stays_and_a_waiting_one_may_be_a_deadlock() {
    let program = |exits: bool| {
        let worker = if exits { edge(0, 0).exits() } else { edge(0, 1) };
        let main = edge(0, 0).exits();
        checked(on_a_stack(program(
            vec![],
            vec![],
            vec![code("main", &[], vec![main]), code("worker", &[], vec![worker])],
        )))
    };
    let gone = all_of(&program(true), Memory::new(Sc));
    assert_eq!((gone.states, gone.findings.len()), (3, 0));
    // The worker stays at its end, where it may stop; main must wait for it for ever and may not.
    let stays = all_of(&program(false), Memory::new(Sc));
    assert_eq!((stays.states, stays.findings), (2, BTreeSet::from([Finding::Deadlock])));
    let mut may_stop = program(false);
    may_stop.defs[0].points[0].end = true;
    assert!(all_of(&may_stop, Memory::new(Sc)).findings.is_empty());
}

#[test]
fn an_exit_waits_for_the_own_buffer() {
    let p = vec![edge(0, 1).does(set_var(0, 1)), edge(1, 1).exits()];
    let program = checked(on_a_stack(program(vec![shared("x")], vec![], vec![code("p", &[], p)])));
    let machine = Machine::new(&program, Memory::new(Tso));
    assert_eq!(refusal(&machine, &[step(0, 0)], step(0, 1)), Refusal::OwnBufferNotEmpty);
    after(&machine, &[step(0, 0), commit(0, 0), step(0, 1)]);
}

#[test]
fn steps_and_properties_ask_who_lives() {
    let mut program = family();
    let (first, second) = (ProcId(1), ProcId(2));
    let pid = |p| Expr::In(p, Box::new(Expr::Pid));
    let n = |p| Expr::In(p, Box::new(Expr::Reg(RegId(0))));
    let living = Expr::Processes.equals(3.into());
    // All three live exactly if the second worker does; then its pid is 2 and its argument 8.
    let forbid = |e: Expr| PropertyKind::Forbid(e);
    let wrong = [
        Expr::binary(BinaryOp::Ne, living, Expr::Alive(second)),
        Expr::Alive(second).and(pid(second).equals(2.into()).and(n(second).equals(8.into())).not()),
        Expr::Alive(first).not().and(pid(first)),
        Expr::Alive(first).not().and(n(first)),
    ];
    for (i, e) in wrong.into_iter().enumerate() {
        let (name, span) = (format!("wrong {i}"), Span::NONE);
        program.properties.push(Property { name, kind: forbid(e), span });
    }
    // A worker exits only while main is where it ends, and only if main's pid is 0.
    let at = Expr::At(ProcId(0), vec![taut_ir::PointId(2)]);
    let guard = at.and(pid(ProcId(0)).equals(0.into())).and(Expr::binary(
        BinaryOp::Gt,
        Expr::Pid,
        0.into(),
    ));
    program.defs[1].steps[0].guard = guard;
    let program = checked(program);
    let machine = Machine::new(&program, Memory::new(Sc));
    assert_eq!(refusal(&machine, &[step(0, 0)], step(1, 0)), Refusal::GuardFalse);
    let all = all_of(&program, Memory::new(Sc));
    // A line: one worker, two, they exit, main exits.
    assert_eq!((all.states, all.findings.len()), (6, 0));
}

#[test]
fn a_pid_must_fit_what_it_is_assigned_to() {
    let mut program = family();
    program.defs[0].registers[0].ty = Type::range(0, 1);
    let program = checked(program);
    let found = all_of(&program, Memory::new(Sc)).findings;
    assert_eq!(found, BTreeSet::from([Finding::Fault(Fault::Range)]));
}

/// A worker with a channel of its own, which it puts a message into before it exits; `main` starts it
/// twice.
fn with_own_channel() -> Program {
    let put =
        ChannelOp::Send { channel: Expr::Reg(RegId(0)), message: vec![1.into()], sorted: false };
    let main = vec![edge(0, 1).does(spawn(1, &[], None)), edge(1, 2).does(spawn(1, &[], None))];
    let worker = vec![edge(0, 1).on(put), edge(1, 1).exits()];
    let mut worker = code("worker", &["own"], worker);
    worker.channel_registers = vec![(RegId(0), 0)];
    let defs = vec![code("main", &[], main), worker];
    let mut all = on_a_stack(program(vec![], vec![channel("own", 1, 1)], defs));
    all.processes[1] = taut_ir::Process {
        channels: vec![ChanId(0)],
        start: taut_ir::Start::Spawned,
        ..all.processes[1].clone()
    };
    checked(all)
}

#[test]
fn own_channels_are_there_at_the_start_and_empty() {
    let program = with_own_channel();
    let machine = Machine::new(&program, Memory::new(Sc));
    let full = after(&machine, &[step(0, 0), step(1, 0)]);
    assert_eq!(full.processes[1].registers, [[ChanId(0).value()]]);
    assert_eq!(full.channels, [[[1]]]);
    let gone = after(&machine, &[step(0, 0), step(1, 0), step(1, 1)]);
    assert!(gone.channels[0].is_empty());
    // So there is room for the next one's message.
    after(&machine, &[step(0, 0), step(1, 0), step(1, 1), step(0, 1), step(1, 0)]);
    // 0; then twice: started, sent, gone.
    assert_eq!(all_of(&program, Memory::new(Sc)).states, 7);
    let mut from_the_start = program.clone();
    from_the_start.processes[1].start = taut_ir::Start::Initially;
    let initial = Machine::new(&from_the_start, Memory::new(Sc)).initial();
    assert_eq!(initial.processes[1].registers, [[ChanId(0).value()]]);
}

#[test]
fn a_spawned_process_that_has_finished_stays_and_its_pid_is_not_its_place() {
    // Another worker, which just ends, comes last in the list of processes and first on the stack.
    let mut program = family();
    program.defs.push(code("idler", &[], vec![edge(0, 1)]));
    let idler = taut_ir::Process { def: DefId(2), ..waiting(&program, 0, "idler#1") };
    program.processes.push(idler);
    program.defs[0].steps[0].effects = vec![spawn(2, &[], Some(0))];
    let program = checked(program);
    let machine = Machine::new(&program, Memory::new(Sc));
    let state = after(&machine, &[step(0, 0), step(3, 0)]);
    assert_eq!((state.processes[3].started, state.processes[3].pid), (true, 1));
    assert_eq!(state.processes[0].registers, [[1]]);
    let both = after(&machine, &[step(0, 0), step(3, 0), step(0, 1)]);
    assert_eq!((both.processes[1].pid, both.living()), (2, 3));
    assert_eq!(refusal(&machine, &[step(0, 0), step(0, 1)], step(0, 2)), Refusal::NotYoungest);
}
