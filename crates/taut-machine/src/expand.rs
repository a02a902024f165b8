//! Everything that can happen in a state.
//!
//! Three things are tried, each only if the one before found nothing: the steps and commits without a
//! timeout; the steps with one; and then nothing can happen. Outcomes in which a process holds the others
//! go into a chain, which is followed to its ends at once: the sink sees stored states only.

use taut_ir::{Action, Finding};
use taut_memory::{CellId, MemorySystem, Question};

use super::handshake::{Side, action, is_received, shake};
use super::lifecycle::reset;
use super::sink::{Continuation, Hold, NOBODY, Scratch, SuccessorSink, Work};
use super::step::CompiledStep;
use super::stop::{StepContext, Stop, copy};
use super::take::{could_start, take};
use super::transient::Provenance;
use super::{Bound, CompiledProcess, Machine, Sink};
use crate::bits::BitSet;

impl<M: MemorySystem> Machine<M> {
    /// Calls the sink with everything that can happen in a state. False if nothing can, not even but for
    /// a bound.
    pub fn expand(&self, state: &[u64], scratch: &mut Scratch, sink: &mut impl Sink) -> bool {
        scratch.prepare(self.words());
        let mut alive = self.expand_root(state, false, scratch, sink);
        if !alive && self.has_timeout {
            alive = self.expand_root(state, true, scratch, sink);
        }
        if scratch.chain.len() > 0 {
            self.follow(scratch, sink);
        }
        alive
    }

    /// The steps of all processes and the commits in a stored state.
    fn expand_root(
        &self,
        state: &[u64],
        timeout: bool,
        scratch: &mut Scratch,
        sink: &mut impl Sink,
    ) -> bool {
        let Scratch { work, chain, enabled, able, .. } = scratch;
        let mut out = SuccessorSink::new(sink, chain, (0, 0), Continuation::Never);
        let moment = StepContext { state, timeout, could_start: 0 };
        if let Some(enabled) = enabled {
            enabled.clear();
            able.clear();
        }
        match self.in_atomic_section(state) {
            Some(process) => self.expand_noting(process, moment, work, &mut out, enabled),
            None => {
                let allowed = |p: &&CompiledProcess| !self.is_outranked(p, moment);
                for process in self.processes.iter().filter(allowed) {
                    self.expand_noting(process, moment, work, &mut out, enabled);
                }
                for process in &self.processes {
                    self.expand_commits(process, state, |_| true, work, &mut out);
                }
            }
        }
        let alive = out.moved || out.blocked;
        if self.watches_enabled()
            && let Some(enabled) = enabled
        {
            self.note_able(moment, enabled, able);
        }
        alive
    }

    /// The steps of one process, and whether there are any.
    #[inline]
    fn expand_noting(
        &self,
        process: &CompiledProcess,
        moment: StepContext<'_>,
        work: &mut Work,
        out: &mut SuccessorSink<'_, impl Sink>,
        enabled: &mut Option<BitSet>,
    ) {
        let Some(enabled) = enabled else { return self.expand_steps(process, moment, work, out) };
        let before = std::mem::take(&mut out.moved);
        self.expand_steps(process, moment, work, out);
        if out.moved {
            enabled.insert(process.id.index());
        }
        out.moved |= before;
    }

    /// The steps of one process in a state in which nobody holds anybody.
    pub fn expand_process(
        &self,
        process: &CompiledProcess,
        state: &[u64],
        scratch: &mut Scratch,
        sink: &mut impl Sink,
    ) {
        scratch.prepare(self.words());
        let Scratch { work, chain, .. } = scratch;
        let mut out = SuccessorSink::new(sink, chain, (0, 0), Continuation::Never);
        let moment = StepContext { state, timeout: false, could_start: 0 };
        self.expand_steps(process, moment, work, &mut out);
    }

    #[inline]
    pub(super) fn expand_steps(
        &self,
        process: &CompiledProcess,
        mut moment: StepContext<'_>,
        work: &mut Work,
        out: &mut SuccessorSink<'_, impl Sink>,
    ) {
        if !M::ONE_OUTCOME {
            return self.expand_outcomes(process, moment, work, out);
        }
        for (i, step) in process.steps[process.pc.bits(moment.state) as usize].iter().enumerate() {
            if self.expand_one(process, step, moment, work, out) {
                // Beyond 64 steps the shift wraps, but there nobody looks at these bits.
                moment.could_start |= 1_u64.wrapping_shl(i as u32);
            }
        }
    }

    /// One step of a process, and whether it could start.
    #[inline]
    fn expand_one(
        &self,
        process: &CompiledProcess,
        step: &CompiledStep,
        moment: StepContext<'_>,
        work: &mut Work,
        out: &mut SuccessorSink<'_, impl Sink>,
    ) -> bool {
        if let Some(flat) = &step.flat
            && let Some(taken) =
                flat.take(self, (process.id, step.channel.as_ref()), moment, &mut work.next)
        {
            if taken {
                step.reached.note();
                self.retire(&mut work.next);
                out.successor(chosen::<M>(step.action, work), step.hold(process), work);
            }
            return taken;
        }
        self.expand_slow(process, step, moment, work, out)
    }

    /// One step of a process in all its generality, and whether it could start.
    #[inline(never)]
    fn expand_slow(
        &self,
        process: &CompiledProcess,
        step: &CompiledStep,
        moment: StepContext<'_>,
        work: &mut Work,
        out: &mut SuccessorSink<'_, impl Sink>,
    ) -> bool {
        let taken = take(self, process, step, moment, &mut work.next, &mut work.failed);
        match taken {
            Err(Stop::Disabled) => false,
            Err(Stop::Meeting(channel)) => {
                let sender = Side { process, step };
                let received = || is_received(self, sender, channel, moment).unwrap_or(true);
                let starts = step.has_followers && received();
                self.expand_meetings(sender, channel, moment, work, out);
                starts
            }
            taken => {
                step.note_reached(&taken);
                self.report(step.action, taken, step.hold(process), work, out);
                true
            }
        }
    }

    /// The step at a position among those that leave the program point of a process.
    pub(super) fn expand_step(
        &self,
        process: &CompiledProcess,
        position: usize,
        mut moment: StepContext<'_>,
        work: &mut Work,
        out: &mut SuccessorSink<'_, impl Sink>,
    ) {
        let steps = &process.steps[process.pc.bits(moment.state) as usize];
        let Some(step) = steps.get(position) else { return };
        let earlier = self.earlier(process, position, moment);
        debug_assert!(earlier.is_ok(), "what is open is asked before");
        moment.could_start = earlier.unwrap_or_default();
        self.expand_one(process, step, moment, work, out);
    }

    /// The steps before a position that could start, of those that the step there yields to, as bits.
    pub(super) fn earlier(
        &self,
        process: &CompiledProcess,
        position: usize,
        mut moment: StepContext<'_>,
    ) -> Result<u64, Question> {
        let steps = &process.steps[process.pc.bits(moment.state) as usize];
        let Some(step) = steps.get(position) else { return Ok(moment.could_start) };
        for (i, earlier) in steps[..position].iter().enumerate() {
            if step.yields.includes(i as u32) && could_start(self, process, earlier, moment)? {
                moment.could_start |= 1_u64.wrapping_shl(i as u32);
            }
        }
        Ok(moment.could_start)
    }

    /// The rendezvous of a sender that is ready with whoever receives.
    fn expand_meetings(
        &self,
        sender: Side<'_>,
        channel: usize,
        moment: StepContext<'_>,
        work: &mut Work,
        out: &mut SuccessorSink<'_, impl Sink>,
    ) {
        for receiver in self.partners(sender.process.id, channel, moment.state) {
            let Work { next, failed, message, .. } = work;
            let both = (sender, receiver);
            match shake(self, both, channel, moment, (next, failed, message)) {
                Err(Stop::Disabled) => work.failed.clear(),
                taken => {
                    sender.step.note_reached(&taken);
                    receiver.step.note_reached(&taken);
                    let hold = Hold {
                        holder: receiver.step.holds.then_some(receiver.process.id.0),
                        joins: sender.step.joins || receiver.step.joins,
                    };
                    self.report(action(sender, receiver), taken, hold, work, out);
                }
            }
        }
    }

    /// Tells what became of an action.
    #[inline]
    fn report(
        &self,
        action: Action,
        taken: Result<(), Stop>,
        hold: Hold,
        work: &mut Work,
        out: &mut SuccessorSink<'_, impl Sink>,
    ) {
        let action = chosen::<M>(action, work);
        if !work.failed.is_empty() {
            self.report_failed(action, &taken, work, out);
        }
        match taken {
            Ok(()) => {
                self.retire(&mut work.next);
                out.successor(action, hold, work);
            }
            Err(Stop::Blocked(bound)) if self.is_error(bound) => {
                out.finding(action, Finding::FullBuffer);
            }
            Err(Stop::Blocked(bound)) => {
                out.blocked = true;
                out.sink.blocked(bound);
            }
            Err(Stop::Finding(finding)) => out.finding(action, finding),
            Err(Stop::Open(question)) => debug_assert!(false, "{question:?} is asked before"),
            Err(Stop::Disabled | Stop::Outlived | Stop::Meeting(_)) => {}
        }
    }

    #[cold]
    fn report_failed(
        &self,
        action: Action,
        taken: &Result<(), Stop>,
        work: &mut Work,
        out: &mut SuccessorSink<'_, impl Sink>,
    ) {
        let happens = match taken {
            Ok(()) | Err(Stop::Finding(_)) => true,
            Err(Stop::Blocked(bound)) => self.is_error(*bound),
            Err(Stop::Disabled | Stop::Outlived | Stop::Meeting(_) | Stop::Open(_)) => false,
        };
        for property in work.failed.drain(..).filter(|_| happens) {
            out.finding(action, Finding::Property(property));
        }
    }

    /// Whether a step that a bound holds back is an error.
    fn is_error(&self, bound: Bound) -> bool {
        self.full_buffer_is_error && bound == Bound::Buffer
    }

    /// The commits of a process, of some places.
    #[inline]
    pub(super) fn expand_commits(
        &self,
        process: &CompiledProcess,
        state: &[u64],
        chosen: impl Fn(CellId) -> bool,
        work: &mut Work,
        out: &mut SuccessorSink<'_, impl Sink>,
    ) {
        self.memory.for_each_commit(state, process.id, |place| {
            if !chosen(place) {
                return;
            }
            let action = self.commit_action(process, place);
            if M::ONE_OUTCOME {
                self.commit(process, place, state, &mut work.next);
                return out.successor(action, NOBODY, work);
            }
            copy(state, &mut work.next);
            self.memory.commit(&mut work.next, process.id, place);
            self.settle_each(&work.next.clone(), &mut |settled| {
                copy(settled, &mut work.next);
                out.successor(action, NOBODY, work);
            });
        });
    }

    /// One commit alone.
    pub fn expand_commit(
        &self,
        process: &CompiledProcess,
        place: CellId,
        state: &[u64],
        scratch: &mut Scratch,
        sink: &mut impl Sink,
    ) {
        scratch.prepare(self.words());
        let next = &mut scratch.work.next;
        self.commit(process, place, state, next);
        let action = self.commit_action(process, place);
        sink.successor(Provenance { after: 0, action, movers: 0 }, next);
    }

    fn commit(&self, process: &CompiledProcess, place: CellId, state: &[u64], next: &mut [u64]) {
        copy(state, next);
        self.memory.commit(next, process.id, place);
        self.retire(next);
    }

    fn commit_action(&self, process: &CompiledProcess, place: CellId) -> Action {
        let (var, index) = self.places.variable(place);
        Action::Commit { process: process.id, var, index }
    }

    /// Makes spawned processes that have finished, with nothing left in their buffers, ready to be
    /// spawned again, unless they live until they exit.
    #[inline]
    pub(super) fn retire(&self, state: &mut [u64]) {
        if !M::ONE_OUTCOME {
            self.memory.forget_choice(state);
        }
        if self.retires {
            self.retire_finished(state);
        }
        debug_assert!(self.is_canonical(state), "what is not in use is 0 after every action");
    }

    /// Whether every field is 0 of which the processes that live make no use: those of a process that does not live, and
    /// what is said of enabled processes while expressions are looked at. Else one state could be stored as two.
    fn is_canonical(&self, state: &[u64]) -> bool {
        let is_clear =
            |p: &CompiledProcess| p.fields.iter().all(|(field, _)| field.bits(state) == 0);
        let is_absent = |p: &&CompiledProcess| p.may_be_absent && p.pc.bits(state) == 0;
        self.processes.iter().filter(is_absent).all(is_clear)
            && self.enabled.iter().all(|(_, field)| field.bits(state) == 0)
    }

    fn retire_finished(&self, state: &mut [u64]) {
        for process in &self.processes {
            if has_finished(process, state) && self.memory.is_drained(state, process.id) {
                reset(process, state);
            }
        }
    }
}

/// Whether a process is one that was spawned and has finished, so that it is gone once its buffer is empty.
pub(super) fn has_finished(process: &CompiledProcess, state: &[u64]) -> bool {
    process.may_be_absent && process.is_final[process.pc.bits(state) as usize]
}

/// An action with the outcome of its loads, where there are several.
#[inline(always)]
fn chosen<M: MemorySystem>(action: Action, work: &Work) -> Action {
    if M::ONE_OUTCOME { action } else { action.chosen(work.choice) }
}

impl CompiledStep {
    /// Who holds the others after it.
    #[inline]
    fn hold(&self, process: &CompiledProcess) -> Hold {
        Hold { holder: self.holds.then_some(process.id.0), joins: self.joins }
    }

    /// Notes that it was taken, if it was, well or not.
    #[inline]
    fn note_reached(&self, taken: &Result<(), Stop>) {
        if matches!(taken, Ok(()) | Err(Stop::Finding(_))) {
            self.reached.note();
        }
    }
}
