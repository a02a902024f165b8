//! Robustness: the question `robust`, whether every run under a relaxed memory model is like a sequentially consistent one.
//!
//! It is asked after all others, if it is asked at all ([`crate::Check::robust`]). [`taut_robust`] decides it for
//! unbounded buffers, whatever the bound of the check is; a run that it finds is replayed like any other, and the
//! replayer looks for the circle in happens-before itself.
//!
//! A step that faults ends a run before it and is no part of a trace, so what holds is known of runs without a fault if
//! the program may have one.

use taut_budget::{Instant, Level};
use taut_engine::Unsupported;
use taut_explicit::Stats;
use taut_robust::{NotDecided, OpenReason, Proof, Robustness};

use crate::check::Check;
use crate::counts::sum;
use crate::outcome::{EngineFault, Report, thread_bound, witness};
use crate::races::is_without_fault;
use crate::verdict::{Coverage, PropertyResult, QuestionKind, Unknown, Verdict};

/// The name of the question.
pub const ROBUST: &str = "robust";

impl Check<'_> {
    /// Whether robustness is a question of this check.
    pub(crate) fn asks_robust(&self) -> bool {
        self.robust || self.is_chosen(ROBUST)
    }

    /// The reason why robustness is not decided, if it is asked about and cannot be.
    pub fn robust_unsupported(&self) -> Option<Unsupported> {
        if !self.asks_robust() {
            return None;
        }
        let model = self.memory.model;
        if !taut_robust::has_question(model) {
            return Some(Unsupported::new(format!("robustness is not decided under {model}")));
        }
        taut_robust::is_robust_by_code(self.growing.program, model)
            .err()
            .map(|why| unsupported(&why))
    }

    /// Adds the answer about robustness, if it is asked for.
    pub(crate) fn add_robust(&self, report: &mut Report) -> Result<(), EngineFault> {
        if !self.asks_robust() {
            return Ok(());
        }
        let started = Instant::now();
        let (result, states) = self.decide(report)?;
        let stats = Stats { states, time: started.elapsed(), ..Stats::default() };
        report.stats = sum(report.stats, stats);
        if matches!(result.verdict, Verdict::Violated(_)) {
            self.tell(&result);
        }
        report.results.push(result);
        Ok(())
    }

    /// The answer, and the number of states that it took.
    fn decide(&self, report: &Report) -> Result<(PropertyResult, u64), EngineFault> {
        if let Some(why) = self.robust_unsupported() {
            return Ok((open(Unknown::Unsupported(why.message)), 0));
        }
        let (program, model) = (&report.program, self.memory.model);
        let most = self.options.limits.states.unwrap_or(u64::MAX);
        let budget = self.whole_budget();
        let decided = budget.run(Level::Work, || taut_robust::check(program, model, most));
        Ok(match decided {
            Err(met) => (open(Unknown::Spent(met)), 0),
            Ok(Err(why)) => (open(Unknown::Unsupported(unsupported(&why).message)), 0),
            Ok(Ok(Robustness::Unknown(limit))) => (open(limited(limit)), 0),
            Ok(Ok(Robustness::Robust(proof))) => {
                (self.robust_by(report, proof), proof.states.unwrap_or(0))
            }
            Ok(Ok(Robustness::NotRobust(found))) => {
                (answer(witness(program, found.trace, ROBUST)?), found.states)
            }
        })
    }

    fn robust_by(&self, report: &Report, proof: Proof) -> PropertyResult {
        let program = &report.program;
        let is_sc = !self.memory.model.is_relaxed();
        let note = (proof.states.is_none() && !is_sc)
            .then(|| "no store can be delayed past what others notice, by the code alone".into());
        let coverage = Coverage {
            threads: proof.bounds.threads.then(|| thread_bound(program)),
            calls: proof.bounds.calls.then_some(program.call_depth),
            without_fault: !is_without_fault(report),
            ..Coverage::default()
        };
        let verdict = Verdict::Holds(coverage.of(program, self.memory));
        PropertyResult { note, ..answer(verdict) }
    }
}

fn answer(verdict: Verdict) -> PropertyResult {
    let kind = QuestionKind::Robust;
    PropertyResult { name: ROBUST.into(), kind, verdict, stats: None, note: None }
}

fn open(why: Unknown) -> PropertyResult {
    answer(Verdict::Unknown(why))
}

fn unsupported(why: &NotDecided) -> Unsupported {
    let message = format!("robustness is not decided for programs with {}", why.words);
    Unsupported::new(message).at("E0020", why.span).label("here")
}

fn limited(limit: OpenReason) -> Unknown {
    match limit {
        OpenReason::States(states) => Unknown::Limit(taut_explicit::Limit::States(states)),
        OpenReason::LongBlock => {
            Unknown::Unsupported("a block that is done at once has too many steps or stores".into())
        }
    }
}
