//! A job's check: the one that the command line would make of the same options, within what the job may cost.

use std::time::Duration;

use clap::{Parser, ValueEnum};
use taut::{Check, Loaded, MemoryModel};
use taut_serve::Job;

use super::super::args::{CheckingArgs, ModelArg, read_bound};
use super::event::Event;
use super::telling::Telling;

/// A check's options as they would be typed.
#[derive(Parser)]
struct Typed {
    #[command(flatten)]
    checking: CheckingArgs,
}

/// How checks of a job are made.
pub struct Checks<'l> {
    options: CheckingArgs,
    loaded: &'l Loaded,
    telling: &'l Telling,
}

impl<'l> Checks<'l> {
    /// The checks of a job under some memory models; what cannot be asked is refused.
    pub fn new(
        job: &Job,
        threads: usize,
        models: &[MemoryModel],
        loaded: &'l Loaded,
        telling: &'l Telling,
    ) -> Result<Checks<'l>, Event> {
        let options = typed(job, threads).map_err(|words| Event::refused(&words))?;
        options.together(loaded, models).map_err(|refused| Event::of_refusal(&refused))?;
        Ok(Checks { options, loaded, telling })
    }

    /// The options.
    pub fn options(&self) -> &CheckingArgs {
        &self.options
    }

    /// A check that takes at most so long.
    pub fn check(&self, stage: &str, model: MemoryModel, time: Duration) -> Check<'l> {
        let check = self.options.check(self.loaded, model, self.telling.budget());
        self.telling.watch(stage.into(), check.timeout(Some(time)))
    }
}

/// Bytes for the work of a job. A quarter of its memory is left for telling what came of it.
pub fn memory(job: &Job) -> u64 {
    job.memory_mib.saturating_mul(1 << 20) / 4 * 3
}

/// The memory model of a job.
pub fn model(job: &Job) -> Result<MemoryModel, Event> {
    match ModelArg::from_str(&job.model, false).as_ref().map(|model| model.models()) {
        Ok(&[model]) => Ok(model),
        _ => Err(Event::refused(&format!("there is no memory model `{}`", job.model))),
    }
}

fn typed(job: &Job, threads: usize) -> Result<CheckingArgs, String> {
    let memory = memory(job);
    let mut words = vec![
        "job".into(),
        format!("--engine={}", job.engine),
        format!("--jobs={threads}"),
        format!("--max-memory={memory}"),
    ];
    if let Some(bound) = job.bound {
        read_bound(&bound.to_string()).map_err(|why| format!("bound: {why}"))?;
        words.push(format!("--bound={bound}"));
    }
    words.push("-".into());
    Typed::try_parse_from(words).map(|typed| typed.checking).map_err(|error| error.to_string())
}
