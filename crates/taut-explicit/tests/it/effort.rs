//! The work of a check: a program is compiled once and searched once. A second search is made only where a reduction left
//! something out and something was found.

use taut_explicit::{Completion, Effort, Exploration, Reduce, SearchOptions, explore};
use taut_ir::build::ProgramBuilder;
use taut_ir::{Expr, Memory, MemoryModel, Program, Type};
use taut_source::SourceMap;

/// Two processes that enter with a flag each: right with fences, wrong without.
fn flags(has_fences: bool) -> Program {
    let mut b = ProgramBuilder::new("flags");
    let flags = [b.shared("f0", Type::BOOL, 0), b.shared("f1", Type::BOOL, 0)];
    let [first, second] = [0, 1].map(|i: usize| {
        let mut p = b.process(&format!("p{i}"));
        p.store(flags[i], 1);
        if has_fences {
            p.fence();
        }
        p.assume(Expr::from(flags[1 - i]).equals(0.into()));
        let inside = p.here();
        p.store(flags[i], 0);
        Expr::At(p.finish(), vec![inside])
    });
    b.forbid("mutex", first.and(second));
    b.build().expect("a program")
}

fn explored(program: &Program, reduce: Reduce) -> Exploration {
    let options = SearchOptions { reduce, deadlock: false, ..SearchOptions::default() };
    explore(program, Memory::new(MemoryModel::Tso), &options)
}

/// Peterson's algorithm as a newcomer checks it.
fn peterson() -> Program {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/peterson.taut");
    let text = std::fs::read_to_string(path).expect("an example");
    let mut map = SourceMap::new();
    let file = map.add("peterson.taut", text);
    taut_lang::parse(&map, file, &taut_lang::Options::default()).expect("a program")
}

#[test]
fn a_small_program_is_compiled_once_and_searched_once() {
    let once = Effort { machines: 1, searches: 1, states_for_shorter_runs: 0 };
    for reduce in [Reduce::None, Reduce::Por, Reduce::All] {
        let right = explored(&flags(true), reduce);
        assert_eq!(right.completion, Completion::Complete);
        assert_eq!(right.stats.effort, once, "{reduce:?}");
        // Three steps of each process lead to where both are inside, and no commit.
        let wrong = explored(&peterson(), reduce);
        assert_eq!(wrong.found[0].actions.len(), 6, "{reduce:?}");
    }
    assert_eq!(explored(&peterson(), Reduce::None).stats.effort, once);
}

#[test]
fn a_run_that_a_reduction_made_longer_is_looked_for_once_more() {
    let once = Effort { machines: 1, searches: 1, states_for_shorter_runs: 0 };
    assert_eq!(explored(&flags(false), Reduce::None).stats.effort, once);
    let reduced = explored(&flags(false), Reduce::Por);
    let Effort { machines, searches, states_for_shorter_runs } = reduced.stats.effort;
    assert_eq!((machines, searches, states_for_shorter_runs > 0), (1, 2, true));
    // Two steps of each process, and no commit.
    assert_eq!(reduced.found[0].actions.len(), 4);
}

#[test]
fn a_search_for_shorter_runs_is_counted_and_compiles_nothing_again() {
    let mut b = ProgramBuilder::new("late");
    let (x, y) = (b.shared("x", Type::BOOL, 0), b.shared("y", Type::BOOL, 0));
    for var in [y, x] {
        let mut p = b.process(if var == x { "p" } else { "q" });
        p.store(var, 1).store(var, 0);
        p.finish();
    }
    b.forbid("never", Expr::from(x).equals(1.into()));
    let program = b.build().expect("a program");
    let plain = explored(&program, Reduce::None);
    assert_eq!(plain.stats.effort.searches, 1);
    let reduced = explored(&program, Reduce::Por);
    assert!(reduced.stats.pruned.stubborn > 0);
    let Effort { machines, searches, states_for_shorter_runs } = reduced.stats.effort;
    assert_eq!((machines, searches), (1, 2));
    assert!(states_for_shorter_runs > 0);
    assert_eq!(reduced.found, plain.found);
}
