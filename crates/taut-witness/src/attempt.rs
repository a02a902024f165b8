//! One action in one state: what it does, or why it cannot happen.
//!
//! Who is in the way comes first (a process that holds the others, or is at an atomic program point), then
//! what the action itself needs.

use taut_ir::{Action, Buffers, Choice, ProcId, Step, StepId, VarId};

use crate::address::Address;
use crate::execution::{Execution, Stop};
use crate::machine::Machine;
use crate::outcome::{Move, Outcome};
use crate::record::{Failure, Record, Target, Write};
use crate::refusal::Refusal;
use crate::rendezvous::Rendezvous;
use crate::state::State;

impl<'p> Machine<'p> {
    /// One action, for one value of `timeout`. The state it leads to has yet to be settled.
    pub(crate) fn attempt(
        &self,
        state: &State,
        action: Action,
        timeout: bool,
    ) -> Result<Move, Refusal> {
        if action.process().index() >= self.program.processes.len() {
            return Err(Refusal::NoSuchProcess);
        }
        if action.choice() != Choice::FIRST {
            // Loads have one outcome under every model that is replayed here.
            return Err(Refusal::NoSuchChoice);
        }
        match action {
            Action::Step { process, step, .. } => self.step(state, process, step, timeout),
            Action::Handshake { process, step, receiver, receive, .. } => {
                self.handshake(state, (process, step), (receiver, receive), timeout)
            }
            Action::Commit { process, var, index } => self.commit(state, process, var, index),
        }
    }

    /// A step that is at hand: its process lives and is at its source.
    fn find_step(&self, state: &State, process: ProcId, id: StepId) -> Result<&'p Step, Refusal> {
        if process.index() >= self.program.processes.len() {
            return Err(Refusal::NoSuchProcess);
        }
        let steps = &self.program.def_of(process).steps;
        let step = steps.get(id.index()).ok_or(Refusal::NoSuchStep)?;
        let at = state.process(process);
        if !at.started {
            return Err(Refusal::NotStarted);
        }
        if at.point == step.source { Ok(step) } else { Err(Refusal::NotAtSource) }
    }

    /// Whether others let a process move.
    fn check_free(&self, state: &State, process: ProcId) -> Result<(), Refusal> {
        if let Some(holder) = state.holder.filter(|&h| h != process) {
            return Err(Refusal::Held(holder));
        }
        match state.atomic_holder(self.program, Some(process)) {
            Some(holder) => Err(Refusal::OtherIsAtomic(holder)),
            None => Ok(()),
        }
    }

    pub(crate) fn execution(
        &self,
        state: &State,
        process: ProcId,
        step: &'p Step,
        timeout: bool,
    ) -> Execution<'p> {
        let (program, memory, state) = (self.program, self.memory, state.clone());
        let record = Record::default();
        Execution { program, memory, timeout, process, step, state, record }
    }

    fn step(
        &self,
        state: &State,
        process: ProcId,
        id: StepId,
        timeout: bool,
    ) -> Result<Move, Refusal> {
        let step = self.find_step(state, process, id)?;
        self.check_free(state, process)?;
        self.check_priority(state, process, timeout)?;
        let mut execution = self.execution(state, process, step, timeout);
        let stop = execution.run().err();
        let Execution { mut state, record, .. } = execution;
        let outcome = match stop {
            None => {
                state.holder = step.holds.then_some(process);
                Outcome::State(state)
            }
            Some(Stop::Found(finding)) => {
                Outcome::Failure(Failure { finding, process, inside: state })
            }
            Some(Stop::Refused(refusal)) => return Err(refusal),
        };
        Ok(Move { outcome, record })
    }

    fn handshake(
        &self,
        state: &State,
        (process, step): (ProcId, StepId),
        (receiver, receive): (ProcId, StepId),
        timeout: bool,
    ) -> Result<Move, Refusal> {
        let step = self.find_step(state, process, step)?;
        let receive = match self.find_step(state, receiver, receive) {
            Err(Refusal::NotStarted | Refusal::NotAtSource) => {
                return Err(Refusal::PartnerNotReady(receiver));
            }
            found => found?,
        };
        if process == receiver {
            return Err(Refusal::OwnPartner);
        }
        // Whoever holds the others, or is at an atomic program point, may send: then the receiver is let in.
        self.check_free(state, process)?;
        // Programs with priorities have no rendezvous, but the sender's channel expression can still fault here.
        self.check_priority(state, process, timeout)?;
        let sender = self.execution(state, process, step, timeout);
        let answer = self.execution(state, receiver, receive, timeout);
        let mut done = Rendezvous { sender, receiver: answer }.run()?;
        if let Outcome::State(after) = &mut done.outcome {
            after.holder = receive.holds.then_some(receiver);
        }
        Ok(done)
    }

    fn commit(
        &self,
        state: &State,
        process: ProcId,
        var: VarId,
        index: u32,
    ) -> Result<Move, Refusal> {
        let address = Address { var, index };
        let variable = self.program.vars.get(var.index()).ok_or(Refusal::NoSuchPlace)?;
        if index >= variable.size() {
            return Err(Refusal::NoSuchPlace);
        }
        if let Some(holder) = state.holder {
            return Err(Refusal::NoCommitWhileHeld(holder));
        }
        if let Some(holder) = state.atomic_holder(self.program, None) {
            return Err(Refusal::NoCommitInAtomic(holder));
        }
        self.check_commit(state, process, address)?;
        let mut state = state.clone();
        let entry = state.process_mut(process).buffer.take(address).expect("checked above");
        state.set(address, entry.value);
        let writes = vec![Write { address, value: entry.value, to: Target::Memory }];
        let record = Record { writes, ..Record::default() };
        Ok(Move { outcome: Outcome::State(state), record })
    }

    fn check_commit(
        &self,
        state: &State,
        process: ProcId,
        address: Address,
    ) -> Result<(), Refusal> {
        let buffer = &state.process(process).buffer;
        if buffer.newest(address).is_none() {
            return Err(Refusal::NothingToCommit(address));
        }
        match (self.memory.model.buffers(), buffer.oldest()) {
            (Buffers::PerCell | Buffers::Slot, _)
                if !buffer.uncut_addresses().contains(&address) =>
            {
                Err(Refusal::BehindStoreFence(address))
            }
            (Buffers::PerProcess, Some(oldest)) if oldest.address != address => {
                Err(Refusal::OlderStore(oldest.address))
            }
            _ => Ok(()),
        }
    }
}
