//! What the rules want to know about one state.

use taut_ir::ProcId;
use taut_memory::{CellId, MemorySystem};

use super::Reduction;
use super::objects::Objects;
use taut_machine::Machine;

/// One process in a state.
#[derive(Clone, Copy, Default)]
pub(super) struct ProcessView {
    /// The bits of its program point.
    pub(super) at: usize,
    /// How many of its steps can start.
    pub(super) startable: u32,
    /// The places of which a store waits, and those of which one may commit.
    pub(super) pending: Objects,
    pub(super) ready: Objects,
}

/// The commits of one process that can be taken, of places that are one object.
#[derive(Clone, Copy, Default)]
pub(super) struct Commits {
    pub(super) count: u32,
    /// The first one; if stores replace each other, the first one that the process does not store to any more, if any.
    pub(super) first: Option<CellId>,
    /// The process may still replace the store that this one commits.
    pub(super) may_be_replaced: bool,
}

/// All processes in a state.
#[derive(Default)]
pub(super) struct StateView {
    pub(super) actors: Vec<ProcessView>,
    /// Number of actions that can be taken.
    pub(super) enabled: u32,
    /// For each process and each bit of an object; empty unless some object stands for several places.
    commits: Vec<Commits>,
}

impl StateView {
    pub(super) fn look<M: MemorySystem>(
        &mut self,
        reduction: &Reduction,
        machine: &Machine<M>,
        state: &[u64],
    ) {
        self.actors.clear();
        self.enabled = 0;
        self.commits.clear();
        let numbering = &reduction.numbering;
        for process in machine.processes() {
            let object = |place: CellId| numbering.place(place);
            let mut actor = ProcessView {
                at: process.pc.bits(state) as usize,
                startable: machine.startable(process, state),
                ..ProcessView::default()
            };
            let memory = machine.memory();
            memory.for_each_pending(state, process.id, |place| actor.pending |= object(place));
            memory.for_each_commit(state, process.id, |place| actor.ready |= object(place));
            self.enabled += actor.startable + actor.ready.count_ones();
            if numbering.several != 0 {
                self.count_commits(reduction, machine, (state, process.id), actor.at);
            }
            self.actors.push(actor);
        }
    }

    /// Looks at the commits of a process, which is at a program point, place by place.
    fn count_commits<M: MemorySystem>(
        &mut self,
        reduction: &Reduction,
        machine: &Machine<M>,
        (state, process): (&[u64], ProcId),
        at: usize,
    ) {
        let first = self.commits.len();
        self.commits.resize(first + Objects::BITS as usize, Commits::default());
        let commits = &mut self.commits[first..];
        let object = |place: CellId| reduction.numbering.place(place).trailing_zeros() as usize;
        let table = &reduction.tables[process.index()];
        machine.memory().for_each_commit(state, process, |place| {
            let of = &mut commits[object(place)];
            of.count += 1;
            if of.first.is_none() || of.may_be_replaced {
                let may_be_replaced = M::OVERWRITES && table.may_store(at, place);
                if of.first.is_none() || !may_be_replaced {
                    (of.first, of.may_be_replaced) = (Some(place), may_be_replaced);
                }
            }
        });
        self.enabled += commits.iter().map(|of| of.count.saturating_sub(1)).sum::<u32>();
    }

    /// The commits of an object that stands for several places.
    #[inline]
    pub(super) fn commits(&self, process: usize, object: Objects) -> Commits {
        self.commits[process * Objects::BITS as usize + object.trailing_zeros() as usize]
    }
}
