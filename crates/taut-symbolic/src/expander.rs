//! What can happen in a symbolic state: the steps of a process, a commit, a timeout.
//!
//! The machine of the explicit search takes the steps. Where the words of a state do not agree on what a step asks,
//! the machine answers with the open question; the state is split by it ([`BufferSets::split`]), and the step is taken in
//! each part. An edge keeps its part, which is why the machine does not do that by itself.

use taut_ir::{Action, Finding, ProcId};
use taut_machine::{Machine, Scratch};
use taut_memory::{CellId, Question};

use crate::edge::{Edge, EdgeKind, State};
use crate::outcome::{Arrival, Collect, Outcome, Taken};
use crate::sets::{BufferSets, Committed};

/// Takes steps and commits in symbolic states.
pub(crate) struct Expander<'m> {
    pub(crate) machine: &'m Machine<BufferSets>,
    scratch: Scratch,
}

impl<'m> Expander<'m> {
    pub(crate) fn new(machine: &'m Machine<BufferSets>) -> Expander<'m> {
        Expander { machine, scratch: Scratch::tracing().asking() }
    }

    pub(crate) fn memory(&self) -> &'m BufferSets {
        self.machine.memory()
    }

    /// Everything that the steps of a process lead to. Each step splits the state by what it asks itself.
    pub(crate) fn steps(&mut self, state: &State, process: ProcId, timeout: bool) -> Outcome {
        let mut outcome = Outcome::default();
        for position in 0..self.machine.steps_at(process, state) {
            let mut parts = vec![state.clone()];
            while let Some(part) = parts.pop() {
                taut_budget::tick();
                match self.in_part(&part, |e| e.take(&part, (process, position), timeout)) {
                    Err(smaller) => parts.extend(smaller),
                    Ok(taken) => outcome.add(&part, process, timeout, taken),
                }
                if self.memory().overflowed() {
                    outcome.cut = true;
                    return outcome;
                }
            }
        }
        outcome
    }

    /// Asks something of a part of a state; smaller parts if its words do not agree.
    fn in_part<T>(
        &mut self,
        part: &State,
        ask: impl FnOnce(&mut Self) -> Result<T, Question>,
    ) -> Result<T, Vec<State>> {
        ask(self).map_err(|question| self.parts(part, question))
    }

    /// The parts of a state whose words agree on a question.
    fn parts(&self, state: &[u64], question: Question) -> Vec<State> {
        let parts = self.memory().split(state, question);
        let is_split = parts.len() > 1 || self.memory().overflowed();
        debug_assert!(is_split, "a question on which all words agree is not open");
        parts.into_iter().map(State::from).collect()
    }

    /// The parts of a state in which no step of a process can be taken.
    fn parts_without_steps(&mut self, state: &State, process: ProcId) -> Vec<State> {
        let mut still = Vec::new();
        let mut parts = vec![state.clone()];
        while let Some(part) = parts.pop() {
            taut_budget::tick();
            match self.in_part(&part, |e| e.is_alive(&part, process)) {
                Err(smaller) => parts.extend(smaller),
                Ok(false) => still.push(part),
                Ok(true) => {}
            }
        }
        still
    }

    /// Whether a process can take a step, if the words of a state agree on that.
    fn is_alive(&mut self, part: &[u64], process: ProcId) -> Result<bool, Question> {
        for position in 0..self.machine.steps_at(process, part) {
            if self.take(part, (process, position), false)?.alive {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Takes a step of a process, if the words of a state agree on what it asks.
    fn take(
        &mut self,
        part: &[u64],
        step: (ProcId, usize),
        timeout: bool,
    ) -> Result<Taken, Question> {
        taut_budget::tick();
        let mut sink = Collect::default();
        let alive =
            self.machine.expand_step_of(step, part, timeout, &mut self.scratch, &mut sink)?;
        let path = |way| {
            let path = self.scratch.path(way).into_boxed_slice();
            taut_budget::tick_many(path.len());
            path
        };
        Ok(Taken {
            alive,
            cut: sink.is_cut(),
            bounds_met: sink.bounds_met,
            states: sink.states.into_iter().map(|(way, state)| (path(way), state)).collect(),
            findings: sink.findings.into_iter().map(|(way, f)| (path(way), f)).collect(),
        })
    }

    /// Takes the step of a process that some actions begin with, if the words of the state agree on what it asks.
    fn take_first(
        &mut self,
        state: &[u64],
        process: ProcId,
        timeout: bool,
        actions: &[Action],
    ) -> Result<Taken, Question> {
        let position =
            actions.first().and_then(|&first| self.machine.position(process, state, first));
        self.take(state, (process, position.unwrap_or(usize::MAX)), timeout)
    }

    /// Whether an edge of a kind may be taken in a state at all: no other process moves alone, and if it needs a
    /// timeout, nothing else can happen, whichever words wait. Where an edge was found this is known; where a
    /// cycle is followed from another state it is not.
    pub(crate) fn may_happen(&mut self, state: &State, kind: &EdgeKind) -> bool {
        let alone = self.machine.moves_alone(state);
        match kind {
            EdgeKind::Commit { .. } => alone.is_none(),
            EdgeKind::Steps { process, timeout, .. } => {
                alone.is_none_or(|p| p == *process)
                    && (!timeout || self.still(state, alone) == [state.clone()])
            }
        }
    }

    /// The state that one way through the steps of a process leads to, if all words of the state agree on
    /// everything that is asked on it.
    pub(crate) fn follow(
        &mut self,
        state: &[u64],
        process: ProcId,
        timeout: bool,
        actions: &[Action],
    ) -> Option<State> {
        let taken = self.take_first(state, process, timeout, actions).ok()?;
        if taken.cut {
            return None;
        }
        taken.states.into_iter().find(|(path, _)| **path == *actions).map(|(_, state)| state)
    }

    /// Whether a state with one word in each buffer is a finding.
    pub(crate) fn is_found(&mut self, state: &State, finding: Finding) -> bool {
        match finding {
            Finding::Deadlock => {
                let alone = self.machine.moves_alone(state);
                let still = self.still(state, alone);
                self.when_still(&still, alone).still.iter().any(|s| self.machine.is_stuck(s))
            }
            _ => self.violated(state).iter().any(|(_, found)| *found == finding),
        }
    }

    /// Whether one way through the steps of a process ends in a finding.
    pub(crate) fn finds(&mut self, state: &State, kind: &EdgeKind, finding: Finding) -> bool {
        let EdgeKind::Steps { process, timeout, actions } = kind else { return false };
        if !self.may_happen(state, kind) {
            return false;
        }
        let taken = self.take_first(state, *process, *timeout, actions);
        let is_it = |(path, f): &(Box<[Action]>, Finding)| *f == finding && path == actions;
        taken.is_ok_and(|taken| taken.findings.iter().any(is_it))
    }

    /// Everything that commits of a process, perhaps of one place only, lead to.
    pub(crate) fn commits(
        &mut self,
        state: &State,
        process: ProcId,
        place: Option<CellId>,
    ) -> Outcome {
        let mut outcome = Outcome::default();
        let wanted = |c: &&Committed| place.is_none_or(|place| c.place == place);
        for committed in self.memory().committed(state, process).iter().filter(wanted) {
            let Committed { place, value, .. } = *committed;
            let edge =
                Edge { part: state.clone(), kind: EdgeKind::Commit { process, place, value } };
            for state in self.after_commit(state, process, committed) {
                outcome.arrivals.push(Arrival { state, edge: edge.clone() });
            }
        }
        outcome.cut = self.memory().overflowed();
        outcome
    }

    /// The states after a commit: more than one if a process that has finished is gone only in some words.
    pub(crate) fn after_commit(
        &mut self,
        state: &[u64],
        process: ProcId,
        committed: &Committed,
    ) -> Vec<State> {
        taut_budget::tick();
        let mut next: Box<[u64]> = state.into();
        self.memory().put_committed(&mut next, process, committed);
        let mut parts = vec![next];
        let mut settled = Vec::new();
        while let Some(part) = parts.pop() {
            taut_budget::tick();
            let mut next = part.clone();
            match self.machine.settle(&mut next) {
                Ok(()) => settled.push(next.into()),
                Err(question) => parts.extend(self.memory().split(&part, question)),
            }
        }
        settled
    }

    /// What happens when nothing else can, in the part of a state in which all buffers are empty: the steps
    /// that wait for a timeout, or nothing at all. While a process moves alone, `still` are the parts in
    /// which it cannot.
    pub(crate) fn when_still(&mut self, still: &[State], alone: Option<ProcId>) -> Outcome {
        let mut outcome = Outcome::default();
        for part in still {
            let before = outcome.arrivals.len() + outcome.findings.len();
            if self.machine.has_timeout() {
                for process in self.movers(alone) {
                    outcome.join(self.steps(part, process, true));
                }
            }
            if before == outcome.arrivals.len() + outcome.findings.len() {
                outcome.still.push(part.clone());
            }
        }
        outcome
    }

    fn movers(&self, alone: Option<ProcId>) -> Vec<ProcId> {
        alone.map_or_else(|| self.memory().processes().collect(), |process| vec![process])
    }

    /// The part of a state in which nothing can happen without a timeout.
    pub(crate) fn still(&mut self, state: &State, alone: Option<ProcId>) -> Vec<State> {
        if let Some(process) = alone {
            return self.parts_without_steps(state, process);
        }
        let Some(drained) = self.memory().drained_part(state) else { return Vec::new() };
        let drained: State = drained.into();
        let mut movers = self.movers(None).into_iter();
        // Nothing is open where nothing waits.
        let moves = movers.any(|p| self.is_alive(&drained, p).unwrap_or(true));
        if moves { Vec::new() } else { vec![drained] }
    }

    /// The parts of a state, each with the properties that it violates.
    pub(crate) fn violated(&mut self, state: &State) -> Vec<(State, Finding)> {
        let mut all = Vec::new();
        let mut parts = vec![state.clone()];
        while let Some(part) = parts.pop() {
            taut_budget::tick();
            if let Some(question) = self.machine.open_property(&part) {
                parts.extend(self.parts(&part, question));
                continue;
            }
            self.machine.for_each_violated(&part, |p| {
                all.push((part.clone(), Finding::Property(p)));
            });
        }
        all
    }

    /// A state with nothing said about buffers: what two states have in common if they differ in languages
    /// only.
    pub(crate) fn skeleton(&self, state: &[u64]) -> Box<[u64]> {
        let mut skeleton: Box<[u64]> = state.into();
        for process in self.memory().processes() {
            self.memory().clear(&mut skeleton, process);
        }
        skeleton
    }
}
