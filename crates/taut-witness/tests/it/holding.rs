//! What it means to hold the others, and when a timeout is due.

use crate::common;

use std::collections::BTreeSet;

use common::code::*;
use common::*;
use taut_ir::MemoryModel::{Sc, Tso};
use taut_ir::{
    Effect, Expr, Fault, Finding, FullBuffer, Memory, ProcId, Program, PropId, Property,
    PropertyKind, Span, Step, VarId,
};
use taut_witness::{Machine, Refusal, Trace, replay};

fn x() -> Expr {
    Expr::Var(VarId(0))
}

/// Two processes with a shared variable x and a channel of capacity 0.
fn two(p: Vec<Step>, q: Vec<Step>) -> Program {
    let code = vec![code("p", &["r"], p), code("q", &["r"], q)];
    checked(program(vec![shared("x")], vec![channel("c", 0, 1)], code))
}

fn with_property(mut program: Program, kind: PropertyKind) -> Program {
    let name = kind.word().into();
    program.properties.push(Property { name, kind, span: Span::NONE });
    checked(program)
}

fn held_by(machine: &Machine<'_>, actions: &[taut_ir::Action]) -> Option<ProcId> {
    after(machine, actions).holder
}

#[test]
fn states_in_which_a_process_holds_the_others_are_not_counted() {
    let program = two(vec![edge(0, 1).holds(), edge(1, 2)], vec![edge(0, 1)]);
    // p at 0 or 2, q at 0 or 1; p is passed through 1.
    assert_eq!(all_of(&program, Memory::new(Sc)).states, 4);
    let machine = Machine::new(&program, Memory::new(Sc));
    let state = after(&machine, &[step(0, 0)]);
    assert_eq!(state.holder, Some(ProcId(0)));
    assert_eq!(machine.actions(&state), [step(0, 1)]);
    let held = refusal(&machine, &[step(0, 0)], step(1, 0));
    assert_eq!(held, Refusal::Held(ProcId(0)));
    assert_eq!(held.describe(&program), "p goes on and holds all others");
    assert_eq!(held_by(&machine, &[step(0, 0), step(0, 1)]), None);
    let free = two(vec![edge(0, 1), edge(1, 2)], vec![edge(0, 1)]);
    assert_eq!(all_of(&free, Memory::new(Sc)).states, 6);
}

#[test]
fn who_cannot_go_on_holds_nobody() {
    // p enters and waits for x, which q sets.
    let program =
        two(vec![edge(0, 1).holds(), edge(1, 2).when(x())], vec![edge(0, 1).does(set_var(0, 1))]);
    let machine = Machine::new(&program, Memory::new(Sc));
    assert_eq!(held_by(&machine, &[step(0, 0)]), None);
    assert_eq!(held_by(&machine, &[step(1, 0), step(0, 0)]), Some(ProcId(0)));
    // (0,0) (1,0) (0,1) (1,1) (2,1): where q moves last, p stands at 1 and holds nobody.
    assert_eq!(all_of(&program, Memory::new(Sc)).states, 5);
    // A held state and the same state without a holder are two things.
    let held = after(&machine, &[step(1, 0), step(0, 0)]);
    let free = after(&machine, &[step(0, 0), step(1, 0)]);
    assert_ne!(held, free);
    assert_eq!(held.processes, free.processes);
}

#[test]
fn a_process_at_its_end_holds_nobody() {
    let program = two(vec![edge(0, 1).holds()], vec![edge(0, 1)]);
    assert_eq!(all_of(&program, Memory::new(Sc)).states, 4);
    let stuck = two(vec![edge(0, 1).holds(), edge(1, 2).when(0.into())], vec![edge(0, 1)]);
    let all = all_of(&stuck, Memory::new(Sc));
    assert_eq!((all.states, all.findings), (4, BTreeSet::from([Finding::Deadlock])));
}

#[test]
fn nothing_commits_while_a_process_holds_the_others() {
    let store = |from: u32| edge(from, from + 1).does(set_var(0, i64::from(from) + 1));
    let program = two(vec![store(0).holds(), store(1)], vec![]);
    let tso = Memory::new(Tso);
    let machine = Machine::new(&program, tso);
    let refused = refusal(&machine, &[step(0, 0)], commit(0, 0));
    assert_eq!(refused, Refusal::NoCommitWhileHeld(ProcId(0)));
    assert_eq!(machine.actions(&after(&machine, &[step(0, 0)])), [step(0, 1)]);
    // The start, two stores in the buffer, one, none.
    assert_eq!(all_of(&program, tso).states, 4);
    // With room for one store only, the hold is lost: one in the buffer, none, one again, none.
    let narrow = all_of(&program, tso.bounded(Some(1)));
    assert_eq!((narrow.states, narrow.bounds.buffer), (5, true));
    assert_eq!(held_by(&Machine::new(&program, tso.bounded(Some(1))), &[step(0, 0)]), None);
    // A full buffer that ends the run is something that happens.
    let error = Memory { full_buffer: FullBuffer::Error, ..tso.bounded(Some(1)) };
    assert_eq!(held_by(&Machine::new(&program, error), &[step(0, 0)]), Some(ProcId(0)));
    let all = all_of(&program, error);
    assert_eq!((all.states, all.findings), (1, BTreeSet::from([Finding::FullBuffer])));
}

#[test]
fn a_fault_ahead_is_something_to_go_on_with() {
    let program = two(vec![edge(0, 1).holds(), edge(1, 2).when(bad())], vec![edge(0, 1)]);
    let all = all_of(&program, Memory::new(Sc));
    assert_eq!(all.findings, BTreeSet::from([Finding::Fault(Fault::DivisionByZero)]));
    assert_eq!(all.states, 2);
}

#[test]
fn in_a_rendezvous_the_receiver_decides_who_holds() {
    let sends = || edge(0, 1).on(send(0, &[1.into()]));
    let gets = || edge(0, 1).on(receive(0, &[into_reg(0)]));
    let shaken = |sends: Step, gets: Step| {
        let program = two(vec![sends, edge(1, 2)], vec![gets, edge(1, 2)]);
        held_by(&Machine::new(&program, Memory::new(Sc)), &[shake(0, 0, 1, 0)])
    };
    assert_eq!(shaken(sends(), gets()), None);
    assert_eq!(shaken(sends().holds(), gets()), None);
    assert_eq!(shaken(sends(), gets().holds()), Some(ProcId(1)));
    assert_eq!(shaken(sends().holds(), gets().holds()), Some(ProcId(1)));
}

#[test]
fn whoever_holds_may_send_but_nobody_sends_to_them() {
    let sends = |from: u32| edge(from, from + 1).on(send(0, &[1.into()]));
    let gets = |from: u32| edge(from, from + 1).on(receive(0, &[into_reg(0)]));
    let sender = two(vec![edge(0, 1).holds(), sends(1)], vec![gets(0)]);
    let machine = Machine::new(&sender, Memory::new(Sc));
    let state = after(&machine, &[step(0, 0)]);
    assert_eq!(state.holder, Some(ProcId(0)), "a rendezvous is something to go on with");
    assert_eq!(machine.actions(&state), [shake(0, 1, 1, 0)]);
    assert_eq!(all_of(&sender, Memory::new(Sc)).states, 2);
    // A receiver cannot go on by itself and holds nobody.
    let receiver = two(vec![sends(0)], vec![edge(0, 1).holds(), gets(1)]);
    let machine = Machine::new(&receiver, Memory::new(Sc));
    let state = after(&machine, &[step(1, 0)]);
    assert_eq!(state.holder, None);
    assert_eq!(machine.actions(&state), [shake(0, 0, 1, 1)]);
    // With something else to do it goes on holding, and nobody can send to it.
    let busy = two(vec![sends(0)], vec![edge(0, 1).holds(), gets(1), edge(1, 2)]);
    let machine = Machine::new(&busy, Memory::new(Sc));
    let refused = refusal(&machine, &[step(1, 0)], shake(0, 0, 1, 1));
    assert_eq!(refused, Refusal::Held(ProcId(1)));
}

/// p sets x and resets it without letting anybody in between.
fn brief() -> Program {
    let p = vec![edge(0, 1).does(set_var(0, 1)).holds(), edge(1, 2).does(set_var(0, 0))];
    with_property(two(p, vec![]), PropertyKind::Forbid(x()))
}

#[test]
fn properties_over_states_do_not_look_at_held_states() {
    let sc = Memory::new(Sc);
    assert!(all_of(&brief(), sc).findings.is_empty());
    let trace = |finding, actions: &[_]| Trace::new(sc, finding, actions.to_vec());
    let claim = replay(&brief(), &trace(first_property(), &[step(0, 0)]));
    assert!(claim.unwrap_err().to_string().contains("does not end in what it claims"));
    // With nothing to go on with, p holds nobody, and the state is one like any other.
    let mut stays = brief();
    stays.defs[0].steps[1].guard = 0.into();
    let found = BTreeSet::from([first_property(), Finding::Deadlock]);
    assert_eq!(all_of(&stays, sc).findings, found);
    for finding in found {
        replay(&stays, &trace(finding, &[step(0, 0)])).expect("it is really there");
    }
}

#[test]
fn assertions_in_held_states_count() {
    let mut program = with_property(brief(), PropertyKind::Assert);
    let assert = Effect::Assert { condition: 0.into(), property: PropId(1) };
    program.defs[0].steps[1].effects.push(assert);
    let program = checked(program);
    let finding = Finding::Property(PropId(1));
    let sc = Memory::new(Sc);
    assert_eq!(all_of(&program, sc).findings, BTreeSet::from([finding]));
    let trace = trace_to(&program, sc, finding);
    assert_eq!(trace.actions, [step(0, 0), step(0, 1)]);
    replay(&program, &trace).expect("it is fine");
}

#[test]
fn a_hold_that_loops_is_explored_once() {
    let program = two(vec![edge(0, 1).holds(), edge(1, 1).holds()], vec![edge(0, 1)]);
    let all = all_of(&program, Memory::new(Sc));
    assert_eq!((all.states, all.findings.len()), (2, 0));
}

#[test]
fn a_timeout_is_due_when_nothing_else_can_happen() {
    let program = two(vec![edge(0, 1).when(Expr::Timeout)], vec![edge(0, 1)]);
    let machine = Machine::new(&program, Memory::new(Sc));
    let refused = refusal(&machine, &[], step(0, 0));
    assert_eq!(refused, Refusal::TimeoutNotDue);
    assert_eq!(refused.describe(&program), "its timeout is not due: something else can happen");
    after(&machine, &[step(1, 0), step(0, 0)]);
    let all = all_of(&program, Memory::new(Sc));
    assert_eq!((all.states, all.findings.len()), (3, 0));
    // What a timeout does not help is as it was.
    let stuck = two(vec![edge(0, 1).when(Expr::Timeout.and(x()))], vec![edge(0, 1)]);
    let machine = Machine::new(&stuck, Memory::new(Sc));
    assert_eq!(refusal(&machine, &[], step(0, 0)), Refusal::GuardFalse);
    assert_eq!(all_of(&stuck, Memory::new(Sc)).findings, BTreeSet::from([Finding::Deadlock]));
}

#[test]
fn a_timeout_is_due_for_all_at_once() {
    let late = || vec![edge(0, 1).when(Expr::Timeout)];
    let program = two(late(), late());
    let machine = Machine::new(&program, Memory::new(Sc));
    assert_eq!(machine.actions(&machine.initial()), [step(0, 0), step(1, 0)]);
    assert_eq!(all_of(&program, Memory::new(Sc)).states, 4);
}

#[test]
fn a_commit_and_a_bound_keep_a_timeout_from_being_due() {
    let tso = Memory::new(Tso);
    let late = vec![edge(0, 1).when(Expr::Timeout)];
    let program = two(late, vec![edge(0, 1).does(set_var(0, 1))]);
    let machine = Machine::new(&program, tso);
    assert_eq!(refusal(&machine, &[step(1, 0)], step(0, 0)), Refusal::TimeoutNotDue);
    assert_eq!(all_of(&program, tso).states, 4);
    let full = all_of(&program, tso.bounded(Some(0)));
    assert_eq!((full.states, full.bounds.buffer, full.findings.len()), (1, true, 0));
}

#[test]
fn a_holder_that_waits_for_a_timeout_lets_the_others_go_first() {
    let program = two(vec![edge(0, 1).holds(), edge(1, 2).when(Expr::Timeout)], vec![edge(0, 1)]);
    let machine = Machine::new(&program, Memory::new(Sc));
    let state = after(&machine, &[step(0, 0)]);
    assert_eq!((state.holder, machine.actions(&state)), (None, vec![step(1, 0)]));
    // (0,0) (0,1) (1,0) (1,1) (2,1)
    assert_eq!(all_of(&program, Memory::new(Sc)).states, 5);
}

#[test]
fn what_yields_to_a_timeout_goes_first() {
    let program =
        two(vec![edge(0, 1).when(Expr::Timeout), edge(0, 2).yields(&[0])], vec![edge(0, 1)]);
    let machine = Machine::new(&program, Memory::new(Sc));
    assert_eq!(machine.actions(&machine.initial()), [step(0, 1), step(1, 0)]);
}
