//! The search over crowds as an engine.

use taut_engine::{
    Bounds, Capabilities, Engine, EngineError, EngineId, EngineResult, Instance, Job, Unsupported,
};
use taut_ir::{FullBuffer, Memory, Program};

use super::explore::{AnySearch, Numbers, explore};
use super::refuse::{check, knows};

/// The engine that answers for every number of processes, under SC and TSO.
#[derive(Clone, Copy, Debug, Default)]
pub struct Any;

/// The reason why deadlocks are not answered.
const NO_DEADLOCK: &str = "one process more can end a deadlock, so there is no answer for every number; `--threads 2` asks about two";

impl Any {
    /// The name.
    pub const ID: EngineId = EngineId::new("any");

    const CAPABILITIES: Capabilities = Capabilities::ALL
        .under(knows)
        .any_number()
        .without_stores(
            "--store is for states one by one; leave it out, or ask for a fixed number: `--threads 2`",
            "--checkpoint is for states one by one; leave it out, or ask for a fixed number: `--threads 2`",
        )
        .without_bound(
            Bounds::Unbounded(
                "for every number of processes, buffers have no bound; leave --bound out, or ask for a fixed number: `--threads 2`",
            ),
            "no buffer is ever full for every number of processes; leave --full-buffer out",
        );
}

impl Engine for Any {
    fn id(&self) -> EngineId {
        Any::ID
    }

    fn title(&self) -> &'static str {
        "any: every number of processes, SC and TSO"
    }

    fn capabilities(&self) -> Capabilities {
        Any::CAPABILITIES
    }

    fn supports(&self, job: &Job<'_>) -> Result<(), Unsupported> {
        check(job.program, job.memory.model)
    }

    fn run(&self, job: &Job<'_>) -> Result<EngineResult, EngineError> {
        let search = explore(job.program, job.memory.model, &job.options)?;
        let counts = search.list();
        let AnySearch { exploration, instance, numbers, decides_deadlock, .. } = search;
        let memory = Memory { bound: None, full_buffer: FullBuffer::Wait, ..job.memory };
        let mut result = EngineResult::new(exploration, memory);
        let notes = numbers.iter().map(|numbers| note(job.program, numbers)).collect();
        result.instance = Some(Instance { program: instance, notes });
        result.counts = counts;
        result.no_deadlock = (!decides_deadlock).then_some(NO_DEADLOCK);
        Ok(result)
    }
}

/// The number of processes of a violation, in words: `with 3 of p, the smallest number`.
fn note(program: &Program, numbers: &Numbers) -> String {
    let of = |&(def, count): &(taut_ir::DefId, u32)| {
        format!("{count} of `{}`", program.defs[def.index()].name)
    };
    let counts: Vec<String> = numbers.counts.iter().map(of).collect();
    let least = match (numbers.is_smallest, counts.len()) {
        (true, 1) => "the smallest number",
        (true, _) => "none of them can be left out",
        (false, _) => "the smallest number found",
    };
    format!("with {}: {least}", counts.join(" and "))
}
