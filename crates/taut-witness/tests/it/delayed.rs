//! Delayed writes in the replayer: slots that are overwritten, store fences, and atomic writes.

use crate::common;

use common::*;
use taut_ir::build::{ProcessBuilder, ProgramBuilder};
use taut_ir::{
    Action, Assignment, Effect, Expr, FullBuffer, Lvalue, Memory, MemoryModel, Mode, Program, Type,
    VarId,
};
use taut_witness::enumerate::explore;
use taut_witness::{Address, Machine, Outcome, Refusal, State};

const X: u32 = 0;
const Y: u32 = 1;

/// A program with one process and the variables x and y.
fn single(code: impl FnOnce(&mut ProcessBuilder<'_>, VarId, VarId)) -> Program {
    let mut b = ProgramBuilder::new("single");
    let x = b.shared("x", Type::range(0, 3), 0);
    let y = b.shared("y", Type::range(0, 3), 0);
    let mut p = b.process("p");
    code(&mut p, x, y);
    p.finish();
    b.build().expect("a valid program")
}

fn machine(program: &Program) -> Machine<'_> {
    Machine::new(program, Memory::new(MemoryModel::Delayed))
}

/// Runs actions that all must succeed.
fn run(program: &Program, actions: &[Action]) -> State {
    let machine = machine(program);
    actions.iter().fold(machine.initial(), |state, &action| {
        match machine.apply(&state, action).map(|done| done.outcome) {
            Ok(Outcome::State(after)) => after,
            other => panic!("{action:?}: {other:?}"),
        }
    })
}

fn at(var: u32) -> Address {
    Address { var: VarId(var), index: 0 }
}

fn waiting(state: &State) -> Vec<(u32, i64)> {
    state.processes[0].buffer.entries().map(|e| (e.address.var.0, e.value)).collect()
}

fn atomic(p: &mut ProcessBuilder<'_>, var: VarId, value: i64) {
    let write = Assignment { place: Lvalue::Var(var), value: value.into(), atomic: true };
    p.step(Expr::TRUE, Mode::Plain, vec![Effect::Assign(vec![write])]);
}

#[test]
fn a_newer_store_takes_the_slot() {
    let program = single(|p, x, y| {
        p.store(x, 1).store(y, 1).store(x, 2);
    });
    let state = run(&program, &[step(0, 0), step(0, 1), step(0, 2)]);
    assert_eq!(waiting(&state), [(X, 2), (Y, 1)]);
    let state = run(&program, &[step(0, 0), step(0, 1), step(0, 2), commit(0, X)]);
    assert_eq!(waiting(&state), [(Y, 1)]);
    assert_eq!(state.value(at(X)), 2);
    let again = machine(&program).apply(&state, commit(0, X)).expect_err("it waits no more");
    assert_eq!(again, Refusal::NothingToCommit(at(X)));
}

#[test]
fn slots_are_never_full() {
    let program = single(|p, x, _| {
        p.store(x, 1).store(x, 2).store(x, 3);
    });
    for full_buffer in [FullBuffer::Wait, FullBuffer::Error] {
        for bound in [None, Some(0), Some(1)] {
            let memory = Memory { model: MemoryModel::Delayed, bound, full_buffer };
            let all = explore(&program, memory, 100).expect("a small program");
            assert!(all.findings.is_empty() && !all.bounds.buffer);
            // ProgramPoint and memory with an empty slot: 1 + 1 + 1 + 1; with a full one: 1 + 2 + 3.
            assert_eq!(all.states, 10);
        }
    }
}

#[test]
fn a_store_fence_holds_later_stores_back_until_the_earlier_one_is_overwritten() {
    let program = single(|p, x, y| {
        p.store(x, 1);
        p.step(Expr::TRUE, Mode::Plain, vec![Effect::StoreFence]);
        p.store(y, 1).store(x, 2);
    });
    let state = run(&program, &[step(0, 0), step(0, 1), step(0, 2)]);
    let early = machine(&program).apply(&state, commit(0, Y)).expect_err("x := 1 is before it");
    assert_eq!(early, Refusal::BehindStoreFence(at(Y)));
    let state = run(&program, &[step(0, 0), step(0, 1), step(0, 2), step(0, 3), commit(0, Y)]);
    assert_eq!(waiting(&state), [(X, 2)]);
}

#[test]
fn an_atomic_write_drops_its_own_slot_and_drains_nothing() {
    let program = single(|p, x, y| {
        p.store(x, 1).store(y, 1);
        atomic(p, x, 2);
    });
    let state = run(&program, &[step(0, 0), step(0, 1), step(0, 2)]);
    assert_eq!(waiting(&state), [(Y, 1)]);
    assert_eq!(state.value(at(X)), 2);
    let tso = Machine::new(&program, Memory::new(MemoryModel::Tso));
    let steps = [step(0, 0), step(0, 1)];
    let state = steps.iter().fold(tso.initial(), |state, &action| {
        match tso.apply(&state, action).map(|done| done.outcome) {
            Ok(Outcome::State(after)) => after,
            other => panic!("{other:?}"),
        }
    });
    assert_eq!(tso.apply(&state, step(0, 2)).expect_err("it waits"), Refusal::OwnBufferNotEmpty);
}

#[test]
fn a_fence_waits_for_every_slot() {
    let program = single(|p, x, y| {
        p.store(x, 1).store(y, 1).fence();
    });
    let machine = machine(&program);
    let state = run(&program, &[step(0, 0), step(0, 1), commit(0, Y)]);
    assert_eq!(machine.apply(&state, step(0, 2)).expect_err("x"), Refusal::OwnBufferNotEmpty);
    let state = run(&program, &[step(0, 0), step(0, 1), commit(0, Y), commit(0, X)]);
    assert!(machine.apply(&state, step(0, 2)).is_ok());
}

#[test]
fn a_step_that_writes_a_place_both_ways_ends_with_the_last() {
    let program = single(|p, x, _| {
        let write = |value: i64, atomic| {
            let place = Lvalue::Var(x);
            Effect::Assign(vec![Assignment { place, value: value.into(), atomic }])
        };
        p.step(Expr::TRUE, Mode::Plain, vec![write(1, false), write(2, true)]);
        p.step(Expr::TRUE, Mode::Plain, vec![write(3, true), write(1, false)]);
    });
    let state = run(&program, &[step(0, 0)]);
    assert_eq!((waiting(&state), state.value(at(X))), (vec![], 2));
    let state = run(&program, &[step(0, 0), step(0, 1)]);
    assert_eq!((waiting(&state), state.value(at(X))), (vec![(X, 1)], 3));
}
