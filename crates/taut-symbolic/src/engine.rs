//! The symbolic search as an engine.

use taut_engine::{
    Bounds, Capabilities, Count, Engine, EngineError, EngineId, EngineResult, Job, Share,
    Unsupported,
};
use taut_ir::{FullBuffer, Memory, Program};

use crate::{Diverging, SymbolicCounts, SymbolicOptions, explore, supports};

/// The engine that explores sets of buffer contents, without a bound.
#[derive(Clone, Copy, Debug, Default)]
pub struct Symbolic;

impl Symbolic {
    /// The name.
    pub const ID: EngineId = EngineId::new("symbolic");

    const CAPABILITIES: Capabilities = Capabilities::ALL
        .under(supports)
        .without_stores(
            "--store is for states one by one; leave it out, or ask `--engine explicit`",
            "--checkpoint is for states one by one; leave it out, or ask `--engine explicit`",
        )
        .without_bound(
            Bounds::Unbounded(
                "the symbolic engine has no bound on buffers; leave --bound out, or ask `--engine explicit`",
            ),
            "no buffer is ever full in the symbolic engine; leave --full-buffer out",
        )
        // A symbolic state takes longer than eight explicit ones; but the symbolic answer is the better one, so it
        // gets more than its share.
        .sharing(Share { price: 8, most: 50_000 });
}

impl Engine for Symbolic {
    fn id(&self) -> EngineId {
        Symbolic::ID
    }

    fn title(&self) -> &'static str {
        "symbolic: buffers without a bound"
    }

    fn capabilities(&self) -> Capabilities {
        Symbolic::CAPABILITIES
    }

    /// It knows no priorities: which steps are independent, and which loops can be accelerated, depends there on what
    /// all other processes could do. Where there are no store buffers it has nothing to add.
    fn supports(&self, job: &Job<'_>) -> Result<(), Unsupported> {
        if let Some(var) = job.program.priorities {
            let text = "the symbolic engine does not support priorities of processes";
            return Err(Unsupported::new(text)
                .at("E0015", job.program.var(var).span)
                .label("a priority")
                .help("use `--engine explicit`")
                .or_explicit());
        }
        if !supports(job.memory.model) {
            let text = "the symbolic engine is for memory models with store buffers";
            return Err(Unsupported::new(text).or_explicit());
        }
        Ok(())
    }

    fn run(&self, job: &Job<'_>) -> Result<EngineResult, EngineError> {
        let memory = Memory { bound: None, full_buffer: FullBuffer::Wait, ..job.memory };
        let search = explore(job.program, memory, &options(job));
        let growing = search.growing.as_ref();
        let mut result = EngineResult::new(search.exploration, memory);
        result.note = growing.map(|growing| kept_growing(job.program, growing));
        result.counts = search.counts.list();
        Ok(result)
    }
}

fn options(job: &Job<'_>) -> SymbolicOptions {
    let asked = &job.options;
    SymbolicOptions {
        all: asked.all,
        deadlock: asked.deadlock,
        unasked: asked.unasked.clone(),
        spawn_all: asked.spawn_all,
        limits: asked.limits.clone(),
        ..SymbolicOptions::default()
    }
}

fn kept_growing(program: &Program, growing: &Diverging) -> String {
    let process = &program.process(growing.process).name;
    format!("the buffer of {process} kept growing: {}", growing.language)
}

impl SymbolicCounts {
    /// The counts with their names.
    pub fn list(&self) -> Vec<Count> {
        let SymbolicCounts { visited, included, accelerated, automata, largest } = *self;
        let count = |name, title, value| Count { name, title, value };
        vec![
            count("visited", "symbolic states that were looked at", visited),
            count("included", "states dropped because a kept one includes them", included),
            count("accelerated", "accelerations", accelerated),
            count("automata", "automata that were built", automata),
            count("largest", "automaton states of the largest language", largest),
        ]
    }

    /// Counts from a list of them; none if one is missing.
    pub fn of(counts: &[Count]) -> Option<SymbolicCounts> {
        let value = |name| counts.iter().find(|count| count.name == name).map(|count| count.value);
        Some(SymbolicCounts {
            visited: value("visited")?,
            included: value("included")?,
            accelerated: value("accelerated")?,
            automata: value("automata")?,
            largest: value("largest")?,
        })
    }
}
