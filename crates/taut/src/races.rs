//! Data races: the question `race`, for languages that have plain accesses.
//!
//! A front end gives a second program, which looks for races ([`taut_ir::frontend::RaceProgram`]). It is an ordinary program with
//! one property. It is searched after all other questions, under sequential consistency whatever the memory model of the
//! check is: a race is a mistake of the program, and the standard says what it is without store buffers. Its run is replayed
//! like any other.
//!
//! Where a race is a warning, the search has a budget of states, so that it never takes much longer than the answers
//! that were asked for. A budget that was met leaves the question open.

use taut_budget::{Level, Met};
use taut_engine::Explicit;
use taut_explicit::{Order, Stats};
use taut_ir::frontend::{RaceProgram, ReadModel};
use taut_ir::lint::codes;
use taut_ir::{Memory, MemoryModel};
use taut_source::Diagnostic;

use crate::check::Check;
use crate::counts::sum;
use crate::engines::EngineChoice;
use crate::load::Loaded;
use crate::outcome::{About, EngineFault, RACE, RaceLevel, Races, Report, SearchRecord};
use crate::verdict::{Coverage, PropertyResult, QuestionKind, Unknown, Verdict};

/// States that the search may always store, where a race is a warning.
const LEAST_STATES: u64 = 200_000;
/// States that it may store per state of the check.
const SHARE: u64 = 8;

impl Report {
    /// The report with the answer about data races, found within the limits of a check. It is the same under every memory
    /// model, so one report of a command is enough.
    pub fn with_races(mut self, check: &Check<'_>, loaded: &Loaded) -> Result<Report, EngineFault> {
        let level = match RaceLevel::of(&loaded.options.values) {
            _ if !check.is_named(RACE) => return Ok(self),
            // Asked for by name, it is a question like any other.
            _ if check.is_chosen(RACE) => RaceLevel::Error,
            RaceLevel::Off => return Ok(self),
            level => level,
        };
        if let Some(races) = look(&self, level, check, loaded)? {
            self.add_races(races, check);
        }
        Ok(self)
    }

    /// Adds the answer about data races.
    pub(crate) fn add_races(&mut self, races: Races, check: &Check<'_>) {
        if races.level == RaceLevel::Error {
            self.results.push(races.result.clone());
            if let Some(stats) = races.stats {
                self.searches.push(record(check, stats));
                self.stats = sum(self.stats, stats);
            }
        }
        self.races = Some(races);
    }

    /// The answer about data races where a race is a warning: it is none of the [results](Report::results).
    pub fn warned(&self) -> Option<&PropertyResult> {
        let races = self.races.as_ref().filter(|races| races.level == RaceLevel::Warn)?;
        Some(&races.result)
    }

    /// The warning about a race, where it is no more than that.
    pub fn race_warning(&self) -> Option<Diagnostic> {
        let races = self.races.as_ref().filter(|races| races.level == RaceLevel::Warn)?;
        let race = races.race.as_ref()?;
        let (first, second) = (&race.first, &race.second);
        let warning = Diagnostic::warning(codes::RACE, format!("data race: {race}"), second.span);
        let words =
            |access: &taut_render::RacingAccess| format!("{}'s {}", access.process, access.words);
        let warning = warning.label(words(second)).help(
            "make both accesses atomic, or order them by a lock or by release and acquire; `--races error` shows a run, `--races off` \
             does not look",
        );
        let apart = first.span != second.span;
        Some(if apart { warning.related(first.span, words(first)) } else { warning })
    }
}

impl Loaded {
    /// The same file with the program that looks for data races; none if there is none.
    pub fn watching_races(&self) -> Option<Loaded> {
        match self.model.races(&self.sources) {
            RaceProgram::Search(model) => Some(self.with_model(*model)),
            _ => None,
        }
    }

    /// Whether data races are a question about the program.
    pub fn asks_races(&self) -> bool {
        let has_option =
            self.language.options().iter().any(|o| o.name == taut_ir::frontend::RACES.name);
        has_option && RaceLevel::of(&self.options.values) != RaceLevel::Off
    }
}

/// Looks for a race; none if the language has none.
fn look(
    report: &Report,
    level: RaceLevel,
    check: &Check<'_>,
    loaded: &Loaded,
) -> Result<Option<Races>, EngineFault> {
    if level == RaceLevel::Error && report.is_violated() && !check.options.all {
        return Ok(Some(answer(level, Verdict::NotAsked)));
    }
    let budget = check.whole_budget();
    let program = budget.run(Level::Work, || loaded.model.races(&loaded.sources));
    Ok(match program {
        Err(met) => Some(answer(level, spent(met))),
        Ok(RaceProgram::NoQuestion) => None,
        Ok(RaceProgram::None) => Some(answer(level, Verdict::Holds(Coverage::default()))),
        Ok(RaceProgram::TooLarge) => {
            let why = "the program that looks for races is too large".into();
            Some(answer(level, Verdict::Unknown(Unknown::Unsupported(why))))
        }
        Ok(RaceProgram::Search(model)) => Some(search(report, level, check, loaded, *model)?),
    })
}

fn spent(met: Met) -> Verdict {
    Verdict::Unknown(Unknown::Spent(met))
}

/// An answer without a search.
fn answer(level: RaceLevel, verdict: Verdict) -> Races {
    let kind = QuestionKind::Race;
    let result = PropertyResult { name: RACE.into(), kind, verdict, stats: None, note: None };
    Races { level, result, race: None, stats: None }
}

/// Searches the program that looks for races.
fn search(
    report: &Report,
    level: RaceLevel,
    check: &Check<'_>,
    loaded: &Loaded,
    model: ReadModel,
) -> Result<Races, EngineFault> {
    let watching = loaded.with_model(model);
    let found = configured(report, level, check, &watching).run()?;
    let result = found.results.into_iter().find(|result| result.name == RACE);
    let Some(mut result) = result else {
        debug_assert!(false, "the program has one question");
        return Ok(answer(level, Verdict::NotAsked));
    };
    result.kind = QuestionKind::Race;
    if let Verdict::Holds(coverage) = &mut result.verdict {
        coverage.only_sc = true;
        coverage.without_fault = !is_without_fault(report);
    }
    let race = result.verdict.witness().and_then(|w| taut_render::race(w.view(loaded)));
    Ok(Races { level, result, race, stats: Some(found.stats) })
}

/// The check of the program that looks for races.
fn configured<'w>(
    report: &Report,
    level: RaceLevel,
    check: &Check<'_>,
    watching: &'w Loaded,
) -> Check<'w> {
    let mut search = check.on(watching).only(Vec::new()).order(Order::Bfs);
    search.memory = Memory::new(MemoryModel::Sc);
    search.engine = EngineChoice::Auto;
    (search.asserts, search.temporal, search.faults) = (true, false, false);
    let options = &mut search.options;
    (options.deadlock, options.all, options.whole) = (false, false, false);
    options.limits.checkpoints = None;
    if level == RaceLevel::Warn {
        let most = report.stats.states.saturating_mul(SHARE).max(LEAST_STATES);
        let states = &mut options.limits.states;
        *states = Some(states.map_or(most, |given| given.min(most)));
    }
    search
}

/// Whether no run ends at a fault. What is known of a weaker memory model is known of sequential consistency.
pub(crate) fn is_without_fault(report: &Report) -> bool {
    let mut answers = report.results.iter().filter(|r| r.kind == QuestionKind::Fault);
    match answers.next().map(|result| &result.verdict) {
        Some(Verdict::Holds(coverage)) => coverage.is_everything(),
        Some(_) => false,
        None => !taut_ir::may_fault(&report.program),
    }
}

/// The counts of the search.
fn record(check: &Check<'_>, stats: Stats) -> SearchRecord {
    SearchRecord {
        questions: vec![RACE.into()],
        about: About::States,
        model: check.memory.model,
        robust: None,
        engine: Explicit::ID,
        store: check.options.store,
        threads: check.options.threads,
        turns: 1,
        stats,
        symbolic: None,
        dual: None,
    }
}
