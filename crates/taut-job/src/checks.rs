//! A job's check: the one that the command line would make of the same options, within what the job may cost.

use std::time::Duration;

use taut::{Check, EngineChoice, Loaded, MemoryModel, refused};
use taut_page::Job;

use crate::event::Event;
use crate::telling::Telling;

/// The largest bound: larger buffers make states too large to be of use.
const MOST_ENTRIES: u32 = 4096;

/// How checks of a job are made.
pub(crate) struct Checks<'l> {
    engine: EngineChoice,
    bound: Option<u32>,
    properties: Vec<String>,
    threads: usize,
    memory: u64,
    loaded: &'l Loaded,
    telling: &'l Telling,
}

impl<'l> Checks<'l> {
    /// The checks of a job under some memory models; what cannot be asked is refused.
    pub(crate) fn new(
        job: &Job,
        threads: usize,
        models: &[MemoryModel],
        loaded: &'l Loaded,
        telling: &'l Telling,
    ) -> Result<Checks<'l>, Event> {
        let engine: EngineChoice =
            job.engine.parse().map_err(|why: String| Event::refused(&why))?;
        let bound = bound(job)?;
        if let Some(why) = refused(loaded, models, bound.map(Some), &engine) {
            return Err(Event::unsupported(loaded, &why));
        }
        let (properties, memory) = (job.properties(), crate::memory(job));
        Ok(Checks { engine, bound, properties, threads, memory, loaded, telling })
    }

    /// A check that takes at most so long.
    pub(crate) fn check(&self, stage: &str, model: MemoryModel, time: Duration) -> Check<'l> {
        let check = Check::of(self.loaded)
            .model(model)
            .engine(self.engine.clone())
            .threads(self.threads)
            .max_memory(Some(self.memory))
            .budget(self.telling.budget());
        let check = match self.bound {
            Some(bound) => check.bound(Some(bound)),
            None => check,
        };
        let check = match self.properties.is_empty() {
            true => check,
            false => check.only(self.properties.clone()),
        };
        self.telling.watch(stage.into(), check.timeout(Some(time)))
    }

    /// The same under a model to compare with: an engine that is for one model alone is left out.
    pub(crate) fn beside(&self, stage: &str, model: MemoryModel, time: Duration) -> Check<'l> {
        let check = self.check(stage, model, time);
        let engine = self.engine.engine();
        match engine.and_then(|engine| engine.capabilities().only_model) {
            Some(_) => check.engine(EngineChoice::Auto),
            None => check,
        }
    }
}

fn bound(job: &Job) -> Result<Option<u32>, Event> {
    match job.bound {
        Some(0) => Err(Event::refused("bound: a buffer needs room for at least one store")),
        Some(bound) if bound > MOST_ENTRIES => Err(Event::refused(&format!(
            "bound: at most {MOST_ENTRIES} entries; leave it empty for buffers as large as they need to be"
        ))),
        bound => Ok(bound),
    }
}

/// The memory model of a job.
pub(crate) fn model(job: &Job) -> Result<MemoryModel, Event> {
    let found = MemoryModel::EVERY.into_iter().find(|model| model.name() == job.model);
    found.ok_or_else(|| Event::refused(&format!("there is no memory model `{}`", job.model)))
}
