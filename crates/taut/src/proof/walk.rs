//! All states of a program, by the replayer's steps: the evidence for what holds of states.
//!
//! This is a search, and the last part of the writer that could be wrong. It need not be trusted: what it leaves out, the
//! checker misses.

use std::collections::{BTreeSet, HashSet};

use taut_budget::tick;
use taut_ir::{Finding, Memory, Program};
use taut_proof::{Cut, Damaged, Interner, Parts};
use taut_witness::{BoundsMet, Machine, Outcome, State, Successors};

/// A set of states that no step leaves.
pub(super) struct Walked<'p> {
    /// The states.
    pub(super) states: Interner<'p>,
    /// What ended runs.
    pub(super) cut: Cut,
    /// Everything that went wrong.
    pub(super) found: BTreeSet<Finding>,
}

/// The states of a program; none if a store met a full buffer and must not.
pub(super) fn walk<'p>(
    program: &'p Program,
    memory: Memory,
    must_fit: bool,
) -> Result<Option<Walked<'p>>, Damaged> {
    let states = Interner::new(Parts::new(program));
    let walked = Walked { states, cut: Cut::default(), found: BTreeSet::new() };
    let mut walk = Walk { machine: Machine::new(program, memory), walked };
    walk.walked.states.insert(&walk.machine.initial())?;
    let mut next = 0;
    while let Some(state) = walk.walked.states.state(next) {
        walk.expand(&state)?;
        if must_fit && walk.walked.cut.buffer {
            return Ok(None);
        }
        next += 1;
    }
    Ok(Some(walk.walked))
}

struct Walk<'p> {
    machine: Machine<'p>,
    walked: Walked<'p>,
}

impl Walk<'_> {
    /// Adds everything that a state leads to, through states in which a process holds the others.
    fn expand(&mut self, state: &State) -> Result<(), Damaged> {
        let mut passed = HashSet::new();
        let mut left = vec![state.clone()];
        while let Some(at) = left.pop() {
            tick();
            let next = self.machine.successors(&at);
            self.note(&at, &next);
            for (_, done) in next.moves {
                match done.outcome {
                    Outcome::Failure(_) => {}
                    Outcome::State(after) if after.holder.is_none() => {
                        self.walked.states.insert(&after)?;
                    }
                    Outcome::State(after) => {
                        if passed.insert(after.clone()) {
                            left.push(after);
                        }
                    }
                }
            }
        }
        Ok(())
    }

    fn note(&mut self, state: &State, next: &Successors) {
        let Walked { cut, found, .. } = &mut self.walked;
        found.extend(self.machine.findings_before(state, next));
        for (_, done) in &next.moves {
            found.extend(done.record.all_failed().map(|failure| failure.finding));
            if let Outcome::Failure(failure) = &done.outcome {
                found.insert(failure.finding);
                cut.fault |= matches!(failure.finding, Finding::Fault(_));
                cut.buffer |= failure.finding == Finding::FullBuffer;
            }
        }
        let BoundsMet { buffer, threads, calls } = next.bounds;
        cut.buffer |= buffer;
        cut.threads |= threads;
        cut.calls |= calls;
    }
}
