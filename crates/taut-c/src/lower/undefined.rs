//! Locals that are read before they have a value.
//!
//! A local in a register that is declared without a value has none until it is set ([`Op::Undefine`]). Where a run may read it
//! before, by a forward analysis of the graph, the register begins with a mark that no program computes with, and each
//! such read is checked. All other locals cost nothing.

use std::collections::{BTreeSet, VecDeque};

use taut_ir::{Fault, Type};

use super::mir::{Check, Edge, Op, Reg, Target, Thread, Value};

/// The mark of a register without a value. (An integer of 64 bits could have it; then a fault is reported that is none.)
const MARK: i64 = i64::MIN + 1;

/// Registers that may be without a value.
type Registers = BTreeSet<Reg>;

/// Checks the reads of locals that may have no value, and replaces [`Op::Undefine`].
pub(crate) fn check_reads(thread: &mut Thread) {
    let at = analyse(thread);
    let mut marked = Registers::new();
    for edge in &mut thread.edges {
        let Some(open) = at.get(edge.from.0 as usize) else { continue };
        for reg in early_reads(edge, open) {
            marked.insert(reg);
            let filled = Value::binary(taut_ir::BinaryOp::Ne, Value::Reg(reg), Value::Int(MARK));
            edge.checks.insert(0, Check::True(filled, Fault::Uninitialised));
        }
    }
    for reg in &marked {
        thread.regs[reg.0 as usize].ty = Type::INT64;
    }
    for edge in &mut thread.edges {
        for op in &mut edge.ops {
            if let Op::Undefine(reg) = op {
                let value = if marked.contains(reg) { MARK } else { 0 };
                *op = Op::Set(*reg, Value::Int(value));
            }
        }
    }
}

/// The registers that may be without a value at each point.
fn analyse(thread: &Thread) -> Vec<Registers> {
    let mut at = vec![Registers::new(); thread.points.len()];
    let mut out: Vec<Vec<usize>> = vec![Vec::new(); thread.points.len()];
    for (index, edge) in thread.edges.iter().enumerate() {
        out[edge.from.0 as usize].push(index);
    }
    let mut todo: VecDeque<usize> = (0..thread.points.len()).collect();
    while let Some(point) = todo.pop_front() {
        taut_budget::tick();
        for &index in &out[point] {
            let edge = &thread.edges[index];
            let after = after(edge, &at[point]);
            let (Target::Point(to) | Target::Call { back: to, .. }) = &edge.to else { continue };
            let known = &mut at[to.0 as usize];
            let before = known.len();
            known.extend(after);
            if known.len() > before {
                todo.push_back(to.0 as usize);
            }
        }
    }
    at
}

fn after(edge: &Edge, open: &Registers) -> Registers {
    let mut open = open.clone();
    for op in &edge.ops {
        match op {
            Op::Undefine(reg) => {
                open.insert(*reg);
            }
            op => {
                if let Some(reg) = op.target() {
                    open.remove(&reg);
                }
            }
        }
    }
    open
}

/// The registers that a step reads while they may be without a value.
fn early_reads(edge: &Edge, open: &Registers) -> Registers {
    if open.is_empty() {
        return Registers::new();
    }
    let mut found = Registers::new();
    let mut open = open.clone();
    let mut read = |value: &Value, open: &Registers| {
        value.visit(&mut |v| {
            if let Value::Reg(reg) = v
                && open.contains(reg)
            {
                found.insert(*reg);
            }
        });
    };
    read(&edge.guard, &open);
    for check in &edge.checks {
        check.values().iter().for_each(|value| read(value, &open));
    }
    for op in &edge.ops {
        op.values().into_iter().for_each(|value| read(value, &open));
        if let Some(reg) = op.target() {
            open.remove(&reg);
        }
    }
    if let Target::Call { args, .. } = &edge.to {
        args.iter().for_each(|arg| read(arg, &open));
    }
    found
}
