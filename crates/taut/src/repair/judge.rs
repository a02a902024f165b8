//! Checking variants.

use taut_budget::Instant;
use taut_explicit::Limit;
use taut_repair::{Counterexample, Oracle, OracleAnswer, RepairProblem, Set};

use super::asked::Asked;
use crate::load::Loaded;
use crate::outcome::{EngineFault, Report};
use crate::verdict::VerdictKind;

/// Checks variants of a program that was read.
pub(super) struct Checks<'a> {
    loaded: &'a Loaded,
    asked: &'a Asked<'a>,
    /// When the repair began: a limit on time is one for all checks together.
    started: Instant,
    /// What the last check said, under each model.
    pub(super) last: Vec<Report>,
}

impl<'a> Checks<'a> {
    pub(super) fn new(loaded: &'a Loaded, asked: &'a Asked<'a>) -> Checks<'a> {
        Checks { loaded, asked, started: Instant::now(), last: Vec::new() }
    }
}

impl Oracle for Checks<'_> {
    type Error = EngineFault;

    fn judge(&mut self, subject: &RepairProblem, set: &Set) -> Result<OracleAnswer, EngineFault> {
        let variant = subject.variant(set);
        let limit = self.asked.check.options.limits.time;
        self.last.clear();
        let mut answer = OracleAnswer::Holds;
        // Under SC fences do nothing, and the program was checked.
        for model in self.asked.relaxed() {
            let left = limit.map(|limit| limit.saturating_sub(self.started.elapsed()));
            let check = self.asked.check.on(self.loaded).model(model);
            let report = check.variant(&variant, subject, set).timeout(left).run()?;
            answer = match (judgement(&report), limit) {
                (OracleAnswer::Unknown(_), Some(limit)) if self.started.elapsed() >= limit => {
                    OracleAnswer::Unknown(Limit::Time(limit).to_string())
                }
                (judgement, _) => judgement,
            };
            self.last.push(report);
            if !matches!(answer, OracleAnswer::Holds) {
                break;
            }
        }
        Ok(answer)
    }
}

fn judgement(report: &Report) -> OracleAnswer {
    let counterexamples: Vec<_> = report
        .violations()
        .map(|(result, witness)| Counterexample {
            property: result.name.clone(),
            program: witness.program.clone(),
            trace: witness.trace.clone(),
        })
        .collect();
    if !counterexamples.is_empty() {
        return OracleAnswer::Violated(counterexamples);
    }
    let open = report.results.iter().find(|result| result.verdict.kind() == VerdictKind::Unknown);
    match open {
        Some(result) => {
            OracleAnswer::Unknown(format!("{}: {}", result.name, result.verdict.coverage()))
        }
        None => OracleAnswer::Holds,
    }
}
