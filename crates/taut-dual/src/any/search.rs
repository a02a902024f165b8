//! The backward search over crowds: from what must not be to an initial state of some instance.
//!
//! Crowds with few processes come first, among those crowds with few entries. So the number of processes of the first
//! run that is found is the smallest one, except that a process which could come back to its start counts as a new one.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use taut_explicit::Limit;
use taut_explicit::limits::{LimitMonitor, ProgressSnapshot};

use super::crowd::{Crowd, Member};
use super::kept::{Kept, KeptId};
use super::undo::{Code, Made, Move, Undo};
use crate::places::{Cell, Places};
use crate::search::DualCounts;
use crate::symbol::Entry;
use crate::system::ControlId;

/// How a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// No initial state of any instance leads to what was looked for.
    Unreachable,
    /// An initial state is in a crowd.
    Reached(KeptId),
    /// A limit was met.
    Limit(Limit),
}

/// A backward search.
pub(crate) struct Search<'s> {
    pub(crate) undo: Undo<'s>,
    pub(crate) kept: Kept,
    queue: BinaryHeap<Reverse<(u32, u32, KeptId)>>,
    pub(crate) counts: DualCounts,
    reached: Option<KeptId>,
}

/// The most crowds.
const MOST_CROWDS: u64 = u32::MAX as u64 - 1;

impl<'s> Search<'s> {
    pub(crate) fn new(undo: Undo<'s>) -> Search<'s> {
        let (kept, queue) = (Kept::default(), BinaryHeap::new());
        Search { undo, kept, queue, counts: DualCounts::default(), reached: None }
    }

    /// Adds what is looked for; tells its number if nothing that asks for less is there.
    pub(crate) fn start(&mut self, crowd: Crowd) -> Option<KeptId> {
        let cost = self.replicated(&crowd.members);
        self.keep(crowd, None, Move::Start, cost)
    }

    /// The number of members of definitions with any number of processes.
    fn replicated(&self, members: &[Member]) -> u32 {
        let is_any = |m: &&Member| self.undo.codes[m.code()] == Code::Any;
        members.iter().filter(is_any).count() as u32
    }

    pub(crate) fn run(&mut self, watch: &LimitMonitor, before: u64) -> End {
        while self.reached.is_none()
            && let Some(Reverse((_, _, id))) = self.queue.pop()
        {
            taut_budget::tick();
            if let Some(limit) = self.limit(watch, before) {
                return End::Limit(limit);
            }
            if self.kept.is_of_use(id) {
                self.expand(id);
            }
        }
        self.counts.kept = self.kept.alive() as u64;
        self.reached.map_or(End::Unreachable, End::Reached)
    }

    /// Keeps all predecessors of a crowd.
    fn expand(&mut self, id: KeptId) {
        let crowd = self.kept.crowd(id).clone();
        let (members, cost) = (crowd.members.len(), self.kept.cost(id));
        for Made { crowd, by, .. } in self.undo.all(&crowd) {
            self.counts.made += 1;
            let more = self.replicated(crowd.members.get(members..).unwrap_or(&[]));
            if self.keep(crowd, Some(id), by, cost + more).is_some() && self.reached.is_some() {
                return;
            }
        }
    }

    fn keep(
        &mut self,
        mut crowd: Crowd,
        from: Option<KeptId>,
        by: Move,
        cost: u32,
    ) -> Option<KeptId> {
        self.undo.settle(&mut crowd, |_| {});
        self.undo.tidy(&mut crowd);
        if self.is_dead(&crowd) {
            return None;
        }
        let (entries, is_initial) = (crowd.entries(), self.is_initial(&crowd));
        let size = entries + crowd.members.len();
        let id = self.kept.add(crowd, from, by, cost)?;
        self.counts.added += 1;
        self.counts.kept = self.kept.alive() as u64;
        self.counts.longest = self.counts.longest.max(entries as u64);
        if is_initial {
            self.reached = Some(id);
        }
        self.queue.push(Reverse((cost, size as u32, id)));
        Some(id)
    }

    /// Whether no run can lead into a crowd, by a look at it: a process is where nothing leads, two are in atomic
    /// sections, one cannot have stored what is asked for (`history.rs`), or two hold a lock (`exclusion.rs`).
    fn is_dead(&self, c: &Crowd) -> bool {
        let system = self.undo.system;
        let is_nowhere = |m: &Member| {
            m.control != ControlId::INITIAL
                && system.processes[m.code()].incoming[m.control.index()].is_empty()
        };
        let atomic = c.members.iter().filter(|m| system.is_atomic(m.code(), m.control)).count();
        let held = c.members.iter().map(|m| system.locks.held(m.code(), m.control));
        atomic > 1
            || c.members.iter().any(|m| is_nowhere(m) || self.contradicts(c, m))
            || system.locks.contradict(held, |cell| c.value(cell))
    }

    /// Whether a member cannot have stored what a crowd asks for.
    fn contradicts(&self, c: &Crowd, m: &Member) -> bool {
        let system = self.undo.system;
        let owned = m.word.iter().any(|&symbol| match system.symbols.entry(symbol) {
            Entry::Own(fact) => !system.may_own(m.code(), m.control, *fact),
            Entry::Message(_) => false,
        });
        let may_be = |cell: Cell| system.may_be(m.code(), m.control, (cell, c.value(cell)));
        owned || !c.is_frozen && !system.places.cells().all(may_be)
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
        let most = watch.most_states().min(MOST_CROWDS);
        if states >= most {
            return Some(Limit::States(most));
        }
        watch.check(bytes)
    }

    /// Whether an initial state is in a crowd: all members are at their start, and memory is as it is at first.
    fn is_initial(&self, c: &Crowd) -> bool {
        let starts = |m: &Member| m.control == ControlId::INITIAL;
        let holds = |x: usize| c.allows((Cell(x as u32), Places::INITIAL));
        !c.is_frozen
            && c.has_no_entries()
            && c.members.iter().all(starts)
            && (0..c.values.len()).all(holds)
    }
}
