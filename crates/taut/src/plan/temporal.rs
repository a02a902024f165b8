//! The search for a run that violates a property.

use std::time::Duration;

use taut_budget::Instant;
use taut_engine::Explicit;
use taut_explicit::{Limit, StoreKind};
use taut_ir::PropId;

use super::{About, SearchRecord, Task, Turn, not_asked};
use crate::check::Check;
use crate::outcome::EngineFault;
use crate::verdict::{PropertyResult, Unknown, Verdict};

/// A question about runs, and the answer so far.
pub(super) struct Run {
    property: PropId,
    /// The result of the last turn.
    last: Option<PropertyResult>,
    is_done: bool,
    turns: u32,
    time: Duration,
}

impl Run {
    pub(super) fn new(property: PropId) -> Run {
        Run { property, last: None, is_done: false, turns: 0, time: Duration::ZERO }
    }

    /// The property, and the answer to it.
    pub(super) fn result(self, check: &Check<'_>) -> (PropId, PropertyResult) {
        let property = check.growing.program.property(self.property);
        let open = || not_asked(property.name.clone(), (&property.kind).into());
        let answer = self.last.filter(|_| self.is_done).map(|result| {
            let stats = result.stats.map(|stats| taut_explicit::Stats { time: self.time, ..stats });
            PropertyResult { stats, ..result }
        });
        (self.property, answer.unwrap_or_else(open))
    }

    /// The counts of the search, if it was made.
    pub(super) fn record(&self, check: &Check<'_>) -> Option<SearchRecord> {
        let result = self.last.as_ref()?;
        let mut stats = result.stats?;
        stats.time = self.time;
        Some(SearchRecord {
            questions: vec![result.name.clone()],
            about: About::Runs,
            model: check.memory.model,
            robust: None,
            engine: Explicit::ID,
            // Searches for runs keep states whole, whatever is asked.
            store: StoreKind::Exact,
            threads: check.options.threads,
            turns: self.turns,
            stats,
            symbolic: None,
            dual: None,
        })
    }
}

impl Task for Run {
    fn attempt(
        &mut self,
        turn: &Turn,
        check: &Check<'_>,
    ) -> Result<Vec<PropertyResult>, EngineFault> {
        let started = Instant::now();
        let result = turn.limited(check).run_of(self.property)?;
        self.time += started.elapsed();
        self.turns += 1;
        self.is_done = !turn.is_cut(limit(&result.verdict));
        let violated = result.verdict.witness().is_some();
        self.last = Some(result);
        Ok(self.last.clone().filter(|_| violated).into_iter().collect())
    }

    fn is_done(&self) -> bool {
        self.is_done
    }

    fn needs_turns(&self) -> bool {
        false
    }
}

/// The limit that left an answer open.
fn limit(verdict: &Verdict) -> Option<Limit> {
    match verdict {
        Verdict::Unknown(Unknown::Limit(limit)) => Some(*limit),
        _ => None,
    }
}
