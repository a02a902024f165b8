//! The evidence for buffers without a bound, under TSO, backward: constraints that have everything that leads to what must
//! not be.
//!
//! The dual engine is not asked. Its reductions leave constraints out, and its control points leave dead registers out. This
//! is a search of its own that adds what the checker finds missing, with the checker's own predecessors, until nothing is.
//! It ends for the reason for which the engine does: inclusion of constraints is a well-quasi-order.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use taut_certify::{Basis, Dual};
use taut_ir::{Finding, Program};
use taut_proof::{Constraint, Entry, Writer};

/// Constraints as the body of a claim.
pub(super) struct Backward {
    pub(super) body: Vec<u8>,
    pub(super) constraints: u64,
    /// Whether some step may fault.
    pub(super) can_fault: bool,
}

/// The smallest constraints that have what is asked for and whatever leads there. None if the program has something that the
/// checker does not know, or if the initial state leads there.
pub(super) fn backward(program: &Program, is_asked: &dyn Fn(Finding) -> bool) -> Option<Backward> {
    let _phase = taut_budget::phase("the certificate is made");
    let dual = Dual::new(program).ok()?;
    let (mut basis, mut queue) = (Basis::default(), BinaryHeap::new());
    let mut all = Vec::new();
    let mut made = dual.bad(is_asked).ok()?;
    loop {
        for mut constraint in made {
            settle(program.processes.len(), &mut constraint);
            if basis.includes(&constraint) {
                continue;
            }
            if dual.is_initial(&constraint) {
                return None;
            }
            basis.insert(&constraint);
            queue.push(Reverse((size(&constraint), all.len())));
            all.push(constraint);
        }
        let Some(Reverse((_, next))) = queue.pop() else { break };
        made = dual.before(&all[next]);
    }
    // One that includes another one asks for less, and comes first.
    all.sort_by_cached_key(|constraint| (size(constraint), constraint.clone()));
    let mut smallest = Basis::default();
    let (mut out, mut constraints) = (Writer::default(), Vec::new());
    for constraint in all {
        if !smallest.includes(&constraint) {
            smallest.insert(&constraint);
            constraints.push(constraint);
        }
    }
    out.number(constraints.len() as u64);
    constraints.iter().for_each(|constraint| constraint.write(&mut out));
    let is_fault = |found: &Finding| matches!(found, Finding::Fault(_));
    let can_fault = dual.findings().any(|found| is_fault(&found));
    Some(Backward { body: out.into_bytes(), constraints: constraints.len() as u64, can_fault })
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
