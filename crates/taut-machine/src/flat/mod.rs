//! Steps as flat code over the packed words: the quick way to take a step that goes well.
//!
//! Most steps wait for a few fields to have certain values, give a few fields new ones, and nothing goes
//! wrong. Such a step is compiled twice: as the trees of [`super::code`] and [`super::effect`], which know
//! everything that can happen, and as a list of tests ([`decision`]) and a list of writes ([`write`]), which
//! know only how it goes well. Where it does not (a fault, a failed assertion, a full buffer), or where a
//! step does what is rare (a rendezvous, a call, a spawn, an exit), the flat code gives up and the step is taken again by
//! the trees, from the state before. So the flat code never has to say what went wrong, everything that is
//! told to the user is told by one piece of code, and a step that cannot be taken, which most are most of the
//! time, is passed over by its tests alone.
//!
//! What makes it quick, measured in instructions per transition on the models of `taut-bench promela`:
//!
//! - A comparison with a number is made on the masked word ([`mod@test`]), and equalities of the same word,
//!   such as `flag == 1 && turn == 0`, are one test.
//! - Constants and increments of the same word, the new program point included, are one `and` and one `add`
//!   ([`write::Patch`]). Those at the end of a step are kept apart from its other writes, which are larger: 2 to 5 %
//!   fewer instructions of whole searches.
//! - The first message of a channel lies in the lowest bits of its queue, so that what a receive waits for is a
//!   test like any other.
//!
//! The invariant: if [`Flat::take`] answers, it answers as [`super::take::take`] does, and with the same
//! outcome. To keep it, conditions are computed in the same order as there, and what is computed there
//! whether or not something before it decides must not be able to go wrong.

pub(crate) mod decision;
mod test;
#[cfg(test)]
mod tests;
pub(crate) mod write;

use taut_ir::ProcId;
use taut_memory::MemorySystem;

use self::decision::Decision;
use self::write::{Patch, Write};
use super::Machine;
use super::message::ChannelAction;
use super::stop::{StepContext, Stop, copy};

/// A step as flat code.
#[derive(Debug)]
pub(crate) struct Flat {
    /// Whether its process's buffer must be empty.
    pub(crate) drained: bool,
    pub(crate) guard: Decision,
    /// The steps of the program point that it yields to.
    pub(crate) yields_to: u64,
    /// Whether what it does with a channel is done by the trees, before all writes.
    pub(crate) performs: bool,
    pub(crate) writes: Box<[Write]>,
    /// The patches that come last, apart from the others: they are all that most steps do, and are small.
    pub(crate) patches: Box<[Patch]>,
}

impl Flat {
    /// Takes the step if it can be taken; the outcome is then in `next`. None if something goes wrong.
    #[inline(always)]
    pub(super) fn take<M: MemorySystem>(
        &self,
        machine: &Machine<M>,
        (process, channel): (ProcId, Option<&ChannelAction>),
        moment: StepContext<'_>,
        next: &mut [u64],
    ) -> Option<bool> {
        if self.drained && !machine.memory.drained(moment.state, process).ok()? {
            return Some(false);
        }
        if !self.guard.decide(&machine.memory, moment.state)? {
            return Some(false);
        }
        if moment.could_start & self.yields_to != 0 {
            return Some(false);
        }
        match channel {
            Some(action) if self.performs => {
                match action.perform(machine, process, moment.state, next) {
                    Ok(()) => {}
                    Err(Stop::Disabled) => return Some(false),
                    Err(_) => return None,
                }
            }
            _ => copy(moment.state, next),
        }
        for write in &self.writes {
            if !write.run(machine, process, next) {
                return None;
            }
        }
        for patch in &self.patches {
            patch.apply(next);
        }
        Some(true)
    }
}
