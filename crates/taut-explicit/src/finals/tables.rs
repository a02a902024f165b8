//! What each process may still do from each of its program points on, computed once.

use taut_ir::{
    Cfg, Control, Footprint, Lifecycle, Locations, MemoryModel, ProcessDef, Program, Start, Step,
};
use taut_machine::{CompiledProcess, Machine};
use taut_memory::MemorySystem;

/// A set of places.
type PlaceSet = u64;

/// What a process may still do from a program point on.
#[derive(Clone, Copy, Default)]
pub(super) struct Ahead {
    pub(super) reads: PlaceSet,
    pub(super) writes: PlaceSet,
}

/// What the steps at a program point do.
#[derive(Clone, Copy, Default)]
pub(super) struct Now {
    pub(super) reads: PlaceSet,
    /// Cells written, through the buffer or past it.
    pub(super) writes: PlaceSet,
    /// Cells written past the buffer.
    pub(super) direct_writes: PlaceSet,
    /// Whether some step waits for its own buffer.
    pub(super) needs_drained: bool,
    /// Whether some step waits for all buffers.
    pub(super) needs_all: bool,
}

/// The tables of one process, by the bits of its program point.
pub(super) struct Tables {
    pub(super) ahead: Vec<Ahead>,
    pub(super) now: Vec<Now>,
}

/// The tables of all processes, if the program is one the reduction is for.
pub(super) fn tables<M: MemorySystem>(
    program: &Program,
    model: MemoryModel,
    machine: &Machine<M>,
) -> Option<Vec<Tables>> {
    let codes: Vec<Code<'_>> = program.defs.iter().map(|def| Code::of(program, def)).collect();
    let suits = machine.places().len() <= 64
        && program.processes.len() <= 64
        && program.lifecycle == Lifecycle::Slots
        && program.processes.iter().all(|process| process.start == Start::Initially)
        && codes.iter().all(Code::is_plain);
    let table = |process: &CompiledProcess| {
        let code = &codes[program.process(process.id).def.index()];
        code.table(model, machine, process)
    };
    suits.then(|| machine.processes().iter().map(table).collect())
}

/// The code of a definition.
struct Code<'p> {
    def: &'p ProcessDef,
    cfg: Cfg,
    /// By step.
    footprints: Vec<Footprint>,
}

impl<'p> Code<'p> {
    fn of(program: &Program, def: &'p ProcessDef) -> Code<'p> {
        Code { def, cfg: Cfg::of(def), footprints: Footprint::of_steps(program, def) }
    }

    /// Whether it has no loops, and shared memory is all that it has in common with others.
    fn is_plain(&self) -> bool {
        let steps = self.def.steps.iter().zip(&self.footprints);
        self.cfg.order().is_some()
            && self.def.points.iter().all(|point| !point.atomic)
            && steps.into_iter().all(|(step, footprint)| is_plain(step, footprint))
    }

    fn table<M: MemorySystem>(
        &self,
        model: MemoryModel,
        machine: &Machine<M>,
        process: &CompiledProcess,
    ) -> Tables {
        let mut now = vec![Now::default(); self.cfg.len()];
        for (step, footprint) in self.def.steps.iter().zip(&self.footprints) {
            now[step.source.index()].add(footprint, machine, process);
            now[step.source.index()].needs_drained |= model.needs_drained(step);
        }
        let own = now.iter().map(|now| Ahead { reads: now.reads, writes: now.writes });
        let ahead = self.cfg.ahead(&own.collect::<Vec<_>>(), |all, more| all.join(*more));
        Tables { ahead, now }
    }
}

/// Whether a step goes to a program point and touches shared memory and its own registers only.
fn is_plain(step: &Step, footprint: &Footprint) -> bool {
    matches!(step.target, Control::Goto(_))
        && step.channel.is_none()
        && step.yields_to.is_empty()
        && !step.holds
        && footprint.spawns.is_empty()
        && footprint.reads_variables_only()
}

impl Ahead {
    pub(super) fn join(&mut self, other: Ahead) {
        self.reads |= other.reads;
        self.writes |= other.writes;
    }
}

impl Now {
    /// Adds a step that leaves the program point.
    fn add<M: MemorySystem>(
        &mut self,
        step: &Footprint,
        machine: &Machine<M>,
        process: &CompiledProcess,
    ) {
        let cells = |all: &[Locations]| {
            all.iter().flat_map(|&l| machine.places().meant(l)).collect::<Vec<_>>()
        };
        let set = |all: &[Locations]| cells(all).iter().fold(0, |s, c| s | (1_u64 << c.0));
        let is_direct = |c: &&_| !machine.memory().is_buffered(process.id, **c);
        let stored = cells(&step.stores);
        let direct = stored.iter().filter(is_direct).fold(0, |s, c| s | (1_u64 << c.0));
        self.reads |= set(&step.reads);
        self.writes |= set(&step.writes) | set(&step.stores);
        self.direct_writes |= set(&step.writes) | direct;
        self.needs_all |= step.waits_all;
    }
}
