//! Equal processes on random programs: the sorted states are those of the whole program, sorted; the same is
//! found, and every run replays.

use std::collections::{BTreeSet, VecDeque};

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use taut_explicit::reduce::simplify::Question;
use taut_explicit::reduce::symmetry::Symmetry;
use taut_explicit::{Completion, Exploration, Limits, Order, Reduce, SearchOptions, explore};
use taut_ir::build::ProgramBuilder;
use taut_ir::{BinaryOp, Expr, Finding, Memory, MemoryModel, ProcId, Process, Program, VarId};
use taut_machine::{Bound, Machine, MachineVisitor, Provenance, Scratch, Sink, compile};
use taut_memory::MemorySystem;
use taut_testkit::cases::{Case, random_cases};
use taut_testkit::random::{Draft, graph};
use taut_witness::{Trace, replay};

/// Programs with more states than this are skipped.
const MOST_STATES: usize = 3_000;

/// A program whose processes from the start are so many of the first thread's code, with a property that
/// is the same for all of them, or not.
fn program(draft: &Draft, count: usize, one_sided: bool) -> Program {
    let mut program = draft.program();
    let first = program.processes[0].clone();
    let rest = program.processes.split_off(draft.threads.len());
    program.processes = (0..count)
        .map(|i| Process { name: format!("p{i}"), ..first.clone() })
        .chain(rest)
        .collect();
    let x = VarId(0);
    let late = |p: usize| {
        let view = Expr::In(ProcId::from(p), Box::new(x.into()));
        Expr::binary(BinaryOp::Ne, view, x.into())
    };
    let all = (1..count).fold(late(0), |all, p| all.and(late(p)));
    let bad = if one_sided { late(count - 1) } else { all };
    for property in &mut program.properties {
        if property.name == "view" {
            property.kind = taut_ir::PropertyKind::Forbid(bad.clone());
        }
    }
    program
}

/// All states that follow one.
#[derive(Default)]
struct Next(Vec<Vec<u64>>);

impl Sink for Next {
    fn successor(&mut self, _: Provenance, state: &[u64]) {
        self.0.push(state.to_vec());
    }
    fn finding(&mut self, _: Provenance, _: Finding) {}
    fn blocked(&mut self, _: Bound) {}
}

/// All states that can be reached, where each may be changed before it is looked at.
fn reachable<M: MemorySystem>(
    machine: &Machine<M>,
    change: impl Fn(&mut [u64]),
) -> Option<BTreeSet<Vec<u64>>> {
    let mut initial = machine.initial().to_vec();
    change(&mut initial);
    let mut seen = BTreeSet::from([initial.clone()]);
    let mut todo = VecDeque::from([initial]);
    let mut scratch = Scratch::default();
    while let Some(state) = todo.pop_front() {
        let mut next = Next::default();
        machine.expand(&state, &mut scratch, &mut next);
        for mut state in next.0 {
            change(&mut state);
            if seen.insert(state.clone()) {
                todo.push_back(state);
            }
        }
        if seen.len() > MOST_STATES {
            return None;
        }
    }
    Some(seen)
}

/// How many states there are, and how many when sorted; none if there are too many.
fn check_states<M: MemorySystem>(
    program: &Program,
    machine: &Machine<M>,
) -> Option<(usize, usize)> {
    let symmetry = Symmetry::of(program, &Question::of_states(program, &[]), machine);
    let whole = reachable(machine, |_| {})?;
    let sort = |state: &mut [u64]| {
        symmetry.canonicalise(state);
        assert!(!symmetry.canonicalise(state), "sorted once is sorted");
    };
    let quotient = reachable(machine, sort)?;
    let violated = |state: &[u64]| {
        let mut all = BTreeSet::new();
        machine.for_each_violated(state, |property| _ = all.insert(property));
        all
    };
    let sorted = whole.iter().map(|state| {
        let mut sorted = state.clone();
        symmetry.canonicalise(&mut sorted);
        assert_eq!(violated(state), violated(&sorted));
        assert_eq!(machine.is_stuck(state), machine.is_stuck(&sorted));
        sorted
    });
    assert_eq!(sorted.collect::<BTreeSet<_>>(), quotient);
    Some((whole.len(), quotient.len()))
}

fn states(program: &Program, memory: Memory) -> Option<(usize, usize)> {
    compile(program, memory, &[], 1).visit(States(program))
}

/// The states of a program, once the memory system is known.
struct States<'a>(&'a Program);

impl MachineVisitor for States<'_> {
    type Out = Option<(usize, usize)>;

    fn visit<M: MemorySystem>(self, machine: &Machine<M>) -> Self::Out {
        check_states(self.0, machine)
    }
}

fn findings(exploration: &Exploration) -> BTreeSet<Finding> {
    let one_fault = |finding| match finding {
        Finding::Fault(_) => Finding::Fault(taut_ir::Fault::Range),
        other => other,
    };
    exploration.found.iter().map(|f| one_fault(f.finding)).collect()
}

fn check_findings(
    case: &Case,
    program: &Program,
    memory: Memory,
    order: Order,
) -> Result<(), TestCaseError> {
    let search = |reduce| {
        let limits = Limits { states: Some(MOST_STATES as u64), ..Limits::default() };
        // With half of the bounds, sorted states with one action to follow are passed through.
        let passing = Some(memory.bound == Some(1));
        let options = SearchOptions { order, reduce, passing, limits, ..Default::default() };
        explore(program, memory, &SearchOptions { all: true, whole: true, ..options })
    };
    case.about(program);
    let given = search(Reduce::None);
    if given.completion != Completion::Complete {
        return case.pass_over("too large");
    }
    case.count("compared");
    if !given.found.is_empty() {
        case.count("with findings");
    }
    let found = search(Reduce::All);
    prop_assert_eq!(found.completion, Completion::Complete);
    prop_assert_eq!(findings(&found), findings(&given));
    prop_assert_eq!(found.bounds_met.buffer, given.bounds_met.buffer);
    prop_assert_eq!(found.bounds_met.threads, given.bounds_met.threads);
    prop_assert_eq!(found.reached, given.reached);
    for found in found.found {
        let trace = Trace::new(memory, found.finding, found.actions);
        if let Err(error) = replay(program, &trace) {
            return Err(TestCaseError::fail(format!("{error}: {trace:?}")));
        }
    }
    Ok(())
}

#[test]
fn sorted_states_are_all_states_sorted() {
    let tally = random_cases(
        120,
        (graph(5), 2_usize..4, any::<bool>(), 1_u32..3),
        |case, (draft, count, one_sided, bound)| {
            let program = program(&draft, count, one_sided);
            case.about(&program);
            for model in MemoryModel::EVERY {
                let sizes = states(&program, Memory::new(model).bounded(Some(bound)));
                case.count(match sizes {
                    None => "too large",
                    Some((whole, sorted)) if sorted < whole => "smaller",
                    Some(_) => "without symmetric states",
                });
            }
            Ok(())
        },
    );
    tally.at_least("smaller", 120);
}

#[test]
fn the_same_is_found() {
    let tally = random_cases(
        120,
        (graph(5), 2_usize..4, any::<bool>(), 1_u32..3, any::<bool>()),
        |case, (draft, count, one_sided, bound, dfs)| {
            let program = program(&draft, count, one_sided);
            let order = if dfs { Order::Dfs } else { Order::Bfs };
            for model in MemoryModel::EVERY {
                check_findings(case, &program, Memory::new(model).bounded(Some(bound)), order)?;
            }
            Ok(())
        },
    );
    tally.at_least("compared", 400).at_least("with findings", 220);
}

#[test]
fn three_equal_processes_have_few_states() {
    let mut runner = TestRunner::deterministic();
    let (mut whole, mut sorted) = (0, 0);
    for _ in 0..60 {
        let draft = graph(5).new_tree(&mut runner).expect("a draft").current();
        let memory = Memory::new(MemoryModel::Tso).bounded(Some(2));
        let sizes = states(&program(&draft, 3, false), memory).unwrap_or_default();
        whole += sizes.0;
        sorted += sizes.1;
    }
    assert!(sorted > 1_000 && whole > 3 * sorted, "{whole} states, {sorted} sorted");
}

/// A process that some step names is not equal to another one.
#[test]
fn who_is_named_is_told_apart() {
    let mut b = ProgramBuilder::new("named");
    let mut p = b.process("p");
    let start = p.here();
    p.assume(Expr::TRUE);
    let p = p.finish();
    let mut q = b.process("q");
    q.assume(Expr::At(p, vec![start])).assert("first", 0.into());
    q.finish();
    let mut program = b.build().expect("a program");
    let again = Process { name: "again".into(), ..program.processes[0].clone() };
    program.processes.push(again);
    let memory = Memory::new(MemoryModel::Sc);
    let (whole, sorted) = states(&program, memory).expect("a few states");
    assert_eq!(whole, sorted);
}
