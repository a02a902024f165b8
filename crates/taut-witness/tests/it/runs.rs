//! Brute force for properties of runs on programs whose answers are obvious.

use crate::common;

use common::code::{self, Also, edge, receive, send, set_var, shared};
use common::runs::*;
use common::*;
use taut_ir::MemoryModel::{Delayed, Pso, Sc, Tso};
use taut_ir::build::ProgramBuilder;
use taut_ir::{
    Atom, BinaryOp, Expr, Fairness, Memory, MemoryModel, Pattern, ProcId, Program, PropId, Span,
    Step, Type, VarId,
};
use taut_ltl::{Automaton, Cube, Edge, Guard, State};
use taut_witness::temporal::violates;
use taut_witness::{Trace, replay};

const NONE: Fairness = Fairness::NONE;
const ALL: Fairness = Fairness::ALL;

/// Whether a formula is violated; what shows it must replay.
fn bad(program: &Program, model: MemoryModel, property: PropId, fairness: Fairness) -> bool {
    let memory = Memory::new(model).bounded(Some(2));
    let found = shown(program, memory, property, fairness);
    assert_eq!(violates(program, memory, property, fairness, LIMIT), Some(found.is_some()));
    if let Some(trace) = &found {
        replay(program, trace).expect("brute force shows what is so");
    }
    found.is_some()
}

#[test]
fn an_unfair_scheduler_lets_one_process_run_alone() {
    let (program, property) = spinner();
    assert!(bad(&program, Sc, property, NONE));
    assert!(bad(&program, Sc, property, BUFFERS));
    assert!(!bad(&program, Sc, property, PROCESS));
    assert!(!bad(&program, Sc, property, ALL));
}

#[test]
fn a_store_waits_for_ever_unless_memory_is_fair() {
    let (program, property) = spinner();
    for model in [Tso, Pso, Delayed] {
        assert!(bad(&program, model, property, PROCESS));
        assert!(bad(&program, model, property, BUFFERS));
        assert!(!bad(&program, model, property, ALL));
        assert!(!bad(&program, model, property, MEMORY_PROCESS));
    }
}

/// `x := 1`, then `y := 1; y := 0` for ever.
#[test]
fn under_pso_every_place_has_a_buffer_of_its_own() {
    let mut b = ProgramBuilder::new("places");
    let x = b.shared("x", Type::INT, 0);
    let y = b.shared("y", Type::INT, 0);
    let mut p = b.process("p");
    p.store(x, 1);
    let start = p.here();
    p.store(y, 1).store(y, 0).goto(start);
    p.finish();
    let mut program = b.build().unwrap();
    let property = ltl(&mut program, "<> (x == 1)", &[("x == 1", is(x, 1))]);
    assert!(bad(&program, Pso, property, MEMORY_PROCESS), "the memory is busy with y");
    assert!(!bad(&program, Pso, property, ALL));
    assert!(!bad(&program, Tso, property, MEMORY_PROCESS), "the store to x is the oldest");
    assert!(bad(&program, Delayed, property, MEMORY_PROCESS));
    assert!(!bad(&program, Delayed, property, ALL));
}

/// `x := 1; x := 2` for ever: what waits is replaced before it commits.
#[test]
fn a_delayed_write_that_is_replaced_again_and_again_waits_for_ever() {
    let mut b = ProgramBuilder::new("replaced");
    let x = b.shared("x", Type::INT, 0);
    let mut p = b.process("p");
    let start = p.here();
    p.store(x, 1).store(x, 2).goto(start);
    p.finish();
    let mut program = b.build().unwrap();
    let property = ltl(&mut program, "<> ! (x == 0)", &[("x == 0", is(x, 0))]);
    assert!(bad(&program, Delayed, property, PROCESS));
    assert!(!bad(&program, Delayed, property, BUFFERS));
}

/// `x := 1`, and that is all.
#[test]
fn a_run_that_ends_stays_in_its_last_state() {
    let mut b = ProgramBuilder::new("end");
    let x = b.shared("x", Type::INT, 0);
    let mut p = b.process("p");
    p.store(x, 1);
    p.finish();
    let mut program = b.build().unwrap();
    let zero = [("x == 0", is(x, 0))];
    let again = ltl(&mut program, "[] <> (x == 0)", &zero);
    let settled = ltl(&mut program, "<> [] ! (x == 0)", &zero);
    let infinite = ltl_of_infinite_runs(&mut program, "[] <> (x == 0)", &zero);
    for model in [Sc, Tso] {
        assert!(bad(&program, model, again, ALL));
        assert!(!bad(&program, model, settled, NONE));
        assert!(!bad(&program, model, infinite, NONE), "there is no infinite run");
    }
    let trace = shown(&program, Memory::new(Tso), again, ALL).unwrap();
    assert_eq!(trace.actions, [step(0, 0), commit(0, 0)]);
    assert_eq!(trace.lasso.map(|lasso| lasso.cycle), Some(2));
}

#[test]
fn a_deadlock_at_the_start_is_a_run_of_one_state() {
    let mut b = ProgramBuilder::new("stuck");
    let x = b.shared("x", Type::INT, 0);
    let mut p = b.process("p");
    p.assume(is(x, 5));
    let end = p.here();
    let p = p.finish();
    let mut program = b.build().unwrap();
    let property = ltl(&mut program, "<> p@end", &[("p@end", Expr::At(p, vec![end]))]);
    let trace = shown(&program, Memory::new(Sc), property, ALL).unwrap();
    assert_eq!((trace.actions.len(), trace.lasso.map(|l| l.cycle)), (0, Some(0)));
    replay(&program, &trace).unwrap();
}

/// After `x := 1` there is only a division by zero: no run gets there, but nothing could fix one.
#[test]
fn a_finite_run_may_decide_where_no_run_goes_on() {
    let mut program = code::program(
        vec![shared("x"), shared("y")],
        vec![],
        vec![code::code(
            "p",
            &[],
            vec![edge(0, 1).does(set_var(0, 1)), edge(1, 1).does(set_var(1, code::bad()))],
        )],
    );
    let x = VarId(0);
    let one = [("x == 1", is(x, 1))];
    let safe = ltl(&mut program, "[] ! (x == 1)", &one);
    let live = ltl(&mut program, "[] <> (x == 1) && <> [] ! (x == 1)", &one);
    let open = ltl(&mut program, "[] <> ! (x == 1)", &one);
    let trace = shown(&program, Memory::new(Sc), safe, ALL).unwrap();
    assert_eq!((trace.actions.as_slice(), trace.lasso), ([step(0, 0)].as_slice(), None));
    replay(&program, &trace).unwrap();
    let trace = shown(&program, Memory::new(Sc), live, ALL).unwrap();
    assert_eq!((trace.actions.len(), trace.lasso), (0, None), "it contradicts itself");
    replay(&program, &trace).unwrap();
    assert!(!bad(&program, Sc, open, NONE), "no run violates it, and none is lost yet");
}

#[test]
fn next_counts_transitions() {
    let (mut program, _) = spinner();
    let one = [("x == 1", is(VarId(0), 1))];
    let next = ltl(&mut program, "X (x == 1)", &one);
    let until = ltl(&mut program, "! (x == 1) -> X true", &one);
    let step_by_step = ltl(&mut program, "[] ((x == 1) -> X (x == 1))", &one);
    assert!(bad(&program, Sc, next, ALL), "p may be first");
    assert!(!bad(&program, Sc, until, NONE));
    assert!(!bad(&program, Sc, step_by_step, NONE));
    let alone = code::code("p", &[], vec![edge(0, 1).does(set_var(0, 1))]);
    let mut program = code::program(vec![shared("x")], vec![], vec![alone]);
    let next = ltl(&mut program, "X (x == 1)", &one);
    let after = ltl(&mut program, "X X X ! (x == 1)", &one);
    assert!(!bad(&program, Sc, next, NONE));
    assert!(bad(&program, Tso, next, NONE), "the store has yet to commit");
    assert!(bad(&program, Sc, after, NONE), "the last state is repeated");
}

#[test]
fn what_happens_while_a_process_holds_the_others_is_one_transition() {
    let held = vec![
        edge(0, 1).does(set_var(0, 1)).holds(),
        edge(1, 2).does(set_var(1, 1)).holds(),
        edge(2, 3).does(set_var(0, 0)),
    ];
    let mut program =
        code::program(vec![shared("x"), shared("y")], vec![], vec![code::code("p", &[], held)]);
    let meanings = [("x == 1", is(VarId(0), 1)), ("y == 1", is(VarId(1), 1))];
    let unseen = ltl(&mut program, "[] ! (x == 1)", &meanings);
    let next = ltl(&mut program, "X (y == 1)", &meanings);
    let wrong = ltl(&mut program, "X ! (y == 1)", &meanings);
    assert!(!bad(&program, Sc, unseen, NONE));
    assert!(!bad(&program, Sc, next, NONE));
    let trace = shown(&program, Memory::new(Sc), wrong, NONE).unwrap();
    assert_eq!(trace.actions.len(), 3);
    assert_eq!(trace.lasso.map(|l| l.cycle), Some(3), "a bad prefix is only the second choice");
    let run = replay(&program, &trace).unwrap();
    let seen: Vec<bool> = run.atoms.unwrap().at.iter().map(Option::is_some).collect();
    assert_eq!(seen, [true, false, false, true]);
}

/// Two processes that spin in the same state.
#[test]
fn transitions_between_the_same_states_differ_by_who_moves() {
    let mut b = ProgramBuilder::new("two");
    let x = b.shared("x", Type::INT, 0);
    spin(&mut b, "p");
    spin(&mut b, "q");
    let mut program = b.build().unwrap();
    let property = ltl(&mut program, "<> (x == 1)", &[("x == 1", is(x, 1))]);
    let actions = |fairness| {
        let mut actions = shown(&program, Memory::new(Sc), property, fairness).unwrap().actions;
        actions.sort();
        actions
    };
    assert_eq!(actions(NONE), [step(0, 0)]);
    assert_eq!(actions(PROCESS), [step(0, 0), step(1, 0)]);
}

/// `p` sends for ever, `q` receives for ever and flips x; `r` spins.
#[test]
fn in_a_rendezvous_the_sender_is_enabled_and_both_move() {
    let x = VarId(0);
    let flip = Expr::binary(BinaryOp::Sub, 1.into(), x.into());
    let p = code::code("p", &[], vec![edge(0, 0).on(send(0, &[1.into()]))]);
    let q = vec![edge(0, 0).on(receive(0, &[Pattern::Any])).does(set_var(0, flip))];
    let r = code::code("r", &[], vec![edge(0, 0)]);
    let channels = || vec![code::channel("c", 0, 1)];
    let defs = vec![p, code::code("q", &[], q.clone()), r.clone()];
    let mut program = code::program(vec![shared("x")], channels(), defs);
    let one = [("x == 1", is(x, 1))];
    let flips = ltl(&mut program, "[] <> (x == 1)", &one);
    assert!(bad(&program, Sc, flips, NONE));
    assert!(!bad(&program, Sc, flips, PROCESS));
    let mut lonely = code::program(vec![shared("x")], channels(), vec![code::code("q", &[], q), r]);
    let flips = ltl(&mut lonely, "<> (x == 1)", &one);
    assert!(bad(&lonely, Sc, flips, PROCESS), "waiting to receive is not being able to move");
}

#[test]
fn a_process_that_can_only_go_wrong_can_move_and_never_does() {
    let p = code::code("p", &[], vec![edge(0, 0).does(set_var(0, code::bad()))]);
    let q = code::code("q", &[], vec![edge(0, 0)]);
    let mut program = code::program(vec![shared("x")], vec![], vec![p, q]);
    let one = [("x == 1", is(VarId(0), 1))];
    let property = ltl(&mut program, "<> (x == 1)", &one);
    assert!(bad(&program, Sc, property, NONE));
    assert!(!bad(&program, Sc, property, PROCESS), "no run is fair to p");
}

#[test]
fn enabled_asks_what_can_happen_next() {
    let x = VarId(0);
    let p = code::code("p", &[], vec![edge(0, 1).when(is(x, 1))]);
    let q = code::code("q", &[], vec![edge(0, 1).does(set_var(0, 1)), edge(1, 2)]);
    let mut program = code::program(vec![shared("x")], vec![], vec![p, q]);
    let (p, q) = (ProcId(0), ProcId(1));
    let meanings = [
        ("x == 1", is(x, 1)),
        ("enabled(p)", Expr::Enabled(p)),
        ("enabled(q)", Expr::Enabled(q)),
        ("p@0", Expr::At(p, vec![taut_ir::PointId(0)])),
    ];
    let may_go = ltl(&mut program, "[] (enabled(p) <-> (x == 1 && p@0))", &meanings);
    let never = ltl(&mut program, "[] ! enabled(p)", &meanings);
    let ends = ltl(&mut program, "<> [] ! enabled(q)", &meanings);
    for model in [Sc, Tso, Pso] {
        // A process sees its own store; p has none, so what it can do depends on memory alone.
        assert!(!bad(&program, model, may_go, NONE));
        assert!(bad(&program, model, never, NONE));
        assert!(!bad(&program, model, ends, NONE));
    }
}

#[test]
fn a_timeout_counts_where_it_is_due() {
    let p = code::code("p", &[], vec![edge(0, 0).when(Expr::Timeout)]);
    let mut program = code::program(vec![shared("x")], vec![], vec![p]);
    let meanings = [("enabled(p)", Expr::Enabled(ProcId(0)))];
    let enabled = ltl(&mut program, "[] enabled(p)", &meanings);
    let wrong = ltl(&mut program, "<> ! enabled(p)", &meanings);
    assert!(!bad(&program, Sc, enabled, NONE));
    let trace = shown(&program, Memory::new(Sc), wrong, ALL).unwrap();
    assert_eq!((trace.actions.len(), trace.lasso.map(|l| l.cycle)), (1, Some(0)));
}

/// A call that calls itself until it may not: everything is held back by a bound, so no run goes there.
#[test]
fn a_bound_ends_no_run() {
    let mut b = ProgramBuilder::new("deep");
    let x = b.shared("x", Type::INT, 0);
    let mut p = b.process("p");
    let start = p.here();
    let body = p.procedure("again", start, vec![], 0);
    let back = taut_ir::Control::Call { procedure: body, args: vec![], return_to: start };
    p.edge(Step { target: back, ..Step::skip(start, start, Span::NONE) });
    p.finish();
    let mut program = b.build().unwrap();
    let property = ltl(&mut program, "<> (x == 1)", &[("x == 1", is(x, 1))]);
    assert!(!bad(&program, Sc, property, NONE));
}

#[test]
fn a_failed_assertion_ends_no_run() {
    let mut b = ProgramBuilder::new("assert");
    let x = b.shared("x", Type::INT, 0);
    let mut p = b.process("p");
    p.assert("no", 0.into()).store(x, 1);
    p.finish();
    let mut program = b.build().unwrap();
    let property = ltl(&mut program, "[] ! (x == 1)", &[("x == 1", is(x, 1))]);
    assert!(bad(&program, Sc, property, ALL));
}

/// Accepts the runs in which atom 0 is false from some point on.
fn in_the_end_not() -> Automaton {
    let edge = |cube, target, accepts| Edge { guard: Guard::new([cube]), target, accepts };
    let not = Cube::literal(0, false);
    let state = |edges| State { edges, name: None };
    let states =
        vec![state(vec![edge(Cube::TRUE, 0, 0), edge(not, 1, 0)]), state(vec![edge(not, 1, 1)])];
    Automaton { atoms: 1, states, initial: vec![0], sets: 1, name: None }
}

#[test]
fn an_automaton_forbids_what_it_accepts() {
    let (mut program, _) = spinner();
    let atoms = vec![Atom { expr: is(VarId(0), 1), text: "x == 1".into() }];
    let claim = never(&mut program, "claim", in_the_end_not(), atoms);
    let formula = ltl(&mut program, "[] <> (x == 1)", &[("x == 1", is(VarId(0), 1))]);
    for model in [Sc, Tso, Pso] {
        for fairness in [NONE, PROCESS, BUFFERS, MEMORY_PROCESS, ALL] {
            let expected = bad(&program, model, formula, fairness);
            assert_eq!(bad(&program, model, claim, fairness), expected);
        }
    }
}

#[test]
fn an_automaton_accepts_at_once_in_a_universal_state() {
    let p = vec![edge(0, 1).does(set_var(0, 1)), edge(1, 1).does(set_var(0, code::bad()))];
    let mut program = code::program(vec![shared("x")], vec![], vec![code::code("p", &[], p)]);
    let atoms = vec![Atom { expr: is(VarId(0), 1), text: "x == 1".into() }];
    let edge = |cube, target, accepts| Edge { guard: Guard::new([cube]), target, accepts };
    let state = |edges| State { edges, name: None };
    let states = vec![
        state(vec![edge(Cube::literal(0, false), 0, 0), edge(Cube::literal(0, true), 1, 0)]),
        state(vec![edge(Cube::TRUE, 1, 1)]),
    ];
    let automaton = Automaton { atoms: 1, states, initial: vec![0], sets: 1, name: None };
    let claim = never(&mut program, "reached", automaton, atoms);
    let trace = shown(&program, Memory::new(Sc), claim, ALL).unwrap();
    assert_eq!((trace.actions.as_slice(), trace.lasso), ([step(0, 0)].as_slice(), None));
    replay(&program, &trace).unwrap();
    let short = Trace { actions: vec![], ..trace };
    assert!(replay(&program, &short).unwrap_err().to_string().contains("decides nothing"));
}

#[test]
fn the_limit_is_kept_and_other_properties_are_no_question() {
    let (program, property) = starving();
    let memory = Memory::new(Tso);
    assert_eq!(violates(&program, memory, property, ALL, 3), None);
    assert_eq!(violates(&program, memory, PropId(9), ALL, LIMIT), None);
    let sb = store_buffering(false);
    assert_eq!(violates(&sb, memory, PropId(0), ALL, LIMIT), None);
    let endless = vec![edge(0, 0).does(set_var(0, 1)).holds()];
    let p = code::code("p", &[], endless);
    let mut program = code::program(vec![shared("x")], vec![], vec![p]);
    let one = [("x == 1", is(VarId(0), 1))];
    let property = ltl(&mut program, "<> (x == 1)", &one);
    assert_eq!(violates(&program, unbounded(Tso), property, ALL, 100), None);
    assert_eq!(violates(&program, unbounded(Sc), property, ALL, 100), Some(false));
}

#[test]
fn a_starving_process_is_starved_fairly() {
    let (program, property) = starving();
    for model in [Sc, Tso, Pso] {
        assert!(bad(&program, model, property, ALL));
    }
}
