//! Priorities: the processes that may move in a state.
//!
//! [`taut_ir::priority`] has the rule. A program without priorities pays one test of an `Option` per state and
//! process. In a program with them, each process asks whether some process of a higher priority is enabled; the
//! processes are few, and most guards are cheap.
//!
//! All successors pass through [`Machine::expand`], which asks here before the steps of a process and before each
//! step of a holder. The other ways to expand a state in parts belong to reductions and to the symbolic engine,
//! which are not used for such programs.

use taut_memory::MemorySystem;

use super::stop::StepContext;
use super::take::could_start;
use super::{CompiledProcess, Machine};
use crate::bits::BitSet;

impl<M: MemorySystem> Machine<M> {
    /// Whether a process must wait because another one with a higher priority is enabled.
    #[inline]
    pub(super) fn is_outranked(&self, process: &CompiledProcess, moment: StepContext<'_>) -> bool {
        match &self.priorities {
            None => false,
            Some(_) => self.has_superior(process, moment),
        }
    }

    #[cold]
    fn has_superior(&self, process: &CompiledProcess, moment: StepContext<'_>) -> bool {
        if process.is_inner[process.pc.bits(moment.state) as usize] {
            return false;
        }
        let own = self.priority(process, moment.state);
        let mut higher = self.processes.iter().filter(|p| self.priority(p, moment.state) > own);
        higher.any(|p| self.is_enabled(p, moment))
    }

    /// Notes the processes that are enabled or would be if they had the highest priority.
    pub(super) fn note_able(&self, moment: StepContext<'_>, enabled: &BitSet, able: &mut BitSet) {
        for process in &self.processes {
            let stopped = || self.is_outranked(process, moment) && self.is_enabled(process, moment);
            if enabled.contains(process.id.index()) || stopped() {
                able.insert(process.id.index());
            }
        }
    }

    /// The priority of a process; 0 if it does not live.
    fn priority(&self, process: &CompiledProcess, state: &[u64]) -> i64 {
        let code = self.priorities.as_ref().map(|all| &all[process.id.index()]);
        code.map_or(0, |code| code.eval(&self.memory, state).unwrap_or(0))
    }

    /// Whether any step of a process could start.
    fn is_enabled(&self, process: &CompiledProcess, moment: StepContext<'_>) -> bool {
        // A step may yield to earlier ones only, and none of those could start if it is asked at all.
        let moment = StepContext { could_start: 0, ..moment };
        let steps = &process.steps[process.pc.bits(moment.state) as usize];
        steps.iter().any(|step| could_start(self, process, step, moment).unwrap_or(true))
    }
}
