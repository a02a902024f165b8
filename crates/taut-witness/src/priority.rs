//! Priorities of processes: the rule of [`taut_ir::priority`], by its words.

use taut_ir::ProcId;

use crate::machine::Machine;
use crate::refusal::Refusal;
use crate::state::State;

impl Machine<'_> {
    /// Whether the priorities let a process take a step.
    pub(crate) fn check_priority(
        &self,
        state: &State,
        process: ProcId,
        timeout: bool,
    ) -> Result<(), Refusal> {
        let at = state.process(process);
        let inner = self.program.def_of(process).points[at.point.index()].inner;
        let Some(own) = self.priority(state, process).filter(|_| !inner) else { return Ok(()) };
        let outranks = |other: &ProcId| {
            self.priority(state, *other).is_some_and(|priority| priority > own)
                && self.has_step(state, *other, timeout)
        };
        match self.program.process_ids().find(outranks) {
            Some(other) => Err(Refusal::Outranked(other)),
            None => Ok(()),
        }
    }

    /// The priority of a living process, in a program with priorities.
    fn priority(&self, state: &State, process: ProcId) -> Option<i64> {
        let var = self.program.priorities?;
        let at = state.process(process);
        at.started.then(|| state.memory[var.index()][at.pid as usize])
    }

    /// Whether a process can take a step or send, or could if its priority were the highest: what
    /// [`taut_ir::Expr::Enabled`] asks.
    pub(crate) fn enables(&self, state: &State, process: ProcId) -> bool {
        let calm = self.all(state, false);
        let timeout = calm.is_nothing();
        let next = if timeout { self.all(state, true) } else { calm };
        let stopped = state.process(process).started
            && self.check_priority(state, process, timeout).is_err()
            && self.has_step(state, process, timeout);
        next.enables(process) || stopped
    }

    /// Whether any step that leaves the program point of a living process could start.
    fn has_step(&self, state: &State, process: ProcId, timeout: bool) -> bool {
        let mut steps = self.program.def_of(process).steps_from(state.process(process).point);
        steps.any(|(_, step)| self.execution(state, process, step, timeout).could_start(step))
    }
}
