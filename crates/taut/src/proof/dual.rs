//! The evidence for buffers without a bound, under TSO, backward, and for every number of processes: constraints that have
//! everything that leads to what must not be.
//!
//! The dual engine is not asked. Its reductions leave constraints out, and its control points leave dead registers out. This
//! is a search of its own that adds what the checker finds missing, with the checker's own predecessors, until nothing is.
//! It ends for the reason for which the engine does: inclusion of constraints is a well-quasi-order.
//!
//! For every number of processes, constraints are about an instance in which each leaves a process of which nothing is asked.
//! The number of processes that this takes is found by trying: one more, until it is enough.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use taut_certify::{Dual, instance};
use taut_ir::{Finding, MemoryModel, Program};
use taut_proof::{Basis, Constraint, Entry, Writer};

/// The most processes of a definition of which there is any number.
const MOST_PROCESSES: u32 = 8;

/// Constraints as the body of a claim.
pub(super) struct Backward {
    pub(super) body: Vec<u8>,
    pub(super) constraints: u64,
    /// Whether some step may fault.
    pub(super) can_fault: bool,
}

/// The smallest constraints that have what is asked for and whatever leads there. None if the program has something that the
/// checker does not know, or if the initial state leads there.
pub(super) fn backward(
    program: &Program,
    model: MemoryModel,
    is_asked: &dyn Fn(Finding) -> bool,
) -> Option<Backward> {
    let _phase = taut_budget::phase("the certificate is made");
    let counts = program.least_counts();
    let least = counts.iter().map(|count| count.1).max().map_or(0, |most| most + 1);
    for number in least..=least.max(MOST_PROCESSES) {
        let made = instance(program, model, number);
        let dual = Dual::new(&made).ok()?;
        match search(&dual, &made, is_asked)? {
            Ended::All(all) => return Some(written(&dual, &made, number, all)),
            Ended::TooFewProcesses => {}
        }
    }
    None
}

/// How a search ended that did not reach the initial state.
enum Ended {
    /// With all constraints.
    All(Vec<Constraint>),
    /// With a constraint that leaves no process of which nothing is asked.
    TooFewProcesses,
}

fn search(dual: &Dual<'_>, made: &Program, is_asked: &dyn Fn(Finding) -> bool) -> Option<Ended> {
    let (mut basis, mut queue) = (Basis::default(), BinaryHeap::new());
    let mut all = Vec::new();
    let mut before = dual.bad(is_asked).ok()?;
    loop {
        for mut constraint in before {
            settle(made.processes.len(), &mut constraint);
            drop_waiting(made, &mut constraint);
            if basis.includes(&constraint) {
                continue;
            }
            if dual.is_initial(&constraint) {
                return None;
            }
            if !dual.leaves_others(&constraint) {
                return Some(Ended::TooFewProcesses);
            }
            constraint.arranged(&dual.alike).iter().for_each(|c| basis.insert(c));
            queue.push(Reverse((size(&constraint), all.len())));
            all.push(constraint);
        }
        let Some(Reverse((_, next))) = queue.pop() else { return Some(Ended::All(all)) };
        before = dual.before(&all[next]);
    }
}

/// The smallest constraints of a search.
fn written(dual: &Dual<'_>, made: &Program, number: u32, mut all: Vec<Constraint>) -> Backward {
    // One that includes another one asks for less, and comes first.
    all.sort_by_cached_key(|constraint| (size(constraint), constraint.clone()));
    let mut smallest = Basis::default();
    let (mut out, mut constraints) = (Writer::default(), Vec::new());
    for constraint in all {
        if !smallest.includes(&constraint) {
            constraint.arranged(&dual.alike).iter().for_each(|c| smallest.insert(c));
            constraints.push(constraint);
        }
    }
    if !made.replicated.is_empty() {
        out.number(u64::from(number));
    }
    out.number(constraints.len() as u64);
    constraints.iter().for_each(|constraint| constraint.write(&mut out));
    let is_fault = |found: &Finding| matches!(found, Finding::Fault(_));
    let can_fault = dual.findings().any(|found| is_fault(&found));
    Backward { body: out.into_bytes(), constraints: constraints.len() as u64, can_fault }
}

/// Asks nothing of a process that waits at its start, if there is any number of them. Where the rest is reached, it is reached
/// with one more process that waits.
fn drop_waiting(made: &Program, c: &mut Constraint) {
    for process in made.replicated.iter().flat_map(|&def| made.processes_of(def)) {
        if c.words[process.index()].is_empty() {
            // The control point where a process starts is the first one.
            let own = &mut c.head[process.index()];
            *own = own.filter(|&at| at != 0);
        }
    }
}

/// What a constraint asks for: entries of buffers first.
fn size(c: &Constraint) -> (usize, usize) {
    let given = c.head.iter().filter(|value| value.is_some()).count();
    (c.words.iter().map(Vec::len).sum(), given)
}

/// Takes off messages at the newest ends that tell what memory has: that asks for less, and leads to the constraint.
fn settle(processes: usize, c: &mut Constraint) {
    let Constraint { frozen, head, words } = c;
    let is_there = |entry: &Entry| match entry {
        Entry::Own(_) => false,
        Entry::Message(facts) => {
            !*frozen && facts.iter().all(|&(cell, value)| head[processes + cell] == Some(value))
        }
    };
    for word in words {
        while word.last().is_some_and(is_there) {
            word.pop();
        }
    }
}
