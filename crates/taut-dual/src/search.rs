//! The backward search: from what must not be to the initial state.
//!
//! Constraints with few entries come first: they ask for little and include many others. The search ends when an
//! initial state is in a constraint, or when nothing is left to undo, which happens since the order of constraints is
//! a well-quasi-order.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use taut_explicit::Limit;
use taut_explicit::limits::{LimitMonitor, ProgressSnapshot};

use crate::constraint::Constraint;
use crate::kept::{Kept, KeptId};
use crate::obligation::{Obligations, THAWED};
use crate::places::{Cell, Places};
use crate::pre::{Loaded, Move, Undo};
use crate::symbol::{Entry, Symbol};
use crate::system::{ControlId, System};

/// How a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// No initial state leads to what was looked for.
    Unreachable,
    /// An initial state is in a constraint.
    Reached(KeptId),
    /// A limit was met.
    Limit(Limit),
}

/// Counts of a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DualCounts {
    /// Constraints that were made.
    pub made: u64,
    /// Constraints that no kept one included.
    pub added: u64,
    /// Constraints that are kept at the end: no other one includes them.
    pub kept: u64,
    /// Pairs of constraints that were compared by their words, after hashes and signatures left it open.
    pub compared: u64,
    /// Entries of the longest constraint.
    pub longest: u64,
    /// Control points of all processes.
    pub points: u64,
}

/// A backward search.
pub(crate) struct Search<'s> {
    pub(crate) undo: Undo<'s>,
    pub(crate) kept: Kept,
    queue: BinaryHeap<Reverse<(u32, u32)>>,
    pub(crate) counts: DualCounts,
    reached: Option<KeptId>,
}

/// What is made from one constraint, before it is settled and kept.
struct Made<'a> {
    list: &'a mut Vec<(Constraint, Move)>,
    used: usize,
}

impl crate::pre::Receiver for Made<'_> {
    fn receive(&mut self, made: &Constraint, by: Move, _: Loaded) {
        // Rows of earlier rounds are used again.
        match self.list.get_mut(self.used) {
            Some((row, old)) => {
                row.copy(made);
                *old = by;
            }
            None => self.list.push((made.clone(), by)),
        }
        self.used += 1;
    }
}

impl<'s> Search<'s> {
    /// A search for the states of some constraints.
    pub(crate) fn new(
        system: &'s System,
        obligations: Obligations,
        some: Constraint,
    ) -> Search<'s> {
        let shape = some.shape();
        Search {
            undo: Undo::new(system, obligations, some),
            kept: Kept::new(shape),
            queue: BinaryHeap::new(),
            counts: DualCounts::default(),
            reached: None,
        }
    }

    /// Adds what is looked for; tells its number if nothing that asks for less is there.
    pub(crate) fn start(&mut self, c: &Constraint) -> Option<KeptId> {
        let mut c = c.clone();
        self.keep(&mut c, None, Move::Start)
    }

    pub(crate) fn run(&mut self, watch: &LimitMonitor, before: u64) -> End {
        let mut row = Constraint::everything(self.kept.shape());
        let mut list = Vec::new();
        while self.reached.is_none()
            && let Some(Reverse((_, id))) = self.queue.pop()
        {
            taut_budget::tick();
            let id = KeptId(id);
            if let Some(limit) = self.limit(watch, before) {
                self.counts.compared = self.kept.compared();
                return End::Limit(limit);
            }
            if !self.kept.is_of_use(id) {
                continue;
            }
            row.copy_row(self.kept.row(id));
            self.expand(id, &row, &mut list);
        }
        self.counts.kept = self.kept.alive() as u64;
        self.counts.compared = self.kept.compared();
        self.reached.map_or(End::Unreachable, End::Reached)
    }

    /// Keeps all predecessors of a constraint.
    fn expand(&mut self, id: KeptId, c: &Constraint, list: &mut Vec<(Constraint, Move)>) {
        let mut made = Made { list, used: 0 };
        self.undo.all(c, &mut made);
        let used = made.used;
        for (c, by) in &mut list[..used] {
            self.counts.made += 1;
            if self.reached.is_none() {
                self.keep(c, Some(id), *by);
            }
        }
    }

    fn keep(&mut self, c: &mut Constraint, from: Option<KeptId>, by: Move) -> Option<KeptId> {
        self.undo.settle(c, |_| {});
        if self.is_dead(c) {
            return None;
        }
        let id = self.kept.add(c, from, by)?;
        self.counts.added += 1;
        self.counts.kept = self.kept.alive() as u64;
        self.counts.longest = self.counts.longest.max(c.entries() as u64);
        if self.is_initial(c) {
            self.reached = Some(id);
        }
        self.queue.push(Reverse((c.entries() as u32, id.0)));
        Some(id)
    }

    /// Whether no run can lead into a constraint, by a look at it: a process is where nothing leads, two are in atomic
    /// sections, a process cannot have stored what is asked for (`history.rs`), or two hold a lock (`exclusion.rs`).
    fn is_dead(&self, c: &Constraint) -> bool {
        let system = self.undo.system;
        let mut atomic = 0;
        for process in 0..c.shape().processes {
            let control = c.control(process);
            if control == ControlId::ANY || control == ControlId::INITIAL {
                continue;
            }
            if system.processes[process].incoming[control.index()].is_empty() {
                return true;
            }
            atomic += u32::from(system.is_atomic(process, control));
        }
        let processes = 0..c.shape().processes;
        let held = processes.clone().map(|process| system.locks.held(process, c.control(process)));
        atomic > 1
            || processes.clone().any(|process| self.contradicts(c, process))
            || system.locks.contradict(held, |cell| c.value(cell))
    }

    /// Whether a process cannot have stored what a constraint asks for.
    fn contradicts(&self, c: &Constraint, process: usize) -> bool {
        let system = self.undo.system;
        let control = c.control(process);
        let owned = |&symbol: &u32| match system.symbols.entry(Symbol(symbol)) {
            Entry::Own(fact) => !system.may_own(process, control, *fact),
            Entry::Message(_) => false,
        };
        // Frozen memory is that of an earlier time.
        let stored = |cell: Cell| !system.may_be(process, control, (cell, c.value(cell)));
        c.word(process).iter().any(owned)
            || c.frame() == THAWED && system.places.cells().any(stored)
    }

    fn limit(&self, watch: &LimitMonitor, before: u64) -> Option<Limit> {
        let states = before + self.counts.added;
        let bytes = self.kept.bytes();
        watch.publish(ProgressSnapshot {
            states,
            transitions: self.counts.made,
            queue: self.queue.len() as u64,
            depth: self.counts.longest,
            bytes,
        });
        if states >= watch.most_states() {
            return Some(Limit::States(watch.most_states()));
        }
        if self.kept.is_full() {
            return Some(Limit::Bytes(bytes));
        }
        watch.check(bytes)
    }

    /// Whether the initial state is in a constraint. Its buffers are empty.
    fn is_initial(&self, c: &Constraint) -> bool {
        let (shape, system) = (c.shape(), self.undo.system);
        let starts = |p: usize| match c.control(p) {
            ControlId::ANY => !system.is_atomic(p, ControlId::INITIAL),
            control => control == ControlId::INITIAL,
        };
        let holds = |x: usize| c.allows((Cell(x as u32), Places::INITIAL));
        c.frame() == THAWED
            && c.has_no_entries()
            && (0..shape.processes).all(starts)
            && (0..shape.cells).all(holds)
    }
}
