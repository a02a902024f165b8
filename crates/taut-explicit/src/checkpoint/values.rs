//! Findings, counts and results in a checkpoint.

use std::io;

use taut_ir::{Action, DefId, Fault, Finding, ProcId, PropId, StepId, VarId};

use super::stream::{Reader, Saved, Writer, damaged, saved};
use crate::explore::{Completion, Exploration, Found, Lossy, Phases, Pruned, Stats};
use crate::findings::{FindingSite, Findings};
use crate::limits::Limit;
use crate::store::StateId;
use taut_machine::BoundsMet;

macro_rules! ids {
    ($($id:ident)*) => {$(
        impl Saved for $id {
            fn save(&self, to: &mut Writer<'_>) -> io::Result<()> {
                self.0.save(to)
            }

            fn restore(from: &mut Reader<'_>) -> io::Result<$id> {
                u32::restore(from).map($id)
            }
        }
    )*};
}
ids! { DefId ProcId PropId StepId VarId StateId }

impl Saved for Action {
    fn save(&self, to: &mut Writer<'_>) -> io::Result<()> {
        match *self {
            Action::Step { process, step } => {
                0_u8.save(to)?;
                (process, step).save(to)
            }
            Action::Handshake { process, step, receiver, receive } => {
                1_u8.save(to)?;
                (process, step).save(to)?;
                (receiver, receive).save(to)
            }
            Action::Commit { process, var, index } => {
                2_u8.save(to)?;
                (process, var).save(to)?;
                index.save(to)
            }
        }
    }

    fn restore(from: &mut Reader<'_>) -> io::Result<Action> {
        let kind = u8::restore(from)?;
        let process = ProcId::restore(from)?;
        Ok(match kind {
            0 => Action::Step { process, step: StepId::restore(from)? },
            1 => {
                let step = StepId::restore(from)?;
                let (receiver, receive) = Saved::restore(from)?;
                Action::Handshake { process, step, receiver, receive }
            }
            2 => {
                let (var, index) = Saved::restore(from)?;
                Action::Commit { process, var, index }
            }
            _ => return Err(damaged("an action is none")),
        })
    }
}

impl Saved for Finding {
    fn save(&self, to: &mut Writer<'_>) -> io::Result<()> {
        match *self {
            Finding::Property(id) => {
                0_u8.save(to)?;
                id.save(to)
            }
            Finding::Deadlock => 1_u8.save(to),
            Finding::Fault(fault) => {
                2_u8.save(to)?;
                let number = Fault::ALL.iter().position(|&known| known == fault);
                number.unwrap_or(Fault::ALL.len()).save(to)
            }
            Finding::FullBuffer => 3_u8.save(to),
        }
    }

    fn restore(from: &mut Reader<'_>) -> io::Result<Finding> {
        Ok(match u8::restore(from)? {
            0 => Finding::Property(PropId::restore(from)?),
            1 => Finding::Deadlock,
            2 => {
                let fault = Fault::ALL.get(usize::restore(from)?);
                Finding::Fault(*fault.ok_or_else(|| damaged("a fault is none"))?)
            }
            3 => Finding::FullBuffer,
            _ => return Err(damaged("a finding is none")),
        })
    }
}

impl Saved for Limit {
    fn save(&self, to: &mut Writer<'_>) -> io::Result<()> {
        match *self {
            Limit::States(n) => (0_u8, n).save(to),
            Limit::Bytes(n) => (1_u8, n).save(to),
            Limit::Time(time) => (2_u8, time).save(to),
            Limit::Language(n) => (3_u8, n).save(to),
            Limit::Buffer(n) => (4_u8, n).save(to),
            Limit::Run => 5_u8.save(to),
            Limit::Interrupted => 6_u8.save(to),
            // Searches with files are not kept, and such an end is no result.
            Limit::Disk(_) => Err(io::Error::from(io::ErrorKind::Unsupported)),
        }
    }

    fn restore(from: &mut Reader<'_>) -> io::Result<Limit> {
        Ok(match u8::restore(from)? {
            0 => Limit::States(Saved::restore(from)?),
            1 => Limit::Bytes(Saved::restore(from)?),
            2 => Limit::Time(Saved::restore(from)?),
            3 => Limit::Language(Saved::restore(from)?),
            4 => Limit::Buffer(Saved::restore(from)?),
            5 => Limit::Run,
            6 => Limit::Interrupted,
            _ => return Err(damaged("a limit is none")),
        })
    }
}

impl Saved for Completion {
    fn save(&self, to: &mut Writer<'_>) -> io::Result<()> {
        match *self {
            Completion::Complete => 0_u8.save(to),
            Completion::FirstFinding => 1_u8.save(to),
            Completion::Answered => 2_u8.save(to),
            Completion::NoProcess(def) => (3_u8, def).save(to),
            Completion::BufferFull => 4_u8.save(to),
            Completion::Limit(limit) => (5_u8, limit).save(to),
        }
    }

    fn restore(from: &mut Reader<'_>) -> io::Result<Completion> {
        Ok(match u8::restore(from)? {
            0 => Completion::Complete,
            1 => Completion::FirstFinding,
            2 => Completion::Answered,
            3 => Completion::NoProcess(Saved::restore(from)?),
            4 => Completion::BufferFull,
            5 => Completion::Limit(Saved::restore(from)?),
            _ => return Err(damaged("an end of a search is none")),
        })
    }
}

impl Saved for Lossy {
    fn save(&self, to: &mut Writer<'_>) -> io::Result<()> {
        match *self {
            Lossy::Omission(share) => (0_u8, share.to_bits()).save(to),
            Lossy::Coverage(share) => (1_u8, share.to_bits()).save(to),
        }
    }

    fn restore(from: &mut Reader<'_>) -> io::Result<Lossy> {
        match <(u8, u64)>::restore(from)? {
            (0, bits) => Ok(Lossy::Omission(f64::from_bits(bits))),
            (1, bits) => Ok(Lossy::Coverage(f64::from_bits(bits))),
            _ => Err(damaged("a share is none")),
        }
    }
}

saved!(BoundsMet { buffer, threads, calls, no_process });
saved!(Found { finding, actions });
saved!(Pruned { stubborn, fused, symmetric });
saved!(Phases { successors, store, properties });
saved!(Stats {
    states,
    transitions,
    matched,
    deadlocks,
    faults,
    depth,
    time,
    peak_bytes,
    disk_bytes,
    state_bits,
    buffer_size,
    expanded,
    pruned,
    phases,
    slots,
    lossy,
});
saved!(Exploration { found, completion, bounds_met, may_fault, reached, stats });

impl<S: Saved> Saved for FindingSite<S> {
    fn save(&self, to: &mut Writer<'_>) -> io::Result<()> {
        self.finding.save(to)?;
        self.action.save(to)?;
        self.site.save(to)
    }

    fn restore(from: &mut Reader<'_>) -> io::Result<FindingSite<S>> {
        let (finding, action) = Saved::restore(from)?;
        Ok(FindingSite { finding, action, site: S::restore(from)? })
    }
}

impl<S: Saved> Saved for Findings<S> {
    fn save(&self, to: &mut Writer<'_>) -> io::Result<()> {
        self.entries().len().save(to)?;
        self.entries().iter().try_for_each(|entry| entry.save(to))
    }

    fn restore(from: &mut Reader<'_>) -> io::Result<Findings<S>> {
        let mut ledger = Findings::default();
        Vec::<FindingSite<S>>::restore(from)?.into_iter().for_each(|entry| ledger.note(entry));
        Ok(ledger)
    }
}
