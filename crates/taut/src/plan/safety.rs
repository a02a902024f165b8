//! The search that answers all questions about states, by one engine or several.

use std::sync::Arc;
use std::time::Duration;

use taut_budget::Instant;
use taut_engine::{Engine, Explicit};
use taut_ir::FullBuffer;

use super::portfolio::Portfolio;
use super::stages::Stages;
use super::{About, SearchRecord, Task, Turn, not_asked};
use crate::check::Check;
use crate::engines::{self, EngineChoice};
use crate::outcome::{EngineFault, Report};
use crate::verdict::{PropertyResult, Unknown, Verdict};

/// All questions about states, and the answers so far.
pub(super) struct States {
    method: Method,
    /// What the last turn said.
    last: Option<Report>,
    is_done: bool,
    /// The violations that are known, each as it was first found.
    violated: Vec<PropertyResult>,
    /// Names of violations that were met in a turn whose findings depend on the order of threads. If the next turn has
    /// them, too, they lie in levels that it has finished, and they are the same on every run.
    sighted: Vec<String>,
    /// Whether the check goes on after a violation that an observer waits for: a search tells what it found when
    /// its turn ends.
    is_awaited: bool,
}

/// How states are searched.
enum Method {
    /// By one engine.
    One(Series, Box<Stages>),
    /// By several engines.
    Automatic(Box<Portfolio>),
    /// Not at all: the report says why the engine that was chosen does not know the program.
    Refused(Series, Box<Report>),
}

impl Method {
    /// The searches of the engine that was chosen.
    fn of(check: &Check<'_>) -> Method {
        match &check.engine {
            EngineChoice::Auto => Method::automatic(check),
            EngineChoice::One(engine) => match engines::supports(&**engine, &check.job()) {
                Ok(()) => Method::one(engine.clone()),
                Err(why) if why.stand_in => Method::one(Arc::new(Explicit)),
                Err(why) => {
                    let report = check.refused(&**engine, &why);
                    Method::Refused(Series::default(), Box::new(report))
                }
            },
        }
    }

    /// The one place where the engine is chosen if none is named. A bound that is given is the question, so it is the
    /// explicit search that answers. Otherwise engines without a bound take part where there are any. A program with any
    /// number of processes has one engine.
    fn automatic(check: &Check<'_>) -> Method {
        if let Some(engine) = engines::usual(check.growing.program) {
            return match engines::supports(engine, &check.job()) {
                Ok(()) => Method::one(Arc::new(engine)),
                Err(why) => {
                    Method::Refused(Series::default(), Box::new(check.refused(engine, &why)))
                }
            };
        }
        let waits = check.memory.full_buffer == FullBuffer::Wait;
        let without_bound = match waits && !check.has_bound {
            true => engines::sharing(&check.job()),
            false => Vec::new(),
        };
        match without_bound.is_empty() {
            true => Method::one(Arc::new(Explicit)),
            false => Method::Automatic(Box::new(Portfolio::new(without_bound, check))),
        }
    }

    fn one(engine: Arc<dyn Engine>) -> Method {
        Method::One(Series::default(), Box::new(Stages::new(engine)))
    }
}

/// What a turn came to.
pub(super) struct Turned {
    pub(super) report: Report,
    /// Whether the search is to be made again with a larger budget.
    pub(super) is_cut: bool,
}

impl States {
    pub(super) fn new(check: &Check<'_>) -> States {
        let is_awaited = check.options.all
            && check.is_observed()
            && check.questions(check.growing.program, true).len() > 1;
        States {
            method: Method::of(check),
            last: None,
            is_done: false,
            violated: Vec::new(),
            sighted: Vec::new(),
            is_awaited,
        }
    }

    fn turn(&mut self, turn: &Turn, check: &Check<'_>) -> Result<Turned, EngineFault> {
        match &mut self.method {
            Method::One(series, stages) => {
                series.turn(turn, check, |check| stages.go_on(check, turn))
            }
            Method::Automatic(portfolio) => portfolio.turn(turn, check),
            Method::Refused(series, report) => series.turn(turn, check, |_| Ok((**report).clone())),
        }
    }

    /// Whether every answer is a violation: no search could add anything.
    fn is_all_violated(&self) -> bool {
        let mut results = self.last.iter().flat_map(|report| &report.results).peekable();
        results.peek().is_some() && results.all(|result| self.is_known(&result.name))
    }

    fn is_known(&self, name: &str) -> bool {
        self.violated.iter().any(|known| known.name == name)
    }

    /// All answers, and the counts of the searches.
    pub(super) fn report(mut self, check: &Check<'_>) -> Report {
        let searches = self.records();
        let mut report = match self.last.take() {
            Some(report) => report,
            None => unsearched(check),
        };
        for result in &mut report.results {
            if let Some(known) = self.violated.iter().find(|known| known.name == result.name) {
                *result = known.clone();
            } else if !self.is_done && is_limited(&result.verdict) {
                *result = not_asked(result.name.clone(), result.kind);
            } else if !self.is_done {
                // It would name a budget, which is no limit that was given.
                result.note = None;
            }
        }
        Report { searches, ..report }
    }

    fn records(&self) -> Vec<SearchRecord> {
        match &self.method {
            Method::One(series, _) | Method::Refused(series, _) => {
                let last = self.last.as_ref();
                last.map(|report| series.record(report)).into_iter().collect()
            }
            Method::Automatic(portfolio) => portfolio.records(),
        }
    }
}

impl Task for States {
    fn attempt(
        &mut self,
        turn: &Turn,
        check: &Check<'_>,
    ) -> Result<Vec<PropertyResult>, EngineFault> {
        let Turned { report, is_cut } = self.turn(turn, check)?;
        let counts = !is_cut || turn.is_repeatable(check);
        let violated = report.results.iter().filter(|r| r.verdict.witness().is_some());
        let unknown: Vec<_> = violated.filter(|r| !self.is_known(&r.name)).collect();
        let is_sure = |r: &&&PropertyResult| counts || self.sighted.contains(&r.name);
        let new: Vec<PropertyResult> = unknown.iter().filter(is_sure).copied().cloned().collect();
        self.sighted = unknown.iter().map(|r| r.name.clone()).collect();
        self.violated.extend(new.iter().cloned());
        self.last = Some(report);
        self.is_done = !is_cut || self.is_all_violated();
        Ok(new)
    }

    fn is_done(&self) -> bool {
        self.is_done
    }

    fn needs_turns(&self) -> bool {
        match &self.method {
            _ if self.is_awaited => true,
            Method::One(_, stages) => stages.need_turns(),
            Method::Automatic(portfolio) => portfolio.has_rivals(),
            Method::Refused(..) => false,
        }
    }
}

/// Whether a limit left an answer open.
fn is_limited(verdict: &Verdict) -> bool {
    matches!(verdict, Verdict::Unknown(Unknown::Limit(_)))
}

/// A report of questions that no search was made for, because something else was violated first.
fn unsearched(check: &Check<'_>) -> Report {
    let program = Arc::new(check.growing.program.clone());
    let questions = check.questions(&program, check.may_fault());
    let names = questions.into_iter().map(|question| question.name_and_kind(&program));
    let results = names.map(|(name, kind)| not_asked(name, kind)).collect();
    Report { results, ..check.nothing(check.memory, program) }
}

/// One search that is made again with growing budgets.
#[derive(Default)]
pub(super) struct Series {
    turns: u32,
    time: Duration,
}

impl Series {
    /// Searches for one turn.
    pub(super) fn turn<'p>(
        &mut self,
        turn: &Turn,
        check: &Check<'p>,
        search: impl FnOnce(&Check<'p>) -> Result<Report, EngineFault>,
    ) -> Result<Turned, EngineFault> {
        let started = Instant::now();
        let report = search(&turn.limited(check))?;
        self.time += started.elapsed();
        self.turns += 1;
        let is_cut = turn.is_cut(report.limit);
        // A turn may have fewer threads than were asked for; some engines have one in any case.
        let threads = if report.is_single { 1 } else { check.options.threads };
        Ok(Turned { report: Report { threads, ..report }, is_cut })
    }

    /// Adds time that was spent on the same questions.
    pub(super) fn add(&mut self, time: Duration) {
        self.time += time;
    }

    /// The time of all turns.
    pub(super) fn time(&self) -> Duration {
        self.time
    }

    /// The counts of the search whose last turn gave a report.
    pub(super) fn record(&self, report: &Report) -> SearchRecord {
        let is_asked =
            |r: &&PropertyResult| !matches!(r.verdict, Verdict::Unknown(Unknown::NotCarried(_)));
        let questions = report.results.iter().filter(is_asked).map(|r| r.name.clone());
        let mut stats = report.stats;
        stats.time = self.time;
        SearchRecord {
            questions: questions.collect(),
            about: About::States,
            model: report.memory.model,
            robust: None,
            engine: report.engine,
            store: report.store,
            threads: report.threads,
            turns: self.turns,
            stats,
            symbolic: report.symbolic,
            dual: report.dual,
        }
    }
}
