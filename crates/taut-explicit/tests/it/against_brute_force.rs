//! The engine against the replayer's brute force on random programs: the same number of states, the same
//! findings, the same final states, the same bounds met; every run replays.

use std::collections::BTreeSet;

use proptest::prelude::*;
use taut_explicit::{
    Asking, Completion, Exploration, Limits, Order, SearchOptions, explore, final_states,
};
use taut_ir::{Expr, Finding, FullBuffer, Memory, MemoryModel, Program, RegId, VarId};
use taut_testkit::cases::{Case, random_cases};
use taut_testkit::random::{Draft, Instruction, REGISTERS, SCALARS, Thread, graph, straight};
use taut_witness::{Trace, enumerate, replay};

use crate::brute::{brute_force, expected, kinds, one_fault};

/// Programs with more states than this are skipped: brute force is slow.
const MOST_STATES: usize = 6_000;

/// A search that may end early finds the same as one of all states, and leaves out none but what comes after the last
/// finding. If it does not end early, some kind of finding that was asked for was not found.
fn ends_when_answered(
    program: &Program,
    memory: Memory,
    whole: &Exploration,
    order: Order,
) -> Result<(), TestCaseError> {
    let options = SearchOptions { order, all: true, ..SearchOptions::default() };
    let engine = explore(program, memory, &options);
    prop_assert_eq!(&engine.found, &whole.found);
    let asking = Asking { deadlock: true, unasked: &[], may_fault: engine.may_fault };
    let asked: BTreeSet<Finding> =
        taut_explicit::asked(program, memory, asking).into_iter().map(one_fault).collect();
    let is_answered = !asked.is_empty() && asked == kinds(whole);
    match engine.completion {
        Completion::Answered => prop_assert!(is_answered, "{:?}", asked),
        other => prop_assert_eq!((other, is_answered), (Completion::Complete, false)),
    }
    prop_assert!(engine.stats.states <= whole.stats.states);
    Ok(())
}

fn compare(
    case: &Case,
    program: &Program,
    memory: Memory,
    order: Order,
) -> Result<(), TestCaseError> {
    let Some(brute) = brute_force(case, program, memory, MOST_STATES) else { return Ok(()) };
    let options = SearchOptions { order, all: true, whole: true, ..SearchOptions::default() };
    let engine = explore(program, memory, &options);
    prop_assert_eq!(engine.completion, Completion::Complete);
    prop_assert_eq!(engine.stats.states, brute.states as u64, "states under {:?}", memory);
    prop_assert_eq!(engine.stats.deadlocks, brute.deadlocks as u64);
    prop_assert_eq!(engine.stats.faults, brute.faults as u64);
    prop_assert_eq!(engine.bounds_met.buffer, brute.bounds.buffer);
    prop_assert_eq!(engine.bounds_met.threads, brute.bounds.threads);
    prop_assert_eq!(engine.bounds_met.calls, brute.bounds.calls);
    prop_assert_eq!(kinds(&engine), expected(&brute));
    ends_when_answered(program, memory, &engine, order)?;
    for found in engine.found {
        let trace = Trace::new(memory, found.finding, found.actions);
        if let Err(error) = replay(program, &trace) {
            return Err(TestCaseError::fail(format!("{error}")));
        }
        if order == Order::Bfs && !matches!(trace.finding, Finding::Fault(_)) {
            let shortest = enumerate::shortest(program, memory, trace.finding, MOST_STATES);
            prop_assert_eq!(Some(trace.actions.len()), shortest.map(|t| t.actions.len()));
        }
    }
    Ok(())
}

/// Everything one can see of a final state.
fn watched(program: &Program) -> Vec<Expr> {
    let scalars = (0..u32::from(SCALARS)).map(|i| Expr::Var(VarId(i)));
    let element = |i: i64| Expr::VarElem(VarId(u32::from(SCALARS)), Box::new(Expr::Const(i)));
    let mut all: Vec<_> = scalars.chain([element(0), element(1)]).collect();
    all.push(Expr::Var(VarId(u32::from(SCALARS) + 1)));
    for p in program.process_ids() {
        let register = |r| Expr::In(p, Box::new(Expr::Reg(RegId(r))));
        all.extend((0..u32::from(REGISTERS)).map(register));
    }
    all
}

fn engine_finals(program: &Program, model: MemoryModel) -> BTreeSet<Vec<i64>> {
    let limits = Limits::default();
    final_states(program, Memory::new(model), &watched(program), &limits).expect("no limit").values
}

/// The same with those instructions of each thread that are kept.
fn kept(draft: &Draft, mut keeps: impl FnMut(&[Instruction], Instruction) -> bool) -> Draft {
    let mut keep_in = |thread: &Thread| {
        let Thread::Straight(list) = thread else { return thread.clone() };
        let mut kept = Vec::new();
        for &instruction in list {
            if keeps(&kept, instruction) {
                kept.push(instruction);
            }
        }
        Thread::Straight(kept)
    };
    Draft { threads: draft.threads.iter().map(&mut keep_in).collect() }
}

/// The variable that a plain store of a straight program is to; 7 for the array.
fn stored(instruction: Instruction) -> Option<u8> {
    match instruction {
        Instruction::Store(x, _) | Instruction::StoreRegister(x, _) => Some(x),
        Instruction::StoreElement(..) => Some(7),
        _ => None,
    }
}

fn is_atomic_write(instruction: Instruction) -> bool {
    matches!(instruction, Instruction::AtomicWrite(..))
}

/// How many states there are, if that is soon known.
fn states(program: &Program, model: MemoryModel) -> u64 {
    let options = SearchOptions { all: true, whole: true, ..SearchOptions::default() };
    explore(program, Memory::new(model), &options).stats.states
}

fn brute_finals(program: &Program, model: MemoryModel) -> BTreeSet<Vec<i64>> {
    let memory = Memory::new(model).bounded(None);
    let brute = enumerate::explore(program, memory, 1 << 20).expect("a small program");
    let flat = |f: &enumerate::Final| {
        let memory = f.memory.iter().flatten();
        let registers = f.registers.iter().flatten().flatten();
        memory.chain(registers).copied().collect::<Vec<_>>()
    };
    brute.finals.iter().map(flat).collect()
}

#[test]
fn final_states_of_straight_programs() {
    random_cases(300, straight(5), |case, draft| {
        let program = draft.program();
        case.about(&program);
        let mut weaker = None;
        for model in [MemoryModel::Pso, MemoryModel::Tso, MemoryModel::Sc] {
            let finals = engine_finals(&program, model);
            prop_assert_eq!(&finals, &brute_finals(&program, model), "under {}", model);
            if let Some(weaker) = &weaker {
                prop_assert!(finals.is_subset(weaker), "{} has more than a weaker model", model);
            }
            weaker = Some(finals);
        }
        Ok(())
    });
}

#[test]
fn a_fence_after_every_store_gives_sequential_consistency() {
    random_cases(300, straight(4), |case, draft| {
        let sc = engine_finals(&draft.program(), MemoryModel::Sc);
        let fenced = draft.fenced().program();
        case.about(&fenced);
        for model in MemoryModel::EVERY {
            prop_assert_eq!(&engine_finals(&fenced, model), &sc, "under {}", model);
        }
        Ok(())
    });
}

#[test]
fn states_and_findings_of_straight_programs() {
    let tally = random_cases(300, (straight(4), 1_u32..4), |case, (draft, bound)| {
        let program = draft.program();
        for model in MemoryModel::EVERY {
            compare(case, &program, Memory::new(model).bounded(Some(bound)), Order::Bfs)?;
        }
        Ok(())
    });
    tally.at_least("compared", 1_150).at_least("with findings", 40);
}

#[test]
fn final_states_with_delayed_writes() {
    random_cases(300, straight(5), |case, draft| {
        let program = draft.program();
        case.about(&program);
        let finals = engine_finals(&program, MemoryModel::Delayed);
        prop_assert_eq!(&finals, &brute_finals(&program, MemoryModel::Delayed));
        prop_assert!(engine_finals(&program, MemoryModel::Sc).is_subset(&finals));
        Ok(())
    });
}

/// A store that is overwritten could have committed just before the one that overwrites it. Not so
/// where a store fence or an atomic write would have made others wait for it.
#[test]
fn delayed_writes_are_runs_of_pso() {
    random_cases(300, straight(5), |case, draft| {
        let plain = |i| i != Instruction::StoreFence && !is_atomic_write(i);
        let program = kept(&draft, |_, i| plain(i)).program();
        case.about(&program);
        let delayed = engine_finals(&program, MemoryModel::Delayed);
        prop_assert!(delayed.is_subset(&engine_finals(&program, MemoryModel::Pso)));
        Ok(())
    });
}

/// Where nothing can be overwritten, a slot is a queue.
#[test]
fn with_one_store_a_variable_delayed_writes_are_pso() {
    random_cases(300, straight(6), |case, draft| {
        let once = kept(&draft, |before, i| {
            let again = stored(i).is_some_and(|x| before.iter().any(|&b| stored(b) == Some(x)));
            !again && !is_atomic_write(i)
        });
        let program = once.program();
        case.about(&program);
        let finals = |model| engine_finals(&program, model);
        prop_assert_eq!(finals(MemoryModel::Delayed), finals(MemoryModel::Pso));
        prop_assert_eq!(states(&program, MemoryModel::Delayed), states(&program, MemoryModel::Pso));
        Ok(())
    });
}

#[test]
fn states_and_findings_of_looping_programs() {
    let tally = random_cases(
        500,
        (graph(6), 1_u32..4, any::<bool>(), any::<bool>()),
        |case, (draft, bound, full_is_error, dfs)| {
            let program = draft.program();
            let full_buffer = if full_is_error { FullBuffer::Error } else { FullBuffer::Wait };
            let order = if dfs { Order::Dfs } else { Order::Bfs };
            for model in MemoryModel::EVERY {
                compare(case, &program, Memory { model, bound: Some(bound), full_buffer }, order)?;
            }
            Ok(())
        },
    );
    tally.at_least("compared", 1_700).at_least("with findings", 1_000);
}

#[test]
fn larger_buffers_reach_no_less() {
    let tally = random_cases(500, graph(5), |case, draft| {
        // Nothing commits in an atomic section, so there a full buffer may wait for ever.
        let program = draft.without_atomic().program();
        case.about(&program);
        let states = |model, bound| {
            let memory = Memory::new(model).bounded(Some(bound));
            let limits = Limits { states: Some(20_000), ..Limits::default() };
            let options =
                SearchOptions { all: true, whole: true, limits, ..SearchOptions::default() };
            let result = explore(&program, memory, &options);
            if result.completion == Completion::Complete { result.stats.states } else { u64::MAX }
        };
        let sc = states(MemoryModel::Sc, 1);
        case.count(if sc == u64::MAX { "too large" } else { "compared" });
        for model in [MemoryModel::Tso, MemoryModel::Pso] {
            // A step stores twice at most, so two entries are enough for every run of SC.
            prop_assert!(states(model, 1) <= states(model, 2));
            prop_assert!(sc <= states(model, 2));
            prop_assert!(states(model, 2) <= states(model, 3));
        }
        Ok(())
    });
    tally.at_least("compared", 450);
}
