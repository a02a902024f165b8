//! The search of states by several processes, as an engine.
//!
//! It is the explicit engine with its states shared out. Where one process can make the same search in a moment, and there is something
//! to show, it makes it once more: the run and the counts are then those of a search without workers ([`Settings::repeat`]).

use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use taut_engine::{
    Capabilities, Completion, Count, Engine, EngineError, EngineId, EngineResult, Explicit,
    Exploration, Job, Limit, Unsupported,
};
use taut_explicit::limits::ProgressSnapshot;
use taut_explicit::{Explorer, Order, Reduce, SearchOptions, StoreKind, explore};

use crate::order::{order_bytes, result_of};
use crate::pool::{Pool, Report, Settings};

/// The explicit engine on several processes. They are started with the first search and end with this value.
#[derive(Debug)]
pub struct Cluster {
    settings: Settings,
    pool: Mutex<Shared>,
}

#[derive(Default)]
struct Shared(Option<Pool>);

impl std::fmt::Debug for Shared {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(if self.0.is_some() { "started" } else { "not started" })
    }
}

impl Cluster {
    /// Workers that are started when they are needed.
    pub fn new(settings: Settings) -> Cluster {
        Cluster { settings, pool: Mutex::default() }
    }

    /// Makes a search; a worker that is lost is a limit.
    fn search(&self, job: &Job<'_>) -> Result<(Exploration, Vec<Report>), Limit> {
        let mut shared = self.pool.lock().unwrap_or_else(PoisonError::into_inner);
        // If anything goes wrong the pool is not put back, and its workers end.
        let mut pool = match shared.0.take() {
            Some(pool) => pool,
            None => Pool::start(&self.settings)?,
        };
        let limits = &job.options.limits;
        // The workers are on this machine, and share what the command may take.
        let bytes = limits.bytes.map(|bytes| bytes / u64::from(self.settings.workers));
        let malformed = |_| Limit::Worker(0, taut_explicit::WorkerTrouble::Closed);
        let order = order_bytes(job, bytes).map_err(malformed)?;
        let result = pool.search(order, |reports| {
            if let Some(progress) = &limits.progress {
                progress.publish(together(reports));
            }
            let budget = limits.budget.met_in_time(taut_budget::Level::Search);
            limits.interrupt.is_raised() || budget.is_some()
        })?;
        let mut exploration = result_of(&result).map_err(malformed)?;
        let reports = pool.reports();
        if exploration.completion == Completion::Limit(Limit::Interrupted) {
            // Workers that were interrupted stay so; the reason may be the time of the command.
            let reason = limits.budget.met_in_time(taut_budget::Level::Search);
            let limit = reason.map_or(Limit::Interrupted, Limit::from);
            exploration.completion = Completion::Limit(limit);
        } else {
            shared.0 = Some(pool);
        }
        Ok((exploration, reports))
    }

    /// Whether the result of one process counts.
    fn is_repeated(&self, exploration: &Exploration) -> bool {
        let is_early = exploration.completion != Completion::Complete;
        (is_early || !exploration.found.is_empty())
            && !exploration.completion.is_cut()
            && exploration.stats.states <= self.settings.repeat
    }
}

/// How far all workers have come.
fn together(reports: &[Report]) -> ProgressSnapshot {
    let sum = |of: fn(&Report) -> u64| reports.iter().map(of).sum();
    ProgressSnapshot {
        states: sum(|r| r.part.states),
        transitions: sum(|r| r.part.transitions),
        queue: sum(|r| r.part.queue),
        depth: reports.iter().map(|r| r.part.depth).max().unwrap_or(0),
        bytes: sum(|r| r.part.bytes),
    }
}

/// The result of a search whose worker was lost: nothing was found, and no state counts.
fn nothing(job: &Job<'_>, limit: Limit, started: Instant) -> Exploration {
    let reached = job.program.defs.iter().map(|def| vec![false; def.steps.len()]).collect();
    let stats = taut_engine::Stats { time: started.elapsed(), ..Default::default() };
    Exploration {
        found: Vec::new(),
        completion: Completion::Limit(limit),
        bounds_met: Default::default(),
        may_fault: taut_ir::may_fault(job.program),
        reached,
        stats,
    }
}

impl Engine for Cluster {
    fn id(&self) -> EngineId {
        Explicit::ID
    }

    fn title(&self) -> &'static str {
        "explicit: state by state, by several processes"
    }

    fn capabilities(&self) -> Capabilities {
        let mut able = Capabilities::ALL;
        able.threads = false;
        able.no_checkpoints =
            Some("workers keep no checkpoints; leave --workers or --checkpoint out");
        able
    }

    fn supports(&self, job: &Job<'_>) -> Result<(), Unsupported> {
        let SearchOptions { order, store, reduce, .. } = &job.options;
        let refuse = |message: &str| Err(Unsupported::new(message));
        match (order, store) {
            (Order::Dfs, _) => refuse("workers search breadth first; leave --search out"),
            (_, StoreKind::Tree) if *reduce != Reduce::None => {
                // The tree does not know in which level a state was found, and the proviso asks that.
                refuse(
                    "workers use --store tree with --reduce none only; give that, or leave --store out",
                )
            }
            (_, StoreKind::Exact | StoreKind::Tree) => Ok(()),
            (_, store) => refuse(&format!(
                "workers cannot share a store of the kind `{}`; leave --store or --workers out",
                store.name()
            )),
        }
    }

    fn run(&self, job: &Job<'_>) -> Result<EngineResult, EngineError> {
        let started = Instant::now();
        let (exploration, reports) = match self.search(job) {
            Ok(done) => done,
            Err(limit) => {
                let exploration = nothing(job, limit, started);
                return Ok(EngineResult::new(exploration, job.memory));
            }
        };
        let options = SearchOptions { threads: 1, ..job.options.clone() };
        let exploration = match self.is_repeated(&exploration) {
            true => explore(job.program, job.memory, &options),
            false => Explorer::new(job.program, job.memory, &options).shortened(exploration),
        };
        let mut result = EngineResult::new(exploration, job.memory);
        result.counts = counts(&reports);
        Ok(result)
    }
}

/// What only several processes have to count.
fn counts(reports: &[Report]) -> Vec<Count> {
    let states = |r: &Report| r.part.states;
    let count = |name, title, value| Count { name, title, value };
    vec![
        count("workers", "workers", reports.len() as u64),
        count(
            "most_states_of_a_worker",
            "most states of a worker",
            reports.iter().map(states).max().unwrap_or(0),
        ),
        count("network_bytes", "bytes sent between workers", reports.iter().map(|r| r.sent).sum()),
    ]
}
