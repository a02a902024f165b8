//! Runs of a translation as TSO runs of the original.
//!
//! Everything that is guessed in a run of the translation is decided by its steps: for each store, how often
//! its destination was moved on. So the run is walked with an account of each process: the number of its
//! round, and for each store in its buffer the round in which it is to reach memory. Rounds are counted up
//! from 0 here, whatever numbers the translation used. Which place a store is for is read off the buffer of
//! the original, which runs along in the plain machine of `taut-witness`.
//!
//! A store commits at the beginning of its round, or right after the step that made it if that is in the same
//! round. Rounds in which nothing happens leave nothing behind.

use std::collections::VecDeque;

use taut_ir::{Action, Memory, MemoryModel, ProcId, StepId};
use taut_witness::{Machine, Outcome, State};

use crate::error::NotARun;
use crate::map::Role;
use crate::scope::Scope;
use crate::translate::Translation;

/// Turns a run of a translated program under SC into a run of the original under TSO with buffers that have
/// no bound. A run that ends in a step that goes wrong ends in that step of the original.
pub fn map_back(translation: &Translation, run: &[Action]) -> Result<Vec<Action>, NotARun> {
    let memory = Memory::new(MemoryModel::Tso).bounded(None);
    let machine = Machine::new(&translation.original, memory);
    let accounts = vec![Account::default(); translation.original.processes.len()];
    let state = Some(machine.initial());
    let mut walk = Walk { translation, machine, state, accounts, actions: Vec::new() };
    for (position, &action) in run.iter().enumerate() {
        let last = position + 1 == run.len();
        walk.action(action, last).map_err(|reason| NotARun { position, reason })?;
    }
    Ok(walk.actions)
}

/// When a store reaches memory: in a round of its process, or never.
type Destination = Option<u64>;

/// What is known of one process.
#[derive(Clone, Debug, Default)]
struct Account {
    /// How many rounds it has begun. The current one is one less.
    begun: u64,
    /// The destinations of the stores of the step that is about to be taken, the paper's `r_TSO` first.
    /// Rounds here are counted by `begun`.
    next: Vec<Destination>,
    /// For each store in the buffer, oldest first.
    waiting: VecDeque<Destination>,
}

impl Account {
    /// Where the next store may go.
    fn destination(&mut self, store: usize) -> Result<&mut Destination, String> {
        if self.next.is_empty() {
            self.next.push(Some(self.begun));
        }
        self.next.get_mut(store).ok_or_else(|| format!("the step has no store {store}"))
    }
}

struct Walk<'t> {
    translation: &'t Translation,
    machine: Machine<'t>,
    /// The state of the original; none after a step that went wrong.
    state: Option<State>,
    accounts: Vec<Account>,
    actions: Vec<Action>,
}

impl Walk<'_> {
    fn action(&mut self, action: Action, last: bool) -> Result<(), String> {
        taut_budget::tick();
        let Action::Step { process, step, .. } = action else {
            return Err("only steps happen under SC".into());
        };
        let process_of = self.translation.original.processes.get(process.index());
        let def = process_of.ok_or("there is no such process")?.def;
        let role = self.translation.map.role(def, step).ok_or("there is no such step")?;
        match role {
            Role::Begin => Ok(()),
            Role::End => self.commit(process),
            Role::Flush => self.flush(process),
            Role::Open(step) if last => self.take(process, step),
            Role::Open(_) => Ok(()),
            Role::Advance(store) => self.advance(process, store),
            Role::Follow(store) => self.follow(process, store),
            Role::Take(step) => self.take(process, step),
        }
    }

    fn account(&mut self, process: ProcId) -> &mut Account {
        &mut self.accounts[process.index()]
    }

    fn flush(&mut self, process: ProcId) -> Result<(), String> {
        let account = self.account(process);
        account.begun += 1;
        let begun = account.begun;
        if let Some(Some(earliest)) = account.next.first_mut() {
            *earliest = begun.max(*earliest);
        }
        self.commit(process)
    }

    fn advance(&mut self, process: ProcId, store: usize) -> Result<(), String> {
        let scope = self.translation.scope;
        let account = self.account(process);
        let last = match scope {
            Scope::Rounds(k) => u64::from(k) + 1,
            Scope::Age(k) => account.begun + u64::from(k),
        };
        let destination = account.destination(store)?;
        *destination = destination.filter(|d| *d < last).map(|d| d + 1);
        Ok(())
    }

    fn follow(&mut self, process: ProcId, store: usize) -> Result<(), String> {
        taut_budget::tick();
        let account = self.account(process);
        let before = store.checked_sub(1).ok_or("the first store follows none")?;
        let destination = *account.destination(before)?;
        account.next.truncate(store);
        account.next.push(destination);
        Ok(())
    }

    /// Takes a step of the original; the stores it leaves in the buffer have the destinations that were
    /// chosen.
    fn take(&mut self, process: ProcId, step: StepId) -> Result<(), String> {
        let before = self.buffered(process)?;
        self.happen(Action::step(process, step))?;
        let Some(state) = &self.state else { return Ok(()) };
        if !state.process(process).started {
            *self.account(process) = Account::default();
            return Ok(());
        }
        let stores = self.buffered(process)?.saturating_sub(before);
        for store in 0..stores {
            let account = self.account(process);
            let destination = *account.destination(store)?;
            account.waiting.push_back(destination);
        }
        let account = self.account(process);
        if let Some(last) = account.next.last().copied() {
            account.next = vec![last];
        }
        self.commit(process)
    }

    fn buffered(&self, process: ProcId) -> Result<usize, String> {
        let state = self.state.as_ref().ok_or("it comes after a step that went wrong")?;
        Ok(state.process(process).buffer.entries().count())
    }

    /// Commits everything that is due in the current round; what a process that holds the others has stored, as
    /// soon as it holds them no longer.
    fn commit(&mut self, process: ProcId) -> Result<(), String> {
        let account = self.account(process);
        let begun = account.begun;
        let is_due = |d: &&Destination| d.is_some_and(|d| d <= begun);
        let due = account.waiting.iter().take_while(is_due).count();
        for _ in 0..due {
            let state = self.state.as_ref().ok_or("it comes after a step that went wrong")?;
            let oldest = state.process(process).buffer.oldest();
            let address = oldest.ok_or("no store waits")?.address;
            let commit = Action::Commit { process, var: address.var, index: address.index };
            if state.holder.is_some() && self.machine.apply(state, commit).is_err() {
                return Ok(());
            }
            self.happen(commit)?;
            self.account(process).waiting.pop_front();
        }
        let state = self.state.as_ref();
        if state.is_some_and(|s| !s.process(process).started) {
            *self.account(process) = Account::default();
        }
        Ok(())
    }

    /// Lets something happen in the original.
    fn happen(&mut self, action: Action) -> Result<(), String> {
        let state = self.state.as_ref().ok_or("it comes after a step that went wrong")?;
        let done = self.machine.apply(state, action).map_err(|refusal| {
            format!("the original cannot follow: {}", refusal.describe(&self.translation.original))
        })?;
        self.actions.push(action);
        self.state = match done.outcome {
            Outcome::State(state) => Some(state),
            Outcome::Failure(_) => None,
        };
        Ok(())
    }
}
