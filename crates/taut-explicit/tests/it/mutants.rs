//! Rules of stubborn sets that are broken, one at a time: random programs tell each from the right one.

use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;
use taut_explicit::{Completion, Exploration, Limits, Order, Reduce, SearchOptions, explore};
use taut_fault::{Fault, Group, with};
use taut_ir::{
    Effect, Expr, Finding, FullBuffer, Lvalue, Memory, MemoryModel, Program, PropertyKind, RegId,
    Step, Type, VarId, VarKind,
};
use taut_testkit::looping::looping;
use taut_testkit::promela_like;
use taut_testkit::random::{graph, straight};
use taut_testkit::variants::without_ends;

use crate::common::{Sketch, set, step};

/// Programs with more states than this are passed over.
const MOST_STATES: u64 = 2_000;
/// Programs of each kind.
const ROUNDS: usize = 60;

/// Everything that must not depend on a reduction.
fn essence(e: &Exploration) -> impl PartialEq + use<> {
    let name = |f: Finding| match f {
        Finding::Fault(_) => "fault".to_owned(),
        other => format!("{other:?}"),
    };
    let mut found: Vec<String> = e.found.iter().map(|f| name(f.finding)).collect();
    found.sort();
    (e.completion, found, e.bounds_met.buffer, e.bounds_met.threads, e.reached.clone())
}

/// A program and a memory with what a search of everything comes to.
struct Subject {
    program: Program,
    memory: Memory,
    expected: Exploration,
}

fn options() -> SearchOptions {
    let limits = Limits { states: Some(MOST_STATES), ..Limits::default() };
    SearchOptions { all: true, whole: true, limits, ..SearchOptions::default() }
}

/// A program with a process of these steps, and a bystander that has nothing to do with it.
fn beside(mut sketch: Sketch, ends: &[u32], steps: Vec<Step>) -> Program {
    sketch.process(ends, steps);
    sketch.process(&[2], vec![step(0, 1), step(1, 2)]);
    sketch.0
}

fn holding(source: u32, target: u32) -> Step {
    Step { holds: true, ..step(source, target) }
}

fn setting(var: VarId, value: i64, step: Step) -> Step {
    Step { effects: vec![set(var, value)], ..step }
}

/// What a question sees between two steps that concern nobody else.
fn seen() -> Program {
    let mut sketch = Sketch::new();
    let x = sketch.var(VarKind::Shared, Type::INT);
    sketch.property(PropertyKind::Forbid(Expr::from(x).equals(1.into())));
    let steps = vec![step(0, 1), setting(x, 1, step(1, 2)), setting(x, 0, step(2, 3))];
    beside(sketch, &[3], steps)
}

/// A step that concerns nobody else goes wrong.
fn wrong() -> Program {
    let mut sketch = Sketch::new();
    let property = sketch.property(PropertyKind::Assert);
    let effects = vec![Effect::Assert { condition: 0.into(), property }];
    beside(sketch, &[3], vec![step(0, 1), Step { effects, ..step(1, 2) }, step(2, 3)])
}

/// One action with two outcomes.
fn two_outcomes() -> Program {
    let steps = vec![step(0, 1), holding(1, 2), step(2, 3), step(2, 4), step(3, 4)];
    beside(Sketch::new(), &[4], steps)
}

/// One action with an outcome, and without one where a buffer of two entries is full.
fn full_in_part() -> Program {
    let mut sketch = Sketch::new();
    let x = sketch.var(VarKind::Shared, Type::INT);
    let first = [step(0, 1), setting(x, 1, holding(1, 2)), setting(x, 2, holding(2, 3))];
    let last = [setting(x, 3, step(3, 4)), step(3, 4)];
    beside(sketch, &[4], first.into_iter().chain(last).collect())
}

/// A load that comes before or after a store that is not in the buffer yet.
fn load_and_store() -> Program {
    let mut sketch = Sketch::new();
    let x = sketch.var(VarKind::Shared, Type::INT);
    let property = sketch.property(PropertyKind::Assert);
    let effects = vec![
        Effect::assign(Lvalue::Reg(RegId(0)), Expr::Var(x)),
        Effect::Assert { condition: Expr::Reg(RegId(0)).equals(0.into()), property },
    ];
    sketch.process(&[1], vec![Step { effects, ..step(0, 1) }]);
    sketch.process(&[1], vec![setting(x, 1, step(0, 1))]);
    sketch.0
}

/// Programs that were made for one rule each.
fn by_hand() -> Vec<Program> {
    vec![seen(), wrong(), two_outcomes(), full_in_part(), load_and_store()]
}

fn subjects() -> Vec<Subject> {
    let mut runner = TestRunner::deterministic();
    let mut all = Vec::new();
    for round in 0..ROUNDS {
        let draw = |program: Program| [without_ends(program.clone()), program];
        let mut programs = if round == 0 { by_hand() } else { Vec::new() };
        programs.extend(draw(straight(4).new_tree(&mut runner).expect("one").current().program()));
        programs.extend(draw(graph(6).new_tree(&mut runner).expect("one").current().program()));
        let looping = looping().new_tree(&mut runner).expect("one").current();
        programs.push(looping.program_about_ends());
        programs
            .push(promela_like::draft().new_tree(&mut runner).expect("one").current().program());
        for (program, model) in programs.iter().flat_map(|p| MemoryModel::EVERY.map(|m| (p, m))) {
            let memory = Memory { model, bound: Some(2), full_buffer: FullBuffer::Wait };
            let expected = explore(program, memory, &options());
            if expected.completion == Completion::Complete {
                all.push(Subject { program: program.clone(), memory, expected });
            }
        }
    }
    all
}

impl Subject {
    fn is_told_apart(&self) -> bool {
        [Order::Bfs, Order::Dfs].into_iter().any(|order| {
            let options = SearchOptions { order, reduce: Reduce::Por, ..options() };
            let search = || explore(&self.program, self.memory, &options);
            // An assertion of the engine itself tells it, too.
            let found = std::panic::catch_unwind(std::panic::AssertUnwindSafe(search));
            found.map_or(true, |found| essence(&found) != essence(&self.expected))
        })
    }
}

#[test]
fn broken_rules_of_stubborn_sets_are_noticed() {
    let subjects = subjects();
    assert!(subjects.len() > 600, "{} subjects", subjects.len());
    assert!(!subjects.iter().any(Subject::is_told_apart), "without a fault");
    let of_states = |fault: &&Fault| {
        let of_runs = matches!(fault, Fault::LoopsStayInPart | Fault::SeenStaysInPart);
        fault.group() == Group::StubbornSets && !of_runs
    };
    let is_silent = |fault: &&Fault| with(**fault, || !subjects.iter().any(Subject::is_told_apart));
    let silent: Vec<&Fault> = Fault::ALL.iter().filter(of_states).filter(is_silent).collect();
    assert!(silent.is_empty(), "no program tells {silent:?}");
}
