//! The states of a program, by the replayer's steps: the evidence for what holds of states.
//!
//! This is a search, and the last part of the writer that could be wrong. It need not be trusted: what it leaves out, the
//! checker misses.
//!
//! States are rows of numbers of parts, and what a process does is asked of the replayer once per part and view
//! ([`taut_witness::memo`]).
//!
//! With reductions it leaves out what the checker says need not be there ([`Alike`], [`Chooser`]). States are kept with
//! their processes sorted. Where the steps of one process are enough, these are followed first, depth first, and the state
//! gets its rank when they have theirs: one more than the largest of them. A process with a step to a state that still has
//! none is not chosen, so that there are no circles.

use std::collections::BTreeSet;

use taut_budget::tick;
use taut_certify::{Alike, Choices, Chooser, may_exchange};
use taut_ir::{Action, Expr, Finding, Memory, ProcId, Program};
use taut_proof::{Cut, Damaged, Interner, Parts, sort_groups};
use taut_witness::memo::{Memo, Visitor, Watch};
use taut_witness::{BoundsMet, Machine, State, Successors, condition};

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
    let mut states = Interner::new(Parts::new(program));
    let alike = claimed.as_ref().map_or_else(Vec::new, |claimed| groups(program, claimed));
    let less = claimed.map(|claimed| Less::new(program, memory, &alike, claimed)).transpose()?;
    let machine = Machine::new(program, memory);
    let conditions = conditions(program);
    let exprs = conditions.iter().map(|(_, expr, _)| *expr).collect();
    let watch = Watch::new(machine, states.columns(), exprs);
    let (cut, found, ranked) = (Cut::default(), BTreeSet::new(), Vec::new());
    let walked = Walked { states, cut, found, alike, ranked };
    let noted = Noted { machine, after: Vec::new(), cut, found: BTreeSet::new() };
    let mut walk = Walk { memo: Memo::new(machine), watch, conditions, walked, less, noted };
    let mut first = walk.walked.states.columns().add(&machine.initial());
    walk.insert(&mut first)?;
    let mut next = 0;
    while next < walk.walked.states.len() as u32 {
        match walk.less {
            None => walk.expand(next)?,
            Some(_) => walk.settle(next)?,
        }
        if must_fit && walk.noted.cut.buffer {
            return Ok(None);
        }
        next += 1;
    }
    let Walk { walked, noted, .. } = walk;
    Ok(Some(Walked { cut: noted.cut, found: noted.found, ..walked }))
}

/// What properties ask of states: each with the value that is a violation.
fn conditions(program: &Program) -> Vec<(Finding, &Expr, bool)> {
    let of = |id| {
        let (expr, bad) = condition(&program.property(id).kind)?;
        Some((Finding::Property(id), expr, bad))
    };
    program.property_ids().filter_map(of).collect()
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
    groups: Vec<Vec<usize>>,
    chooser: Chooser<'p>,
    choices: Choices,
}

impl<'p> Less<'p> {
    fn new(
        program: &'p Program,
        memory: Memory,
        groups: &[Vec<u32>],
        claimed: Vec<&'p Expr>,
    ) -> Result<Less<'p>, Damaged> {
        let Alike { groups } = Alike::new(program, &claimed, groups).map_err(Damaged)?;
        let (chooser, choices) = (Chooser::new(program, memory, claimed), Choices::default());
        Ok(Less { groups, chooser, choices })
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
    memo: Memo<'p>,
    watch: Watch<'p>,
    conditions: Vec<(Finding, &'p Expr, bool)>,
    walked: Walked<'p>,
    less: Option<Less<'p>>,
    noted: Noted<'p>,
}

/// What was told about states.
struct Noted<'p> {
    machine: Machine<'p>,
    /// Rows that are led to, one after the other.
    after: Vec<u32>,
    cut: Cut,
    found: BTreeSet<Finding>,
}

impl Visitor for Noted<'_> {
    type Stop = Damaged;

    fn saw(&mut self, findings: &[Finding], bounds: BoundsMet) -> Result<(), Damaged> {
        for &finding in findings {
            self.found.insert(finding);
            self.cut.fault |= matches!(finding, Finding::Fault(_));
            self.cut.buffer |= finding == Finding::FullBuffer;
        }
        let BoundsMet { buffer, threads, calls } = bounds;
        self.cut = self.cut.or(Cut { buffer, threads, calls, fault: false });
        Ok(())
    }

    fn reached(&mut self, _: Action, row: &[u32]) -> Result<(), Damaged> {
        self.after.extend_from_slice(row);
        Ok(())
    }

    fn stuck(&mut self, state: &State, next: &Successors) -> Result<(), Damaged> {
        self.found.extend(self.machine.findings_before(state, next));
        Ok(())
    }
}

impl Walk<'_> {
    fn insert(&mut self, row: &mut [u32]) -> Result<u32, Damaged> {
        if let Some(less) = &self.less {
            sort_groups(row, &less.groups);
        }
        let (number, is_new) = self.walked.states.insert_row(row)?;
        if is_new && self.less.is_some() {
            self.walked.ranked.push(UNSEEN);
        }
        Ok(number)
    }

    /// Gives a state, and those that it depends on, a rank.
    fn settle(&mut self, root: u32) -> Result<(), Damaged> {
        let processes = self.memo.machine().program().processes.len() as u32;
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
        let row = self.walked.states.row(number).to_vec();
        for process in self.memo.machine().program().process_ids() {
            let Some(mut after) = self.chosen(&row, process)? else { continue };
            if self.closes(&mut after) {
                continue;
            }
            self.note_state(&row);
            let width = row.len();
            let after = after.chunks_mut(width).map(|row| self.insert(row));
            let after = after.collect::<Result<_, _>>()?;
            return Ok(Some(Pending { number, process: process.0, after, followed: 0 }));
        }
        self.walked.ranked[number as usize] = 0;
        self.expand(number)?;
        Ok(None)
    }

    /// Where the steps of a process lead, if they are enough.
    fn chosen(&mut self, row: &[u32], process: ProcId) -> Result<Option<Vec<u32>>, Damaged> {
        let Some(less) = &mut self.less else { return Ok(None) };
        let columns = self.walked.states.columns();
        let answer = less.choices.find(&less.chooser, &mut self.memo, columns, row, process);
        let Some(answer) = answer else { return Ok(None) };
        self.noted.after.clear();
        self.memo.visit_steps(columns, row, answer, &mut self.noted)?;
        Ok(Some(std::mem::take(&mut self.noted.after)))
    }

    /// Whether one of some rows is a state whose rank is still to be found.
    fn closes(&self, rows: &mut [u32]) -> bool {
        let Some(less) = &self.less else { return false };
        rows.chunks_mut(self.width()).any(|row| {
            sort_groups(row, &less.groups);
            let known = self.walked.states.find_row(row);
            known.is_some_and(|number| self.walked.ranked[number as usize] == OPEN)
        })
    }

    fn width(&self) -> usize {
        self.memo.machine().program().processes.len() + 1
    }

    /// Adds everything that a state leads to, through states in which a process holds the others.
    fn expand(&mut self, number: u32) -> Result<(), Damaged> {
        tick();
        let row = self.walked.states.row(number).to_vec();
        self.note_state(&row);
        self.noted.after.clear();
        self.memo.visit(self.walked.states.columns(), &row, &mut self.noted)?;
        let mut after = std::mem::take(&mut self.noted.after);
        for row in after.chunks_mut(row.len()) {
            self.insert(row)?;
        }
        self.noted.after = after;
        Ok(())
    }

    /// Notes what is wrong with a state.
    fn note_state(&mut self, row: &[u32]) {
        let truths = self.watch.truths(self.walked.states.columns(), row);
        for ((finding, _, bad), truth) in self.conditions.iter().zip(truths) {
            if bad == truth {
                self.noted.found.insert(*finding);
            }
        }
    }
}
