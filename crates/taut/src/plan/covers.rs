//! Covers: `cover NAME: e` asks for a run in which `e` is true somewhere.
//!
//! *Why a search of its own?* To an engine, a state that a cover asks for and one that is forbidden are the same: one
//! search finds either. But the two want opposite things of the search around them. A check ends at its first violation,
//! and must not end at the first cover; a cover that is watched makes steps visible, and would undo reductions that
//! the other questions allow. So covers are passed over by all other searches, as questions that are not asked, and one
//! more search, which goes on until all are found, asks for covers alone. It is an ordinary check of the same program,
//! with the same memory model, engine, bounds and stores.
//!
//! *Why may its answers be turned round?* A run that the replayer accepts reaches the state, whatever the search left
//! out: `covered`. No run, with the coverage that `forbid NAME: e` would have: `never`. So what makes a `holds` weaker
//! (a bound that was met, a store that misses states, runs that end in a fault) makes a `never` weaker in the same way
//! and stands in its coverage. A limit leaves both open. And the certificate that a state is never reached is the one
//! that a forbidden state has.
//!
//! *Why is `never` counted as a violation* (exit code 1)? A cover is what its author expects to happen. Where it cannot,
//! the model or the properties around it are not what was meant, and a pipeline has to stop.

use taut_budget::Instant;
use taut_ir::PropId;

use super::{cuts, not_asked};
use crate::check::{Check, Covers};
use crate::counts::sum;
use crate::outcome::{EngineFault, Report};
use crate::verdict::{PropertyResult, QuestionKind, Verdict};

impl Check<'_> {
    /// The covers that are asked after everything else.
    pub(crate) fn covers_asked(&self) -> impl Iterator<Item = PropId> {
        let program = self.growing.program;
        program.property_ids().filter(move |&id| {
            let property = program.property(id);
            self.covers == Covers::After
                && property.kind.is_cover()
                && self.is_named(&property.name)
        })
    }

    /// Adds the answers about covers to those about everything else.
    pub(super) fn add_covers(
        &self,
        report: &mut Report,
        started: Instant,
    ) -> Result<(), EngineFault> {
        let asked: Vec<PropId> = self.covers_asked().collect();
        if asked.is_empty() {
            return Ok(());
        }
        let name = |id: PropId| self.growing.program.property(id).name.clone();
        if report.is_violated() && !self.options.all {
            for id in asked {
                let at = report.position(id);
                report.results.insert(at, not_asked(name(id), QuestionKind::Cover));
            }
            return Ok(());
        }
        let found = self.search_covers(report, started)?;
        for id in asked {
            let result = found.iter().find(|result| result.name == name(id));
            debug_assert!(result.is_some(), "every cover that is asked has an answer");
            let at = report.position(id);
            report.results.extend(result.cloned());
            report.results[at..].rotate_right(usize::from(result.is_some()));
        }
        // What ended runs early is known from the other answers, and looks at the answers as they were found.
        cuts::name(self, report);
        let limits = &self.options.limits;
        if let Some(time) = limits.budget.given_time().or(limits.time) {
            report.name_time_limit(time);
        }
        report.results.iter_mut().for_each(turn_round);
        Ok(())
    }

    /// The answers about covers, and nothing else. A program that may fault says no more than usual: whether a run
    /// ends early is not asked here.
    pub(crate) fn covers_alone(&self) -> Result<Vec<PropertyResult>, EngineFault> {
        if self.covers_asked().next().is_none() {
            return Ok(Vec::new());
        }
        let mut found = self.covering(self.options.limits.time).planned()?.results;
        found.retain(|result| result.kind == QuestionKind::Cover);
        found.iter_mut().for_each(turn_round);
        Ok(found)
    }

    /// The answers of the search for covers, as of forbidden states.
    fn search_covers(
        &self,
        report: &mut Report,
        started: Instant,
    ) -> Result<Vec<PropertyResult>, EngineFault> {
        let left = self.options.limits.time.map(|time| time.saturating_sub(started.elapsed()));
        let found = self.covering(left).planned()?;
        report.stats = sum(report.stats, found.stats);
        report.searches.extend(found.searches);
        report.limit = report.limit.or(found.limit);
        Ok(found.results)
    }
}

/// The answer about a cover, from that about a forbidden state.
fn turn_round(result: &mut PropertyResult) {
    if result.kind != QuestionKind::Cover {
        return;
    }
    result.verdict = match std::mem::replace(&mut result.verdict, Verdict::NotAsked) {
        Verdict::Violated(witness) => Verdict::Covered(witness),
        Verdict::Holds(coverage) => Verdict::Never(coverage),
        other => other,
    };
}
