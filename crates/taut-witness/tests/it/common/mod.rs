//! Small programs that the tests share.

pub mod code;
pub mod runs;
pub mod shown;
pub mod wild;

use std::collections::BTreeSet;

use taut_ir::build::ProgramBuilder;
use taut_ir::validate::validate;
use taut_ir::{
    Action, Expr, Finding, Memory, MemoryModel, ProcId, Program, RegId, StepId, Type, VarId,
};
use taut_witness::Trace;
use taut_witness::enumerate::{Exploration, explore, shortest};

/// More states than any test program has.
pub const LIMIT: usize = 200_000;

pub fn unbounded(model: MemoryModel) -> Memory {
    Memory::new(model).bounded(None)
}

pub fn all_of(program: &Program, memory: Memory) -> Exploration {
    explore(program, memory, LIMIT).expect("within the limit")
}

pub fn trace_to(program: &Program, memory: Memory, finding: Finding) -> Trace {
    shortest(program, memory, finding, LIMIT).expect("the finding is reachable")
}

/// The first property.
pub fn first_property() -> Finding {
    Finding::Property(taut_ir::PropId(0))
}

pub fn step(process: u32, step: u32) -> Action {
    Action::step(ProcId(process), StepId(step))
}

pub fn commit(process: u32, var: u32) -> Action {
    Action::Commit { process: ProcId(process), var: VarId(var), index: 0 }
}

/// `p:r`, in a property.
pub fn local(process: ProcId, register: RegId) -> Expr {
    Expr::In(process, Box::new(Expr::Reg(register)))
}

pub fn checked(program: Program) -> Program {
    validate(&program).expect("a valid program");
    program
}

/// The values of register `r` of every process, in every final state.
pub fn register_outcomes(program: &Program, model: MemoryModel) -> BTreeSet<Vec<i64>> {
    let finals = all_of(program, unbounded(model)).finals;
    let seen = |registers: &Vec<Vec<Vec<i64>>>| {
        registers.iter().flatten().map(|values| values[0]).collect::<Vec<_>>()
    };
    finals.iter().map(|f| seen(&f.registers)).collect()
}

/// Memory in every final state.
pub fn memory_outcomes(program: &Program, model: MemoryModel) -> BTreeSet<Vec<i64>> {
    let finals = all_of(program, unbounded(model)).finals;
    finals.iter().map(|f| f.memory.iter().flatten().copied().collect()).collect()
}

pub fn set<const N: usize, const M: usize>(outcomes: [[i64; N]; M]) -> BTreeSet<Vec<i64>> {
    outcomes.iter().map(|o| o.to_vec()).collect()
}

/// Store buffering: each process stores to one variable and loads the other.
pub fn store_buffering(fenced: bool) -> Program {
    let mut b = ProgramBuilder::new("store buffering");
    let x = b.shared("x", Type::INT, 0);
    let y = b.shared("y", Type::INT, 0);
    let mut seen = Vec::new();
    for (name, mine, other) in [("p", x, y), ("q", y, x)] {
        let mut p = b.process(name);
        let r = p.register("r", Type::INT, 7);
        p.store(mine, 1);
        if fenced {
            p.fence();
        }
        p.load(r, other);
        let p = p.finish();
        seen.push(local(p, r).equals(Expr::Const(0)));
    }
    let both = seen.remove(0).and(seen.remove(0));
    b.forbid("both see nothing", both);
    b.build().expect("a valid program")
}

/// Message passing: one process stores data, then a flag; the other loads the flag, then the data.
/// `between` stands between the two stores.
pub fn message_passing(between: Option<taut_ir::Effect>) -> Program {
    let mut b = ProgramBuilder::new("message passing");
    let data = b.shared("data", Type::INT, 0);
    let flag = b.shared("flag", Type::INT, 0);
    let mut p = b.process("p");
    p.store(data, 1);
    if let Some(effect) = between {
        p.step(Expr::TRUE, taut_ir::Mode::Plain, vec![effect]);
    }
    p.store(flag, 1);
    p.finish();
    let mut q = b.process("q");
    let r = q.register("r", Type::INT, 0);
    let s = q.register("s", Type::INT, 7);
    q.load(r, flag).load(s, data);
    let q = q.finish();
    let stale = local(q, r).equals(Expr::Const(1)).and(local(q, s).equals(Expr::Const(0)));
    b.forbid("stale data", stale);
    b.build().expect("a valid program")
}

/// 2+2W: each process stores to both variables, in opposite orders.
pub fn two_plus_two_writes() -> Program {
    let mut b = ProgramBuilder::new("2+2W");
    let x = b.shared("x", Type::INT, 0);
    let y = b.shared("y", Type::INT, 0);
    for (name, first, second) in [("p", x, y), ("q", y, x)] {
        let mut p = b.process(name);
        p.store(first, 1).store(second, 2);
        p.finish();
    }
    b.build().expect("a valid program")
}
