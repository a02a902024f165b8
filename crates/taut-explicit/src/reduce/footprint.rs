//! The footprints of steps as sets of objects.
//!
//! What a step may read, change or wait for is known from [`taut_ir::Footprint`]. Here it is numbered, so that two
//! footprints are compared by a few operations on words.

use taut_ir::{Footprint, Locations, MemoryModel, ProcId, Program, Visibility};
use taut_machine::Machine;
use taut_memory::{CellId, MemorySystem};

use super::objects::{ALL_DRAINED, Numbering, Objects, PROCESS_TABLE, VISIBLE};

/// Objects that are read, written at once, and stored to by way of the buffer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct ObjectFootprint {
    pub(super) reads: Objects,
    pub(super) writes: Objects,
    pub(super) stores: Objects,
}

impl ObjectFootprint {
    pub(super) fn join(&mut self, other: ObjectFootprint) {
        self.reads |= other.reads;
        self.writes |= other.writes;
        self.stores |= other.stores;
    }
}

/// A program with what its objects are called and what is asked of it.
pub(super) struct StepAnalysis<'a, M> {
    pub(super) program: &'a Program,
    /// By definition and step.
    pub(super) footprints: &'a [Vec<Footprint>],
    pub(super) machine: &'a Machine<M>,
    pub(super) model: MemoryModel,
    pub(super) numbering: &'a Numbering,
    pub(super) visibility: &'a Visibility,
}

impl<M: MemorySystem> StepAnalysis<'_, M> {
    /// The footprints of the steps of a process.
    pub(super) fn footprints_of(&self, process: ProcId) -> &[Footprint] {
        &self.footprints[self.program.process(process).def.index()]
    }

    /// The objects that a step of a process touches, but for where the process goes.
    pub(super) fn step(&self, process: ProcId, step: &Footprint) -> ObjectFootprint {
        taut_budget::tick();
        let numbering = self.numbering;
        let used = numbering.channels(&step.channels_used);
        let mut touch = ObjectFootprint {
            reads: self.locations(&step.reads) | self.looks(step) | used,
            writes: self.locations(&step.writes) | numbering.process(process.index()) | used,
            stores: numbering.places(self.buffered(process, step)),
        };
        touch.writes |= numbering.places(self.unbuffered(process, step));
        self.comings_and_goings(process, step, &mut touch);
        if step.waits_all {
            touch.writes |= ALL_DRAINED;
        }
        if touch.stores != 0 {
            touch.reads |= ALL_DRAINED;
        }
        if self.visibility.notices_step((self.program, self.model), process, step) {
            touch.writes |= VISIBLE;
        }
        touch
    }

    fn locations(&self, all: &[Locations]) -> Objects {
        self.numbering.locations(self.machine.places(), all.iter().copied())
    }

    /// What a step looks at besides memory.
    fn looks(&self, step: &Footprint) -> Objects {
        if step.of_properties {
            return Objects::MAX;
        }
        let processes = step.processes.iter();
        let looked_at = processes.fold(0, |all, p| all | self.numbering.process(p.index()));
        let lives = step.living || !step.processes.is_empty();
        let table = if lives { PROCESS_TABLE } else { 0 };
        looked_at | table | self.numbering.channels(&step.channels_asked)
    }

    /// The cells that a step may store to by way of the buffer, each store by itself.
    pub(super) fn buffered(
        &self,
        process: ProcId,
        step: &Footprint,
    ) -> impl Iterator<Item = CellId> {
        let memory = self.machine.memory();
        self.stored(step).filter(move |&cell| memory.is_buffered(process, cell))
    }

    /// The cells that plain stores of a step write at once, because the memory has no buffer for them.
    fn unbuffered(&self, process: ProcId, step: &Footprint) -> impl Iterator<Item = CellId> {
        let memory = self.machine.memory();
        self.stored(step).filter(move |&cell| !memory.is_buffered(process, cell))
    }

    fn stored(&self, step: &Footprint) -> impl Iterator<Item = CellId> {
        let cells = self.machine.places();
        step.stores.iter().flat_map(|&locations| cells.meant(locations))
    }

    /// Spawns and exits: the list of processes, and the objects that begin anew with them.
    fn comings_and_goings(&self, process: ProcId, step: &Footprint, touch: &mut ObjectFootprint) {
        if step.changes_process_table() {
            touch.writes |= PROCESS_TABLE;
        }
        for slot in step.spawns.iter().flat_map(|&def| self.program.spawn_slots(def)) {
            touch.writes |= self.belongings(slot);
        }
        if step.exits {
            touch.writes |= self.belongings(process);
        }
    }

    /// The objects that are part of a process.
    pub(super) fn belongings(&self, process: ProcId) -> Objects {
        let channels = self.program.process(process).channels.iter();
        let own = channels.fold(0, |all, c| all | self.numbering.channel(c.index()));
        own | self.numbering.process(process.index())
    }

    /// The objects of which a commit of a process can be noticed. If the last commit makes the process vanish, all of
    /// them can where that can be seen.
    pub(super) fn visible_commits(&self, process: ProcId, retires: bool) -> Objects {
        let always = self.visibility.of_process(process).buffer
            || (retires && self.visibility.notices_end(self.program, process));
        if always {
            return Objects::MAX;
        }
        let seen = self.visibility.memory_but(process);
        self.numbering.locations(self.machine.places(), seen)
    }
}
