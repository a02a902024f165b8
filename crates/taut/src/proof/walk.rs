//! The states of a program, by the replayer's steps: the evidence for what holds of states.
//!
//! This is a search, and the last part of the writer that could be wrong. It need not be trusted: what it leaves out, the
//! checker misses.
//!
//! With reductions it leaves out what the checker says need not be there ([`Alike`], [`Chooser`]). States are kept with
//! their processes sorted. Where the steps of one process are enough, these are followed first, depth first, and the state
//! gets its rank when they have theirs: one more than the largest of them. A process with a step to a state that still has
//! none is not chosen, so that there are no circles.

use std::collections::{BTreeSet, HashSet};

use taut_budget::tick;
use taut_certify::{Alike, Chooser, may_exchange};
use taut_ir::{Expr, Finding, Memory, ProcId, Program};
use taut_proof::{Cut, Damaged, Interner, Parts};
use taut_witness::{BoundsMet, Machine, Outcome, State, Successors};

/// A set of states that no step leaves, but for what is left out.
pub(super) struct Walked<'p> {
    /// The states.
    pub(super) states: Interner<'p>,
    /// What ended runs.
    pub(super) cut: Cut,
    /// Everything that went wrong.
    pub(super) found: BTreeSet<Finding>,
    /// Groups of processes that may change places.
    pub(super) alike: Vec<Vec<u32>>,
    /// For each state 0, or 1 + the process whose steps are enough + the number of processes times the rank below it.
    /// Empty if nothing was left out.
    pub(super) ranked: Vec<u32>,
}

/// The states of a program; none if a store met a full buffer and must not. Where expressions are given, what makes no
/// difference to them is left out.
pub(super) fn walk<'p>(
    program: &'p Program,
    memory: Memory,
    must_fit: bool,
    claimed: Option<Vec<&'p Expr>>,
) -> Result<Option<Walked<'p>>, Damaged> {
    let states = Interner::new(Parts::new(program));
    let alike = claimed.as_ref().map_or_else(Vec::new, |claimed| groups(program, claimed));
    let (cut, found, ranked) = (Cut::default(), BTreeSet::new(), Vec::new());
    let less = claimed.map(|claimed| Less::new(program, memory, &alike, claimed)).transpose()?;
    let walked = Walked { states, cut, found, alike, ranked };
    let mut walk = Walk { machine: Machine::new(program, memory), walked, less };
    walk.insert(walk.machine.initial())?;
    let mut next = 0;
    while let Some(state) = walk.walked.states.state(next) {
        match walk.less {
            None => walk.expand(&state)?,
            Some(_) => walk.settle(next)?,
        }
        if must_fit && walk.walked.cut.buffer {
            return Ok(None);
        }
        next += 1;
    }
    Ok(Some(walk.walked))
}

/// The largest groups of processes that may change places.
fn groups(program: &Program, claimed: &[&Expr]) -> Vec<Vec<u32>> {
    let mut groups: Vec<Vec<u32>> = Vec::new();
    for process in program.process_ids() {
        tick();
        let fits = |group: &&mut Vec<u32>| {
            may_exchange(program, claimed, ProcId(group[group.len() - 1]), process)
        };
        match groups.iter_mut().find(fits) {
            Some(group) => group.push(process.0),
            None => groups.push(vec![process.0]),
        }
    }
    groups.retain(|group| {
        group.len() > 1 && Alike::new(program, claimed, std::slice::from_ref(group)).is_ok()
    });
    groups
}

/// What may be left out.
struct Less<'p> {
    alike: Alike<'p>,
    chooser: Chooser<'p>,
}

impl<'p> Less<'p> {
    fn new(
        program: &'p Program,
        memory: Memory,
        groups: &[Vec<u32>],
        claimed: Vec<&'p Expr>,
    ) -> Result<Less<'p>, Damaged> {
        let alike = Alike::new(program, &claimed, groups).map_err(Damaged)?;
        Ok(Less { alike, chooser: Chooser::new(program, memory, claimed) })
    }
}

/// The mark of a state that was not looked at.
const UNSEEN: u32 = u32::MAX;
/// The mark of a state whose rank depends on those of its successors.
const OPEN: u32 = u32::MAX - 1;

/// A state whose rank is still to be found.
struct Pending {
    number: u32,
    process: u32,
    after: Vec<u32>,
    /// The number of successors that were followed.
    followed: usize,
}

struct Walk<'p> {
    machine: Machine<'p>,
    walked: Walked<'p>,
    less: Option<Less<'p>>,
}

impl Walk<'_> {
    fn sorted(&self, state: State) -> State {
        match &self.less {
            Some(less) => less.alike.sorted(state),
            None => state,
        }
    }

    fn insert(&mut self, state: State) -> Result<u32, Damaged> {
        let state = self.sorted(state);
        let (number, is_new) = self.walked.states.insert(&state)?;
        if is_new && self.less.is_some() {
            self.walked.ranked.push(UNSEEN);
        }
        Ok(number)
    }

    /// Gives a state, and those that it depends on, a rank.
    fn settle(&mut self, root: u32) -> Result<(), Damaged> {
        let processes = self.machine.program().processes.len() as u32;
        let mut pending = Vec::new();
        pending.extend(self.choose(root)?);
        while let Some(top) = pending.last_mut() {
            tick();
            if let Some(&next) = top.after.get(top.followed) {
                top.followed += 1;
                debug_assert!(self.walked.ranked[next as usize] != OPEN, "there are no circles");
                pending.extend(self.choose(next)?);
                continue;
            }
            let rank = |&number: &u32| match self.walked.ranked[number as usize] {
                0 => 0,
                code => (code - 1) / processes + 1,
            };
            let below = top.after.iter().map(rank).max().unwrap_or(0);
            self.walked.ranked[top.number as usize] = below * processes + top.process + 1;
            pending.pop();
        }
        Ok(())
    }

    /// Chooses the process whose steps are enough in a state that was not looked at. If there is none, the state has
    /// rank 0, and everything that it leads to is added.
    fn choose(&mut self, number: u32) -> Result<Option<Pending>, Damaged> {
        if self.walked.ranked[number as usize] != UNSEEN {
            return Ok(None);
        }
        self.walked.ranked[number as usize] = OPEN;
        let none = || Damaged::from("a state is lost");
        let state = self.walked.states.state(number).ok_or_else(none)?;
        for process in self.machine.program().process_ids() {
            let steps = self.less.as_ref().and_then(|less| less.chooser.steps(&state, process));
            let Some(next) = steps.filter(|next| !self.closes(next)) else { continue };
            self.note(&state, &next);
            let mut after = Vec::new();
            for (_, done) in next.moves {
                if let Outcome::State(state) = done.outcome {
                    after.push(self.insert(state)?);
                }
            }
            return Ok(Some(Pending { number, process: process.0, after, followed: 0 }));
        }
        self.walked.ranked[number as usize] = 0;
        self.expand(&state)?;
        Ok(None)
    }

    /// Whether a step leads to a state whose rank is still to be found.
    fn closes(&self, next: &Successors) -> bool {
        next.moves.iter().any(|(_, done)| match &done.outcome {
            Outcome::State(after) => {
                let known = self.walked.states.find(&self.sorted(after.clone()));
                known.is_some_and(|number| self.walked.ranked[number as usize] == OPEN)
            }
            Outcome::Failure(_) => false,
        })
    }

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
                        self.insert(after)?;
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
