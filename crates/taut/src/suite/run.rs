//! Running a suite: every file on its own, several at the same time, answers in the order of the files.

use std::path::{Path, PathBuf};
use std::time::Duration;

use taut_budget::{Instant, Level::Work, Met};
use taut_explicit::Limits;
use taut_ir::MemoryModel;
use taut_source::{Diagnostic, Diagnostics, SourceMap, Span, nearest};

use super::header::{Expectation, Header, Word, header};
use super::parallel;
use super::{Answer, BAD_HEADER, FileResult, Outcome, Vacuous};
use crate::annotate::{SourceLine, trace_events};
use crate::check::Check;
use crate::load::{Language, LoadError, Loaded, from_bytes};
use crate::outcome::{RACE, RaceLevel, Races, Report};
use crate::provenance::Source;
use crate::shell::quoted;
use crate::vacuity::VacuityLevel;

/// Runs some files, `jobs` of them at the same time (0: one per core). The limits hold for each check, except that
/// all that run at once share the memory. `vacuity` says what to do about what never happens, for files that do not
/// say it themselves. `done` is called after each file, in any order; what is given back
/// is in the order of the files.
pub fn run(
    files: &[PathBuf],
    jobs: usize,
    limits: &Limits,
    vacuity: VacuityLevel,
    done: impl Fn() + Sync,
) -> Result<Vec<FileResult>, String> {
    let threads = parallel::threads(jobs);
    let share = limits.bytes.map(|bytes| bytes / threads as u64);
    let limits = Limits { bytes: share, ..limits.clone() };
    let run = |file: &PathBuf| {
        let result = run_file(file, &limits, vacuity);
        done();
        result
    };
    parallel::map(files, threads, run)
}

/// Runs one file.
pub fn run_file(path: &Path, limits: &Limits, vacuity: VacuityLevel) -> FileResult {
    let started = Instant::now();
    let read = Read::new(path);
    let source = read.as_ref().ok().map(|read| Source::new(&read.name, &read.bytes));
    let outcome = read.and_then(|read| outcome(read, limits, vacuity));
    let outcome = outcome.unwrap_or_else(|outcome| outcome);
    FileResult { path: path.into(), source, outcome, time: started.elapsed() }
}

fn outcome(read: Read, limits: &Limits, vacuity: VacuityLevel) -> Result<Outcome, Outcome> {
    if read.header.expectations.is_empty() {
        return Ok(Outcome::NoExpectation);
    }
    let options = read.header.options.load_options();
    let budget = limits.budget.within(limits.time);
    let loaded = match budget.run(Work, || from_bytes(&read.name, read.bytes, options)) {
        Ok(loaded) => loaded.map_err(Outcome::Refused)?,
        Err(met) => return Ok(Outcome::Checked(unread(&read.sources, &read.header, met))),
    };
    let vacuity = read.header.options.vacuity.unwrap_or(vacuity);
    let mut answers = vec![None; read.header.expectations.len()];
    // The answer about races is the same under every memory model.
    let mut races = None;
    for model in MemoryModel::EVERY {
        let wanted: Vec<_> = indices(&read.header, model).collect();
        if wanted.is_empty() {
            continue;
        }
        let report = report(&loaded, &read.header, model, limits, vacuity, &mut races)?;
        for i in wanted {
            let expectation = &read.header.expectations[i];
            let answer = answer(&loaded, &read.header, expectation, &report);
            let answer = answer.map_err(|error| refused(&read.sources, error))?;
            let place = SourceLine::of(&read.sources, expectation.span);
            let refuses_vacuity = vacuity == VacuityLevel::Error;
            answers[i] = Some(Answer { place, refuses_vacuity, ..answer });
        }
    }
    Ok(Outcome::Checked(answers.into_iter().flatten().collect()))
}

/// The answers for a program that could not be read within the limits.
fn unread(sources: &SourceMap, header: &Header, met: Met) -> Vec<Answer> {
    let answer = |expectation: &Expectation| Answer {
        expectation: expectation.clone(),
        got: Word::Unknown,
        coverage: met.to_string(),
        properties: Vec::new(),
        time: Duration::ZERO,
        states: 0,
        transitions: 0,
        arguments: arguments(header, expectation),
        place: SourceLine::of(sources, expectation.span),
        run: Vec::new(),
        vacuity: Vec::new(),
        refuses_vacuity: false,
    };
    header.expectations.iter().map(answer).collect()
}

/// The expectations about a model.
fn indices(header: &Header, model: MemoryModel) -> impl Iterator<Item = usize> {
    let all = header.expectations.iter().enumerate();
    all.filter(move |(_, e)| e.model == model).map(|(i, _)| i)
}

/// A file and its header.
struct Read {
    name: String,
    bytes: Vec<u8>,
    /// The file as it stands on disk: a model with parameters is expanded when it is loaded.
    sources: SourceMap,
    header: Header,
}

impl Read {
    fn new(path: &Path) -> Result<Read, Outcome> {
        let name = path.display().to_string();
        let mut sources = SourceMap::new();
        let bytes = std::fs::read(path).map_err(|error| {
            let message = format!("cannot read `{name}`: {error}");
            refused(&sources, Diagnostic::error("E0004", message, Span::NONE).into())
        })?;
        let file = match sources.add_bytes(&name, bytes.clone()) {
            Ok(file) => file,
            Err(error) => return Err(refused(&sources, (*error).into())),
        };
        let language = Language::of_path(path).unwrap_or_default();
        let header = header(&sources, file, language).map_err(|e| refused(&sources, e))?;
        Ok(Read { name, bytes, sources, header })
    }
}

fn refused(sources: &SourceMap, diagnostics: Diagnostics) -> Outcome {
    Outcome::Refused(Box::new(LoadError { sources: sources.clone(), diagnostics }))
}

/// Checks a program under one model. The search may stop at the first violation unless something is expected of
/// one property: that then needs a verdict of its own.
fn report(
    loaded: &Loaded,
    header: &Header,
    model: MemoryModel,
    limits: &Limits,
    vacuity: VacuityLevel,
    races: &mut Option<Races>,
) -> Result<Report, Outcome> {
    let options = &header.options;
    let named = indices(header, model).any(|i| header.expectations[i].property.is_some());
    let mut check = Check::of(loaded)
        .model(model)
        .engine(options.engine.clone())
        .deadlock(options.deadlock)
        .asserts(options.asserts)
        .faults(options.faults)
        .robust(options.robust)
        .all(named)
        .max_states(limits.states)
        .budget(&limits.budget)
        .timeout(limits.time);
    if let Some(bound) = options.bound {
        check = check.bound(bound);
    }
    if let Some(bytes) = limits.bytes {
        check = check.max_memory(bytes);
    }
    if let Some(fairness) = options.fairness {
        check = check.fairness(fairness);
    }
    let fault = |fault| Outcome::Fault(Box::new(fault));
    let mut report = check.run().map_err(fault)?;
    match races {
        _ if !expects_races(loaded, header, model) => {}
        Some(known) => report.add_races(known.clone(), &check),
        None => {
            report = report.with_races(&check, loaded).map_err(fault)?;
            races.clone_from(&report.races);
        }
    }
    if options.certify {
        let budget = limits.budget.within(limits.time);
        report = report.certified(loaded, &budget).map_err(fault)?;
    }
    Ok(match vacuity {
        VacuityLevel::Off => report,
        VacuityLevel::Note | VacuityLevel::Error => report.with_vacuity(&check, loaded),
    })
}

/// Whether races matter to what is expected under a model.
fn expects_races(loaded: &Loaded, header: &Header, model: MemoryModel) -> bool {
    let named = |i: usize| header.expectations[i].property.as_deref() == Some(RACE);
    let is_error = RaceLevel::of(&loaded.options.values) == RaceLevel::Error;
    is_error || indices(header, model).any(named)
}

fn answer(
    loaded: &Loaded,
    header: &Header,
    expectation: &Expectation,
    report: &Report,
) -> Result<Answer, Diagnostics> {
    if report.results.is_empty() {
        let message = "nothing is asked of this program, so nothing can be expected of it";
        return Err(Diagnostic::error(BAD_HEADER, message, expectation.span)
            .help("give it a property, or leave `--no-deadlock` out")
            .into());
    }
    let got = match &expectation.property {
        Some(name) => match report.verdict(name) {
            Some(verdict) => Word::from(verdict.kind()),
            None => return Err(no_such_property(name, expectation.span, report).into()),
        },
        None => Word::from(report.verdict_kind()),
    };
    let about = |name: &str| expectation.property.as_deref().is_none_or(|p| p == name);
    let warned = report.warned().filter(|_| expectation.property.is_some());
    let results = report.results.iter().chain(warned).filter(|r| about(&r.name));
    let results: Vec<_> = results.filter(|r| Word::from(r.verdict.kind()) == got).collect();
    let mut coverage: Vec<String> = results.iter().map(|r| r.verdict.coverage()).collect();
    coverage.dedup();
    let good = matches!(got, Word::Holds | Word::Covered);
    let names = results.iter().map(|r| r.name.clone()).filter(|_| !good);
    let mut unexpected = results.iter().filter(|_| got != expectation.verdict);
    let run = unexpected.find_map(|r| r.verdict.run());
    Ok(Answer {
        expectation: expectation.clone(),
        got,
        coverage: coverage.join("; "),
        properties: names.collect(),
        time: report.stats.time,
        states: report.stats.states,
        transitions: report.stats.transitions,
        arguments: arguments(header, expectation),
        place: None,
        run: run.map(|witness| trace_events(loaded, witness)).unwrap_or_default(),
        vacuity: vacuous(loaded, report),
        refuses_vacuity: false,
    })
}

/// What never happens, with places.
fn vacuous(loaded: &Loaded, report: &Report) -> Vec<Vacuous> {
    let all = report.vacuity.iter().flat_map(|vacuity| &vacuity.list);
    all.map(|v| Vacuous { place: v.place(loaded), message: v.message.clone() }).collect()
}

/// What to type after `taut check FILE` to see the same.
fn arguments(header: &Header, expectation: &Expectation) -> String {
    let mut text = format!("--model {}", expectation.model.name());
    if let Some(property) = &expectation.property {
        text.push_str(&format!(" --property {}", quoted(property)));
    }
    if !header.options.written.is_empty() {
        text.push_str(&format!(" {}", header.options.written));
    }
    text
}

fn no_such_property(name: &str, span: Span, report: &Report) -> Diagnostic {
    let names: Vec<&str> = report.results.iter().map(|r| r.name.as_str()).collect();
    let message = format!("nothing that is asked is called `{name}`");
    let error = Diagnostic::error(BAD_HEADER, message, span).label("in this expectation");
    match nearest(name, names.iter().copied()) {
        Some(near) => error.help(format!("did you mean `{near}`?")),
        None => error.help(format!("there are `{}`", names.join("`, `"))),
    }
}
