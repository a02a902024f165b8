//! Footprints with one entry left out.

use taut_ir::{DefId, Footprint, ProcId, Program, StepId};

/// The kinds of entries in a footprint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Entry {
    Read,
    Store,
    Write,
    RegisterRead,
    RegisterWritten,
    ChannelAsked,
    ChannelUsed,
    Process,
    Spawn,
    Exit,
    Pid,
    Living,
    Timeout,
    WaitsOwn,
    WaitsAll,
}

impl Entry {
    pub(super) const ALL: [Entry; 15] = [
        Entry::Read,
        Entry::Store,
        Entry::Write,
        Entry::RegisterRead,
        Entry::RegisterWritten,
        Entry::ChannelAsked,
        Entry::ChannelUsed,
        Entry::Process,
        Entry::Spawn,
        Entry::Exit,
        Entry::Pid,
        Entry::Living,
        Entry::Timeout,
        Entry::WaitsOwn,
        Entry::WaitsAll,
    ];

    pub(super) fn name(self) -> &'static str {
        match self {
            Entry::Read => "read",
            Entry::Store => "store",
            Entry::Write => "write at once",
            Entry::RegisterRead => "register read",
            Entry::RegisterWritten => "register written",
            Entry::ChannelAsked => "channel asked about",
            Entry::ChannelUsed => "channel used",
            Entry::Process => "process looked at",
            Entry::Spawn => "process started",
            Entry::Exit => "process ended",
            Entry::Pid => "pid",
            Entry::Living => "number of processes",
            Entry::Timeout => "timeout",
            Entry::WaitsOwn => "wait for the own buffer",
            Entry::WaitsAll => "wait for all buffers",
        }
    }
}

/// A footprint of one step without one of its entries.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mutant {
    pub(super) entry: Entry,
    def: DefId,
    step: StepId,
    /// Which of several entries, modulo their number.
    pick: usize,
}

impl Mutant {
    /// One mutant of each kind, if the program has a step with such an entry.
    pub(super) fn all(program: &Program, pick: usize) -> Vec<Mutant> {
        let steps = program.defs.iter().enumerate().flat_map(|(d, def)| {
            (0..def.steps.len()).map(move |s| (DefId::from(d), StepId::from(s)))
        });
        let steps: Vec<_> = steps.collect();
        let footprint = |(d, s): (DefId, StepId)| {
            let def = &program.defs[d.index()];
            Footprint::of(program, def, &def.steps[s.index()])
        };
        let mutant = |entry: Entry| {
            let having = steps.iter().filter(|&&at| {
                let mutant = Mutant { entry, def: at.0, step: at.1, pick };
                mutant.apply(&mut footprint(at))
            });
            let having: Vec<_> = having.collect();
            let (def, step) = **having.get(pick % having.len().max(1))?;
            Some(Mutant { entry, def, step, pick })
        };
        Entry::ALL.into_iter().filter_map(mutant).collect()
    }

    /// Whether a step of a process is the one.
    pub(super) fn is_of(self, program: &Program, process: ProcId, step: StepId) -> bool {
        program.process(process).def == self.def && step == self.step
    }

    /// Leaves the entry out; false if there is none.
    pub(super) fn apply(self, footprint: &mut Footprint) -> bool {
        let pick = self.pick;
        match self.entry {
            Entry::Read => drop_one(&mut footprint.reads, pick),
            Entry::Store => drop_one(&mut footprint.stores, pick),
            Entry::Write => drop_one(&mut footprint.writes, pick),
            Entry::RegisterRead => drop_one(&mut footprint.registers_read, pick),
            Entry::RegisterWritten => drop_one(&mut footprint.registers_written, pick),
            Entry::ChannelAsked => drop_one(&mut footprint.channels_asked, pick),
            Entry::ChannelUsed => drop_one(&mut footprint.channels_used, pick),
            Entry::Process => drop_one(&mut footprint.processes, pick),
            Entry::Spawn => drop_one(&mut footprint.spawns, pick),
            Entry::Exit => std::mem::take(&mut footprint.exits),
            Entry::Pid => std::mem::take(&mut footprint.pid),
            Entry::Living => std::mem::take(&mut footprint.living),
            Entry::Timeout => std::mem::take(&mut footprint.timeout),
            Entry::WaitsOwn => std::mem::take(&mut footprint.waits_own),
            Entry::WaitsAll => std::mem::take(&mut footprint.waits_all),
        }
    }
}

fn drop_one<T>(list: &mut Vec<T>, pick: usize) -> bool {
    if list.is_empty() {
        return false;
    }
    list.remove(pick % list.len());
    true
}
