//! The words of programs and machines in a checkpoint.

use std::io;

use taut_ir::{Action, Choice, DefId, Fault, Finding, ProcId, PropId, StepId, VarId};

use super::stream::{Reader, Saved, Writer, damaged, saved};
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
ids! { Choice DefId ProcId PropId StepId VarId }

impl Saved for Action {
    fn save(&self, to: &mut Writer<'_>) -> io::Result<()> {
        match *self {
            Action::Step { process, step, choice } => {
                0_u8.save(to)?;
                (process, step).save(to)?;
                choice.save(to)
            }
            Action::Handshake { process, step, receiver, receive, choice } => {
                1_u8.save(to)?;
                (process, step).save(to)?;
                (receiver, receive).save(to)?;
                choice.save(to)
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
            0 => {
                let (step, choice) = Saved::restore(from)?;
                Action::Step { process, step, choice }
            }
            1 => {
                let step = StepId::restore(from)?;
                let (receiver, receive) = Saved::restore(from)?;
                let choice = Choice::restore(from)?;
                Action::Handshake { process, step, receiver, receive, choice }
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
            Finding::NotRobust => 4_u8.save(to),
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
            4 => Finding::NotRobust,
            _ => return Err(damaged("a finding is none")),
        })
    }
}

saved!(BoundsMet { buffer, threads, calls, no_process });
