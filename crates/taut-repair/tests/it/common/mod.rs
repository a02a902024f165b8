//! Random programs with places, and brute force over sets of them.

use std::collections::BTreeSet;
use std::convert::Infallible;

use proptest::prelude::*;
use proptest::sample::Index;
use taut_ir::{
    Control, DefId, Lifecycle, MemoryModel, Mode, PointId, Program, ProgramPoint, Span, Step,
    StepId,
};
use taut_repair::minimal::{End, minimal, minimal_after};
use taut_repair::{
    Oracle, OracleAnswer, RepairKind, RepairProblem, RepairSite, Set, SiteId, Standing,
};
use taut_testkit::priorities::Ranks;
use taut_testkit::random::{Draft, Edge, Instruction, REGISTERS, SCALARS, Thread};

/// Places per program, and where fewer programs have more.
const PLACES: usize = 8;
const MANY_PLACES: usize = 11;

/// Puts a step that does nothing after each step that goes somewhere.
pub fn mark(program: &mut Program) -> Vec<(DefId, StepId)> {
    let mut marks = Vec::new();
    for (d, def) in program.defs.iter_mut().enumerate() {
        for s in 0..def.steps.len() {
            let points = &def.points;
            let (Control::Goto(at) | Control::Call { return_to: at, .. }) =
                &mut def.steps[s].target
            else {
                continue;
            };
            // An atomic section would end there.
            if points[at.index()].atomic {
                continue;
            }
            let between = PointId::from(def.points.len());
            let after = std::mem::replace(at, between);
            def.points.push(ProgramPoint::default());
            marks.push((DefId::from(d), StepId::from(def.steps.len())));
            let fence = Step { mode: Mode::Fence, ..Step::skip(between, after, Span::NONE) };
            def.steps.push(fence);
        }
    }
    marks
}

/// All places of a program with marks.
pub fn all_places(
    program: &Program,
    marks: &[(DefId, StepId)],
    model: MemoryModel,
) -> Vec<RepairSite> {
    let mut places = Vec::new();
    let standing = Standing::default();
    for &mark in marks {
        places.push(RepairSite {
            kind: RepairKind::Fence,
            steps: vec![mark],
            vars: vec![],
            cost: 1,
            standing,
        });
        if model != MemoryModel::Tso {
            places.push(RepairSite {
                kind: RepairKind::StoreFence,
                steps: vec![mark],
                vars: vec![],
                cost: 1,
                standing,
            });
        }
    }
    for (d, def) in program.defs.iter().enumerate() {
        for (s, step) in def.steps.iter().enumerate() {
            let here = (DefId::from(d), StepId::from(s));
            if marks.contains(&here) || step.mode != Mode::Plain {
                continue;
            }
            places.push(RepairSite {
                kind: RepairKind::Barrier,
                steps: vec![here],
                vars: vec![],
                cost: 1,
                standing,
            });
            let written = step.assignments().filter(|a| !a.atomic);
            let written: BTreeSet<_> = written.filter_map(|a| a.place.variable()).collect();
            let shared = written.into_iter().filter(|&v| program.var(v).kind.is_buffered());
            places.extend(shared.map(|var| RepairSite {
                kind: RepairKind::AtomicWrite,
                steps: vec![here],
                vars: vec![var],
                cost: 1,
                standing,
            }));
        }
    }
    places
}

/// A place, its cost, and where it stands.
///
/// Where it stands is drawn, not read off the program: that decides between sets and has no part in what fixes.
pub type Pick = (Index, u64, Standing);

/// Some of the places, each with a cost.
pub fn mark_places(program: &Program, model: MemoryModel, picks: &[Pick]) -> RepairProblem {
    let mut program = program.clone();
    let marks = mark(&mut program);
    let mut all = all_places(&program, &marks, model);
    let mut places: Vec<RepairSite> = Vec::new();
    for (pick, cost, standing) in picks {
        if all.is_empty() {
            break;
        }
        let place = all.swap_remove(pick.index(all.len()));
        places.push(RepairSite { cost: *cost, standing: *standing, ..place });
    }
    // Marks without a place are steps that do nothing.
    let has_place = |mark: &(DefId, StepId)| places.iter().any(|p| p.steps.contains(mark));
    for &(def, step) in marks.iter().filter(|mark| !has_place(mark)) {
        program.defs[def.index()].steps[step.index()].mode = Mode::Plain;
    }
    RepairProblem::new(program, places)
}

fn sets_up_to(subject: &RepairProblem, most: u64) -> Vec<Set> {
    let count = subject.places().len();
    let set = |bits: u32| (0..count).filter(|i| bits >> i & 1 == 1).collect::<Set>();
    (0..1_u32 << count).map(set).filter(|set| subject.cost(set) <= most).collect()
}

fn fixes(subject: &RepairProblem, judge: &mut impl Oracle<Error = Infallible>, set: &Set) -> bool {
    let Ok(judgement) = judge.judge(subject, set);
    matches!(judgement, OracleAnswer::Holds)
}

/// What decides between sets, written out: cost, loops, spin loops, distances, then the source from behind.
fn preference(subject: &RepairProblem, set: &Set) -> (u64, u32, usize, u32, u32) {
    let standings = || set.iter().map(|&id| subject.place(id).standing);
    let bits = set.iter().map(|id| 1_u32 << id).sum();
    (
        subject.cost(set),
        standings().map(|s| s.loops).sum(),
        standings().filter(|s| s.spins).count(),
        standings().map(|s| s.distance).sum(),
        bits,
    )
}

/// Compares with brute force.
pub fn compare(
    subject: &RepairProblem,
    judge: &mut impl Oracle<Error = Infallible>,
) -> Result<(), TestCaseError> {
    let Ok(repair) = minimal_after(subject, judge, true, 0);
    match &repair.end {
        End::Done => {
            let cost = subject.cost(&repair.sets[0]);
            let known: BTreeSet<Set> = repair.sets.iter().cloned().collect();
            let cheap = sets_up_to(subject, cost).into_iter();
            let true_ones: BTreeSet<Set> = cheap.filter(|set| fixes(subject, judge, set)).collect();
            prop_assert_eq!(&known, &true_ones, "of {:?}", subject.places());
            let mut by_preference: Vec<Set> = true_ones.into_iter().collect();
            by_preference.sort_by_key(|set| preference(subject, set));
            prop_assert_eq!(&repair.sets, &by_preference, "of {:?}", subject.places());
            let Ok(one) = minimal(subject, judge, false);
            prop_assert_eq!(&one.sets[..], &by_preference[..1], "of {:?}", subject.places());
            let Ok(plain) = minimal_after(subject, judge, false, usize::MAX);
            prop_assert_eq!(&plain.sets, &one.sets, "of {:?}", subject.places());
            for set in &repair.sets {
                for &place in set {
                    prop_assert!(repair.need(set, place).is_some(), "{} is not needed", place);
                }
            }
        }
        End::Unrepairable if subject.program().priorities.is_some() => {
            let mut all = sets_up_to(subject, u64::MAX).into_iter();
            let found = all.find(|set| fixes(subject, judge, set));
            prop_assert_eq!(found, None, "of {:?}", subject.places());
        }
        End::Unrepairable => {
            let everything: Set = (0..subject.places().len()).collect::<BTreeSet<SiteId>>();
            prop_assert!(!fixes(subject, judge, &everything), "everything fixes it");
        }
        End::Unknown { .. } => {}
    }
    Ok(())
}

pub fn picks() -> BoxedStrategy<Vec<Pick>> {
    picks_of(PLACES)
}

pub fn many_picks() -> BoxedStrategy<Vec<Pick>> {
    picks_of(MANY_PLACES)
}

fn picks_of(places: usize) -> BoxedStrategy<Vec<Pick>> {
    prop::collection::vec((any::<Index>(), 1..4_u64, standing()), places).boxed()
}

fn standing() -> BoxedStrategy<Standing> {
    let drawn = (0..3_u32, any::<bool>(), 0..3_u32);
    drawn
        .prop_map(|(loops, spins, distance)| Standing { depth: loops, loops, spins, distance })
        .boxed()
}

pub fn model() -> BoxedStrategy<MemoryModel> {
    prop_oneof![Just(MemoryModel::Tso), Just(MemoryModel::Pso), Just(MemoryModel::Delayed)].boxed()
}

/// A program whose processes have pids, so that they can have priorities.
pub fn ranked(draft: &Draft, ranks: &Ranks) -> Program {
    ranks.put_into(Program { lifecycle: Lifecycle::Stack, ..draft.program() })
}

/// Mostly stores and loads, so that something goes wrong often enough.
fn instruction() -> BoxedStrategy<Instruction> {
    let (x, r, v) = (0..SCALARS, 0..REGISTERS, 1_i64..3);
    prop_oneof![
        8 => (x.clone(), v.clone()).prop_map(|(x, v)| Instruction::Store(x, v)),
        8 => (r.clone(), x.clone()).prop_map(|(r, x)| Instruction::Load(r, x)),
        1 => Just(Instruction::Fence),
        1 => Just(Instruction::StoreFence),
        1 => (r.clone(), x.clone(), v.clone()).prop_map(|(r, x, v)| Instruction::Exchange(r, x, v)),
        1 => (x.clone(), v.clone()).prop_map(|(x, v)| Instruction::AtomicWrite(x, v)),
        1 => (x.clone(), r.clone()).prop_map(|(x, r)| Instruction::Swap(x, r)),
        1 => (x.clone(), x.clone(), v.clone()).prop_map(|(x, y, v)| Instruction::Two(x, y, v)),
        1 => r.prop_map(Instruction::Spawn),
        1 => (x, v).prop_map(|(x, v)| Instruction::Assume(x, v)),
    ]
    .boxed()
}

pub fn straight() -> BoxedStrategy<Draft> {
    let thread = prop::collection::vec(instruction(), 2..5).prop_map(Thread::Straight);
    prop::collection::vec(thread, 2..=2).prop_map(|threads| Draft { threads }).boxed()
}

pub fn graph() -> BoxedStrategy<Draft> {
    graph_with(Just(None)).boxed()
}

/// The same, with atomic sections, in which somebody may stop for ever.
pub fn sections() -> BoxedStrategy<Draft> {
    graph_with(prop::option::of(1..3_u8)).boxed()
}

fn graph_with(atomic: impl Strategy<Value = Option<u8>> + 'static) -> BoxedStrategy<Draft> {
    let edge = (0..3_u8, 0..3_u8, instruction());
    let edge = edge.prop_map(|(source, target, instruction)| Edge { source, target, instruction });
    let thread = (atomic, prop::collection::vec(edge, 2..5));
    let thread = thread.prop_map(|(atomic, edges)| Thread::Graph(3, atomic, edges));
    prop::collection::vec(thread, 2..=2).prop_map(|threads| Draft { threads }).boxed()
}
