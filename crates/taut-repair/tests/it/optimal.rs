//! Cost and number of cheapest sets against brute force: on random programs with up to eight places, and some with eleven,
//! every set that costs no more than what was found is tried.
//!
//! What is asked of a program is that nothing comes about that could not under sequential consistency: where
//! the processes are, and what is in their registers.

use crate::common;

use std::collections::{BTreeSet, HashSet};
use std::convert::Infallible;
use std::sync::Arc;

use common::{
    Pick, all_places, compare, graph, many_picks, mark, mark_places, model, picks, ranked,
    sections, straight,
};
use proptest::prelude::*;
use taut_explicit::{Completion, Limits, SearchOptions};
use taut_ir::{
    Effect, Expr, Finding, Memory, MemoryModel, PointId, ProcId, Program, PropId, Property,
    PropertyKind, RegId, Span,
};
use taut_repair::{Counterexample, Oracle, OracleAnswer, RepairKind, RepairProblem, Set, SiteId};
use taut_testkit::priorities::ranks;
use taut_testkit::random::{Draft, config};
use taut_witness::{Machine, Outcome, State, Trace, replay};

/// More states than this, and a program is left out.
const MOST_STATES: usize = 2_000;

/// Where processes are and what is in their registers.
type Seen = Vec<(PointId, Vec<i64>)>;

/// What can be seen of a program; none if there is too much.
fn seen(program: &Program, memory: Memory) -> Option<BTreeSet<Seen>> {
    let machine = Machine::new(program, memory);
    let mut todo = vec![machine.initial()];
    let mut known: HashSet<State> = todo.iter().cloned().collect();
    while let Some(state) = todo.pop() {
        for (_, done) in machine.successors(&state).moves {
            if let Outcome::State(next) = done.outcome
                && known.insert(next.clone())
            {
                todo.push(next);
            }
        }
        if known.len() > MOST_STATES {
            return None;
        }
    }
    let of = |state: &State| {
        let process = |p: &taut_witness::ProcessState| (p.point, p.registers.concat());
        state.processes.iter().map(process).collect()
    };
    Some(known.iter().map(of).collect())
}

/// Whether a state is one that was seen; with `places` also where the processes are.
fn is_there(seen: &Seen, places: bool) -> Expr {
    let mut all = Expr::TRUE;
    for (i, (point, registers)) in seen.iter().enumerate() {
        let process = ProcId::from(i);
        if places {
            all = all.and(Expr::At(process, vec![*point]));
        }
        for (r, &value) in registers.iter().enumerate() {
            let register = Expr::In(process, Box::new(Expr::Reg(RegId::from(r))));
            all = all.and(register.equals(value.into()));
        }
    }
    all
}

/// A program with the property that nothing comes about that could not under sequential consistency; none if
/// that holds or there is too much to look at.
fn asking(mut program: Program, memory: Memory, places: bool) -> Option<(Program, PropId)> {
    let seen = |memory| {
        let all = seen(&program, memory)?.into_iter();
        // Without places, states that differ in nothing else are the same.
        let without = |seen: Seen| seen.into_iter().map(|(_, r)| (PointId(0), r)).collect();
        Some(all.map(|s| if places { s } else { without(s) }).collect::<BTreeSet<Seen>>())
    };
    let (allowed, possible) = (seen(Memory::new(MemoryModel::Sc))?, seen(memory)?);
    let bad = possible.difference(&allowed).take(12).map(|seen| is_there(seen, places));
    let bad = bad.reduce(|a, b| Expr::binary(taut_ir::BinaryOp::Or, a, b))?;
    let kind = PropertyKind::Forbid(bad);
    program.properties.push(Property { name: "sc".into(), kind, span: Span::NONE });
    let id = PropId::from(program.properties.len() - 1);
    Some((program, id))
}

struct Search {
    memory: Memory,
    wanted: Finding,
}

impl Oracle for Search {
    type Error = Infallible;

    fn judge(&mut self, subject: &RepairProblem, set: &Set) -> Result<OracleAnswer, Infallible> {
        let program = subject.variant(set);
        let limits = Limits { states: Some(60_000), ..Limits::default() };
        let options = SearchOptions { all: true, limits, ..SearchOptions::default() };
        let explored = taut_explicit::explore(&program, self.memory, &options);
        Ok(match explored.found.into_iter().find(|f| f.finding == self.wanted) {
            Some(found) => {
                let trace = Trace::new(self.memory, self.wanted, found.actions);
                replay(&program, &trace).expect("a run");
                let program = Arc::new(program);
                OracleAnswer::Violated(vec![Counterexample {
                    property: "sc".into(),
                    program,
                    trace,
                }])
            }
            None if matches!(explored.completion, Completion::Limit(_)) => {
                OracleAnswer::Unknown("states".into())
            }
            None => OracleAnswer::Holds,
        })
    }
}

/// How many of the drawn programs are compared is up to the draw: most are right as they are, or too large.
fn cases(count: u32) -> ProptestConfig {
    ProptestConfig { max_global_rejects: u32::MAX, ..config(count) }
}

fn check(program: Program, memory: Memory, picks: &[Pick]) -> Result<(), TestCaseError> {
    check_asking(program, memory, picks, true)
}

/// The same; with `places` the property asks where the processes are, too.
fn check_asking(
    program: Program,
    memory: Memory,
    picks: &[Pick],
    places: bool,
) -> Result<(), TestCaseError> {
    let Some((program, property)) = asking(program, memory, places) else {
        return Err(TestCaseError::reject("nothing to fix"));
    };
    let subject = mark_places(&program, memory.model, picks);
    compare(&subject, &mut Search { memory, wanted: Finding::Property(property) })
}

/// The same for a program that has deadlocks on relaxed memory only.
fn check_stuck(draft: &Draft, memory: Memory, picks: &[Pick]) -> Result<(), TestCaseError> {
    let subject = mark_places(&draft.program(), memory.model, picks);
    let is_stuck = |memory| {
        let mut search = Search { memory, wanted: Finding::Deadlock };
        let Ok(judgement) = search.judge(&subject, &Set::new());
        matches!(judgement, OracleAnswer::Violated(_))
    };
    if is_stuck(Memory::new(MemoryModel::Sc)) || !is_stuck(memory) {
        return Err(TestCaseError::reject("nothing to fix"));
    }
    compare(&subject, &mut Search { memory, wanted: Finding::Deadlock })
}

proptest! {
    #![proptest_config(cases(150))]

    #[test]
    fn straight_lines(draft in straight(), model in model(), picks in picks()) {
        check(draft.program(), Memory::new(model).bounded(Some(3)), &picks)?;
    }

    #[test]
    fn graphs(draft in graph(), model in model(), picks in picks()) {
        check(draft.program(), Memory::new(model).bounded(Some(2)), &picks)?;
    }
}

proptest! {
    #![proptest_config(cases(6))]

    #[test]
    fn graphs_with_many_places(draft in graph(), model in model(), picks in many_picks()) {
        check(draft.program(), Memory::new(model).bounded(Some(2)), &picks)?;
    }
}

proptest! {
    #![proptest_config(cases(40))]

    #[test]
    fn graphs_with_priorities(
        draft in graph(), ranks in ranks(), model in model(), picks in picks(), places: bool
    ) {
        let memory = Memory::new(model).bounded(Some(2));
        check_asking(ranked(&draft, &ranks), memory, &picks, places)?;
    }

    #[test]
    fn straight_lines_with_priorities(
        draft in straight(), ranks in ranks(), model in model(), picks in picks(), places: bool
    ) {
        let memory = Memory::new(model).bounded(Some(3));
        check_asking(ranked(&draft, &ranks), memory, &picks, places)?;
    }
}

proptest! {
    #![proptest_config(cases(25))]

    #[test]
    fn deadlocks(draft in sections(), model in model(), picks in picks()) {
        check_stuck(&draft, Memory::new(model).bounded(Some(2)), &picks)?;
    }
}

/// Under delayed writes an atomic write passes stores that wait behind a store fence. A plain store does not, so that the
/// store fence alone repairs what it does not repair beside the atomic write.
#[test]
fn an_atomic_write_passes_a_store_fence_that_stops_a_plain_store() {
    let mut b = taut_ir::build::ProgramBuilder::new("mp");
    let (x, y) = (b.shared("x", taut_ir::Type::INT, 0), b.shared("y", taut_ir::Type::INT, 0));
    let mut p = b.process("p");
    p.store(x, 1).store(y, 1);
    p.finish();
    let mut q = b.process("q");
    let (r, s) = (q.register("r", taut_ir::Type::INT, 0), q.register("s", taut_ir::Type::INT, 0));
    q.load(r, y).load(s, x);
    q.finish();
    let memory = Memory::new(MemoryModel::Delayed);
    let plain = b.build().expect("a program");
    let (program, property) = asking(plain, memory, true).expect("something to fix");
    let mut marked = program;
    let marks = mark(&mut marked);
    let is_wanted = |place: &taut_repair::RepairSite| match place.kind {
        RepairKind::StoreFence => place.steps == marks[..1],
        RepairKind::AtomicWrite => place.vars == [y],
        RepairKind::Fence | RepairKind::Barrier => false,
    };
    let places = all_places(&marked, &marks, memory.model).into_iter().filter(is_wanted).collect();
    let subject = RepairProblem::new(marked, places);
    let mut search = Search { memory, wanted: Finding::Property(property) };
    let both = Set::from([0, 1]);
    let Ok(OracleAnswer::Violated(found)) = search.judge(&subject, &both) else {
        panic!("the atomic write is seen before what was stored earlier")
    };
    let clause = taut_repair::clause::clause(&subject, &both, &found[0]);
    assert!(!clause.allows(&both));
    for set in [Set::from([0]), Set::from([1]), Set::new()] {
        let Ok(judged) = search.judge(&subject, &set);
        let fixes = matches!(judged, OracleAnswer::Holds);
        assert!(!fixes || clause.allows(&set), "{set:?} fixes it, and {clause:?} excludes it");
    }
    compare(&subject, &mut search).expect("brute force agrees");
}

/// Leaving out steps that do nothing changes nothing: as many states as before.
#[test]
fn fences_that_are_not_chosen_cost_nothing() {
    let mut b = taut_ir::build::ProgramBuilder::new("sb");
    let (x, y) = (b.shared("x", taut_ir::Type::INT, 0), b.shared("y", taut_ir::Type::INT, 0));
    for (name, mine, other) in [("p", x, y), ("q", y, x)] {
        let mut p = b.process(name);
        let r = p.register("r", taut_ir::Type::INT, 7);
        p.store(mine, 1).load(r, other);
        p.finish();
    }
    let plain = b.build().expect("a program");
    let mut marked = plain.clone();
    let marks = mark(&mut marked);
    let places = all_places(&marked, &marks, MemoryModel::Pso);
    let subject = RepairProblem::new(marked, places);
    let states = |program: &Program| {
        let memory = Memory::new(MemoryModel::Pso);
        taut_explicit::explore(program, memory, &SearchOptions::default()).stats.states
    };
    assert_eq!(states(&subject.variant(&Set::new())), states(&plain));
    let is_store_fence = |id: &SiteId| subject.place(*id).kind == RepairKind::StoreFence;
    let store_fences: Set = (0..subject.places().len()).filter(is_store_fence).collect();
    let fenced = subject.variant(&store_fences);
    let effects = fenced.defs.iter().flat_map(|d| &d.steps).flat_map(|s| &s.effects);
    assert_eq!(effects.filter(|e| **e == Effect::StoreFence).count(), 4);
}
