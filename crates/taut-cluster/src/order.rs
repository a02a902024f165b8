//! A search as bytes: the program, the memory and the options that a worker needs.
//!
//! The search of states does not look at properties of runs. They keep their places, as assertions that no step makes, so
//! that the numbers of all others stay.

use std::io;
use std::time::Duration;

use taut_budget::{Budget, Interrupt, Meter};
use taut_engine::{Exploration, Job, Limits, SearchOptions};
use taut_explicit::checkpoint::{Reader, Saved, Writer, damaged};
use taut_explicit::{Progress, Reduce, StoreKind};
use taut_ir::{Finding, FullBuffer, Memory, MemoryModel, Program, PropertyKind};

/// A search that a worker was given.
#[derive(Debug)]
pub(crate) struct Order {
    pub(crate) program: Program,
    pub(crate) memory: Memory,
    pub(crate) options: SearchOptions,
}

const REDUCTIONS: [Reduce; 3] = [Reduce::None, Reduce::Por, Reduce::All];
const STORES: [StoreKind; 2] = [StoreKind::Exact, StoreKind::Tree];

/// Writes values as one run of bytes.
pub(crate) fn written(
    write: impl FnOnce(&mut Writer<'_>) -> io::Result<()>,
) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut to = Writer::new(&mut bytes)?;
    write(&mut to)?;
    to.finish()?;
    Ok(bytes)
}

/// A result as bytes.
pub(crate) fn result_bytes(exploration: &Exploration) -> io::Result<Vec<u8>> {
    written(|to| exploration.save(to))
}

/// The result in bytes.
pub(crate) fn result_of(bytes: &[u8]) -> io::Result<Exploration> {
    let mut from = Reader::new(Box::new(bytes), bytes.len() as u64)?;
    let exploration = Exploration::restore(&mut from)?;
    from.finish()?;
    Ok(exploration)
}

/// A job as bytes; each worker may take so many bytes.
pub(crate) fn order_bytes(job: &Job<'_>, bytes: Option<u64>) -> io::Result<Vec<u8>> {
    let mut program = job.program.clone();
    for property in program.properties.iter_mut().filter(|p| p.kind.is_temporal()) {
        property.kind = PropertyKind::Assert;
    }
    let program = serde_json::to_string(&program)?;
    let Memory { model, bound, full_buffer } = job.memory;
    let options = &job.options;
    let time = [options.limits.time, options.limits.budget.left()].into_iter().flatten().min();
    let place = |at: Option<usize>| at.ok_or_else(|| damaged("workers do not know this option"));
    let reduce = place(REDUCTIONS.iter().position(|&r| r == options.reduce))?;
    let store = place(STORES.iter().position(|&s| s == options.store))?;
    written(|to| {
        program.save(to)?;
        model.to_string().save(to)?;
        (bound, full_buffer == FullBuffer::Error).save(to)?;
        ((options.all, options.whole), options.deadlock).save(to)?;
        options.unasked.save(to)?;
        (options.spawn_all, options.must_fit).save(to)?;
        ((reduce, store), options.passing).save(to)?;
        (options.limits.states, bytes).save(to)?;
        time.save(to)
    })
}

impl Order {
    /// The order in bytes.
    pub(crate) fn of(
        bytes: &[u8],
        interrupt: &Interrupt,
        progress: &Progress,
    ) -> io::Result<Order> {
        let mut from = Reader::new(Box::new(bytes), bytes.len() as u64)?;
        let from = &mut from;
        let text = String::restore(from)?;
        let mut json = serde_json::Deserializer::from_str(&text);
        // The front end has limited the depth of expressions.
        json.disable_recursion_limit();
        let program = serde::Deserialize::deserialize(&mut json)?;
        let model = String::restore(from)?;
        let model: MemoryModel = model.parse().map_err(|_| damaged("a memory model is none"))?;
        let (bound, is_error): (Option<u32>, bool) = Saved::restore(from)?;
        let full_buffer = if is_error { FullBuffer::Error } else { FullBuffer::Wait };
        let ((all, whole), deadlock) = Saved::restore(from)?;
        let unasked = Vec::<Finding>::restore(from)?;
        let (spawn_all, must_fit) = Saved::restore(from)?;
        let ((reduce, store), passing): ((usize, usize), Option<bool>) = Saved::restore(from)?;
        let (states, bytes): (Option<u64>, Option<u64>) = Saved::restore(from)?;
        let time: Option<Duration> = Saved::restore(from)?;
        let unknown = || damaged("an option is unknown");
        let limits = Limits {
            states,
            bytes,
            time,
            budget: Budget::new().memory(bytes, Meter::new()).interrupted_by(interrupt.clone()),
            interrupt: interrupt.clone(),
            progress: Some(progress.clone()),
            checkpoints: None,
        };
        let options = SearchOptions {
            all,
            whole,
            deadlock,
            unasked,
            spawn_all,
            must_fit,
            reduce: *REDUCTIONS.get(reduce).ok_or_else(unknown)?,
            passing,
            store: *STORES.get(store).ok_or_else(unknown)?,
            limits,
            ..SearchOptions::default()
        };
        Ok(Order { program, memory: Memory { model, bound, full_buffer }, options })
    }
}
