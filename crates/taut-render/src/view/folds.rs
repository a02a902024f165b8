//! Which rows of a run matter to a reader, and how the others are folded.
//!
//! A row *matters* if it is more than a local step: if it accesses a variable or a channel or asks about one (as an `else`
//! does about the conditions before it), commits a store, is a fence,
//! starts a process, is the last one, goes wrong, or changes something that the property names (the truth of an atom, the
//! value of one, a register that the step that fails reads). What is left computes with registers alone: no
//! other process can see that it happened or when, and it could not have gone otherwise in this run. So a reader who
//! skips it misses nothing about how the processes meet. Two or more such rows that follow each other are one *fold*, which
//! says how many steps of which process it stands for. A fold does not cross the start of a cycle.
//!
//! A load always matters, even of a location that only its own process writes: the value explains what comes
//! after it. Folding is for the eye only. Files keep every row, with a mark.

use std::ops::Range;

use taut_ir::{Effect, Expr, Finding, Mode, ProcId, PropertyKind, RegId, Step};

use super::{ActionKind, PartView, RunView, is_hidden};
use crate::atoms::atoms;

/// Rows that are shown as one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fold {
    /// The rows, counted from 0.
    pub rows: Range<usize>,
    /// The processes that take the steps, with their number, in the order of the processes.
    pub steps: Vec<(ProcId, usize)>,
}

/// A row, or several of which only the number is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ShownRow {
    /// A row, counted from 0.
    Row(usize),
    /// Rows that do not matter.
    Fold(Fold),
}

impl RunView<'_> {
    /// For each row whether it matters for a finding; without a finding, whether it is more than a local step.
    pub fn matters(self, finding: Option<Finding>) -> Vec<bool> {
        let watched = Watched::of(self, finding);
        (0..self.len()).map(|index| watched.matters(index)).collect()
    }

    /// The rows, where those that do not matter are folded if there are two or more of them.
    pub fn folded(self, matters: &[bool]) -> Vec<ShownRow> {
        let cycle = self.run().cycle();
        let mut shown = Vec::new();
        let mut index = 0;
        while index < self.len() {
            let local = |&row: &usize| !matters[row] && (row == index || cycle != Some(row));
            let end = index + (index..self.len()).take_while(local).count();
            if end < index + 2 {
                shown.push(ShownRow::Row(index));
                index += 1;
                continue;
            }
            shown.push(ShownRow::Fold(self.fold(index..end)));
            index = end;
        }
        shown
    }

    fn fold(self, rows: Range<usize>) -> Fold {
        let mut steps: Vec<(ProcId, usize)> = Vec::new();
        for process in rows.clone().flat_map(|row| self.row(row).acting()) {
            match steps.iter_mut().find(|(known, _)| *known == process) {
                Some((_, count)) => *count += 1,
                None => steps.push((process, 1)),
            }
        }
        steps.sort();
        Fold { rows, steps }
    }
}

/// What a finding looks at.
struct Watched<'a> {
    view: RunView<'a>,
    /// What a property of states reads.
    atoms: Vec<&'a Expr>,
    /// What the step that goes wrong reads of its own process.
    registers: Vec<RegId>,
    failing: Option<ProcId>,
}

impl<'a> Watched<'a> {
    fn of(view: RunView<'a>, finding: Option<Finding>) -> Watched<'a> {
        let read = match finding {
            Some(Finding::Property(id)) => match &view.program().property(id).kind {
                PropertyKind::Forbid(expr) | PropertyKind::Invariant(expr) => atoms(expr),
                _ => Vec::new(),
            },
            _ => Vec::new(),
        };
        let mut watched = Watched { view, atoms: read, registers: Vec::new(), failing: None };
        watched.read_by_failure();
        watched
    }

    /// Watches the registers that the step that goes wrong reads.
    fn read_by_failure(&mut self) {
        let Some(last) = self.view.len().checked_sub(1).map(|last| self.view.row(last)) else {
            return;
        };
        let Some(failure) = last.row().failure.as_ref() else { return };
        let step = last.part(failure.process).and_then(PartView::code);
        self.failing = Some(failure.process);
        self.registers = step.map(read_by).unwrap_or_default();
    }

    fn matters(&self, index: usize) -> bool {
        taut_budget::tick();
        let row = self.view.row(index);
        let is_last = index + 1 == self.view.len();
        if is_last || row.fails() || row.kind() != ActionKind::Step {
            return true;
        }
        let part = row.first();
        is_seen(part) || self.sets_watched(part) || self.changes(index)
    }

    fn sets_watched(&self, part: PartView<'_>) -> bool {
        let mut locals = part.record().locals.iter();
        self.failing == Some(part.process())
            && locals.any(|local| self.registers.contains(&local.register))
    }

    /// Whether a row changes what the property reads.
    fn changes(&self, index: usize) -> bool {
        let row = self.view.row(index);
        let (before, after) = (row.before().state(), row.after().state());
        let machine = self.view.machine();
        let differs = |atom: &&Expr| machine.value(before, atom) != machine.value(after, atom);
        self.atoms.iter().any(differs) || self.turns(index)
    }

    /// Whether an atom of a property of runs is not what it was when it was last looked at.
    fn turns(&self, index: usize) -> bool {
        let Some(now) = self.view.truth(index + 1) else { return false };
        let before = (0..=index).rev().find_map(|row| self.view.truth(row));
        before.is_some_and(|before| before != now)
    }
}

/// Whether others can see a step, or it sees something of others.
fn is_seen(part: PartView<'_>) -> bool {
    let record = part.record();
    let mut reads = part.reads().filter(|read| !is_hidden(&read.name));
    let accesses = reads.next().is_some() || !record.writes.is_empty();
    let meets = record.message.is_some() || !record.spawned.is_empty();
    accesses || meets || part.code().is_some_and(|step| is_fence(step) || asks(part, step))
}

/// Whether a step is taken by what others do. What an `else` asks of the steps before it is not among what it reads, and
/// neither are questions about channels and processes.
fn asks<'a>(part: PartView<'a>, step: &'a Step) -> bool {
    let around = |step: &Step| step.channel.is_some() || looks_around(&step.guard);
    looks_around(&step.guard) || part.before_else(step).any(around)
}

/// Whether a condition asks about more than the registers of its process.
fn looks_around(condition: &Expr) -> bool {
    let mut found = false;
    condition.visit(&mut |expr| {
        let own = matches!(
            expr,
            Expr::Const(_)
                | Expr::Reg(_)
                | Expr::RegElem(..)
                | Expr::Unary(..)
                | Expr::Binary(..)
                | Expr::Cond(..)
                | Expr::Pid
        );
        found |= !own;
    });
    found
}

fn is_fence(step: &Step) -> bool {
    let stores = step.effects.iter().any(|effect| matches!(effect, Effect::StoreFence));
    matches!(step.mode, Mode::Fence | Mode::Sync) || step.drains || stores || step.channel.is_some()
}

/// The registers that a step reads.
fn read_by(step: &Step) -> Vec<RegId> {
    let mut all = step.guard.registers();
    for effect in &step.effects {
        match effect {
            Effect::Assert { condition, .. } => all.extend(condition.registers()),
            Effect::Assign(list) => {
                let read = list.iter().flat_map(|a| a.place.index().into_iter().chain([&a.value]));
                all.extend(read.flat_map(Expr::registers));
            }
            _ => {}
        }
    }
    all
}
