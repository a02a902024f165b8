//! The stages of one engine: searches of ever larger parts of the runs.
//!
//! Most engines have one stage, which is about all runs. An engine with several looks at a scope in each. What a stage
//! says is about the runs within its scope, and the coverage names it. The stages end when something is violated, when a
//! limit is met, or when no run can leave the scope: then what holds there holds for all executions.

use std::sync::Arc;
use std::time::Duration;

use taut_budget::Instant;
use taut_engine::Engine;

use super::Turn;
use crate::check::Check;
use crate::outcome::{EngineFault, Report};
use crate::verdict::{PropertyResult, Verdict};

/// The stages of an engine that are left, and what is known so far.
pub(super) struct Stages {
    engine: Arc<dyn Engine>,
    next: u32,
    known: Option<Report>,
}

impl Stages {
    /// All stages are left.
    pub(super) fn new(engine: Arc<dyn Engine>) -> Stages {
        let next = *engine.stages().start();
        Stages { engine, next, known: None }
    }

    /// Whether the engine needs turns even if no other search waits.
    pub(super) fn need_turns(&self) -> bool {
        self.engine.capabilities().needs_turns
    }

    /// Searches for one turn, with a check that is limited to it. A stage that was not finished is searched again
    /// in the next turn; one that was is not.
    pub(super) fn go_on(&mut self, check: &Check<'_>, turn: &Turn) -> Result<Report, EngineFault> {
        let started = Instant::now();
        while self.engine.stages().contains(&self.next) {
            let report = self.search(check, started)?;
            if turn.is_cut(report.limit) {
                return Ok(report);
            }
            let ended = !report.leaves || is_enough(check, &report);
            self.known = Some(report);
            self.next += 1;
            if ended {
                break;
            }
        }
        let known = self.known.clone();
        debug_assert!(known.is_some(), "an engine has a stage");
        Ok(known.unwrap_or_else(|| check.nothing_yet()))
    }

    /// Searches the next stage, and adds what is known from those before it.
    fn search(&self, check: &Check<'_>, started: Instant) -> Result<Report, EngineFault> {
        let mut job = check.job().at_stage(self.next);
        job.options.limits.time = left(job.options.limits.time, started.elapsed());
        let report = check.by(&*self.engine, &job)?;
        Ok(match &self.known {
            None => report,
            Some(before) => after(before, report),
        })
    }
}

/// The time that is left.
fn left(time: Option<Duration>, elapsed: Duration) -> Option<Duration> {
    time.map(|time| time.saturating_sub(elapsed))
}

/// Whether no larger scope could tell more, or none is to be looked at.
fn is_enough(check: &Check<'_>, report: &Report) -> bool {
    let mut verdicts = report.results.iter().map(|r| &r.verdict);
    let violated = report.is_violated() && !check.options.all;
    violated || !report.complete || !verdicts.any(|v| matches!(v, Verdict::Holds(_)))
}

/// What is known after a larger scope: its answers, the violations of the smaller one, and where it has none
/// but the smaller one has, those.
fn after(before: &Report, report: Report) -> Report {
    let smaller = |name: &str| before.results.iter().find(|r| r.name == name).cloned();
    let better = |result: PropertyResult| match smaller(&result.name) {
        Some(before) if matches!(before.verdict, Verdict::Violated(_)) => before,
        Some(before) if result.verdict.is_open() => {
            let scope = report.scope.map_or_else(String::new, |scope| scope.to_string());
            let note = format!("{scope}: {}", result.verdict.coverage());
            PropertyResult { note: Some(note), ..before }
        }
        _ => result,
    };
    let results = report.results.iter().cloned().map(better).collect();
    Report { results, ..report }
}
