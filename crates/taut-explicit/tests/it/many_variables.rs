//! Programs with more variables than a word has bits.
//!
//! Under PSO and with delayed writes each store may commit at any time, so that a process which stores to n variables one after the other has 2ⁿ
//! states at its end. Commits that no other process can notice are followed in one order only, whatever their number.

use taut_explicit::{Completion, Limits, Reduce, SearchOptions, explore};
use taut_ir::build::ProgramBuilder;
use taut_ir::{Memory, MemoryModel, Program, Type, VarId};

/// A process that stores to many variables, and another one that reads some of them into a register at its end.
fn stores(variables: usize, read: usize) -> Program {
    let mut b = ProgramBuilder::new("many variables");
    let vars: Vec<VarId> =
        (0..variables).map(|i| b.shared(&format!("v{i}"), Type::range(0, 1), 0)).collect();
    let mut p = b.process("p");
    for &var in &vars {
        p.store(var, 1);
    }
    p.finish();
    let mut q = b.process("q");
    let r = q.register("r", Type::range(0, 1), 0);
    for &var in &vars[..read] {
        q.load(r, var);
    }
    q.finish();
    b.build().expect("a program")
}

fn search(program: &Program, model: MemoryModel, states: u64) -> (Completion, u64) {
    let limits = Limits { states: Some(states), ..Limits::default() };
    let options =
        SearchOptions { all: true, whole: true, reduce: Reduce::Por, limits, ..Default::default() };
    let result = explore(program, Memory::new(model), &options);
    (result.completion, result.stats.states)
}

/// A store, a commit, and one of two states of the other process each.
#[test]
fn two_thousand_variables_that_no_other_process_reads() {
    let program = stores(2_000, 0);
    for model in MemoryModel::EVERY {
        let (completion, states) = search(&program, model, 10_000);
        assert_eq!(completion, Completion::Complete, "{model}: {states} states");
    }
}

/// The variables that the other process reads have objects of their own.
#[test]
fn a_few_of_many_variables_are_read() {
    let (few, many) = (stores(3, 3), stores(300, 3));
    for model in MemoryModel::EVERY {
        let (_, small) = search(&few, model, 10_000);
        let (completion, states) = search(&many, model, 40_000);
        assert_eq!(completion, Completion::Complete, "{model}: {states} states");
        assert!(states <= small * 300, "{model}: {states} states, and {small} of the few");
    }
}

/// Each load is told from the one commit that it may come before or after, and from no other.
#[test]
fn a_hundred_variables_that_another_process_reads() {
    for model in MemoryModel::EVERY {
        let (completion, states) = search(&stores(100, 100), model, 20_000);
        assert_eq!(completion, Completion::Complete, "{model}: {states} states");
    }
}
