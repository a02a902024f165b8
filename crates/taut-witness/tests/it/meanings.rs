//! One test for each thing that a step, a commit or a bound can mean.

use crate::common;

use std::collections::BTreeSet;

use common::*;
use taut_ir::MemoryModel::{Pso, Sc, Tso};
use taut_ir::build::ProgramBuilder;
use taut_ir::{
    Assignment, BinaryOp, Control, DefId, Effect, Expr, Fault, Finding, FullBuffer, Lvalue, Memory,
    Mode, PointId, ProcId, Procedure, ProcedureId, Process, Program, PropId, RegId, Register, Span,
    Start, Step, Type, VarId,
};
use taut_witness::{Address, Machine, Outcome, Refusal, Source, State, Target, Trace, replay};

/// Runs actions that all must succeed.
fn run(machine: &Machine<'_>, actions: &[taut_ir::Action]) -> State {
    actions.iter().fold(machine.initial(), |state, &action| {
        match machine.apply(&state, action).map(|done| done.outcome) {
            Ok(Outcome::State(after)) => after,
            other => panic!("{action:?}: {other:?}"),
        }
    })
}

fn finding(machine: &Machine<'_>, state: &State, action: taut_ir::Action) -> Finding {
    match machine.apply(state, action).map(|done| done.outcome) {
        Ok(Outcome::Failure(failure)) => failure.finding,
        other => panic!("{other:?}"),
    }
}

fn division(a: impl Into<Expr>, b: impl Into<Expr>) -> Expr {
    Expr::Binary(BinaryOp::Div, Box::new(a.into()), Box::new(b.into()))
}

fn findings(program: &Program, memory: Memory) -> BTreeSet<Finding> {
    all_of(program, memory).findings
}

/// A program with one process and the variables x and y.
fn single(code: impl FnOnce(&mut taut_ir::build::ProcessBuilder<'_>, VarId, VarId)) -> Program {
    let mut b = ProgramBuilder::new("single");
    let x = b.shared("x", Type::range(0, 3), 0);
    let y = b.shared("y", Type::range(0, 3), 0);
    let mut p = b.process("p");
    code(&mut p, x, y);
    p.finish();
    b.build().unwrap()
}

#[test]
fn a_process_reads_its_own_newest_store() {
    let program = single(|p, x, _| {
        let r = p.register("r", Type::INT, 0);
        p.store(x, 1).store(x, 2).load(r, x);
    });
    for model in [Tso, Pso] {
        let machine = Machine::new(&program, Memory::new(model));
        let state = run(&machine, &[step(0, 0), step(0, 1)]);
        let done = machine.apply(&state, step(0, 2)).unwrap();
        assert_eq!(done.record.reads[0].value, 2);
        assert_eq!(done.record.reads[0].from, Source::Buffer);
        assert_eq!(state.memory[0], [0]);
        let state = run(&machine, &[step(0, 0), step(0, 1), commit(0, 0)]);
        assert_eq!(state.memory[0], [1]);
    }
}

#[test]
fn under_tso_only_the_oldest_store_commits_and_under_pso_any_oldest_of_a_place() {
    let program = single(|p, x, y| {
        p.store(x, 1).store(y, 1);
    });
    let x = Address { var: VarId(0), index: 0 };
    let tso = Machine::new(&program, Memory::new(Tso));
    let both = run(&tso, &[step(0, 0), step(0, 1)]);
    assert_eq!(tso.apply(&both, commit(0, 1)).unwrap_err(), Refusal::OlderStore(x));
    let pso = Machine::new(&program, Memory::new(Pso));
    assert_eq!(run(&pso, &[step(0, 0), step(0, 1), commit(0, 1)]).memory, [[0], [1]]);
    let sc = Machine::new(&program, Memory::new(Sc));
    let after = run(&sc, &[step(0, 0)]);
    assert_eq!(after.memory[0], [1]);
    assert_eq!(sc.apply(&after, commit(0, 0)).unwrap_err(), Refusal::NothingToCommit(x));
}

#[test]
fn an_sfence_under_pso_holds_later_stores_back() {
    let program = single(|p, x, y| {
        p.store(x, 1);
        p.step(Expr::TRUE, Mode::Plain, vec![Effect::StoreFence]);
        p.store(y, 1).store(x, 2);
    });
    let pso = Machine::new(&program, Memory::new(Pso));
    let state = run(&pso, &[step(0, 0), step(0, 1), step(0, 2), step(0, 3)]);
    let y = Address { var: VarId(1), index: 0 };
    assert_eq!(pso.apply(&state, commit(0, 1)).unwrap_err(), Refusal::BehindStoreFence(y));
    let commits: Vec<_> = pso.actions(&state);
    assert_eq!(commits, [commit(0, 0)]);
    let after = run(&pso, &[step(0, 0), step(0, 1), step(0, 2), step(0, 3), commit(0, 0)]);
    assert_eq!(pso.actions(&after), [commit(0, 0), commit(0, 1)]);
    // An sfence with nothing before it leaves nothing behind, and neither does one under TSO.
    let bare = single(|p, _, _| {
        p.step(Expr::TRUE, Mode::Plain, vec![Effect::StoreFence]);
    });
    for model in [Sc, Tso, Pso] {
        let machine = Machine::new(&bare, Memory::new(model));
        assert!(run(&machine, &[step(0, 0)]).processes[0].buffer.is_empty());
    }
}

#[test]
fn a_fence_waits_before_its_guard_is_looked_at() {
    let program = single(|p, x, y| {
        p.store(x, 1);
        p.step(division(1, y), Mode::Fence, vec![]);
    });
    let machine = Machine::new(&program, Memory::new(Tso));
    let stored = run(&machine, &[step(0, 0)]);
    assert_eq!(machine.apply(&stored, step(0, 1)).unwrap_err(), Refusal::OwnBufferNotEmpty);
    let drained = run(&machine, &[step(0, 0), commit(0, 0)]);
    assert_eq!(finding(&machine, &drained, step(0, 1)), Finding::Fault(Fault::DivisionByZero));
    assert!(machine.findings(&drained).is_empty(), "a step that faults is no deadlock");
}

#[test]
fn an_atomic_write_waits_for_the_own_buffer_only_and_goes_to_memory() {
    let program = single(|p, x, y| {
        p.store(x, 1);
        let write = Assignment { place: Lvalue::Var(y), value: 1.into(), atomic: true };
        p.step(Expr::TRUE, Mode::Plain, vec![Effect::Assign(vec![write])]);
    });
    for model in [Tso, Pso] {
        let machine = Machine::new(&program, Memory::new(model));
        let stored = run(&machine, &[step(0, 0)]);
        assert_eq!(machine.apply(&stored, step(0, 1)).unwrap_err(), Refusal::OwnBufferNotEmpty);
        assert_eq!(run(&machine, &[step(0, 0), commit(0, 0), step(0, 1)]).memory, [[1], [1]]);
    }
    let machine = Machine::new(&program, Memory::new(Sc));
    assert_eq!(run(&machine, &[step(0, 0), step(0, 1)]).memory, [[1], [1]]);
}

#[test]
fn parallel_assignments_swap_and_later_effects_see_earlier_ones() {
    let plain = |place, value: Expr| Assignment { place, value, atomic: false };
    let program = single(|p, x, y| {
        p.store(x, 1);
        let swap =
            Effect::Assign(vec![plain(Lvalue::Var(x), y.into()), plain(Lvalue::Var(y), x.into())]);
        let again = Effect::assign(Lvalue::Var(x), Expr::binary(BinaryOp::Add, x.into(), y.into()));
        p.step(Expr::TRUE, Mode::Plain, vec![swap, again]);
    });
    for model in [Sc, Tso, Pso] {
        assert_eq!(memory_outcomes(&program, model), set([[1, 1]]), "{model}");
    }
}

#[test]
fn a_step_goes_on_past_a_failed_assertion_but_not_past_a_fault() {
    let faulty = |first_fails: bool| {
        let mut b = ProgramBuilder::new("order");
        let x = b.shared("x", Type::range(0, 3), 0);
        b.forbid("unused", Expr::Const(0));
        let mut p = b.process("p");
        p.assert("mine", Expr::Const(0));
        p.finish();
        let mut program = b.build().unwrap();
        let assert = program.defs[0].steps[0].effects.remove(0);
        let fault = Effect::assign(Lvalue::Var(x), division(1, 0));
        program.defs[0].steps[0].effects =
            if first_fails { vec![assert, fault] } else { vec![fault, assert] };
        checked(program)
    };
    let memory = Memory::new(Tso);
    let division = Finding::Fault(Fault::DivisionByZero);
    let both = BTreeSet::from([Finding::Property(PropId(1)), division]);
    assert_eq!(findings(&faulty(true), memory), both);
    assert_eq!(findings(&faulty(false), memory), BTreeSet::from([division]));
}

#[test]
fn values_and_indices_out_of_range_are_faults() {
    let range = single(|p, x, _| {
        p.store(x, 4);
    });
    let shift = single(|p, x, _| {
        p.store(x, Expr::Binary(BinaryOp::Shl, Box::new(1.into()), Box::new(64.into())));
    });
    let mut b = ProgramBuilder::new("index");
    let a = b.shared_array("a", Type::INT, vec![0, 0]);
    let mut p = b.process("p");
    p.step(Expr::TRUE, Mode::Plain, vec![Effect::assign(Lvalue::VarElem(a, 2.into()), 1)]);
    p.finish();
    let index = b.build().unwrap();
    for (program, fault) in [(&range, Fault::Range), (&shift, Fault::Shift), (&index, Fault::Index)]
    {
        assert_eq!(
            findings(program, Memory::new(Pso)),
            BTreeSet::from([Finding::Fault(fault)]),
            "{fault:?}"
        );
    }
}

#[test]
fn array_elements_are_places_of_their_own() {
    let mut b = ProgramBuilder::new("array");
    let a = b.shared_array("a", Type::INT, vec![0, 0]);
    let mut p = b.process("p");
    let r = p.register("r", Type::INT, 0);
    for i in [0, 1] {
        p.step(Expr::TRUE, Mode::Plain, vec![Effect::assign(Lvalue::VarElem(a, i.into()), 5 + i)]);
    }
    p.set(r, Expr::VarElem(a, Box::new(1.into())));
    p.finish();
    let program = b.build().unwrap();
    let machine = Machine::new(&program, Memory::new(Pso).bounded(Some(1)));
    let state = run(&machine, &[step(0, 0), step(0, 1), step(0, 2)]);
    assert_eq!(state.processes[0].registers[0], [6]);
    assert_eq!(machine.actions(&state).len(), 2, "both elements may commit first");
}

#[test]
fn a_full_buffer_waits_or_ends_the_run() {
    let program = single(|p, x, y| {
        p.store(x, 1).store(y, 1).store(x, 2);
    });
    let tso = Memory::new(Tso).bounded(Some(1));
    let waiting = all_of(&program, tso);
    assert!(waiting.bounds.buffer && !waiting.bounds.threads && waiting.findings.is_empty());
    assert_eq!(waiting.finals.len(), 1);
    let error = Memory { full_buffer: FullBuffer::Error, ..tso };
    assert_eq!(findings(&program, error), BTreeSet::from([Finding::FullBuffer]));
    // Under PSO the bound is for each place: the second store to x is the first to meet it.
    let pso = Memory { model: Pso, ..error };
    assert_eq!(trace_to(&program, pso, Finding::FullBuffer).actions.len(), 3);
    assert!(!all_of(&program, Memory { model: Pso, ..tso.bounded(Some(2)) }).bounds.any());
    // A buffer that never has room is a bound, not a deadlock.
    assert!(findings(&program, tso.bounded(Some(0))).is_empty());
    assert!(!all_of(&program, unbounded(Tso)).bounds.any());
}

#[test]
fn ghost_variables_are_never_buffered() {
    let mut b = ProgramBuilder::new("ghost");
    let g = b.ghost("g", Type::INT, 0);
    let mut p = b.process("p");
    p.store(g, 1);
    p.finish();
    let program = b.build().unwrap();
    let machine = Machine::new(&program, Memory::new(Pso).bounded(Some(0)));
    let done = machine.apply(&machine.initial(), step(0, 0)).unwrap();
    assert_eq!(done.record.writes[0].to, Target::Memory);
}

#[test]
fn while_a_process_is_in_an_atomic_section_nothing_else_happens() {
    let mut b = ProgramBuilder::new("atomic");
    let x = b.shared("x", Type::INT, 0);
    let mut p = b.process("p");
    p.store(x, 1);
    p.store(x, 2);
    p.finish();
    let mut q = b.process("q");
    q.store(x, 3);
    q.finish();
    let mut program = b.build().unwrap();
    program.defs[0].points[1].atomic = true;
    let machine = Machine::new(&program, Memory::new(Tso));
    let state = run(&machine, &[step(1, 0), step(0, 0)]);
    assert_eq!(machine.actions(&state), [step(0, 1)]);
    assert_eq!(
        machine.apply(&state, commit(1, 0)).unwrap_err(),
        Refusal::NoCommitInAtomic(ProcId(0))
    );
    let state = run(&machine, &[step(0, 0)]);
    assert_eq!(machine.apply(&state, step(1, 0)).unwrap_err(), Refusal::OtherIsAtomic(ProcId(0)));
    assert_eq!(
        machine.apply(&state, commit(0, 0)).unwrap_err(),
        Refusal::NoCommitInAtomic(ProcId(0))
    );
}

#[test]
fn a_deadlock_is_where_nothing_happens_and_somebody_may_not_stop() {
    let stuck = single(|p, x, _| {
        p.assume(x.into());
    });
    assert_eq!(findings(&stuck, Memory::new(Tso)), BTreeSet::from([Finding::Deadlock]));
    let done = single(|p, x, _| {
        p.store(x, 1);
    });
    assert!(findings(&done, Memory::new(Tso)).is_empty());
    let mut may_stop = stuck.clone();
    may_stop.defs[0].points[0].end = true;
    assert!(findings(&may_stop, Memory::new(Tso)).is_empty());
    let committing = single(|p, x, _| {
        p.store(x, 1);
        p.fence();
    });
    assert!(findings(&committing, Memory::new(Tso)).is_empty());
}

/// `main` spawns two workers one after the other; there is one process for them. A worker stores
/// its parameter to x.
fn spawning() -> Program {
    let mut b = ProgramBuilder::new("spawn");
    let x = b.shared("x", Type::INT, 0);
    let mut main = b.process("main");
    main.step(Expr::TRUE, Mode::Plain, vec![]).step(Expr::TRUE, Mode::Plain, vec![]);
    main.finish();
    let mut worker = b.process("worker");
    let n = worker.register("n", Type::INT, 0);
    worker.store(x, n);
    worker.finish();
    let at_end = Expr::At(ProcId(1), vec![PointId(1)]);
    b.forbid("finished", at_end.and(Expr::Drained(ProcId(1))));
    let mut program = b.build().unwrap();
    for (step, i) in program.defs[0].steps.iter_mut().zip([1, 2]) {
        step.effects = vec![Effect::Spawn { def: DefId(1), args: vec![i.into()], pid: None }];
    }
    program.defs[1].params = 1;
    program.processes[1].start = Start::Spawned;
    checked(program)
}

#[test]
fn a_spawned_process_is_used_again_after_it_has_finished_and_its_buffer_is_empty() {
    let program = spawning();
    let machine = Machine::new(&program, Memory::new(Tso));
    assert_eq!(machine.apply(&machine.initial(), step(1, 0)).unwrap_err(), Refusal::NotStarted);
    let state = run(&machine, &[step(0, 0), step(1, 0)]);
    assert_eq!(machine.apply(&state, step(0, 1)).unwrap_err(), Refusal::NoThreadLeft);
    assert!(machine.bounds_met(&state).threads);
    assert_eq!(state.processes[1].registers[0], [1]);
    let state = run(&machine, &[step(0, 0), step(1, 0), commit(1, 0)]);
    assert!(!state.processes[1].started);
    assert_eq!(state.processes[1], machine.initial().processes[1]);
    let all = all_of(&program, Memory::new(Tso));
    assert!(all.bounds.threads);
    assert!(all.findings.is_empty(), "a retired process is nowhere: {:?}", all.findings);
    assert_eq!(memory_outcomes(&program, Pso), set([[2]]));
}

#[test]
fn properties_see_nothing_of_a_process_that_is_not_started() {
    let mut program = spawning();
    let child = ProcId(1);
    let always = |e: Expr| taut_ir::PropertyKind::Invariant(e);
    let view = Expr::In(child, Box::new(Expr::Reg(RegId(0)))).equals(0.into());
    program.defs[1].registers[0].init = vec![9];
    program.defs[0].steps.clear();
    program.defs[0].points[0].end = true;
    program.properties[0].kind =
        always(view.and(Expr::Drained(child)).and(Expr::At(child, vec![PointId(0)]).not()));
    assert!(findings(&checked(program), Memory::new(Tso)).is_empty());
}

/// `fact(n)`: leaves the product in `total`, by recursion.
fn recursive(depth: u32, n: i64) -> Program {
    let (total, number) = (RegId(0), RegId(1));
    let register = |name: &str, init: i64| Register {
        name: name.into(),
        ty: Type::INT,
        len: None,
        init: vec![init],
        span: Span::NONE,
    };
    let mut b = ProgramBuilder::new("factorial");
    let mut p = b.process("p");
    for _ in 0..4 {
        p.point();
    }
    p.at(PointId(1));
    p.finish();
    let mut program = b.build().unwrap();
    let call = |arg: Expr, to: u32| Control::Call {
        procedure: ProcedureId(0),
        args: vec![arg],
        return_to: PointId(to),
    };
    let step = |from: u32, guard: Expr, effects, target| Step {
        guard,
        effects,
        target,
        ..Step::skip(PointId(from), PointId(0), Span::NONE)
    };
    let compare = |op| Expr::binary(op, number.into(), 1.into());
    let less = Expr::binary(BinaryOp::Sub, number.into(), 1.into());
    let product = Expr::binary(BinaryOp::Mul, total.into(), number.into());
    let def = &mut program.defs[0];
    def.registers = vec![register("total", 1), register("n", 0)];
    def.procedures = vec![Procedure {
        name: "fact".into(),
        entry: PointId(2),
        registers: vec![number],
        params: 1,
    }];
    def.steps = vec![
        step(0, Expr::TRUE, vec![], call(n.into(), 1)),
        step(2, compare(BinaryOp::Le), vec![], Control::Return),
        step(2, compare(BinaryOp::Gt), vec![], call(less, 3)),
        step(3, Expr::TRUE, vec![Effect::assign(Lvalue::Reg(total), product)], Control::Return),
    ];
    program.call_depth = depth;
    checked(program)
}

#[test]
fn calls_nest_up_to_the_bound_and_return_to_the_callers_registers() {
    let all = all_of(&recursive(8, 5), Memory::new(Sc));
    assert!(!all.bounds.any());
    let end = all.finals.first().unwrap();
    assert_eq!(end.registers[0], [[120], [0]], "total is 5!, n is as before the first call");
    let shallow = all_of(&recursive(3, 5), Memory::new(Sc));
    assert!(shallow.bounds.calls && shallow.finals.is_empty());
    assert!(shallow.findings.is_empty(), "a bound is no deadlock");
    // fact(5) to fact(1) are five open calls, no more and no fewer.
    assert!(!all_of(&recursive(5, 5), Memory::new(Sc)).bounds.any());
    assert!(all_of(&recursive(4, 5), Memory::new(Sc)).bounds.calls);
}

#[test]
fn a_parameter_must_fit_its_register() {
    let mut program = recursive(8, 5);
    program.defs[0].registers[1].ty = Type::range(0, 4);
    let range = Finding::Fault(Fault::Range);
    assert_eq!(findings(&program, Memory::new(Sc)), BTreeSet::from([range]));
}

#[test]
fn a_property_that_cannot_be_computed_counts_as_false() {
    let mut b = ProgramBuilder::new("partial");
    let x = b.shared("x", Type::INT, 0);
    let quotient = || division(1, x);
    b.forbid("never", quotient());
    let bad = b.invariant("always", quotient());
    let mut p = b.process("p");
    p.store(x, 1);
    p.finish();
    let program = b.build().unwrap();
    let found = findings(&program, Memory::new(Sc));
    assert!(found.contains(&Finding::Property(bad)));
    assert!(found.contains(&Finding::Property(PropId(0))), "after the store, 1 / 1 is true");
    let empty = Trace::new(Memory::new(Sc), Finding::Property(bad), vec![]);
    assert!(replay(&program, &empty).is_ok());
    let other = Trace { finding: Finding::Property(PropId(0)), ..empty };
    assert!(replay(&program, &other).is_err());
}

#[test]
fn spawned_processes_follow_each_other_in_order() {
    let mut program = spawning();
    let extra = Process { name: "worker2".into(), ..program.processes[1].clone() };
    program.processes.push(extra);
    let program = checked(program);
    let machine = Machine::new(&program, Memory::new(Sc));
    let state = run(&machine, &[step(0, 0), step(0, 1)]);
    assert_eq!(state.processes[1].registers[0], [1]);
    assert_eq!(state.processes[2].registers[0], [2]);
    assert!(!all_of(&program, Memory::new(Sc)).bounds.any());
}
