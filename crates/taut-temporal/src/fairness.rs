//! Fairness as acceptance sets of the product.
//!
//! A run is fair if each of these happens again and again:
//! - for each process: it cannot move, or it moves;
//! - for each store buffer: it is empty, or it commits;
//! - or, of the memory as a whole: nothing can be committed, or something is; and for each process: it does
//!   not wait for its own buffer at a fence, or it moves, or a store of it commits.
//!
//! Each is a set of transitions of the machine, so a fair violating run is one that takes transitions of
//! every set of the automaton *and* of every set here infinitely often: generalised acceptance. Nothing is
//! copied for it (SPIN unfolds the state space once for each process, after Choueka 1974).

use taut_fault::{Fault, is_on};
use taut_ir::{Action, Buffers, Fairness, MemoryFairness, MemoryModel, ProcId};
use taut_memory::MemorySystem;

use taut_machine::{CompiledProcess, CompiledStep, Machine, Needs, Provenance, Scratch};

/// No set.
const NONE: u32 = u32::MAX;

/// The acceptance sets: first those of the automaton, then those of fairness.
pub(super) struct Conditions {
    /// How many there are.
    sets: usize,
    /// The first set of processes, if they are to be fair; one for each process, in order.
    processes: Option<usize>,
    memory: MemorySets,
    /// All sets of fairness.
    fair: Vec<u64>,
}

enum MemorySets {
    None,
    /// One for each process that has a buffer; `NONE` for the others.
    Processes(Vec<u32>),
    /// One for each process and place.
    Cells(Vec<Vec<u32>>),
    /// One for all, and one for each process that may wait for its own buffer.
    Whole(usize, Vec<Drain>),
}

/// A process that may wait for its own buffer.
struct Drain {
    set: u32,
    /// By the bits of its program point, whether it has a step there that needs the buffer empty.
    waits: Vec<bool>,
}

/// Whether a set of marks has all of so many.
#[inline]
pub(crate) fn is_full(marks: &[u64], sets: usize) -> bool {
    let rest = sets % 64;
    let (whole, last) = marks.split_at(sets / 64);
    whole.iter().all(|&w| w == u64::MAX) && (rest == 0 || last[0] == (1 << rest) - 1)
}

#[inline]
fn set(marks: &mut [u64], number: usize) {
    marks[number / 64] |= 1 << (number % 64);
}

#[inline]
fn unset(marks: &mut [u64], number: usize) {
    marks[number / 64] &= !(1 << (number % 64));
}

impl Conditions {
    /// The conditions for runs of a machine that are accepted by an automaton with so many sets.
    pub(super) fn new<M: MemorySystem>(
        machine: &Machine<M>,
        model: MemoryModel,
        fairness: Fairness,
        automaton_sets: u32,
    ) -> Conditions {
        let mut sets = automaton_sets as usize;
        let first = sets;
        let processes = fairness.process.then_some(first);
        if fairness.process {
            sets += machine.processes().len();
        }
        let memory = MemorySets::new(machine, model, fairness.memory, &mut sets);
        let mut fair = vec![0; sets.div_ceil(64)];
        (first..sets).for_each(|number| set(&mut fair, number));
        Conditions { sets, processes, memory, fair }
    }

    /// How many there are.
    pub(super) fn sets(&self) -> usize {
        self.sets
    }

    /// Words of a set of marks.
    pub(super) fn words(&self) -> usize {
        self.fair.len()
    }

    /// The marks of a run that stays where it is because nothing can happen.
    pub(super) fn fair(&self) -> &[u64] {
        &self.fair
    }

    /// Whether it matters who moves and who could.
    pub(super) fn asks_who_moves(&self) -> bool {
        self.processes.is_some() || matches!(self.memory, MemorySets::Whole(..))
    }

    /// The marks that every transition from a state has.
    pub(super) fn of_state<M: MemorySystem>(
        &self,
        machine: &Machine<M>,
        state: &[u64],
        scratch: &Scratch,
        marks: &mut [u64],
    ) {
        marks.fill(0);
        if let (Some(first), Some(enabled)) = (self.processes, scratch.enabled()) {
            for process in machine.processes() {
                let index = process.id.index();
                if !enabled.contains(index) && !is_on(Fault::DisabledMustMove) {
                    set(marks, first + index);
                }
            }
        }
        self.memory.of_state(machine, state, marks);
    }

    /// Adds the marks of one way out of a state.
    pub(super) fn of_way<M: MemorySystem>(
        &self,
        machine: &Machine<M>,
        scratch: &Scratch,
        way: Provenance,
        marks: &mut [u64],
    ) {
        if let Some(first) = self.processes.filter(|_| !is_on(Fault::MovesDoNotCount)) {
            scratch.movers(way, |process| set(marks, first + process.index()));
        }
        if let MemorySets::Whole(_, drains) = &self.memory {
            let mut moves = |process: ProcId| drains[process.index()].meet(marks);
            scratch.movers(way, &mut moves);
            if let Action::Commit { process, .. } = way.action {
                moves(process);
            }
        }
        if let Action::Commit { process, var, index } = way.action {
            let number = match &self.memory {
                MemorySets::None => return,
                MemorySets::Whole(number, _) => *number,
                MemorySets::Processes(sets) => sets[process.index()] as usize,
                MemorySets::Cells(sets) => {
                    sets[process.index()][machine.places().of(var, index).index()] as usize
                }
            };
            if !is_on(Fault::CommitsDoNotCount) {
                set(marks, number);
            }
        }
    }
}

impl Drain {
    fn meet(&self, marks: &mut [u64]) {
        if self.set != NONE {
            set(marks, self.set as usize);
        }
    }
}

fn any_waits(steps: &[CompiledStep]) -> bool {
    steps.iter().any(|step| step.needs != Needs::Nothing)
}

impl MemorySets {
    fn new<M: MemorySystem>(
        machine: &Machine<M>,
        model: MemoryModel,
        fairness: MemoryFairness,
        sets: &mut usize,
    ) -> MemorySets {
        let mut next = |wanted: bool| {
            let number = if wanted { *sets as u32 } else { NONE };
            *sets += usize::from(wanted);
            number
        };
        let is_buffered = |process, place| machine.memory().is_buffered(process, place);
        match (fairness, model.buffers()) {
            (MemoryFairness::None, _) | (_, Buffers::None) => MemorySets::None,
            (MemoryFairness::Process, _) => {
                let whole = next(true) as usize;
                let drain = |p: &CompiledProcess| {
                    let waits: Vec<bool> = p.steps.iter().map(|steps| any_waits(steps)).collect();
                    Drain { set: next(waits.contains(&true)), waits }
                };
                MemorySets::Whole(whole, machine.processes().iter().map(drain).collect())
            }
            (MemoryFairness::Buffers, Buffers::PerProcess) => {
                let of = |p: &CompiledProcess| {
                    next(machine.places().ids().any(|place| is_buffered(p.id, place)))
                };
                MemorySets::Processes(machine.processes().iter().map(of).collect())
            }
            (MemoryFairness::Buffers, _) => {
                let mut of = |p: &CompiledProcess| {
                    machine.places().ids().map(|place| next(is_buffered(p.id, place))).collect()
                };
                MemorySets::Cells(machine.processes().iter().map(&mut of).collect())
            }
        }
    }

    fn of_state<M: MemorySystem>(&self, machine: &Machine<M>, state: &[u64], marks: &mut [u64]) {
        let memory = machine.memory();
        match self {
            MemorySets::None => {}
            MemorySets::Processes(sets) => {
                for (process, &number) in machine.processes().iter().zip(sets) {
                    let is_met =
                        memory.is_drained(state, process.id) && !is_on(Fault::EmptyMustCommit);
                    if number != NONE && is_met {
                        set(marks, number as usize);
                    }
                }
            }
            MemorySets::Cells(sets) => {
                for (process, sets) in machine.processes().iter().zip(sets) {
                    sets.iter().filter(|&&n| n != NONE).for_each(|&n| set(marks, n as usize));
                    memory.for_each_pending(state, process.id, |place| {
                        unset(marks, sets[place.index()] as usize);
                    });
                }
            }
            MemorySets::Whole(number, drains) => {
                for (process, drain) in machine.processes().iter().zip(drains) {
                    let at_fence = drain.waits[process.pc.bits(state) as usize];
                    if !at_fence || memory.is_drained(state, process.id) {
                        drain.meet(marks);
                    }
                }
                let mut waits = false;
                for process in machine.processes() {
                    memory.for_each_commit(state, process.id, |_| waits = true);
                }
                // At an atomic program point nothing commits.
                if !waits || machine.moves_alone(state).is_some() {
                    set(marks, *number);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_full_when_every_set_is_there() {
        for sets in [0, 1, 5, 63, 64, 65, 128, 130] {
            let mut marks = vec![0; usize::div_ceil(sets, 64)];
            for number in 0..sets {
                assert!(!is_full(&marks, sets));
                set(&mut marks, number);
            }
            assert!(is_full(&marks, sets));
            if sets > 0 {
                unset(&mut marks, sets / 2);
                assert!(!is_full(&marks, sets));
            }
        }
    }
}
