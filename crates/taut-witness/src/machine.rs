//! A program on a memory system: what can happen in a state, and what comes of it.
//!
//! This is the plain second implementation of the semantics in the design's "Meanings that
//! everything agrees on". Speed is no aim; being obviously right is.
//!
//! Everything is tried as long as `timeout` is false. Only where nothing at all can happen then, and
//! no bound is to blame, is it tried again with `timeout` true. While a process holds the others,
//! only its steps and what it sends in a rendezvous are tried; a state in which it has nothing it
//! could do is one in which it holds nobody (`Machine::settle`), so that the question of a timeout
//! does not arise while it holds.

use taut_ir::{Action, ChannelOp, Memory, ProcId, Program, StepId};

use crate::address::Address;
use crate::outcome::{BoundsMet, Move, Outcome, Successors};
use crate::refusal::Refusal;
use crate::state::State;

/// A program on a memory system. The program must be valid ([`taut_ir::validate`]).
#[derive(Clone, Copy, Debug)]
pub struct Machine<'p> {
    pub(crate) program: &'p Program,
    pub(crate) memory: Memory,
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

    /// Everything that can happen: processes in order, first their steps, each with those that it
    /// could meet, then their commits.
    pub fn successors(&self, state: &State) -> Successors {
        let calm = self.all(state, false);
        if calm.is_nothing() { self.all(state, true) } else { calm }
    }

    pub(crate) fn all(&self, state: &State, timeout: bool) -> Successors {
        let mut all = Successors::default();
        for action in self.program.process_ids().flat_map(|p| self.candidates(state, p)) {
            self.try_one(state, action, timeout, &mut all);
        }
        all
    }

    /// What one process can do as long as `timeout` is false, of some actions: its steps, sends to others, and commits.
    pub(crate) fn successors_by(
        &self,
        state: &State,
        process: ProcId,
        is_meant: impl Fn(Action) -> bool,
    ) -> Successors {
        let mut all = Successors::default();
        for action in self.candidates(state, process).into_iter().filter(|&a| is_meant(a)) {
            self.try_one(state, action, false, &mut all);
        }
        all
    }

    fn try_one(&self, state: &State, action: Action, timeout: bool, all: &mut Successors) {
        match self.attempt(state, action, timeout) {
            Ok(done) => all.moves.push((action, self.settled(done))),
            Err(refusal) => all.bounds = all.bounds.or(BoundsMet::by(refusal)),
        }
    }

    /// The actions of a process that are worth a try: the steps that leave its program point, sends with
    /// every receive of others, and a commit to each place in its buffer.
    fn candidates(&self, state: &State, process: ProcId) -> Vec<Action> {
        taut_budget::tick();
        let at = state.process(process);
        let mut all = Vec::new();
        for (step, code) in self.program.def_of(process).steps_from(at.point) {
            all.push(Action::step(process, step));
            if let Some(ChannelOp::Send { .. }) = code.channel {
                all.extend(self.receives(state).into_iter().map(|(receiver, receive)| {
                    Action::handshake((process, step), (receiver, receive))
                }));
            }
        }
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

    /// The receives that leave the program point of some process.
    fn receives(&self, state: &State) -> Vec<(ProcId, StepId)> {
        let of = |p: ProcId| self.program.def_of(p).steps_from(state.process(p).point);
        let all = self.program.process_ids().flat_map(|p| of(p).map(move |found| (p, found)));
        all.filter(|(_, (_, step))| matches!(step.channel, Some(ChannelOp::Receive { .. })))
            .map(|(p, (id, _))| (p, id))
            .collect()
    }

    /// What comes of an action, or why it cannot happen.
    pub fn apply(&self, state: &State, action: Action) -> Result<Move, Refusal> {
        taut_budget::tick();
        let done = match self.attempt(state, action, false) {
            Ok(done) => done,
            Err(refusal) => self.apply_late(state, action, refusal)?,
        };
        Ok(self.settled(done))
    }

    /// What comes of an action that cannot happen as long as `timeout` is false.
    fn apply_late(&self, state: &State, action: Action, early: Refusal) -> Result<Move, Refusal> {
        let late = self.attempt(state, action, true);
        if late.as_ref().err() == Some(&early) {
            return Err(early);
        }
        match late {
            late if self.all(state, false).is_nothing() => late,
            Ok(_) => Err(Refusal::TimeoutNotDue),
            Err(_) => Err(early),
        }
    }

    fn settled(&self, done: Move) -> Move {
        let outcome = match done.outcome {
            Outcome::State(state) => Outcome::State(self.settle(state)),
            failure @ Outcome::Failure(_) => failure,
        };
        Move { outcome, ..done }
    }

    /// Brings the state after an action into canonical form. A holder that cannot go on holds nobody;
    /// a step that a bound holds back is none that it could go on with, as a full buffer makes a
    /// process lose its hold like anything else that blocks it.
    fn settle(&self, mut state: State) -> State {
        if self.memory.model.buffers().are_per_cell() {
            state.processes.iter_mut().for_each(|p| p.buffer.canonicalise());
        }
        state.retire_finished(self.program);
        let goes_on = |holder: &ProcId| {
            let mut tried = self.candidates(&state, *holder).into_iter();
            tried.any(|action| self.attempt(&state, action, false).is_ok())
        };
        state.holder = state.holder.filter(goes_on);
        state
    }

    /// Whether all living processes have finished and all buffers are empty.
    pub fn is_final(&self, state: &State) -> bool {
        self.program.process_ids().all(|p| {
            let at = state.process(p);
            let finished = !at.started || self.program.def_of(p).is_final(at.point);
            finished && at.buffer.is_empty()
        })
    }
}
