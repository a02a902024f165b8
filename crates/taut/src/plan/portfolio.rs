//! The automatic choice of an engine.
//!
//! The explicit search is fast and covers everything as long as no buffer is full (*fitting*). As soon as one would be,
//! its answer would only be one up to the bound. Then searches take turns: those of the engines without a bound, which
//! may not end, and the explicit one up to the bound. A violation that any of them finds is one. What holds is known
//! from an engine without a bound, or else, up to the bound, from the explicit one.
//!
//! An engine takes part if it has a share ([`taut_engine::Capabilities::share`]) and knows the program. At present these
//! are the symbolic one and, under TSO, the dual one, which always ends. They take their turns in this order. Before its first
//! whole turn the symbolic one has a short one: most of what it decides it decides soon, and where it does not, the
//! dual one need not wait.
//!
//! Before them comes the short cut for robust programs ([`Shortcut`]), with a small part of each turn. Where the code alone
//! shows that a program is robust, it answers also in place of a fitting search that is too large for a first turn: the
//! states under SC are some of those with buffers.

use std::time::Duration;

use taut_budget::Instant;
use taut_engine::{Engine, Explicit, Share};

use super::safety::{Series, Turned};
use super::shortcut::Shortcut;
use super::turn::FIRST_BUDGET;
use super::{SearchRecord, Turn};
use crate::check::Check;
use crate::outcome::{EngineFault, Report};
use crate::verdict::{PropertyResult, Verdict};

/// The searches of the automatic choice.
pub(super) struct Portfolio {
    /// Whether a buffer was full in the fitting search.
    is_full: bool,
    fitting: Series,
    /// The searches without a bound; there is one at least.
    unbounded: Vec<Rival>,
    /// Whether the first of them has had its short turn.
    had_short_turn: bool,
    /// The explicit search up to the bound.
    bounded: Rival,
    /// The time that was left when the rivals began.
    time: Option<Duration>,
    /// The last report of the fitting search.
    fits: Option<Report>,
    /// The short cut for robust programs, as long as it may answer.
    shortcut: Option<Shortcut>,
    /// Whether the short cut answers in place of a fitting search.
    is_short: bool,
}

/// States of the first engine without a bound before the others have their first turn: some hundredths of a second.
const SHORT_TURN: u64 = 1_000;

/// One of the searches that take turns.
struct Rival {
    engine: &'static dyn Engine,
    share: Share,
    series: Series,
    last: Option<Report>,
    is_done: bool,
}

impl Rival {
    fn new(engine: &'static dyn Engine) -> Rival {
        let share = engine.capabilities().share.unwrap_or(Share { price: 1, most: u64::MAX });
        Rival { engine, share, series: Series::default(), last: None, is_done: false }
    }

    /// Searches for one turn.
    fn search(&mut self, turn: &Turn, check: &Check<'_>) -> Result<(), EngineFault> {
        let (engine, most) = (self.engine, self.share.most);
        let Turned { report, is_cut } = self.series.turn(turn, check, |check| {
            let mut job = check.job();
            let states = &mut job.options.limits.states;
            if most < u64::MAX {
                *states = Some(states.map_or(most, |given| given.min(most)));
            }
            check.by(engine, &job)
        })?;
        self.is_done = !is_cut;
        self.last = Some(report);
        Ok(())
    }

    /// The turn in the engine's own states: smaller, or the last one if the most that is spent fits into it.
    fn own(&self, turn: &Turn) -> Turn {
        let small = turn.with_budget(|budget| budget / self.share.price);
        let is_last = small.budget().is_none_or(|budget| budget >= self.share.most);
        if is_last { turn.without_budget() } else { small }
    }
}

impl Portfolio {
    /// The explicit engine and some without a bound.
    pub(super) fn new(unbounded: Vec<&'static dyn Engine>, check: &Check<'_>) -> Portfolio {
        debug_assert!(!unbounded.is_empty(), "without them the explicit search answers alone");
        Portfolio {
            is_full: false,
            fitting: Series::default(),
            unbounded: unbounded.into_iter().map(Rival::new).collect(),
            had_short_turn: false,
            bounded: Rival::new(&Explicit),
            time: None,
            fits: None,
            shortcut: Shortcut::of(check),
            is_short: false,
        }
    }

    /// Whether searches take turns.
    pub(super) fn has_rivals(&self) -> bool {
        self.is_full
    }

    /// Searches for one turn.
    pub(super) fn turn(&mut self, turn: &Turn, check: &Check<'_>) -> Result<Turned, EngineFault> {
        if self.is_full {
            return self.rivals(turn, check);
        }
        let started = Instant::now();
        if self.is_short
            && let Some(turned) = self.shortcut(turn, check)?
        {
            return Ok(turned);
        }
        let mut is_full = false;
        let first = self.first(turn, check);
        let turned = self.fitting.turn(first.as_ref().unwrap_or(turn), check, |check| {
            let fitting = check.fitting()?;
            is_full = fitting.is_none();
            // Nothing is read from this one: the rivals answer the same questions.
            Ok(fitting.unwrap_or_else(|| check.nothing_yet()))
        })?;
        if !is_full && first.is_some() && turned.is_cut {
            self.is_short = true;
            return self.turn(&turn.after(started.elapsed()), check);
        }
        if !is_full {
            self.fits = Some(turned.report.clone());
            return Ok(turned);
        }
        let turn = turn.after(started.elapsed()).with_some_budget(check);
        self.is_full = true;
        self.time = turn.time();
        self.fits = None;
        if let Some(first) = self.unbounded.first_mut() {
            first.series.add(self.fitting.time());
        }
        self.rivals(&turn, check)
    }

    /// The first turn of a fitting search, if the short cut answers where that is not enough.
    fn first(&self, turn: &Turn, check: &Check<'_>) -> Option<Turn> {
        let is_kept = check.options.limits.checkpoints.is_some();
        let is_short = self.shortcut.as_ref().is_some_and(Shortcut::is_by_code);
        let first = turn.with_some_budget(check).with_budget(|budget| budget.min(FIRST_BUDGET));
        (is_short && !is_kept && first.budget().is_some()).then_some(first)
    }

    /// One turn of the short cut in place of a fitting search; none if it does not answer.
    fn shortcut(&mut self, turn: &Turn, check: &Check<'_>) -> Result<Option<Turned>, EngineFault> {
        let Some(shortcut) = &mut self.shortcut else { return Ok(None) };
        let turned = shortcut.alone(turn, check)?;
        if turned.is_none() {
            self.shortcut = None;
        }
        Ok(turned)
    }

    /// One turn of each rival.
    fn rivals(&mut self, turn: &Turn, check: &Check<'_>) -> Result<Turned, EngineFault> {
        let started = Instant::now();
        if let Some(shortcut) = &mut self.shortcut {
            let quarter = self.time.map(|time| (time / 4).saturating_sub(shortcut.time()));
            if let Some(report) = shortcut.turn(&turn.within(quarter), check)? {
                return Ok(Turned { report, is_cut: false });
            }
        }
        for (rival, turn) in self.order(turn) {
            if !self.unbounded[rival].is_done {
                self.without_bound(rival, &turn.after(started.elapsed()), check)?;
            }
            let last = self.unbounded[rival].last.as_ref();
            if let Some(report) = last.filter(|report| check.is_answered_by(report)) {
                return Ok(Turned { report: report.clone(), is_cut: false });
            }
        }
        if !self.bounded.is_done {
            self.bounded.search(&turn.after(started.elapsed()), check)?;
        }
        Ok(self.combined(check))
    }

    /// The searches without a bound in their order, each with its turn.
    fn order(&mut self, turn: &Turn) -> Vec<(usize, Turn)> {
        let all = (0..self.unbounded.len()).map(|rival| (rival, turn.clone()));
        let others_wait = self.unbounded.len() > 1 && turn.budget().is_some();
        if !others_wait || std::mem::replace(&mut self.had_short_turn, true) {
            return all.collect();
        }
        let price = self.unbounded[0].share.price;
        let short = turn.with_budget(|budget| budget.min(SHORT_TURN.saturating_mul(price)));
        let first = std::iter::once((0, short));
        first.chain(all.clone().skip(1)).chain(all.take(1)).collect()
    }

    /// One turn of a search without a bound.
    fn without_bound(
        &mut self,
        rival: usize,
        turn: &Turn,
        check: &Check<'_>,
    ) -> Result<(), EngineFault> {
        // The other half is for an answer up to the bound, which is better than none.
        let half = match self.bounded.is_done {
            true => None,
            false => self.time.map(|time| (time / 2).saturating_sub(self.spent())),
        };
        let rival = &mut self.unbounded[rival];
        let own = rival.own(turn).within(half);
        rival.search(&own, check)
    }

    /// The time that searches without a bound have had.
    fn spent(&self) -> Duration {
        let all: Duration = self.unbounded.iter().map(|rival| rival.series.time()).sum();
        all.saturating_sub(self.fitting.time())
    }

    /// What all rivals say together.
    fn combined(&self, check: &Check<'_>) -> Turned {
        let Some(bounded) = self.bounded.last.clone() else {
            unreachable!("every rival has had a turn")
        };
        // The first engine's note stands if none of them has an answer.
        let better = self.unbounded.iter().rev().filter_map(|rival| rival.last.as_ref());
        let report = better.fold(bounded, |report, unbounded| combine(unbounded, &report));
        let are_done = self.bounded.is_done && self.unbounded.iter().all(|rival| rival.is_done);
        // An answer up to the bound does not end the search for a better one; a violation is as good as any.
        let is_enough = report.is_violated() && !check.options.all;
        Turned { report, is_cut: !are_done && !is_enough }
    }

    /// The counts of each search.
    pub(super) fn records(&self) -> Vec<SearchRecord> {
        let fits = self.fits.iter().map(|report| self.fitting.record(report));
        let rivals = self.unbounded.iter().chain([&self.bounded]);
        let rivals = rivals.filter_map(|r| Some(r.series.record(r.last.as_ref()?)));
        let is_alone = self.is_short && !self.is_full;
        let short = self.shortcut.iter().filter_map(|short| short.record(is_alone));
        fits.chain(rivals).chain(short).collect()
    }
}

/// The answers without a bound, and up to the bound what they leave open.
fn combine(unbounded: &Report, bounded: &Report) -> Report {
    let answer = |result: &PropertyResult| {
        let open = unbounded.results.iter().find(|s| s.name == result.name);
        match open {
            Some(open) if is_answer(&open.verdict) => open.clone(),
            // An answer of another engine without a bound needs no note.
            Some(open) if matches!(&result.verdict, Verdict::Holds(c) if !c.is_everything()) => {
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
