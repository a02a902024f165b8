//! Processes on a stack by hand: pids, exits, spawns.

use crate::common;

use common::{Sketch, register, set, step};
use taut_explicit::{Completion, SearchOptions, explore};
use taut_ir::{
    Control, DefId, Effect, Expr, Finding, Lvalue, Memory, MemoryModel, ProcId, PropertyKind,
    RegId, Step, Type, VarKind,
};

fn exit(source: u32) -> Step {
    Step { target: Control::Exit, ..step(source, source) }
}

fn spawn(def: DefId) -> Effect {
    Effect::Spawn { def, args: vec![], pid: Some(Lvalue::Reg(RegId(0))) }
}

#[test]
fn the_youngest_exits_first() {
    let mut s = Sketch::new();
    let def = s.def(&[0], vec![exit(0)]);
    for _ in 0..3 {
        s.run(def);
    }
    let result = s.explore(MemoryModel::Sc);
    assert_eq!(result.stats.states, 4);
    assert_eq!(result.stats.transitions, 3);
    assert!(result.found.is_empty());
}

#[test]
fn a_pid_is_the_number_of_processes_before() {
    let mut s = Sketch::new();
    let child = DefId(1);
    let twice = vec![
        Step { effects: vec![spawn(child)], ..step(0, 1) },
        Step { effects: vec![spawn(child)], ..step(1, 2) },
    ];
    s.process(&[2], twice);
    let own = Effect::assign(Lvalue::Reg(RegId(0)), Expr::Pid);
    let code = s.def(&[], vec![Step { effects: vec![own], ..step(0, 1) }, exit(1)]);
    assert_eq!(code, child);
    s.slot(child);
    s.slot(child);
    let second = s.property(PropertyKind::Forbid(register(2).equals(2.into())));
    s.property(PropertyKind::Forbid(register(1).equals(2.into()).and(alive(2))));
    let result = s.explore(MemoryModel::Sc);
    let found: Vec<_> = result.found.iter().map(|f| f.finding).collect();
    assert_eq!(found, [Finding::Property(second)], "two live at once, the first has pid 1");
    assert!(!result.bounds_met.threads);
}

fn alive(process: u32) -> Expr {
    Expr::Alive(ProcId(process))
}

#[test]
fn who_is_gone_can_be_spawned_again() {
    let mut s = Sketch::new();
    let child = DefId(1);
    let again = Step {
        guard: alive(1).not(),
        effects: vec![Effect::Spawn { def: child, args: vec![], pid: None }],
        ..step(0, 0)
    };
    s.process(&[0], vec![again]);
    s.def(&[], vec![exit(0)]);
    s.run(child);
    let result = s.explore(MemoryModel::Sc);
    assert_eq!(
        result.stats.states, 2,
        "the process that ran from the start is the one that is taken"
    );
    assert_eq!(result.stats.transitions, 2);
    assert_eq!(result.stats.matched, 1);
    assert!(!result.bounds_met.any());
}

#[test]
fn an_exit_waits_for_the_buffer() {
    let mut s = Sketch::new();
    let x = s.var(VarKind::Shared, Type::INT);
    s.process(&[], vec![Step { effects: vec![set(x, 1)], ..step(0, 1) }, exit(1)]);
    let states = |model| s.explore(model).stats.states;
    assert_eq!(states(MemoryModel::Sc), 3);
    assert_eq!(states(MemoryModel::Tso), 4);
    assert_eq!(states(MemoryModel::Pso), 4);
}

#[test]
fn a_search_can_end_where_a_spawn_finds_nobody() {
    let mut s = Sketch::new();
    let child = DefId(1);
    s.process(&[0], vec![Step { effects: vec![spawn(child)], ..step(0, 0) }]);
    s.def(&[0], vec![]);
    s.slot(child);
    let bounded = s.explore(MemoryModel::Sc);
    assert_eq!(bounded.completion, Completion::Complete);
    assert!(bounded.bounds_met.threads);
    let options = SearchOptions { spawn_all: true, ..SearchOptions::default() };
    let result = explore(&s.0, Memory::new(MemoryModel::Sc), &options);
    assert_eq!(result.completion, Completion::NoProcess(child));
}

#[test]
fn a_living_process_that_may_not_end_is_a_deadlock_and_a_gone_one_is_none() {
    let mut s = Sketch::new();
    s.process(&[], vec![Step { guard: alive(1).not(), ..step(0, 1) }]);
    s.process(&[], vec![exit(0)]);
    let result = s.explore(MemoryModel::Sc);
    assert_eq!(result.found.len(), 1);
    assert_eq!(result.found[0].finding, Finding::Deadlock);
    assert_eq!(result.found[0].actions.len(), 2, "once the other is gone and it has moved on");
}
