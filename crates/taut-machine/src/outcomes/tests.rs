//! A memory system whose loads may read an older write, through the machine.

use std::collections::{BTreeSet, VecDeque};

use taut_ir::build::ProgramBuilder;
use taut_ir::{
    Action, BinaryOp, Effect, Expr, Finding, Lvalue, Memory, MemoryModel, Mode, ProcId, Program,
};
use taut_ir::{RegId, Type};
use taut_testkit::stale::Stale;

use taut_memory::MemorySystem;

use crate::{Bound, Machine, Provenance, Scratch, Sink, compile_on};

/// Successors with the actions that lead to them, and findings.
#[derive(Default)]
struct Seen {
    successors: Vec<(Action, Vec<u64>)>,
    findings: BTreeSet<Finding>,
}

impl Sink for Seen {
    fn successor(&mut self, way: Provenance, state: &[u64]) {
        self.successors.push((way.action, state.to_vec()));
    }
    fn finding(&mut self, _: Provenance, finding: Finding) {
        self.findings.insert(finding);
    }
    fn blocked(&mut self, _: Bound) {}
}

fn machine(program: &Program, watched: &[Expr]) -> Machine<Stale> {
    // Any model with buffers: stores and loads then go through the memory system.
    let memory = Memory::new(MemoryModel::USUAL);
    compile_on(program, memory, watched, 1, Stale::new)
}

fn expand(machine: &Machine<Stale>, state: &[u64]) -> Seen {
    let mut seen = Seen::default();
    machine.expand(state, &mut Scratch::tracing(), &mut seen);
    seen
}

/// All states that are reachable, in the order in which they are found, and all findings.
fn reachable(machine: &Machine<Stale>) -> (Vec<Vec<u64>>, BTreeSet<Finding>) {
    let mut open = VecDeque::from([machine.initial().to_vec()]);
    let (mut states, mut findings) = (open.iter().cloned().collect::<Vec<_>>(), BTreeSet::new());
    while let Some(state) = open.pop_front() {
        machine.for_each_violated(&state, |p| {
            findings.insert(Finding::Property(p));
        });
        let seen = expand(machine, &state);
        findings.extend(seen.findings);
        for (_, next) in seen.successors {
            if !states.contains(&next) {
                states.push(next.clone());
                open.push_back(next);
            }
        }
    }
    (states, findings)
}

/// The values of watched expressions in all states in which every process has finished.
fn finals(program: &Program, watched: &[Expr]) -> BTreeSet<Vec<i64>> {
    let machine = machine(program, watched);
    let (states, _) = reachable(&machine);
    states.iter().filter(|s| machine.is_final(s)).map(|s| machine.watched(s)).collect()
}

fn bit() -> Type {
    Type::range(0, 1)
}

/// A register of a process.
fn register(process: u32, register: RegId) -> Expr {
    Expr::In(ProcId(process), Box::new(Expr::Reg(register)))
}

#[test]
fn a_load_may_read_the_older_write_each_time() {
    let mut b = ProgramBuilder::new("two loads");
    let x = b.shared("x", bit(), 0);
    let mut p = b.process("p");
    p.store(x, 1);
    p.finish();
    let mut q = b.process("q");
    let (r, s) = (q.register("r", bit(), 0), q.register("s", bit(), 0));
    q.load(r, x).load(s, x);
    q.finish();
    let program = b.build().expect("a program");
    let all = finals(&program, &[register(1, r), register(1, s)]);
    assert_eq!(all, [[0, 0], [0, 1], [1, 0], [1, 1]].map(|v| v.to_vec()).into());
}

#[test]
fn the_loads_of_a_step_agree_and_its_outcomes_are_numbered() {
    let mut b = ProgramBuilder::new("one step");
    let (x, y) = (b.shared("x", bit(), 0), b.shared("y", bit(), 0));
    let mut p = b.process("p");
    p.store(x, 1).store(y, 1);
    let r = p.register("r", Type::range(0, 9), 0);
    let plus = |a, b| Expr::binary(BinaryOp::Add, a, b);
    // x + x + 3 * y: the two loads of x see the same write.
    let twice = plus(Expr::Var(x), Expr::Var(x));
    let sum = plus(twice, Expr::binary(BinaryOp::Mul, 3.into(), Expr::Var(y)));
    p.step(Expr::TRUE, Mode::Plain, vec![Effect::assign(Lvalue::Reg(r), sum)]);
    p.finish();
    let program = b.build().expect("a program");
    let watched = [register(0, r)];
    let machine = machine(&program, &watched);
    let mut state = machine.initial().to_vec();
    for _ in 0..2 {
        let [(action, next)] = &expand(&machine, &state).successors[..] else {
            panic!("a store has one outcome");
        };
        assert_eq!(action.choice().0, 0);
        state = next.clone();
    }
    let seen = expand(&machine, &state).successors;
    let outcomes: Vec<_> =
        seen.iter().map(|(a, next)| (a.choice().0, machine.watched(next)[0])).collect();
    assert_eq!(outcomes, [(0, 5), (1, 2), (2, 3), (3, 0)]);
}

#[test]
fn guards_and_properties_have_outcomes() {
    let mut b = ProgramBuilder::new("a guard");
    let x = b.shared("x", bit(), 0);
    let mut p = b.process("p");
    p.store(x, 1);
    p.assume(Expr::Var(x).equals(0.into()));
    p.assert("passed", 0.into());
    p.finish();
    let view = || Expr::In(ProcId(0), Box::new(Expr::Var(x)));
    let seen = |value: i64| view().equals(value.into());
    let [old, new] = [0, 1].map(seen);
    let both = b.forbid("old", old.and(Expr::Var(x)));
    let newer = b.forbid("new", new);
    let program = b.build().expect("a program");
    let (states, findings) = reachable(&machine(&program, &[]));
    assert_eq!(findings.len(), 3, "the guard reads the older write: {findings:?}");
    for property in [both, newer] {
        assert!(findings.contains(&Finding::Property(property)));
    }
    // Before and after the store, the guard and the assertion; no choice is left in a state.
    assert_eq!(states.len(), 4);
}

#[test]
fn an_engine_can_ask_for_the_question() {
    let mut b = ProgramBuilder::new("asking");
    let x = b.shared("x", bit(), 0);
    let mut p = b.process("p");
    let r = p.register("r", bit(), 0);
    p.store(x, 1).load(r, x);
    p.finish();
    let program = b.build().expect("a program");
    let machine = machine(&program, &[]);
    let (mut scratch, mut seen) = (Scratch::tracing().asking(), Seen::default());
    let step = (ProcId(0), 0);
    let first = machine.expand_step_of(step, machine.initial(), false, &mut scratch, &mut seen);
    assert_eq!(first, Ok(true));
    let after = seen.successors.pop().expect("a store").1;
    let question = machine.expand_step_of(step, &after, false, &mut scratch, &mut seen);
    let question = question.expect_err("two values");
    assert!(seen.successors.is_empty(), "nothing is taken before the question is answered");
    machine.memory().for_each_outcome(&after, question, &mut |part| {
        assert_eq!(machine.expand_step_of(step, part, false, &mut scratch, &mut seen), Ok(true));
    });
    assert_eq!(seen.successors.len(), 2);
}
