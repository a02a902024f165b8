//! What a trace file holds: a trace, or a run that claims nothing.

use taut_ir::{Action, Finding, Memory, Program};
use taut_witness::{Lasso, ReplayError, Run, Trace, follow, replay};

/// What a trace file holds. It has yet to be replayed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recording {
    /// The memory system.
    pub memory: Memory,
    /// What is claimed to be found at the end, if anything is.
    pub finding: Option<Finding>,
    /// What happens, in order.
    pub actions: Vec<Action>,
    /// For a property of runs, how the run goes on for ever.
    pub lasso: Option<Lasso>,
}

impl Recording {
    /// The trace, if anything is claimed.
    pub fn trace(&self) -> Option<Trace> {
        let Recording { memory, finding, actions, lasso } = self;
        finding.map(|finding| Trace {
            memory: *memory,
            finding,
            actions: actions.clone(),
            lasso: *lasso,
        })
    }

    /// Runs it again: all it claims must be true.
    pub fn replay(&self, program: &Program) -> Result<Run, ReplayError> {
        match self.trace() {
            Some(trace) => replay(program, &trace),
            None => follow(program, self.memory, &self.actions),
        }
    }
}
