//! The machine in parts, for engines that choose by themselves who moves next.

use taut_ir::{Action, PointId, ProcId};
use taut_memory::{CellId, Cells, MemorySystem, Question};

use super::sink::{Continuation, Scratch, SuccessorSink};
use super::stop::StepContext;
use super::take::could_start;
use super::{CompiledProcess, Machine, Sink};

impl<M: MemorySystem> Machine<M> {
    /// The memory system.
    pub fn memory(&self) -> &M {
        &self.memory
    }

    /// The processes, by number.
    pub fn processes(&self) -> &[CompiledProcess] {
        &self.processes
    }

    /// Where variables lie.
    pub fn places(&self) -> &Cells {
        &self.places
    }

    /// Whether steps of the program can wait for a timeout.
    pub fn has_timeout(&self) -> bool {
        self.has_timeout
    }

    /// Where a process is; none if it does not live.
    pub fn point(&self, state: &[u64], process: ProcId) -> Option<PointId> {
        let process = &self.processes[process.index()];
        let bits = process.pc.bits(state);
        match process.may_be_absent {
            true => bits.checked_sub(1).map(|at| PointId(at as u32)),
            false => Some(PointId(bits as u32)),
        }
    }

    /// The process that alone may move, if there is one: it is at an atomic program point.
    pub fn moves_alone(&self, state: &[u64]) -> Option<ProcId> {
        self.in_atomic_section(state).map(|process| process.id)
    }

    /// How many steps leave the program point of a process.
    pub fn steps_at(&self, process: ProcId, state: &[u64]) -> usize {
        let process = &self.processes[process.index()];
        process.steps[process.pc.bits(state) as usize].len()
    }

    /// The position of the step that an action begins with among those that leave the program point of a process.
    pub fn position(&self, process: ProcId, state: &[u64], action: Action) -> Option<usize> {
        let (Action::Step { step, .. } | Action::Handshake { step, .. }) = action else {
            return None;
        };
        let process = &self.processes[process.index()];
        process.steps[process.pc.bits(state) as usize].iter().position(|s| s.id() == step)
    }

    /// Calls the sink with everything that one of the steps of a process where it is leads to, its rendezvous
    /// as a sender included. With `timeout`, as if nothing else could happen. False if nothing can, not even
    /// but for a bound. With [`Scratch::asking`], the question that the step leaves open, if there is one; what the sink
    /// was told is then worth nothing.
    pub fn expand_step_of(
        &self,
        (process, position): (ProcId, usize),
        state: &[u64],
        timeout: bool,
        scratch: &mut Scratch,
        sink: &mut impl Sink,
    ) -> Result<bool, Question> {
        scratch.prepare(self.words());
        let Scratch { work, chain, .. } = scratch;
        let mut out = SuccessorSink::new(sink, chain, (0, 0), Continuation::Never);
        let moment = StepContext { state, timeout, could_start: 0 };
        let process = &self.processes[process.index()];
        match M::ONE_OUTCOME {
            true => self.expand_step(process, position, moment, work, &mut out),
            false => self.expand_outcomes_of(process, position, moment, work, &mut out),
        }
        let alive = out.moved || out.blocked;
        if scratch.chain.len() > 0 {
            self.follow(scratch, sink);
        }
        scratch.work.open.take().map_or(Ok(alive), Err)
    }

    /// How many of the steps of a process where it is could start, as far as can be told without taking them.
    pub fn startable(&self, process: &CompiledProcess, state: &[u64]) -> u32 {
        let mut moment = StepContext { state, timeout: false, could_start: 0 };
        let mut count = 0;
        for (i, step) in process.steps[process.pc.bits(state) as usize].iter().enumerate() {
            if could_start(self, process, step, moment).unwrap_or(true) {
                moment.could_start |= 1_u64.wrapping_shl(i as u32);
                count += 1;
            }
        }
        count
    }

    /// Whether spawned processes that have finished are gone at once.
    pub fn retires(&self) -> bool {
        self.retires
    }

    /// Calls the sink with the steps of some processes and with some commits, in a state in which nobody is in
    /// an atomic section.
    pub fn expand_some(
        &self,
        state: &[u64],
        (steps, commits): (impl Fn(ProcId) -> bool, impl Fn(ProcId, CellId) -> bool),
        scratch: &mut Scratch,
        sink: &mut impl Sink,
    ) {
        scratch.prepare(self.words());
        let Scratch { work, chain, .. } = scratch;
        let mut out = SuccessorSink::new(sink, chain, (0, 0), Continuation::Never);
        let moment = StepContext { state, timeout: false, could_start: 0 };
        for process in self.processes.iter().filter(|p| steps(p.id)) {
            self.expand_steps(process, moment, work, &mut out);
        }
        for process in &self.processes {
            let chosen = |place| commits(process.id, place);
            self.expand_commits(process, state, chosen, work, &mut out);
        }
        if scratch.chain.len() > 0 {
            self.follow(scratch, sink);
        }
    }
}
