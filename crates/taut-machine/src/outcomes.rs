//! Steps whose loads have several outcomes.
//!
//! Where a memory system leaves a question open ([`MemorySystem::for_each_outcome`]), a step is first *tried*: whether
//! it asks such a question, itself or for the steps it yields to and the partners it may meet. If it does, it is tried
//! again in each outcome, and so on, until nothing is open any more; then it is taken. The outcomes of a step are
//! numbered in that order, and the number is the [`Choice`] of its action. So engines see more successors, and nothing
//! else. Trying doubles the work; systems with one outcome ([`MemorySystem::ONE_OUTCOME`]) never come here.
//!
//! An engine whose states stand for many may want to split them itself, because it must know the part of a state in
//! which a step was taken. It asks for that with [`Scratch::asking`].

use taut_ir::Choice;
use taut_memory::{MemorySystem, Question};

use super::expand::has_finished;
use super::handshake::shake;
use super::sink::{Scratch, SuccessorSink, Work};
use super::stop::{StepContext, Stop, copy};
use super::take::take;
use super::{CompiledProcess, Machine, Sink};

impl Scratch {
    /// The same, which stops at the first open question instead of taking a step once per outcome.
    #[must_use]
    pub fn asking(mut self) -> Scratch {
        self.work.asks = true;
        self
    }
}

impl<M: MemorySystem> Machine<M> {
    /// The steps of a process, each once per outcome.
    pub(super) fn expand_outcomes(
        &self,
        process: &CompiledProcess,
        moment: StepContext<'_>,
        work: &mut Work,
        out: &mut SuccessorSink<'_, impl Sink>,
    ) {
        for position in 0..process.steps[process.pc.bits(moment.state) as usize].len() {
            self.expand_outcomes_of(process, position, moment, work, out);
        }
    }

    /// The step at a position among those that leave the program point of a process, once per outcome.
    pub(super) fn expand_outcomes_of(
        &self,
        process: &CompiledProcess,
        position: usize,
        moment: StepContext<'_>,
        work: &mut Work,
        out: &mut SuccessorSink<'_, impl Sink>,
    ) {
        work.choice = Choice::FIRST;
        self.expand_open(process, position, moment, work, out);
        work.choice = Choice::FIRST;
    }

    fn expand_open(
        &self,
        process: &CompiledProcess,
        position: usize,
        moment: StepContext<'_>,
        work: &mut Work,
        out: &mut SuccessorSink<'_, impl Sink>,
    ) {
        let question = match self.try_step(process, position, moment, work) {
            Ok(()) => {
                self.expand_step(process, position, moment, work, out);
                work.choice.0 += 1;
                return;
            }
            Err(question) => question,
        };
        if work.asks {
            work.open.get_or_insert(question);
            return;
        }
        self.memory.for_each_outcome(moment.state, question, &mut |state| {
            debug_assert!(!self.is_open(state, question), "an outcome has one answer");
            self.expand_open(process, position, StepContext { state, ..moment }, work, out);
        });
    }

    /// Whether a question has several answers in a state.
    fn is_open(&self, state: &[u64], question: Question) -> bool {
        match question {
            Question::Load { process, place } => self.memory.load(state, process, place).is_err(),
            Question::Drained(process) => self.memory.drained(state, process).is_err(),
        }
    }

    /// Takes a step for nothing but its open question.
    fn try_step(
        &self,
        process: &CompiledProcess,
        position: usize,
        mut moment: StepContext<'_>,
        work: &mut Work,
    ) -> Result<(), Question> {
        let steps = &process.steps[process.pc.bits(moment.state) as usize];
        let Some(step) = steps.get(position) else { return Ok(()) };
        moment.could_start = self.earlier(process, position, moment)?;
        let taken = take(self, process, step, moment, &mut work.next, &mut work.failed);
        work.failed.clear();
        match taken {
            Ok(()) => self.ask_gone(&work.next),
            Err(Stop::Open(question)) => Err(question),
            Err(Stop::Meeting(channel)) => {
                let sender = super::handshake::Side { process, step };
                for receiver in self.partners(process.id, channel, moment.state) {
                    let Work { next, failed, message, .. } = &mut *work;
                    let both = (sender, receiver);
                    let taken = shake(self, both, channel, moment, (next, failed, message));
                    work.failed.clear();
                    match taken {
                        Ok(()) => self.ask_gone(&work.next)?,
                        Err(Stop::Open(question)) => return Err(question),
                        Err(_) => {}
                    }
                }
                Ok(())
            }
            Err(_) => Ok(()),
        }
    }

    /// Whether it is known of every process that has finished that its buffer is empty, or that it is not.
    fn ask_gone(&self, state: &[u64]) -> Result<(), Question> {
        if !self.retires {
            return Ok(());
        }
        let finished = self.processes.iter().filter(|p| has_finished(p, state));
        let mut drained = finished.map(|p| self.memory.drained(state, p.id));
        drained.try_for_each(|drained| drained.map(|_| ()).map_err(Into::into))
    }

    /// Makes spawned processes that have finished, with nothing left in their buffers, ready to be spawned
    /// again, as every action does at its end. Whether something is left may be open.
    pub fn settle(&self, state: &mut [u64]) -> Result<(), Question> {
        self.ask_gone(state)?;
        self.retire(state);
        Ok(())
    }

    /// Settles a state, and calls `f` with each outcome.
    pub(super) fn settle_each(&self, state: &[u64], f: &mut dyn FnMut(&[u64])) {
        let mut settled: Vec<u64> = vec![0; state.len()];
        copy(state, &mut settled);
        match self.settle(&mut settled) {
            Ok(()) => f(&settled),
            Err(question) => {
                let next = &mut |part: &[u64]| self.settle_each(part, f);
                self.memory.for_each_outcome(state, question, next);
            }
        }
    }

    /// The first question that a property over states leaves open in a state.
    pub fn open_property(&self, state: &[u64]) -> Option<Question> {
        let asked = self.properties.iter().map(|p| p.code.eval(&self.memory, state));
        asked.filter_map(|value| value.err()?.question()).next()
    }
}

#[cfg(test)]
mod tests;
