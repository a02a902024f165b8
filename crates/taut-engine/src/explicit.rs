//! The explicit search as an engine: state by state, with buffers up to a bound.
//!
//! It knows every program and every memory model. Where another engine has nothing to add, it stands in.

use taut_explicit::explore;

use crate::{Capabilities, Engine, EngineError, EngineId, EngineResult, Job, Unsupported};

/// The engine that visits states one by one, with buffers up to the bound ([`taut_explicit`]).
#[derive(Clone, Copy, Debug, Default)]
pub struct Explicit;

impl Explicit {
    /// The name.
    pub const ID: EngineId = EngineId::new("explicit");
}

impl Engine for Explicit {
    fn id(&self) -> EngineId {
        Explicit::ID
    }

    fn title(&self) -> &'static str {
        "explicit: state by state"
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities::ALL
    }

    fn supports(&self, _: &Job<'_>) -> Result<(), Unsupported> {
        Ok(())
    }

    fn run(&self, job: &Job<'_>) -> Result<EngineResult, EngineError> {
        Ok(EngineResult::new(explore(job.program, job.memory, &job.options), job.memory))
    }
}
