//! What the rules of simplification must look out for, one by one. Each was found by a random program, or is what
//! a rule without the condition would get wrong.

use taut_explicit::reduce::simplify::{Question, Rules, simplify};
use taut_explicit::{Exploration, Reduce, SearchOptions, explore};
use taut_ir::build::ProgramBuilder;
use taut_ir::{
    Assignment, BinaryOp, Control, Effect, Expr, Finding, FullBuffer, Lvalue, Memory, MemoryModel,
    Mode, ProcId, Program, PropId, RegId, Span, Step, Type,
};

const TSO: Memory =
    Memory { model: MemoryModel::Tso, bound: Some(2), full_buffer: FullBuffer::Wait };

fn search(program: &Program, reduce: Reduce) -> Exploration {
    let options = SearchOptions { all: true, whole: true, reduce, ..SearchOptions::default() };
    explore(program, TSO, &options)
}

fn simplified(program: &Program, rules: Rules) -> Program {
    let question = Question::of_states(program, &[]);
    simplify(program, TSO.model, &question, rules).program
}

/// So many things are found, whatever is left out.
fn assert_same(program: &Program, count: usize) {
    for reduce in [Reduce::None, Reduce::All] {
        let found = search(program, reduce).found;
        assert_eq!(found.len(), count, "{reduce:?}: {found:?}");
    }
}

fn quotient(r: RegId) -> Expr {
    Expr::binary(BinaryOp::Div, 1.into(), r.into())
}

/// The others go on without a process that is about to fault.
#[test]
fn what_could_fault_is_not_passed() {
    let mut b = ProgramBuilder::new("fault");
    let x = b.shared("x", Type::BOOL, 0);
    let mut p = b.process("p");
    let r = p.register("r", Type::range(0, 3), 0);
    p.store(x, 1).set(r, quotient(r));
    p.finish();
    let mut q = b.process("q");
    q.assume(Expr::from(x).equals(1.into())).assert("late", 0.into());
    q.finish();
    let program = b.build().expect("a program");
    for reduce in [Reduce::None, Reduce::All] {
        let found = search(&program, reduce).found;
        assert!(found.iter().any(|f| f.finding == Finding::Property(PropId(0))), "{reduce:?}");
        assert!(found.iter().any(|f| matches!(f.finding, Finding::Fault(_))), "{reduce:?}");
    }
}

/// A step into an atomic section takes along what comes in it.
#[test]
fn a_step_into_an_atomic_section_is_not_passed() {
    let mut b = ProgramBuilder::new("atomic");
    let x = b.shared("x", Type::BOOL, 0);
    let mut p = b.process("p");
    p.store(x, 1);
    let before = p.here();
    let inside = p.point();
    let after = p.point();
    p.edge(Step::skip(before, inside, Span::NONE));
    p.set_atomic(inside).at(inside);
    let property = p.assertion();
    let condition = Expr::from(x).equals(1.into());
    let effects = vec![Effect::Assert { condition, property }];
    p.edge(Step { effects, ..Step::skip(inside, after, Span::NONE) }).at(after);
    p.finish();
    let mut q = b.process("q");
    q.assume(Expr::from(x).equals(1.into())).store(x, 0);
    q.finish();
    let program = b.build().expect("a program");
    assert_same(&program, 1);
}

/// If one store to something that nobody reads stays, because it could go wrong, all do: else there would be more
/// values than before.
#[test]
fn stores_to_one_thing_stay_together() {
    let mut b = ProgramBuilder::new("faint");
    let mut p = b.process("p");
    let r = p.register("r", Type::range(0, 3), 1);
    let s = p.register("s", Type::range(-3, 3), 1);
    let start = p.here();
    p.set(s, 0).set(s, quotient(r)).set(r, 1).goto(start);
    p.finish();
    let program = b.build().expect("a program");
    let simple = simplified(&program, Rules { unread: true, ..Rules::NONE });
    // The range of r is the number 1, by which can be divided.
    assert!(simple.defs[0].steps.iter().all(|step| step.effects.is_empty()));
    let mut given = program;
    given.defs[0].steps[2].effects = vec![Effect::assign(Lvalue::Reg(r), 0)];
    let simple = simplified(&given, Rules { unread: true, ..Rules::NONE });
    assert_eq!(simple, given);
}

/// A parameter that is dead where its process starts holds what it was given: to reset it elsewhere would make two
/// states of one.
#[test]
fn what_is_stale_somewhere_is_reset_nowhere() {
    let mut b = ProgramBuilder::new("stale");
    let mut w = b.template("w");
    let r = w.parameter("r", Type::range(0, 3));
    let start = w.here();
    w.set(r, 2).assume(Expr::from(r).equals(2.into())).goto(start);
    let worker = w.finish_template();
    let mut p = b.process("p");
    p.step(
        Expr::TRUE,
        Mode::Plain,
        vec![Effect::Spawn { def: worker, args: vec![2.into()], pid: None }],
    );
    p.finish();
    b.spawn_slots(worker, 1);
    let program = b.build().expect("a program");
    assert_eq!(simplified(&program, Rules { dead: true, ..Rules::NONE }), program);
}

/// A register that another process reads is never dead.
#[test]
fn what_others_read_is_live() {
    let mut b = ProgramBuilder::new("remote");
    let mut p = b.process("p");
    let r = p.register("r", Type::range(0, 3), 0);
    p.set(r, 2);
    let p = p.finish();
    let mut q = b.process("q");
    q.assume(Expr::In(p, Box::new(r.into())).equals(2.into())).assert("seen", 0.into());
    q.finish();
    let program = b.build().expect("a program");
    assert_eq!(search(&program, Reduce::All).found.len(), 1);
}

/// Two processes that look whether the other has stored, right after they have: both may see it.
#[test]
fn what_others_store_is_not_local() {
    let mut b = ProgramBuilder::new("both");
    let vars = [b.shared("x", Type::BOOL, 0), b.shared("y", Type::BOOL, 0)];
    let mut there = Vec::new();
    for (name, mine, other) in [("p", 0, 1), ("q", 1, 0)] {
        let mut p = b.process(name);
        p.store(vars[mine], 1);
        let (asking, seen, both, out) = (p.here(), p.point(), p.point(), p.point());
        let is = |value: i64| Expr::from(vars[other]).equals(value.into());
        p.edge(Step { guard: is(1), ..Step::skip(asking, seen, Span::NONE) });
        p.edge(Step { guard: is(0), ..Step::skip(asking, out, Span::NONE) });
        p.edge(Step::skip(seen, both, Span::NONE));
        p.at(both);
        there.push(Expr::At(p.finish(), vec![both]));
    }
    b.forbid("both", there.remove(0).and(there.remove(0)));
    assert_same(&b.build().expect("a program"), 2);
}

/// What is looked at in each state must be seen in each state.
#[test]
fn what_is_asked_is_seen_on_the_way() {
    let mut b = ProgramBuilder::new("on the way");
    let ghost = b.ghost("g", Type::range(0, 3), 0);
    let mut p = b.process("p");
    let r = p.register("r", Type::range(0, 3), 0);
    p.set(r, 1).set(r, 0).store(ghost, 1).store(ghost, 0);
    let p = p.finish();
    b.forbid("register", Expr::In(p, Box::new(r.into())).equals(1.into()));
    b.forbid("ghost", Expr::from(ghost).equals(1.into()));
    assert_same(&b.build().expect("a program"), 2);
}

/// Who has finished is gone, and that can be seen.
#[test]
fn the_end_of_a_spawned_process_is_not_passed() {
    let mut b = ProgramBuilder::new("end");
    let ghost = b.ghost("g", Type::BOOL, 0);
    let mut w = b.template("w");
    w.store(ghost, 1).step(Expr::TRUE, Mode::Plain, vec![]);
    let worker = w.finish_template();
    let mut p = b.process("p");
    let spawn = Effect::Spawn { def: worker, args: vec![], pid: None };
    p.step(Expr::TRUE, Mode::Plain, vec![spawn]);
    p.finish();
    b.spawn_slots(worker, 1);
    b.forbid("alive", Expr::Alive(ProcId(1)).and(Expr::from(ghost).equals(1.into())));
    assert_same(&b.build().expect("a program"), 1);
}

/// An atomic write waits for the buffer, whatever it writes.
#[test]
fn an_atomic_write_to_a_ghost_stays() {
    let mut b = ProgramBuilder::new("ghost");
    let (x, ghost) = (b.shared("x", Type::BOOL, 0), b.ghost("g", Type::BOOL, 0));
    let mut p = b.process("p");
    p.store(x, 1);
    let write = Assignment { place: Lvalue::Var(ghost), value: 1.into(), atomic: true };
    p.step(Expr::TRUE, Mode::Plain, vec![Effect::Assign(vec![write])]);
    let after = p.here();
    let p = p.finish();
    b.forbid("late", Expr::At(p, vec![after]).and(Expr::from(x).equals(0.into())));
    assert_same(&b.build().expect("a program"), 0);
}

/// A guard that can only be false, but for a fault, is one that faults.
#[test]
fn a_guard_that_could_fault_is_not_false() {
    let mut b = ProgramBuilder::new("guard");
    let mut p = b.process("p");
    let r = p.register("r", Type::range(0, 3), 0);
    let small = Expr::binary(BinaryOp::Lt, quotient(r), Expr::Const(-5));
    p.assume(small).set(r, 1);
    p.finish();
    assert_same(&b.build().expect("a program"), 1);
}

/// A procedure returns both to where a register is read and to where it is not.
#[test]
fn a_return_resets_nothing_that_some_caller_reads() {
    let mut b = ProgramBuilder::new("return");
    let mut p = b.process("p");
    let r = p.register("r", Type::range(0, 3), 0);
    let start = p.here();
    let [inside, first, second, last] = [(); 4].map(|()| p.point());
    let procedure = p.procedure("f", inside, vec![], 0);
    let call = |return_to| Control::Call { procedure, args: vec![], return_to };
    p.edge(Step { target: Control::Return, ..Step::skip(inside, inside, Span::NONE) });
    let set = vec![Effect::assign(Lvalue::Reg(r), 1)];
    p.edge(Step { effects: set, target: call(first), ..Step::skip(start, start, Span::NONE) });
    let property = p.assertion();
    let condition = Expr::from(r).equals(1.into());
    let effects = vec![Effect::Assert { condition, property }];
    p.edge(Step { effects, ..Step::skip(first, second, Span::NONE) });
    p.edge(Step { target: call(last), ..Step::skip(second, second, Span::NONE) });
    p.at(last);
    p.finish();
    assert_same(&b.build().expect("a program"), 0);
}
