//! What ended runs early, in the coverage of every answer.
//!
//! A step that faults, and a store into a full buffer where that is an error, end a run. What the run would have done
//! afterwards was not looked at by any search. So a `holds` covers all executions only if it is known that no run
//! ends like that.
//!
//! It is known if the question about faults was answered with `holds`, for all the runs that the other answer covers.
//! In every other case it is not: a fault was found, a limit ended the search for it, the check ended at another
//! violation, or `--no-fault` left the question out. Then the coverage is *runs without a fault*. Programs that cannot
//! fault by a look at their code are not asked, and need no such words.
//!
//! Bounds that hold a step back (buffers, threads, calls) are noted by the search that met them, of states and of runs
//! alike, and are in the coverage already. In no language does an `assume` end a run: it waits, and a process that
//! waits for ever is in a deadlock.

use crate::check::Check;
use crate::outcome::Report;
use crate::verdict::{Coverage, PropertyResult, QuestionKind, Verdict};

/// Names what ended runs in the coverage of every answer.
pub(super) fn name(check: &Check<'_>, report: &mut Report) {
    // A program that looks for races does nothing else: what ends its runs is known from the check that it belongs to.
    if check.growing.program.races.is_some() {
        return;
    }
    let faults =
        Known::of(report, QuestionKind::Fault, || check.asks_faults() || !check.may_fault());
    let full = Known::of(report, QuestionKind::FullBuffer, || !check.asks_full_buffer());
    let bound = check.memory.bound;
    for result in &mut report.results {
        let kind = result.kind;
        let Verdict::Holds(coverage) = &mut result.verdict else { continue };
        if kind != QuestionKind::Fault {
            coverage.without_fault = !faults.covers(coverage);
        }
        // Runs within the bound are those in which no store met a full buffer.
        if kind != QuestionKind::FullBuffer && !full.covers(coverage) {
            coverage.buffer = coverage.buffer.or(bound);
        }
    }
}

/// What is known about steps that end a run.
enum Known {
    /// No run that this covers has one.
    Absent(Coverage),
    /// Some run may have one.
    Possible,
}

impl Known {
    /// What a report says of a kind of question; and where it was no question, whether there cannot be any.
    fn of(report: &Report, kind: QuestionKind, cannot: impl FnOnce() -> bool) -> Known {
        let of_kind = |r: &&PropertyResult| r.kind == kind;
        match report.results.iter().find(of_kind).map(|result| &result.verdict) {
            Some(Verdict::Holds(coverage)) => Known::Absent(coverage.clone()),
            Some(_) => Known::Possible,
            None if cannot() => Known::Absent(Coverage::default()),
            None => Known::Possible,
        }
    }

    /// Whether no run with that coverage ends like that.
    fn covers(&self, coverage: &Coverage) -> bool {
        matches!(self, Known::Absent(known) if coverage.is_within(known))
    }
}
