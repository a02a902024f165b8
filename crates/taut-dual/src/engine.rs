//! The backward search as an engine.

use taut_engine::{
    Bounds, Capabilities, Count, Engine, EngineError, EngineId, EngineResult, Job, Share,
    Unsupported,
};
use taut_ir::{FullBuffer, Memory, MemoryModel};

use crate::ends::prepare;
use crate::refuse::{check, knows};
use crate::{DualCounts, explore};

/// The engine that searches backward over load buffers without a bound, under TSO.
#[derive(Clone, Copy, Debug, Default)]
pub struct Dual;

impl Dual {
    /// The name.
    pub const ID: EngineId = EngineId::new("dual");

    const CAPABILITIES: Capabilities = Capabilities::ALL
        .under(knows)
        .only(MemoryModel::Tso, "the dual engine is for TSO alone; ask with `--model tso`")
        .without_stores(
            "--store is for states one by one; leave it out, or ask `--engine explicit`",
            "--checkpoint is for states one by one; leave it out, or ask `--engine explicit`",
        )
        .without_bound(
            Bounds::Unbounded(
                "the dual engine has no bound on buffers; leave --bound out, or ask `--engine explicit`",
            ),
            "no buffer is ever full in the dual engine; leave --full-buffer out",
        )
        // A constraint is about as fast as an explicit state. The search always ends, so it gets what the symbolic one
        // does not use.
        .sharing(Share { price: 2, most: 4_000_000 });
}

impl Engine for Dual {
    fn id(&self) -> EngineId {
        Dual::ID
    }

    fn title(&self) -> &'static str {
        "dual: TSO backward, without a bound"
    }

    fn capabilities(&self) -> Capabilities {
        Dual::CAPABILITIES
    }

    fn supports(&self, job: &Job<'_>) -> Result<(), Unsupported> {
        if !knows(job.memory.model) {
            return Err(Unsupported::new("the dual engine is for TSO only"));
        }
        check(&prepare(job.program).0)
    }

    fn run(&self, job: &Job<'_>) -> Result<EngineResult, EngineError> {
        let search = explore(job.program, &job.options)?;
        let memory = Memory { bound: None, full_buffer: FullBuffer::Wait, ..job.memory };
        let mut result = EngineResult::new(search.exploration, memory);
        result.counts = search.counts.list();
        Ok(result)
    }
}

impl DualCounts {
    /// The counts with their names.
    pub fn list(&self) -> Vec<Count> {
        let DualCounts { made, added, kept, compared, longest, points } = *self;
        let count = |name, title, value| Count { name, title, value };
        vec![
            count("made", "constraints that were made", made),
            count("added", "constraints that no kept one included", added),
            count("kept", "constraints that no other one includes", kept),
            count("compared", "pairs of constraints whose words were compared", compared),
            count("longest", "entries of the longest constraint", longest),
            count("points", "control points of all processes", points),
        ]
    }

    /// Counts from a list of them; none if one is missing.
    pub fn of(counts: &[Count]) -> Option<DualCounts> {
        let value = |name| counts.iter().find(|count| count.name == name).map(|count| count.value);
        Some(DualCounts {
            made: value("made")?,
            added: value("added")?,
            kept: value("kept")?,
            compared: value("compared")?,
            longest: value("longest")?,
            points: value("points")?,
        })
    }
}
