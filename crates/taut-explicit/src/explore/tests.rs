//! Every store, every number of threads and both orders against the plain search; limits met by several
//! threads; and the cycle proviso, with an expander that leaves out whatever it likes.
//!
//! Random programs have small levels. Here even a level of two states is shared, so that threads get in each
//! other's way as much as they can.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::time::Duration;

use proptest::prelude::*;
use proptest::sample::select;
use taut_ir::{Finding, FullBuffer, Memory, MemoryModel, Program};
use taut_memory::{MemorySystem, Sc, Tso};
use taut_testkit::cases::{Case, random_cases};
use taut_testkit::random::{graph, straight};
use taut_witness::{Trace, replay};

use taut_machine::{Machine, Provenance, Sink, compile_for};

use super::attempt::search_with;
use super::*;
use crate::expander::{Expander, Expansion, Space};
use crate::limits::{Limit, Limits};
use crate::settings::{Order, StoreKind};
use crate::store::visited::Exact;

const STORES: [StoreKind; 5] =
    [StoreKind::Exact, StoreKind::Tree, StoreKind::Compact, StoreKind::Bitstate, StoreKind::Disk];

/// Explores a valid program; levels of so many states are shared by threads.
pub(crate) fn explore_sharing(
    program: &Program,
    memory: Memory,
    options: &SearchOptions,
    sharing: usize,
) -> Exploration {
    Explorer::new(program, memory, options).sharing(sharing).run()
}

/// Explores a valid program with tables and buffers of other sizes than those that fit the limit on memory.
pub(crate) fn explore_with_sizes(
    program: &Program,
    memory: Memory,
    options: &SearchOptions,
    sizes: Sizes,
) -> Exploration {
    Explorer::new(program, memory, options).with_sizes(sizes).run()
}

/// Programs with more states than this are skipped.
pub(crate) const MOST_STATES: u64 = 4_000;
/// Far more than they need; half of it is the field of bits.
const MOST_BYTES: u64 = 64 << 20;

pub(crate) fn with(order: Order, store: StoreKind, threads: usize) -> SearchOptions {
    let (states, bytes) = (Some(MOST_STATES), Some(MOST_BYTES));
    let limits = Limits { states, bytes, ..Limits::default() };
    let whole = true;
    SearchOptions { order, store, threads, all: true, whole, limits, ..SearchOptions::default() }
}

/// Everything about a result that must not depend on stores and threads. How far from the start findings and
/// the last state are is the same in one order only.
pub(crate) fn essence(e: &Exploration) -> impl PartialEq + std::fmt::Debug {
    let s = &e.stats;
    let kinds: BTreeSet<String> = e.found.iter().map(|f| kind(f.finding)).collect();
    let counts = (s.states, s.transitions, s.matched, s.deadlocks, s.faults, s.expanded);
    let bounds = (e.bounds_met.buffer, e.bounds_met.threads, e.bounds_met.calls);
    (e.completion, counts, bounds, kinds, e.reached.clone())
}

fn kind(finding: Finding) -> String {
    match finding {
        Finding::Fault(_) => "fault".into(),
        other => format!("{other:?}"),
    }
}

/// How long the run to each finding is, through stored states.
pub(crate) fn lengths(e: &Exploration) -> BTreeMap<String, usize> {
    e.found.iter().map(|f| (kind(f.finding), f.actions.len())).collect()
}

pub(crate) fn replays(
    program: &Program,
    memory: Memory,
    e: &Exploration,
) -> Result<(), TestCaseError> {
    for found in &e.found {
        let trace = Trace::new(memory, found.finding, found.actions.clone());
        if let Err(error) = replay(program, &trace) {
            return Err(TestCaseError::fail(format!("{error}")));
        }
    }
    Ok(())
}

fn compare(case: &Case, program: &Program, memory: Memory) -> Result<(), TestCaseError> {
    case.about(program);
    let plain = explore(program, memory, &with(Order::Bfs, StoreKind::Exact, 1));
    if plain.completion != Completion::Complete {
        return case.pass_over("too large");
    }
    case.count("compared");
    for store in STORES {
        let threads: &[usize] = if store == StoreKind::Exact { &[1, 2, 4] } else { &[1, 3] };
        for &threads in threads {
            let options = with(Order::Bfs, store, threads);
            let shared = explore_sharing(program, memory, &options, 1);
            prop_assert_eq!(essence(&plain), essence(&shared), "{:?} {}", store, threads);
            prop_assert_eq!(lengths(&plain), lengths(&shared), "{:?} {}", store, threads);
            prop_assert_eq!(plain.stats.depth, shared.stats.depth);
            prop_assert_eq!(shared.stats.lossy.is_some(), store.is_lossy());
            replays(program, memory, &shared)?;
        }
        let deep = explore(program, memory, &with(Order::Dfs, store, 2));
        prop_assert_eq!(essence(&plain), essence(&deep), "{:?} depth first", store);
        replays(program, memory, &deep)?;
    }
    Ok(())
}

/// With one finding enough, every number of threads finds the same kinds, as far away.
fn compare_first(program: &Program, memory: Memory) -> Result<(), TestCaseError> {
    let first = |threads| {
        let options = SearchOptions {
            all: false,
            whole: false,
            ..with(Order::Bfs, StoreKind::Exact, threads)
        };
        explore_sharing(program, memory, &options, 1)
    };
    let one = first(1);
    for threads in [2, 3] {
        let several = first(threads);
        prop_assert_eq!(one.completion, several.completion);
        prop_assert_eq!(lengths(&one), lengths(&several));
        prop_assert_eq!(one.stats.states, several.stats.states);
        replays(program, memory, &several)?;
    }
    Ok(())
}

/// Everything that is reported but times and bytes.
pub(crate) fn letters(e: &Exploration) -> impl PartialEq + std::fmt::Debug + use<> {
    let s = &e.stats;
    let counts = [s.states, s.transitions, s.matched, s.deadlocks, s.faults, s.depth, s.expanded];
    let bounds = (e.bounds_met, s.buffer_size, s.pruned);
    (e.completion, e.found.clone(), counts, format!("{bounds:?}"), e.reached.clone(), e.may_fault)
}

/// The result is the same to the letter at any number of threads, whatever ends the search.
fn compare_letters(
    program: &Program,
    memory: Memory,
    options: &SearchOptions,
) -> Result<(), TestCaseError> {
    let with = |threads| {
        let options = SearchOptions { threads, ..options.clone() };
        explore_sharing(program, memory, &options, 1)
    };
    let one = letters(&with(1));
    for threads in [2, 3, 2, 4] {
        prop_assert_eq!(&one, &letters(&with(threads)), "{} threads", threads);
    }
    Ok(())
}

#[test]
fn the_result_is_the_same_to_the_letter_at_any_number_of_threads() {
    random_cases(
        24,
        (
            graph(6),
            prop_oneof![Just(None), (1_u32..4).prop_map(Some)],
            any::<bool>(),
            select(MemoryModel::EVERY.to_vec()),
            select(vec![Reduce::None, Reduce::Por, Reduce::All]),
            select(STORES.to_vec()),
            any::<bool>(),
            prop_oneof![Just(MOST_STATES), 101_u64..400],
        ),
        |_, (draft, bound, full_is_error, model, reduce, store, all, most)| {
            let full_buffer = if full_is_error { FullBuffer::Error } else { FullBuffer::Wait };
            let memory = Memory { model, bound, full_buffer };
            let whole = false;
            let mut options = SearchOptions { all, whole, reduce, ..with(Order::Bfs, store, 1) };
            options.limits.states = Some(most);
            compare_letters(&draft.program(), memory, &options)?;
            Ok(())
        },
    );
}

#[test]
fn stores_and_threads_agree_on_straight_programs() {
    let tally = random_cases(
        16,
        (straight(4), 1_u32..4, select(MemoryModel::EVERY.to_vec())),
        |case, (draft, bound, model)| {
            compare(case, &draft.program(), Memory::new(model).bounded(Some(bound)))
        },
    );
    tally.at_least("compared", 12);
}

#[test]
fn stores_and_threads_agree_on_looping_programs() {
    let tally = random_cases(
        16,
        (graph(6), 1_u32..4, any::<bool>(), select(MemoryModel::EVERY.to_vec())),
        |case, (draft, bound, full_is_error, model)| {
            let program = draft.program();
            let full_buffer = if full_is_error { FullBuffer::Error } else { FullBuffer::Wait };
            let memory = Memory { model, bound: Some(bound), full_buffer };
            compare(case, &program, memory)?;
            compare_first(&program, memory)?;
            Ok(())
        },
    );
    tally.at_least("compared", 12);
}

#[test]
fn a_limit_on_states_is_met_exactly() {
    random_cases(16, (graph(6), 1_u64..300), |_, (draft, most)| {
        let program = draft.program();
        let memory = Memory::new(MemoryModel::Pso).bounded(Some(2));
        let all = explore(&program, memory, &with(Order::Bfs, StoreKind::Exact, 1)).stats.states;
        for (store, threads) in STORES.into_iter().zip([3, 1, 2, 4, 1]) {
            for order in [Order::Bfs, Order::Dfs] {
                let (states, bytes) = (Some(most), Some(MOST_BYTES));
                let limits = Limits { states, bytes, ..Limits::default() };
                let options = SearchOptions { limits, ..with(order, store, threads) };
                let limited = explore_sharing(&program, memory, &options, 1);
                prop_assert_eq!(limited.stats.states, all.min(most), "{:?}", store);
                let expected = match all > most {
                    true => Completion::Limit(Limit::States(most)),
                    false => Completion::Complete,
                };
                prop_assert_eq!(limited.completion, expected, "{:?}", store);
            }
        }
        Ok(())
    });
}

/// Threads reserve room for thousands of states at a time. What one of them does not use is there for the others.
#[test]
fn a_limit_on_states_is_met_exactly_by_threads_that_reserve_room() {
    let program = counters(4, 9);
    let memory = Memory::new(MemoryModel::Sc);
    let search = |most, threads| {
        let limits = Limits { states: Some(most), ..Limits::default() };
        let options = SearchOptions { limits, ..with(Order::Bfs, StoreKind::Exact, threads) };
        explore_sharing(&program, memory, &options, 1)
    };
    for most in [4_096, 4_097, 5_000, 8_192, 9_000] {
        for threads in [1, 2, 4] {
            let limited = search(most, threads);
            assert_eq!(limited.completion, Completion::Limit(Limit::States(most)));
            assert_eq!(limited.stats.states, most, "{threads} threads");
        }
    }
    assert_eq!(search(10_000, 2).completion, Completion::Complete);
}

/// Follows the first successor of a state only, unless a part of the state's hash says that it should follow
/// them all.
pub(crate) struct Careless<'m, M> {
    pub(crate) machine: &'m Machine<M>,
    /// One state in so many is expanded in full.
    pub(crate) full: u64,
}

struct OnlyFirst<'s, S> {
    sink: &'s mut S,
    seen: u32,
}

impl<S: Sink> Sink for OnlyFirst<'_, S> {
    fn successor(&mut self, way: Provenance, state: &[u64]) {
        self.seen += 1;
        if self.seen == 1 {
            self.sink.successor(way, state);
        }
    }

    fn finding(&mut self, way: Provenance, finding: Finding) {
        self.sink.finding(way, finding);
    }

    fn blocked(&mut self, bound: taut_machine::Bound) {
        self.sink.blocked(bound);
    }
}

impl<M: MemorySystem + Sync> Expander for Careless<'_, M> {
    fn reduces(&self) -> bool {
        true
    }

    fn expand(
        &self,
        _: usize,
        state: &[u64],
        space: &mut Space,
        sink: &mut impl Sink,
    ) -> Expansion {
        if taut_machine::hash::hash(state) >> 8 & self.full == 0 {
            let alive = self.machine.expand(state, &mut space.scratch, sink);
            return Expansion { alive, ..Expansion::FULL };
        }
        let mut first = OnlyFirst { sink, seen: 0 };
        let alive = self.machine.expand(state, &mut space.scratch, &mut first);
        let reduced = first.seen > 1;
        Expansion { alive, reduced, must_lead_on: reduced, ..Expansion::FULL }
    }

    fn expand_fully(
        &self,
        _: usize,
        state: &[u64],
        space: &mut Space,
        sink: &mut impl Sink,
    ) -> u64 {
        self.machine.expand(state, &mut space.scratch, sink);
        0
    }
}

/// Collects successors.
#[derive(Default)]
struct Successors(Vec<Vec<u64>>);

impl Sink for Successors {
    fn successor(&mut self, _: Provenance, state: &[u64]) {
        self.0.push(state.to_vec());
    }

    fn finding(&mut self, _: Provenance, _: Finding) {}

    fn blocked(&mut self, _: taut_machine::Bound) {}
}

/// The textbook's reduced search breadth first: how many states, and how many expanded in part only.
pub(crate) fn reduced_by_the_book<M: MemorySystem + Sync>(
    expander: &Careless<'_, M>,
) -> (u64, u64) {
    let initial = expander.machine.initial().to_vec();
    let mut levels = HashMap::from([(initial.clone(), 0)]);
    let (mut level, mut depth, mut in_part) = (vec![initial], 0, 0);
    while !level.is_empty() {
        let mut next = HashSet::new();
        for state in &level {
            let mut successors = Successors::default();
            let mut space = Space::default();
            let reduced = expander.expand(0, state, &mut space, &mut successors).reduced;
            if reduced && successors.0.iter().all(|s| levels.contains_key(s)) {
                expander.expand_fully(0, state, &mut space, &mut successors);
            } else {
                in_part += u64::from(reduced);
            }
            next.extend(successors.0.into_iter().filter(|s| !levels.contains_key(s)));
        }
        depth += 1;
        levels.extend(next.iter().map(|state| (state.clone(), depth)));
        level = next.into_iter().collect();
    }
    (levels.len() as u64, in_part)
}

/// The textbook's reduced search depth first.
struct DepthFirst<'e, 'm, M> {
    expander: &'e Careless<'m, M>,
    visited: HashSet<Vec<u64>>,
    in_part: u64,
}

impl<M: MemorySystem + Sync> DepthFirst<'_, '_, M> {
    fn visit(&mut self, state: &[u64], stack: &mut HashSet<Vec<u64>>) {
        if self.visited.len() as u64 > MOST_STATES || !self.visited.insert(state.to_vec()) {
            return;
        }
        stack.insert(state.to_vec());
        let mut successors = Successors::default();
        // Not on the stack, which is as deep as the search.
        let space = &mut *Box::<Space>::default();
        let reduced = self.expander.expand(0, state, space, &mut successors).reduced;
        if reduced && successors.0.iter().all(|s| stack.contains(s)) {
            self.expander.expand_fully(0, state, space, &mut successors);
        } else {
            self.in_part += u64::from(reduced);
        }
        successors.0.iter().for_each(|s| self.visit(s, stack));
        stack.remove(state);
    }
}

/// A search with an expander that leaves things out.
fn reduced<M: MemorySystem>(expander: &Careless<'_, M>, options: &SearchOptions) -> Exploration {
    let watch = LimitMonitor::new(options.limits.clone());
    let setting = SearchContext { size: 2, large: 1, ..SearchContext::new(options, &watch) };
    search_with::<_, _, Exact>(expander.machine, expander, setting).exploration
}

#[test]
fn the_proviso_is_the_same_at_any_number_of_threads() {
    let tally = random_cases(24, (graph(6), 0_u32..3), |case, (draft, bits)| {
        let program = draft.program();
        let memory = Memory::new(MemoryModel::Tso).bounded(Some(2));
        let machine = compile_for::<Tso>(&program, memory, &[], 1);
        let expander = Careless { machine: &machine, full: (1 << bits) - 1 };
        let (states, in_part) = reduced_by_the_book(&expander);
        case.count(if states <= MOST_STATES { "compared" } else { "too large" });
        for threads in [1, 2, 4] {
            let found = reduced(&expander, &with(Order::Bfs, StoreKind::Exact, threads));
            if states <= MOST_STATES {
                let stats = found.stats;
                prop_assert_eq!((stats.states, stats.pruned.stubborn), (states, in_part));
                replays(&program, memory, &found)?;
            }
        }
        Ok(())
    });
    tally.at_least("compared", 18);
}

#[test]
fn depth_first_the_proviso_is_that_of_the_book() {
    let tally = random_cases(24, (graph(6), 0_u32..3), |case, (draft, bits)| {
        let program = draft.program();
        let memory = Memory::new(MemoryModel::Tso).bounded(Some(2));
        let machine = compile_for::<Tso>(&program, memory, &[], 1);
        let expander = Careless { machine: &machine, full: (1 << bits) - 1 };
        let mut book = DepthFirst { expander: &expander, visited: HashSet::new(), in_part: 0 };
        book.visit(machine.initial(), &mut HashSet::new());
        let (states, in_part) = (book.visited.len() as u64, book.in_part);
        case.count(if states <= MOST_STATES { "compared" } else { "too large" });
        let found = reduced(&expander, &with(Order::Dfs, StoreKind::Exact, 1));
        if states <= MOST_STATES {
            prop_assert_eq!((found.stats.states, found.stats.pruned.stubborn), (states, in_part));
            replays(&program, memory, &found)?;
        }
        Ok(())
    });
    tally.at_least("compared", 18);
}

/// Whether the machine of a program may fault.
fn machine_may_fault(program: &Program) -> bool {
    let memory = Memory::new(MemoryModel::Sc).bounded(Some(1));
    let machine = compile_for::<Sc>(program, memory, &[], 1);
    machine.may_fault()
}

#[test]
fn the_look_at_the_code_agrees_with_the_machine() {
    random_cases(256, (straight(4), graph(6)), |_, (straight, graph)| {
        for program in [straight.program(), graph.program()] {
            prop_assert_eq!(taut_ir::may_fault(&program), machine_may_fault(&program));
        }
        Ok(())
    });
}

/// Some processes that each count to a number.
pub(crate) fn counters(processes: usize, limit: i64) -> Program {
    use taut_ir::build::ProgramBuilder;
    use taut_ir::{BinaryOp, Effect, Expr, Lvalue, Span, Step, Type};
    let mut b = ProgramBuilder::new("counters");
    for i in 0..processes {
        let x = b.shared(&format!("x{i}"), Type::range(0, limit), 0);
        let mut p = b.process(&format!("p{i}"));
        let here = p.here();
        let next = Expr::binary(BinaryOp::Add, Expr::Var(x), Expr::Const(1));
        let guard = Expr::binary(BinaryOp::Lt, Expr::Var(x), Expr::Const(limit));
        let effects = vec![Effect::assign(Lvalue::Var(x), next)];
        p.edge(Step { guard, effects, ..Step::skip(here, here, Span::NONE) });
        p.finish();
    }
    b.build().expect("a well-formed model")
}

/// Levels of some ten thousand states, at the size that is shared in earnest; tables grow many times.
#[test]
fn large_levels_are_counted_right() {
    let program = counters(4, 15);
    for store in STORES {
        for threads in [1, 2, 4] {
            let options = SearchOptions { store, threads, ..SearchOptions::default() };
            let found = explore(&program, Memory::new(MemoryModel::Sc), &options);
            let stats = found.stats;
            assert_eq!(stats.transitions, 4 * 15 * 16_u64.pow(3), "{store:?} {threads}");
            if store != StoreKind::Bitstate {
                assert_eq!(stats.states, 16_u64.pow(4), "{store:?} {threads}");
            }
            assert_eq!(stats.depth, 60);
            assert_eq!(stats.expanded, stats.states);
        }
    }
}

#[test]
fn threads_obey_limits_on_bytes_and_time_and_the_interrupt() {
    let program = counters(5, 30);
    let interrupt = crate::Interrupt::new();
    interrupt.raise();
    let cases = [
        (Limits { bytes: Some(1 << 20), ..Limits::default() }, Limit::Bytes(1 << 20)),
        (Limits { time: Some(Duration::ZERO), ..Limits::default() }, Limit::Time(Duration::ZERO)),
        (Limits { interrupt, ..Limits::default() }, Limit::Interrupted),
    ];
    for (limits, expected) in cases {
        for (store, threads) in
            [(StoreKind::Exact, 3), (StoreKind::Tree, 2), (StoreKind::Compact, 2)]
        {
            let limits = limits.clone();
            let options = SearchOptions { store, threads, limits, ..SearchOptions::default() };
            let found = explore_sharing(&program, Memory::new(MemoryModel::Sc), &options, 64);
            assert_eq!(found.completion, Completion::Limit(expected), "{store:?}");
            if let Limit::Bytes(most) = expected {
                assert!(found.stats.peak_bytes <= most + (1 << 18), "{}", found.stats.peak_bytes);
            }
        }
    }
}

#[test]
fn who_watches_is_told() {
    let progress = crate::Progress::default();
    let limits = Limits { progress: Some(progress.clone()), ..Limits::default() };
    let options = SearchOptions { limits, threads: 2, ..SearchOptions::default() };
    let found = explore_sharing(&counters(3, 12), Memory::new(MemoryModel::Sc), &options, 16);
    let standing = progress.snapshot();
    assert_eq!(standing.states, found.stats.states);
    assert_eq!(standing.queue, 0);
    assert_eq!(standing.depth, found.stats.depth);
}
