//! The automatic choice of an engine.
//!
//! The explicit search is fast and covers everything as long as no buffer is full (*fitting*). As soon as one would be,
//! its answer would only be one up to the bound. Then two searches take turns: the symbolic one, which has no bound but
//! may not end, and the explicit one up to the bound. A violation that either of them finds is one. What holds is known
//! from the symbolic search, or else, up to the bound, from the explicit one.

use std::time::{Duration, Instant};

use super::safety::{Series, Turned};
use super::{SearchRecord, Turn};
use crate::check::{Check, EngineFault, Report};
use crate::verdict::{PropertyResult, Verdict};

/// Symbolic states that are spent before the answer up to the bound has to do.
const MOST_SYMBOLIC: u64 = 50_000;

/// Budgets of the symbolic search are divided by this, because a symbolic state takes longer than an explicit one. It takes
/// even longer than so many of them; but the symbolic answer is the better one, so it gets more than its share.
const SYMBOLIC_PRICE: u64 = 8;

/// The searches of the automatic choice.
#[derive(Default)]
pub(super) struct Portfolio {
    /// Whether a buffer was full in the fitting search.
    is_full: bool,
    fitting: Series,
    symbolic: Rival,
    bounded: Rival,
    /// The time that was left when the two rivals began.
    time: Option<Duration>,
    /// The last report of the fitting search.
    fits: Option<Report>,
}

/// One of the two searches that take turns.
#[derive(Default)]
struct Rival {
    series: Series,
    last: Option<Report>,
    is_done: bool,
}

impl Rival {
    fn take(&mut self, turned: Turned) {
        self.is_done = !turned.is_cut;
        self.last = Some(turned.report);
    }
}

impl Portfolio {
    /// Whether two searches take turns.
    pub(super) fn has_rivals(&self) -> bool {
        self.is_full
    }

    /// Searches for one turn.
    pub(super) fn turn(&mut self, turn: &Turn, check: &Check<'_>) -> Result<Turned, EngineFault> {
        if self.is_full {
            return self.rivals(turn, check);
        }
        let started = Instant::now();
        let mut is_full = false;
        let turned = self.fitting.turn(turn, check, |check| {
            let fitting = check.fitting()?;
            is_full = fitting.is_none();
            // Nothing is read from this one: the rivals answer the same questions.
            Ok(fitting.unwrap_or_else(|| check.nothing_yet()))
        })?;
        if !is_full {
            self.fits = Some(turned.report.clone());
            return Ok(turned);
        }
        let turn = turn.after(started.elapsed()).with_some_budget(check);
        self.is_full = true;
        self.time = turn.time();
        self.fits = None;
        self.symbolic.series.add(self.fitting.time());
        self.rivals(&turn, check)
    }

    /// One turn of each rival.
    fn rivals(&mut self, turn: &Turn, check: &Check<'_>) -> Result<Turned, EngineFault> {
        let started = Instant::now();
        if !self.symbolic.is_done {
            self.symbolic(turn, check)?;
        }
        let ends = self.symbolic.last.as_ref().filter(|report| check.is_answered_by(report));
        if let Some(report) = ends {
            return Ok(Turned { report: report.clone(), is_cut: false });
        }
        if !self.bounded.is_done {
            let turn = turn.after(started.elapsed());
            let turned = self.bounded.series.turn(&turn, check, |check| check.explicit())?;
            self.bounded.take(turned);
        }
        Ok(self.combined(check))
    }

    fn symbolic(&mut self, turn: &Turn, check: &Check<'_>) -> Result<(), EngineFault> {
        let small = turn.with_budget(|budget| budget / SYMBOLIC_PRICE);
        let is_last = small.budget().is_none_or(|budget| budget >= MOST_SYMBOLIC);
        let turn = if is_last { turn.without_budget() } else { small };
        // The other half is for an answer up to the bound, which is better than none.
        let half = match self.bounded.is_done {
            true => None,
            false => self.time.map(|time| (time / 2).saturating_sub(self.spent())),
        };
        let turned = self.symbolic.series.turn(&turn.within(half), check, |check| {
            let states = check.options.limits.states;
            let states = Some(states.map_or(MOST_SYMBOLIC, |most| most.min(MOST_SYMBOLIC)));
            check.clone().max_states(states).symbolic()
        })?;
        self.symbolic.take(turned);
        Ok(())
    }

    /// The time that the symbolic search has had.
    fn spent(&self) -> Duration {
        self.symbolic.series.time().saturating_sub(self.fitting.time())
    }

    /// What both rivals say together.
    fn combined(&self, check: &Check<'_>) -> Turned {
        let reports = (&self.symbolic.last, &self.bounded.last);
        let (Some(symbolic), Some(bounded)) = reports else {
            unreachable!("both rivals have had a turn")
        };
        let report = combine(symbolic, bounded);
        let are_done = self.symbolic.is_done && self.bounded.is_done;
        // An answer up to the bound does not end the search for a better one; a violation is as good as any.
        let is_enough = report.is_violated() && !check.options.all;
        Turned { report, is_cut: !are_done && !is_enough }
    }

    /// The counts of each search.
    pub(super) fn records(&self) -> Vec<SearchRecord> {
        let fits = self.fits.iter().map(|report| self.fitting.record(report));
        let rivals = [&self.symbolic, &self.bounded];
        let rivals = rivals.into_iter().filter_map(|r| Some(r.series.record(r.last.as_ref()?)));
        fits.chain(rivals).collect()
    }
}

/// The symbolic answers, and up to the bound what they leave open.
fn combine(symbolic: &Report, bounded: &Report) -> Report {
    let answer = |result: &PropertyResult| {
        let open = symbolic.results.iter().find(|s| s.name == result.name);
        match open {
            Some(open) if is_answer(&open.verdict) => open.clone(),
            Some(open) if matches!(result.verdict, Verdict::Holds(_)) => {
                let why = open.verdict.coverage();
                let note = match &open.note {
                    Some(note) => format!("without a bound, {why}; {note}"),
                    None => format!("without a bound, {why}"),
                };
                PropertyResult { note: Some(note), ..result.clone() }
            }
            _ => result.clone(),
        }
    };
    let results = bounded.results.iter().map(answer).collect();
    Report { results, ..bounded.clone() }
}

fn is_answer(verdict: &Verdict) -> bool {
    matches!(verdict, Verdict::Holds(_) | Verdict::Violated(_))
}
