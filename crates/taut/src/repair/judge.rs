//! Checking variants.
//!
//! A variant that is wrong is mostly wrong with small buffers already, and has far fewer states with them. So a
//! counterexample is looked for with buffers of one entry, then of two, before the check is made that was asked for. A
//! run that never has more entries in a buffer is a run with larger buffers, too; the replayer says so of each
//! that is found (`with_memory`). Nothing else is concluded from such a search. The first checks are made without: their
//! runs are the shortest ones, which say best what a place is needed for, and for most programs they are all.

use taut_engine::Explicit;
use taut_ir::{FullBuffer, MemoryModel};
use taut_repair::minimal::PLAIN_ROUNDS;
use taut_repair::{Counterexample, Oracle, OracleAnswer, RepairProblem, Set};
use taut_witness::{Trace, replay};

use super::asked::Asked;
use crate::check::Check;
use crate::load::Loaded;
use crate::outcome::{EngineFault, Report};
use crate::verdict::{PropertyResult, Verdict, VerdictKind, Witness};

/// Entries per buffer of the first searches.
const SMALL: [u32; 2] = [1, 2];

/// The most states of a search with small buffers.
const FEW: u64 = 20_000;

/// Checks variants of a program that was read.
pub(super) struct Checks<'a> {
    loaded: &'a Loaded,
    asked: &'a Asked<'a>,
    /// Number of variants that were judged.
    judged: usize,
    /// What the last check said, under each model.
    pub(super) last: Vec<Report>,
}

impl<'a> Checks<'a> {
    pub(super) fn new(loaded: &'a Loaded, asked: &'a Asked<'a>) -> Checks<'a> {
        Checks { loaded, asked, judged: 0, last: Vec::new() }
    }

    /// The check of a program under a model, in the time that is left.
    fn check(&self, model: MemoryModel) -> Check<'a> {
        self.asked.on(self.loaded, model)
    }
}

impl Oracle for Checks<'_> {
    type Error = EngineFault;

    fn judge(&mut self, subject: &RepairProblem, set: &Set) -> Result<OracleAnswer, EngineFault> {
        let variant = subject.variant(set);
        self.last.clear();
        self.judged += 1;
        // Under SC fences do nothing, and the program was checked.
        for model in self.asked.relaxed() {
            let check = self.check(model).variant(&variant, subject, set);
            if self.judged > PLAIN_ROUNDS {
                let found = small(&check)?;
                if !found.is_empty() {
                    return Ok(OracleAnswer::Violated(found));
                }
            }
            let report = check.run()?;
            let answer = answer(&report);
            self.last.push(report);
            if !matches!(answer, OracleAnswer::Holds) {
                return Ok(answer);
            }
        }
        Ok(OracleAnswer::Holds)
    }

    fn refute(
        &mut self,
        subject: &RepairProblem,
        set: &Set,
    ) -> Result<Vec<Counterexample>, EngineFault> {
        let variant = subject.variant(set);
        for model in self.asked.relaxed() {
            let check = self.check(model).variant(&variant, subject, set);
            let found = match has_small(&check) {
                true => small(&check)?,
                false => counterexamples(&check.run()?),
            };
            if !found.is_empty() {
                return Ok(found);
            }
        }
        Ok(Vec::new())
    }
}

/// Whether a check may be made with small buffers first: if stores wait for room in buffers, and states and steps alone are
/// asked about.
fn has_small(check: &Check<'_>) -> bool {
    let memory = check.memory;
    let waits = memory.model.has_bound() && memory.full_buffer == FullBuffer::Wait;
    let is_fixed = check.growing.program.replicated.is_empty();
    waits && is_fixed && !check.robust && check.runs_asked().next().is_none()
}

/// Counterexamples of a check with small buffers.
fn small(check: &Check<'_>) -> Result<Vec<Counterexample>, EngineFault> {
    let is_smaller = |small: &u32| check.memory.bound.is_none_or(|bound| *small < bound);
    for &bound in SMALL.iter().filter(|bound| has_small(check) && is_smaller(bound)) {
        let states = check.options.limits.states.map_or(FEW, |most| most.min(FEW));
        let report = check.clone().engine(Explicit).bound(bound).max_states(states).run()?;
        let found = counterexamples(&report).into_iter();
        let found: Vec<_> = found.filter_map(|found| with_memory(found, check)).collect();
        // If no buffer was ever full, larger ones make no difference.
        if !found.is_empty() || report.results.iter().all(|r| is_everything(&r.verdict)) {
            return Ok(found);
        }
    }
    Ok(Vec::new())
}

/// Whether something holds in all executions.
fn is_everything(verdict: &Verdict) -> bool {
    matches!(verdict, Verdict::Holds(coverage) if coverage.is_everything())
}

/// A counterexample with the buffers of a check, if it is one there, too: in a deadlock a process may wait for room.
fn with_memory(found: Counterexample, check: &Check<'_>) -> Option<Counterexample> {
    let trace = Trace { memory: check.memory, ..found.trace };
    replay(&found.program, &trace).is_ok().then_some(Counterexample { trace, ..found })
}

fn counterexamples(report: &Report) -> Vec<Counterexample> {
    let of = |(result, witness): (&PropertyResult, &Witness)| Counterexample {
        property: result.name.clone(),
        program: witness.program.clone(),
        trace: witness.trace.clone(),
    };
    report.violations().map(of).collect()
}

fn answer(report: &Report) -> OracleAnswer {
    let found = counterexamples(report);
    if !found.is_empty() {
        return OracleAnswer::Violated(found);
    }
    let open = report.results.iter().find(|result| result.verdict.kind() == VerdictKind::Unknown);
    match open {
        Some(result) => {
            OracleAnswer::Unknown(format!("{}: {}", result.name, result.verdict.coverage()))
        }
        None => OracleAnswer::Holds,
    }
}
