//! Classic shapes, by hand: what each memory model allows, and how the search ends.

use taut_explicit::{Completion, Limit, Limits, Order, SearchOptions, explore, final_states};
use taut_ir::build::ProgramBuilder;
use taut_ir::{Expr, Finding, FullBuffer, Memory, MemoryModel, Program, Type};

/// Two processes, each stores to its own variable and reads the other's.
fn store_buffering(fence: bool) -> (Program, Vec<Expr>) {
    let mut b = ProgramBuilder::new("sb");
    let x = b.shared("x", Type::INT, 0);
    let y = b.shared("y", Type::INT, 0);
    let mut seen = Vec::new();
    for (name, mine, other) in [("p", x, y), ("q", y, x)] {
        let mut p = b.process(name);
        let r = p.register("r", Type::INT, 7);
        p.store(mine, 1);
        if fence {
            p.fence();
        }
        p.load(r, other);
        let p = p.finish();
        seen.push(Expr::In(p, Box::new(Expr::Reg(r))));
    }
    let zero = |e: &Expr| e.clone().equals(Expr::Const(0));
    b.forbid("both miss", zero(&seen[0]).and(zero(&seen[1])));
    (b.build().unwrap(), seen)
}

/// A process that stores for ever.
fn storing_loop() -> Program {
    let mut b = ProgramBuilder::new("loop");
    let x = b.shared("x", Type::range(0, 1), 0);
    let mut p = b.process("p");
    let start = p.here();
    p.store(x, 1).goto(start);
    p.finish();
    b.build().unwrap()
}

fn search(program: &Program, model: MemoryModel, order: Order) -> taut_explicit::Exploration {
    let options = SearchOptions { order, ..SearchOptions::default() };
    explore(program, Memory::new(model), &options)
}

#[test]
fn store_buffering_is_seen_under_tso_and_pso_only() {
    for order in [Order::Bfs, Order::Dfs] {
        let (plain, _) = store_buffering(false);
        assert!(search(&plain, MemoryModel::Sc, order).found.is_empty());
        assert_eq!(search(&plain, MemoryModel::Tso, order).found.len(), 1);
        assert_eq!(search(&plain, MemoryModel::Pso, order).found.len(), 1);
        let (fenced, _) = store_buffering(true);
        for model in MemoryModel::ALL {
            let result = search(&fenced, model, order);
            assert!(result.found.is_empty());
            assert_eq!(result.completion, Completion::Complete);
            assert!(!result.bounds_met.any());
        }
    }
}

#[test]
fn breadth_first_runs_are_shortest() {
    let (plain, _) = store_buffering(false);
    let found = &search(&plain, MemoryModel::Tso, Order::Bfs).found[0];
    assert_eq!(found.actions.len(), 4, "two stores and two loads, nothing commits");
}

#[test]
fn state_counts_by_hand() {
    // Under SC each process has 3 program points; memory and registers follow from the order of the steps.
    // p alone: 3 states. Both: before/after each store and load; counted on paper.
    let (plain, _) = store_buffering(false);
    let all = SearchOptions { all: true, whole: true, ..SearchOptions::default() };
    let sc = explore(&plain, Memory::new(MemoryModel::Sc), &all);
    // (pc p, pc q) with registers: (0,0) (1,0) (0,1) (1,1) (2r0,0) (2r0,1) (0,2r0) (1,2r0)
    // (2r1,1) (1,2r1) (2r0,2r1) (2r1,2r0) (2r1,2r1)
    assert_eq!(sc.stats.states, 13);
    let bfs = explore(&plain, Memory::new(MemoryModel::Tso), &all);
    let dfs = SearchOptions { order: Order::Dfs, ..all };
    let dfs = explore(&plain, Memory::new(MemoryModel::Tso), &dfs);
    assert_eq!(bfs.stats.states, dfs.stats.states);
    assert_eq!(bfs.stats.transitions, dfs.stats.transitions);
}

#[test]
fn final_states_of_store_buffering() {
    let (plain, seen) = store_buffering(false);
    let finals =
        |model| final_states(&plain, Memory::new(model), &seen, &Limits::default()).unwrap().values;
    let sc: Vec<_> = finals(MemoryModel::Sc).into_iter().collect();
    assert_eq!(sc, [vec![0, 1], vec![1, 0], vec![1, 1]]);
    assert_eq!(finals(MemoryModel::Tso).len(), 4);
    assert_eq!(finals(MemoryModel::Pso).len(), 4);
}

#[test]
fn a_storing_loop_meets_the_bound() {
    let program = storing_loop();
    let result = search(&program, MemoryModel::Tso, Order::Bfs);
    assert!(result.bounds_met.buffer);
    assert_eq!(result.completion, Completion::Complete);
    assert!(result.found.is_empty(), "waiting for room is no deadlock");
    let memory = Memory { full_buffer: FullBuffer::Error, ..Memory::new(MemoryModel::Tso) };
    let result = explore(&program, memory, &SearchOptions::default());
    assert_eq!(result.found[0].finding, Finding::FullBuffer);
}

#[test]
fn without_a_bound_a_storing_loop_ends_at_the_limits() {
    let program = storing_loop();
    let limits = Limits { states: Some(10_000), ..Limits::default() };
    let options = SearchOptions { limits, ..SearchOptions::default() };
    let memory = Memory::new(MemoryModel::Tso).bounded(None);
    let result = explore(&program, memory, &options);
    assert_eq!(result.completion, Completion::Limit(Limit::States(10_000)));
}

#[test]
fn waiting_for_ever_is_a_deadlock() {
    let mut b = ProgramBuilder::new("wait");
    let x = b.shared("x", Type::INT, 0);
    let mut p = b.process("p");
    p.assume(Expr::from(x).equals(Expr::Const(1)));
    p.finish();
    let program = b.build().unwrap();
    let result = search(&program, MemoryModel::Pso, Order::Bfs);
    assert_eq!(result.found[0].finding, Finding::Deadlock);
    assert!(result.found[0].actions.is_empty());
    let options = SearchOptions { deadlock: false, ..SearchOptions::default() };
    let result = explore(&program, Memory::new(MemoryModel::Pso), &options);
    assert!(result.found.is_empty());
}

#[test]
fn the_limit_on_states_is_met_exactly() {
    let (fenced, _) = store_buffering(true);
    for order in [Order::Bfs, Order::Dfs] {
        let with = |states| {
            let limits = Limits { states, ..Limits::default() };
            let options = SearchOptions { order, limits, ..SearchOptions::default() };
            explore(&fenced, Memory::new(MemoryModel::Tso), &options)
        };
        let all = with(None).stats.states;
        assert_eq!(
            with(Some(all)).completion,
            Completion::Complete,
            "as many as there are will do"
        );
        let fewer = with(Some(all - 1));
        assert_eq!(fewer.completion, Completion::Limit(Limit::States(all - 1)));
        assert_eq!(fewer.stats.states, all - 1);
    }
}
