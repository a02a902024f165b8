//! Which transitions cannot tell in which order they happen, for sleep sets.
//!
//! The relation is Linden and Wolper's (section 4), over programs of this tool. In a state,
//!
//! 1. transitions of the same process are dependent;
//! 2. steps of different processes are independent, unless one writes memory at once (ghost variables,
//!    read-modify-writes) where the other looks or writes, or one of them may concern everybody (channels,
//!    starting and ending processes, waiting for all buffers, holding the others);
//! 3. a commit of `p` is independent of the steps of `q` if, for every place that it may write, `q` does not
//!    touch the place or every word of `q`'s *own* buffer has an entry for it, so that `q` does not look at
//!    memory. (The printed rule names the buffer of `p`, which says nothing about what `q` sees.)
//! 4. two commits are independent if they write different places;
//! 5. a timeout is dependent on everything.
//!
//! The relation is the same for all words of a state, and it lasts: whatever changes the buffer of `q` is a
//! transition of `q`, which wakes `q`'s sleeping transitions by rule 1.

use taut_fault::{Fault, is_on};
use taut_ir::{Control, Footprint, Locations, PointId, ProcId, ProcessDef, Program, Step};
use taut_machine::Machine;
use taut_memory::{CellId, Cells};

use crate::edge::Transition;
use crate::sets::BufferSets;

/// What the steps that leave a program point may have to do with others. Lists of places and not sets of bits: of many
/// places each program point has to do with few.
#[derive(Clone, Debug, Default)]
struct Touched {
    /// Cells that they may read or write at once, in order.
    touched: Vec<CellId>,
    /// Cells that they may write at once, in order.
    written: Vec<CellId>,
    /// They may concern everybody.
    global: bool,
}

/// The relation for one program.
pub(crate) struct Independence<'m> {
    machine: &'m Machine<BufferSets>,
    /// For each process and program point.
    footprints: Vec<Vec<Touched>>,
}

impl<'m> Independence<'m> {
    pub(crate) fn new(program: &Program, machine: &'m Machine<BufferSets>) -> Independence<'m> {
        let places = machine.places();
        let of_process = |process: ProcId| {
            let def = program.def_of(process);
            let mut touched = vec![Touched::default(); def.points.len()];
            for (step, footprint) in def.steps.iter().zip(Footprint::of_steps(program, def)) {
                touched[step.source.index()].add(places, def, (step, &footprint));
            }
            touched.iter_mut().for_each(Touched::tidy);
            touched
        };
        Independence { machine, footprints: program.process_ids().map(of_process).collect() }
    }

    fn footprint(&self, state: &[u64], process: ProcId) -> Option<&Touched> {
        taut_budget::tick();
        let PointId(point) = self.machine.point(state, process)?;
        self.footprints[process.index()].get(point as usize)
    }

    /// Whether two transitions are independent in a state.
    pub(crate) fn holds(&self, state: &[u64], a: Transition, b: Transition) -> bool {
        match (a, b) {
            (Transition::Timeout, _) | (_, Transition::Timeout) => false,
            (Transition::Steps(p), Transition::Steps(q)) => p != q && self.steps(state, p, q),
            (Transition::Commit(p, place), Transition::Steps(q))
            | (Transition::Steps(q), Transition::Commit(p, place)) => {
                p != q && self.commit_and_steps(state, (p, place), q)
            }
            (Transition::Commit(p, a), Transition::Commit(q, b)) => {
                let written = self.committed(state, q, b);
                p != q && self.committed(state, p, a).iter().all(|place| !written.contains(place))
            }
        }
    }

    fn steps(&self, state: &[u64], p: ProcId, q: ProcId) -> bool {
        match (self.footprint(state, p), self.footprint(state, q)) {
            (Some(p), Some(q)) => {
                let meet = |a: &[CellId], b: &[CellId]| {
                    a.iter().any(|place| b.binary_search(place).is_ok())
                };
                let meets = meet(&p.written, &q.touched) || meet(&p.touched, &q.written);
                let meets = meets && !is_on(Fault::ReadsAreIndependent);
                !p.global && !q.global && !meets
            }
            // Who does not live takes no step, until a step that concerns everybody starts it.
            (Some(lives), None) | (None, Some(lives)) => !lives.global,
            (None, None) => true,
        }
    }

    fn commit_and_steps(
        &self,
        state: &[u64],
        (p, place): (ProcId, Option<CellId>),
        q: ProcId,
    ) -> bool {
        let Some(steps) = self.footprint(state, q) else { return true };
        let memory = self.machine.memory();
        let is_apart = |place: &CellId| {
            is_on(Fault::ReadsAreIndependent)
                || steps.touched.binary_search(place).is_err()
                || (steps.written.binary_search(place).is_err()
                    && memory.always_forwards(state, q, *place))
        };
        !steps.global && self.committed(state, p, place).iter().all(is_apart)
    }

    /// The places that a commit may write.
    fn committed(&self, state: &[u64], process: ProcId, place: Option<CellId>) -> Vec<CellId> {
        if let Some(place) = place {
            return vec![place];
        }
        let committed = self.machine.memory().committed(state, process);
        committed.iter().map(|c| c.place).collect()
    }
}

impl Touched {
    /// Sorts the lists.
    fn tidy(&mut self) {
        for list in [&mut self.touched, &mut self.written] {
            list.sort_unstable();
            list.dedup();
        }
    }

    fn add(&mut self, places: &Cells, def: &ProcessDef, (step, own): (&Step, &Footprint)) {
        let cells = |all: &[Locations]| {
            all.iter().flat_map(|&locations| places.meant(locations)).collect::<Vec<_>>()
        };
        self.global |= concerns_everybody(def, step, own);
        self.touched.extend(cells(&own.reads));
        self.touched.extend(cells(&own.writes));
        self.written.extend(cells(&own.writes));
    }
}

/// Whether a step may have to do with processes in other ways than through variables.
fn concerns_everybody(def: &ProcessDef, step: &Step, own: &Footprint) -> bool {
    let into_atomic = match step.target {
        Control::Goto(target) => def.points[target.index()].atomic,
        Control::Call { .. } | Control::Return => def.points.iter().any(|l| l.atomic),
        Control::Exit => true,
    };
    into_atomic
        || own.changes_process_table()
        || step.holds
        || own.waits_all
        || step.channel.is_some()
        || !own.reads_variables_only()
}
