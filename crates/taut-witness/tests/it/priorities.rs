//! Priorities of processes: each sentence of the rule, action by action.

use crate::common;

use common::code::*;
use common::step;
use taut_ir::MemoryModel::{Sc, Tso};
use taut_ir::validate::validate;
use taut_ir::{
    Action, Expr, Lvalue, Memory, Mode, PointId, ProcId, Program, Type, VarId, VarKind, Variable,
};
use taut_witness::{Machine, Refusal, State};

const X: u32 = 0;
const PRIORITIES: u32 = 1;
const HIGH: u32 = 0;
const LOW: u32 = 1;

/// A program of processes on a stack with the variable x and these priorities.
fn ranked(priorities: &[i64], codes: Vec<Vec<taut_ir::Step>>) -> Program {
    let array = Variable {
        kind: VarKind::Ghost,
        ty: Type::range(0, 255),
        len: Some(priorities.len() as u32),
        init: priorities.to_vec(),
        ..shared("priorities")
    };
    let defs = codes.into_iter().enumerate().map(|(i, steps)| code(&format!("p{i}"), &[], steps));
    let program = program(vec![shared("x"), array], vec![], defs.collect());
    let program = Program { priorities: Some(VarId(PRIORITIES)), ..on_a_stack(program) };
    assert_eq!(validate(&program), Ok(()));
    program
}

/// Why an action cannot happen, if it cannot.
fn refusal(machine: &Machine<'_>, state: &State, action: Action) -> Option<Refusal> {
    machine.apply(state, action).err()
}

fn x_is(value: i64) -> Expr {
    Expr::Var(VarId(X)).equals(value.into())
}

#[test]
fn an_enabled_process_of_a_higher_priority_stops_others() {
    let waits = edge(0, 1).when(x_is(1));
    let program = ranked(&[3, 1], vec![vec![waits], vec![edge(0, 0).does(set_var(X, 1))]]);
    let machine = Machine::new(&program, Memory::new(Sc));
    let start = machine.initial();
    assert_eq!(refusal(&machine, &start, step(HIGH, 0)), Some(Refusal::GuardFalse));
    // Nothing of `HIGH` can start yet.
    let state = after(&machine, &[step(LOW, 0)]);
    assert_eq!(refusal(&machine, &state, step(LOW, 0)), Some(Refusal::Outranked(ProcId(HIGH))));
    after(&machine, &[step(LOW, 0), step(HIGH, 0), step(LOW, 0)]);
}

#[test]
fn equal_priorities_do_not_stop_each_other() {
    let program = ranked(&[2, 2], vec![vec![edge(0, 1)], vec![edge(0, 1)]]);
    let machine = Machine::new(&program, Memory::new(Sc));
    after(&machine, &[step(LOW, 0), step(HIGH, 0)]);
}

#[test]
fn a_holder_that_is_stopped_holds_no_other() {
    let low = vec![edge(0, 1).does(set_var(X, 1)).holds(), edge(1, 2)];
    let program = ranked(&[3, 1], vec![vec![edge(0, 1).when(x_is(1))], low]);
    let machine = Machine::new(&program, Memory::new(Sc));
    let state = after(&machine, &[step(LOW, 0)]);
    assert_eq!(state.holder, None);
    assert_eq!(refusal(&machine, &state, step(LOW, 1)), Some(Refusal::Outranked(ProcId(HIGH))));
}

#[test]
fn in_the_middle_of_a_step_priorities_are_not_asked_for() {
    let low = vec![edge(0, 1).does(set_var(X, 1)).holds(), edge(1, 2)];
    let mut program = ranked(&[3, 1], vec![vec![edge(0, 1).when(x_is(1))], low]);
    program.defs[LOW as usize].points[PointId(1).index()].inner = true;
    let machine = Machine::new(&program, Memory::new(Sc));
    let state = after(&machine, &[step(LOW, 0)]);
    assert_eq!(state.holder, Some(ProcId(LOW)));
    after(&machine, &[step(LOW, 0), step(LOW, 1)]);
}

#[test]
fn a_process_at_a_fence_stops_no_other_while_its_stores_wait() {
    let high = vec![edge(0, 1).does(set_var(X, 1)), edge(1, 2).mode(Mode::Fence)];
    let program = ranked(&[3, 1], vec![high, vec![edge(0, 0)]]);
    let machine = Machine::new(&program, Memory::new(Tso));
    let state = after(&machine, &[step(HIGH, 0), step(LOW, 0)]);
    assert_eq!(refusal(&machine, &state, step(LOW, 0)), None);
    let commit = Action::Commit { process: ProcId(HIGH), var: VarId(X), index: 0 };
    let state = after(&machine, &[step(HIGH, 0), commit]);
    assert_eq!(refusal(&machine, &state, step(LOW, 0)), Some(Refusal::Outranked(ProcId(HIGH))));
}

#[test]
fn stores_of_a_process_that_is_stopped_commit() {
    let low = vec![edge(0, 1).does(set_var(X, 1)), edge(1, 2)];
    let low_first = Lvalue::VarElem(VarId(PRIORITIES), Expr::Pid);
    let mut program = ranked(&[1, 2], vec![vec![edge(0, 0)], low]);
    program.defs[LOW as usize].steps[0].effects.push(taut_ir::Effect::assign(low_first, 0));
    let machine = Machine::new(&program, Memory::new(Tso));
    let commit = Action::Commit { process: ProcId(LOW), var: VarId(X), index: 0 };
    let state = after(&machine, &[step(LOW, 0)]);
    assert_eq!(refusal(&machine, &state, step(LOW, 1)), Some(Refusal::Outranked(ProcId(HIGH))));
    assert_eq!(refusal(&machine, &state, commit), None);
}
