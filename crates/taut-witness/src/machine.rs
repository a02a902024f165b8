//! A program on a memory system: what can happen in a state, and what comes of it.
//!
//! This is the plain second implementation of the semantics in the design's "Meanings that
//! everything agrees on". Speed is no aim; being obviously right is.

use taut_ir::{
    Action, Finding, Memory, MemoryModel, ProcId, Program, PropId, PropertyKind, StepId, VarId,
};

use crate::execution::{Execution, Stop};
use crate::record::{Record, Target, Write};
use crate::refusal::Refusal;
use crate::state::{Address, State};
use crate::view;

/// A program on a memory system. The program must be valid ([`taut_ir::validate`]).
#[derive(Clone, Copy, Debug)]
pub struct Machine<'p> {
    program: &'p Program,
    memory: Memory,
}

/// What an action leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Another state.
    State(State),
    /// The action is a step that goes wrong (a fault, a full buffer); it has no successor.
    Failure(Failure),
}

/// How a step goes wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// What is found.
    pub finding: Finding,
    /// The state inside the step at the point where it went wrong, for explanations.
    pub inside: State,
}

/// An action that happened: what it led to and what it did on the way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Move {
    /// What it leads to.
    pub outcome: Outcome,
    /// What it read and wrote.
    pub record: Record,
}

/// Which bounds kept a step from being taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct BoundsMet {
    /// A store waited for room in a full buffer.
    pub buffer: bool,
    /// A spawn found no process left.
    pub threads: bool,
    /// A call found the stack full.
    pub calls: bool,
}

impl BoundsMet {
    /// Whether any bound was met.
    pub fn any(self) -> bool {
        self.buffer || self.threads || self.calls
    }

    /// The bounds met in either.
    #[must_use]
    pub fn or(self, other: BoundsMet) -> BoundsMet {
        BoundsMet {
            buffer: self.buffer || other.buffer,
            threads: self.threads || other.threads,
            calls: self.calls || other.calls,
        }
    }

    fn by(refusal: Refusal) -> BoundsMet {
        BoundsMet {
            buffer: matches!(refusal, Refusal::BufferFull(_)),
            threads: refusal == Refusal::NoThreadLeft,
            calls: refusal == Refusal::CallsTooDeep,
        }
    }
}

/// Everything that can happen in a state.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Successors {
    /// Every possible action with what comes of it, steps that go wrong included.
    pub moves: Vec<(Action, Move)>,
    /// The bounds that kept other steps from being taken.
    pub bounds: BoundsMet,
}

impl<'p> Machine<'p> {
    /// A program on a memory system.
    pub fn new(program: &'p Program, memory: Memory) -> Machine<'p> {
        Machine { program, memory }
    }

    /// The program.
    pub fn program(&self) -> &'p Program {
        self.program
    }

    /// The state in which the program starts.
    pub fn initial(&self) -> State {
        State::initial(self.program)
    }

    /// The actions that can happen, steps that go wrong included.
    pub fn actions(&self, state: &State) -> Vec<Action> {
        self.successors(state).moves.into_iter().map(|(action, _)| action).collect()
    }

    /// The bounds that keep a step from being taken.
    pub fn bounds_met(&self, state: &State) -> BoundsMet {
        self.successors(state).bounds
    }

    /// Everything that can happen: processes in order, first their steps, then their commits.
    pub fn successors(&self, state: &State) -> Successors {
        let mut all = Successors::default();
        for action in self.program.process_ids().flat_map(|p| self.candidates(state, p)) {
            match self.apply(state, action) {
                Ok(done) => all.moves.push((action, done)),
                Err(refusal) => all.bounds = all.bounds.or(BoundsMet::by(refusal)),
            }
        }
        all
    }

    /// The actions of a process that are worth a try: the steps that leave its location, and a
    /// commit to each place in its buffer.
    fn candidates(&self, state: &State, process: ProcId) -> Vec<Action> {
        let at = state.process(process);
        let steps = self.program.def_of(process).steps_from(at.location);
        let mut all: Vec<_> = steps.map(|(step, _)| Action::Step { process, step }).collect();
        let mut places: Vec<_> = at.buffer.entries().map(|e| e.address).collect();
        places.sort();
        places.dedup();
        all.extend(places.into_iter().map(|Address { var, index }| Action::Commit {
            process,
            var,
            index,
        }));
        all
    }

    /// What comes of an action, or why it cannot happen.
    pub fn apply(&self, state: &State, action: Action) -> Result<Move, Refusal> {
        match action {
            _ if action.process().index() >= self.program.processes.len() => {
                Err(Refusal::NoSuchProcess)
            }
            Action::Step { process, step } => self.step(state, process, step),
            Action::Commit { process, var, index } => self.commit(state, process, var, index),
        }
    }

    fn step(&self, state: &State, process: ProcId, id: StepId) -> Result<Move, Refusal> {
        let steps = &self.program.def_of(process).steps;
        let step = steps.get(id.index()).ok_or(Refusal::NoSuchStep)?;
        let at = state.process(process);
        if !at.started {
            return Err(Refusal::NotStarted);
        }
        if at.location != step.source {
            return Err(Refusal::NotAtSource);
        }
        if let Some(holder) = state.atomic_holder(self.program, Some(process)) {
            return Err(Refusal::OtherIsAtomic(holder));
        }
        let (program, memory, state) = (self.program, self.memory, state.clone());
        let record = Record::default();
        self.execute(Execution { program, memory, process, step, state, record })
    }

    fn execute(&self, mut execution: Execution<'_>) -> Result<Move, Refusal> {
        let stop = execution.run().err();
        let Execution { state, record, .. } = execution;
        let outcome = match stop {
            None => Outcome::State(self.settle(state)),
            Some(Stop::Found(finding)) => Outcome::Failure(Failure { finding, inside: state }),
            Some(Stop::Refused(refusal)) => return Err(refusal),
        };
        Ok(Move { outcome, record })
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
        if let Some(holder) = state.atomic_holder(self.program, None) {
            return Err(Refusal::NoCommitInAtomic(holder));
        }
        self.check_commit(state, process, address)?;
        let mut state = state.clone();
        let entry = state.process_mut(process).buffer.take(address).expect("checked above");
        state.set(address, entry.value);
        let writes = vec![Write { address, value: entry.value, to: Target::Memory }];
        let record = Record { writes, ..Record::default() };
        Ok(Move { outcome: Outcome::State(self.settle(state)), record })
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
        match (self.memory.model, buffer.oldest()) {
            (MemoryModel::Pso, _) if !buffer.uncut_addresses().contains(&address) => {
                Err(Refusal::BehindStoreFence(address))
            }
            (MemoryModel::Tso, Some(oldest)) if oldest.address != address => {
                Err(Refusal::OlderStore(oldest.address))
            }
            _ => Ok(()),
        }
    }

    /// Brings the state after an action into canonical form.
    fn settle(&self, mut state: State) -> State {
        if self.memory.model == MemoryModel::Pso {
            state.processes.iter_mut().for_each(|p| p.buffer.canonicalise());
        }
        state.retire_finished(self.program);
        state
    }

    /// What is wrong with a state: forbidden or not invariant, or a deadlock. What goes wrong in a
    /// step is an [`Outcome`] or in the [`Record`] of that step instead.
    pub fn findings(&self, state: &State) -> Vec<Finding> {
        self.findings_before(state, &self.successors(state))
    }

    /// The same, for those who know already what can happen in the state.
    pub(crate) fn findings_before(&self, state: &State, next: &Successors) -> Vec<Finding> {
        let violated = self.program.property_ids().filter(|&id| self.violates(state, id));
        let mut all: Vec<_> = violated.map(Finding::Property).collect();
        let nothing_happens = next.moves.is_empty() && !next.bounds.any();
        let all_may_stop =
            self.program.process_ids().all(|p| view::may_stop(self.program, state, p));
        if nothing_happens && !all_may_stop {
            all.push(Finding::Deadlock);
        }
        all
    }

    fn violates(&self, state: &State, id: PropId) -> bool {
        match &self.program.property(id).kind {
            PropertyKind::Assert => false,
            PropertyKind::Forbid(bad) => view::holds(bad, state),
            PropertyKind::Invariant(good) => !view::holds(good, state),
        }
    }

    /// Whether all started processes have finished and all buffers are empty.
    pub fn is_final(&self, state: &State) -> bool {
        self.program.process_ids().all(|p| {
            let at = state.process(p);
            let finished = !at.started || self.program.def_of(p).is_final(at.location);
            finished && at.buffer.is_empty()
        })
    }
}
