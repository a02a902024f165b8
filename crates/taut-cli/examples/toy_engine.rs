//! The command line of Taut with one more engine, registered in one line: buffers that grow from stage to stage.
//!
//! A toy, for the tests and to show how little an engine needs. Stage `k` searches state by state with buffers of `k + 1`
//! entries. If no buffer was full, larger ones change nothing, and the stages end.

use std::ops::RangeInclusive;
use std::process::ExitCode;

use taut::Memory;
use taut::engines::{
    self, Bounds, Capabilities, Count, Engine, EngineError, EngineId, EngineResult, Explicit, Job,
    Scoped, Unsupported, Within, WithinKind,
};

fn main() -> ExitCode {
    engines::register(&Toy);
    taut_cli::run()
}

/// Buffers that grow.
#[derive(Debug)]
struct Toy;

/// Runs in which buffers stay this small.
static SMALL: WithinKind = WithinKind {
    name: "small buffers",
    short: |k| format!("buffers of {}", k + 1),
    long: |k| format!("buffers of {} (toy)", k + 1),
};

impl Engine for Toy {
    fn id(&self) -> EngineId {
        EngineId::new("toy")
    }

    fn title(&self) -> &'static str {
        "toy: buffers that grow"
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities::ALL
            .without_bound(
                Bounds::Fixed("the toy chooses its bounds; leave --bound out"),
                "no buffer is full for the toy; leave --full-buffer out",
            )
            .without_deadlock("the toy does not look")
    }

    fn stages(&self) -> RangeInclusive<u32> {
        0..=5
    }

    fn supports(&self, job: &Job<'_>) -> Result<(), Unsupported> {
        match job.memory.model.has_bound() {
            true => Ok(()),
            false => Err(Unsupported::new("the toy needs store buffers").or_explicit()),
        }
    }

    fn run(&self, job: &Job<'_>) -> Result<EngineResult, EngineError> {
        let (mut small, size) = (job.clone(), job.stage + 1);
        small.memory = job.memory.bounded(Some(size));
        let mut result = Explicit.run(&small)?;
        let leaves = result.exploration.bounds_met.buffer;
        result.scoped = Some(Scoped { within: Within::new(&SMALL, job.stage), leaves });
        result.memory = Memory { bound: None, ..job.memory };
        result.counts.push(Count { name: "size", title: "buffer size", value: size.into() });
        Ok(result)
    }
}
