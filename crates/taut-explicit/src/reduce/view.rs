//! What the rules want to know about one state.

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

/// All processes in a state.
#[derive(Default)]
pub(super) struct StateView {
    pub(super) actors: Vec<ProcessView>,
    /// How many actions can be taken.
    pub(super) enabled: u32,
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
        for process in machine.processes() {
            let object = |place: CellId| reduction.numbering.place(place);
            let mut actor = ProcessView {
                at: process.pc.bits(state) as usize,
                startable: machine.startable(process, state),
                ..ProcessView::default()
            };
            let memory = machine.memory();
            memory.for_each_pending(state, process.id, |place| actor.pending |= object(place));
            memory.for_each_commit(state, process.id, |place| actor.ready |= object(place));
            self.enabled += actor.startable + actor.ready.count_ones();
            self.actors.push(actor);
        }
    }
}
