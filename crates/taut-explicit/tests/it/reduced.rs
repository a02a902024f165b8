//! Stubborn sets against the search of everything, on random programs: the same findings, the same bounds met, the
//! same steps taken, the same number of deadlocks, breadth first and depth first, whichever of the questions are asked; every run replays.

use std::collections::BTreeSet;

use proptest::prelude::*;
use taut_explicit::{Completion, Exploration, Limits, Order, Reduce, SearchOptions, explore};
use taut_ir::{
    Expr, Finding, FullBuffer, Memory, MemoryModel, PointId, ProcId, Program, Property,
    PropertyKind, RegId, Span, VarId,
};
use taut_testkit::cases::{Case, random_cases};
use taut_testkit::looping::looping;
use taut_testkit::promela_like;
use taut_testkit::random::{graph, graph_over, straight, straight_over};
use taut_testkit::variants::{has_atomic_sections, without_ends};
use taut_witness::{Trace, replay};

/// Programs with more states than this are skipped.
const MOST_STATES: u64 = 4_000;

/// Something that a state can be asked, drawn as small numbers.
#[derive(Clone, Copy, Debug)]
struct Probe {
    kind: u8,
    which: u8,
    number: u8,
}

fn probe() -> BoxedStrategy<[Probe; 2]> {
    let one = (0_u8..8, any::<u8>(), any::<u8>());
    let one = one.prop_map(|(kind, which, number)| Probe { kind, which, number });
    prop::array::uniform2(one).boxed()
}

impl Probe {
    fn expr(self, program: &Program) -> Expr {
        let process = ProcId::from(usize::from(self.which) % program.processes.len());
        let def = program.def_of(process);
        let register = RegId::from(usize::from(self.number) % def.registers.len().max(1));
        let inside = |expr| Expr::In(process, Box::new(expr));
        match self.kind {
            0 => Expr::Drained(process),
            1 => Expr::Drained(process).not(),
            2 | 3 => {
                Expr::At(process, vec![PointId::from(usize::from(self.number) % def.points.len())])
            }
            4 if !def.registers.is_empty() && def.registers[register.index()].len.is_none() => {
                inside(Expr::Reg(register)).equals(i64::from(self.number % 3).into())
            }
            5 => inside(self.variable(program)).equals(i64::from(self.number % 3).into()),
            _ => self.variable(program).equals(i64::from(self.number % 3).into()),
        }
    }

    fn variable(self, program: &Program) -> Expr {
        let scalars = program.var_ids().filter(|&v| program.var(v).len.is_none());
        let scalars: Vec<VarId> = scalars.collect();
        match scalars.get(usize::from(self.number / 3) % scalars.len().max(1)) {
            Some(&var) => var.into(),
            None => 0.into(),
        }
    }
}

/// Forbids what two probes say.
fn forbid(program: &mut Program, probe: [Probe; 2]) {
    let [a, b] = probe.map(|p| p.expr(program));
    let name = format!("probe{}", program.properties.len());
    let kind = PropertyKind::Forbid(a.and(b));
    program.properties.push(Property { name, kind, span: Span::NONE });
}

fn findings(exploration: &Exploration) -> BTreeSet<Finding> {
    let one_fault = |finding| match finding {
        Finding::Fault(_) => Finding::Fault(taut_ir::Fault::Range),
        other => other,
    };
    exploration.found.iter().map(|f| one_fault(f.finding)).collect()
}

/// Whether a property is about states.
fn is_of_states(program: &Program, finding: Finding) -> bool {
    let Finding::Property(id) = finding else { return false };
    matches!(program.property(id).kind, PropertyKind::Forbid(_) | PropertyKind::Invariant(_))
}

fn compare(case: &Case, program: &Program, memory: Memory) -> Result<(), TestCaseError> {
    case.about(program);
    let limits = Limits { states: Some(MOST_STATES), ..Limits::default() };
    let whole = SearchOptions { all: true, whole: true, limits, ..SearchOptions::default() };
    let expected = explore(program, memory, &whole);
    if expected.completion != Completion::Complete {
        return case.pass_over("too large");
    }
    case.count("compared");
    if !expected.found.is_empty() {
        case.count("with findings");
    }
    let of_states: Vec<Finding> = program
        .property_ids()
        .map(Finding::Property)
        .filter(|&f| is_of_states(program, f))
        .collect();
    // Nothing about states is asked, or one thing, or all.
    let mut questions = vec![of_states.clone(), Vec::new()];
    for &asked in of_states.iter().take(4) {
        questions.push(of_states.iter().copied().filter(|&f| f != asked).collect());
    }
    for (i, unasked) in questions.into_iter().enumerate() {
        // States with one action to follow are passed through, or stored.
        let passing = Some(i % 2 == 0);
        for order in [Order::Bfs, Order::Dfs] {
            let options = SearchOptions {
                order,
                reduce: Reduce::Por,
                passing,
                unasked: unasked.clone(),
                ..whole.clone()
            };
            let reduced = explore(program, memory, &options);
            let mut asked = findings(&expected);
            asked.retain(|finding| !unasked.contains(finding));
            let context = format!("{memory:?}, {order:?}, {passing:?}, without {unasked:?}");
            prop_assert_eq!(reduced.completion, Completion::Complete);
            prop_assert_eq!(findings(&reduced), asked, "{}", context);
            prop_assert!(reduced.stats.states <= expected.stats.states, "{}", context);
            if reduced.stats.states < expected.stats.states {
                case.count("reduced");
            }
            let bounds =
                |e: &Exploration| (e.bounds_met.buffer, e.bounds_met.threads, e.bounds_met.calls);
            prop_assert_eq!(bounds(&reduced), bounds(&expected), "{}", context);
            if !has_atomic_sections(program) {
                let deadlocks = [reduced.stats.deadlocks, expected.stats.deadlocks];
                prop_assert_eq!(deadlocks[0], deadlocks[1], "deadlocks: {}", context);
            }
            prop_assert_eq!(&reduced.reached, &expected.reached, "{}", context);
            for found in reduced.found {
                let trace = Trace::new(memory, found.finding, found.actions);
                if let Err(error) = replay(program, &trace) {
                    return Err(TestCaseError::fail(format!("{error}: {context}")));
                }
            }
        }
    }
    Ok(())
}

fn compare_all(
    case: &Case,
    program: &Program,
    bound: u32,
    full_is_error: bool,
) -> Result<(), TestCaseError> {
    let full_buffer = if full_is_error { FullBuffer::Error } else { FullBuffer::Wait };
    for model in MemoryModel::EVERY {
        compare(case, program, Memory { model, bound: Some(bound), full_buffer })?;
    }
    Ok(())
}

#[test]
fn of_straight_programs() {
    let tally = random_cases(
        150,
        (straight(4), 1_u32..4, any::<bool>(), prop::collection::vec(probe(), 1..3)),
        |case, (draft, bound, full_is_error, probes)| {
            let mut program = draft.program();
            probes.into_iter().for_each(|p| forbid(&mut program, p));
            compare_all(case, &program, bound, full_is_error)
        },
    );
    tally.at_least("compared", 550).at_least("with findings", 250).at_least("reduced", 3_000);
}

#[test]
fn of_programs_with_everything() {
    let tally = random_cases(
        150,
        (graph(7), 1_u32..4, any::<bool>(), prop::collection::vec(probe(), 1..3)),
        |case, (draft, bound, full_is_error, probes)| {
            let mut program = draft.program();
            probes.into_iter().for_each(|p| forbid(&mut program, p));
            compare_all(case, &program, bound, full_is_error)
        },
    );
    tally.at_least("compared", 470).at_least("with findings", 350).at_least("reduced", 1_000);
}

#[test]
fn of_looping_programs() {
    let tally = random_cases(
        150,
        (looping(), 1_u32..4, any::<bool>()),
        |case, (draft, bound, full_is_error)| {
            compare_all(case, &draft.program_about_ends(), bound, full_is_error)
        },
    );
    tally.at_least("compared", 530).at_least("with findings", 220).at_least("reduced", 2_500);
}

#[test]
fn of_programs_with_channels_and_holding() {
    let tally = random_cases(
        150,
        (promela_like::draft(), 1_u32..3, any::<bool>(), prop::collection::vec(probe(), 1..3)),
        |case, (draft, bound, full_is_error, probes)| {
            let mut program = draft.program();
            probes.into_iter().for_each(|p| forbid(&mut program, p));
            compare_all(case, &program, bound, full_is_error)
        },
    );
    tally.at_least("compared", 520).at_least("with findings", 400).at_least("reduced", 500);
}

/// More scalars than there are objects. Some of them are touched by one process, the first ones by several.
const MANY: u8 = 90;

fn one_of_many() -> BoxedStrategy<u8> {
    prop_oneof![3 => 0..3_u8, 2 => 0..MANY].boxed()
}

#[test]
fn of_straight_programs_with_many_variables() {
    let tally = random_cases(
        150,
        (
            straight_over(5, one_of_many()),
            1_u32..4,
            any::<bool>(),
            prop::collection::vec(probe(), 1..3),
        ),
        |case, (draft, bound, full_is_error, probes)| {
            let mut program = without_ends(draft.program_with(MANY));
            probes.into_iter().for_each(|p| forbid(&mut program, p));
            compare_all(case, &program, bound, full_is_error)
        },
    );
    tally.at_least("compared", 560).at_least("with findings", 260).at_least("reduced", 4_000);
}

#[test]
fn of_programs_with_everything_and_many_variables() {
    let tally = random_cases(
        150,
        (
            graph_over(7, one_of_many()),
            1_u32..4,
            any::<bool>(),
            prop::collection::vec(probe(), 1..3),
        ),
        |case, (draft, bound, full_is_error, probes)| {
            let mut program = without_ends(draft.program_with(MANY));
            probes.into_iter().for_each(|p| forbid(&mut program, p));
            compare_all(case, &program, bound, full_is_error)
        },
    );
    tally.at_least("compared", 490).at_least("with findings", 370).at_least("reduced", 1_400);
}
