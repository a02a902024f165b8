//! `taut check`: one program under one or all memory models.

use taut::annotate::Annotations;
use taut::render::{LaneOptions, lanes};
use taut::search::limits::Seconds;
use taut::{Check, EngineChoice, EngineFault, Loaded, Memory, PropertyResult, Report, Verdict};

use super::annotate::Annotator;
use super::args::{CheckArgs, CheckFormat, ModelArg, SearchArgs};
use super::checkpoint::{self, Found, Keeping};
use super::columns::{Cell, render, thousands};
use super::command;
use super::compare::verdicts;
use super::exit::Exit;
use super::facts;
use super::files;
use super::input::warn_of;
use super::json;
use super::output::{eprint, is_styled, outcome, paint, print, verdict_style, width, write_all};
use super::progress;
use super::provenance;
use super::refused::Refused;
use super::report;
use super::scope;
use super::stats;
use super::suite;
use super::vacuity;

/// Runs the command.
pub fn run(args: &CheckArgs) -> Exit {
    if let Err(exit) = suite::refuse_options(args) {
        return exit;
    }
    if args.checking.input.file.is_dir() {
        return suite::run(args);
    }
    match check(args, None) {
        Ok(exit) | Err(exit) => exit,
    }
}

/// Goes on with a check.
pub fn resume(args: &CheckArgs, found: Found) -> Exit {
    match check(args, Some(found)) {
        Ok(exit) | Err(exit) => exit,
    }
}

fn check(args: &CheckArgs, found: Option<Found>) -> Result<Exit, Exit> {
    let checking = &args.checking;
    let annotator = Annotator::new(args.format, &args.sarif);
    let refuse = |refused: Refused| annotator.refuse(&refused);
    let fault = |fault: EngineFault| annotator.fault(&fault);
    refuse_stats(args).map_err(refuse)?;
    checkpoint::refuse(args).map_err(refuse)?;
    let loaded = checking.load().map_err(refuse)?;
    let budget = command::budget();
    let asked = args.model.or_else(|| loaded.memory_model().map(ModelArg::One));
    let models = asked.unwrap_or_else(|| default_model(&checking.search)).models();
    checking.together(&loaded, models).map_err(refuse)?;
    let keeping = match found {
        Some(found) => Keeping::again(found, args.checkpoint.every, &loaded).map(Some),
        None => Keeping::of(args, &loaded),
    };
    let keeping = keeping.map_err(refuse)?;
    let checkpoints = || keeping.as_ref().map(Keeping::checkpoints);
    if !annotator.takes_messages() {
        warn_of(&loaded, models);
    }
    let mut reports = Vec::new();
    let check =
        |model| checking.check(&loaded, model, &budget).all(args.all).checkpoints(checkpoints());
    for (i, &model) in models.iter().enumerate() {
        // Each memory model has its share of the time that is left, so that none keeps the others from an answer.
        let share = budget.share(models.len() - i);
        let check = check(model).budget(&share);
        let check = match args.format {
            CheckFormat::Text => check.observe(|memory, result| {
                progress::above(&violation(&loaded, memory, result));
            }),
            CheckFormat::Json | CheckFormat::Sarif | CheckFormat::Github => check,
        };
        let report = progress::watch(check, |check| check.run()).map_err(fault)?;
        let probed = checking.check(&loaded, model, &share).checkpoints(checkpoints());
        let report = args.vacuity.look(report, &probed, &loaded);
        if args.format == CheckFormat::Json {
            print(&json::line(&loaded, &report));
        }
        reports.push(report);
    }
    if args.format == CheckFormat::Text {
        print(&summary(&loaded, &reports));
        print(&provenance::line(&loaded, &reports));
        print(&notes(&reports));
        if args.all {
            print(&format!("\n{}", verdicts(&reports)));
        }
        if args.stats {
            print(&stats::text(&reports));
        }
        print(&vacuity::text(&loaded, &reports));
        print(&facts::paragraphs(&loaded, &reports));
    }
    if let Some(path) = &args.trace
        && let Err(error) = write_trace(path, &loaded, &reports)
    {
        eprint(&format!("error: cannot write `{}`: {error}\n", path.display()));
        return Err(Exit::NotWritten);
    }
    let compared = |model| beside(check(model), &checking.search).checkpoints(None);
    let exit = report::write(&args.report, &loaded, &reports, compared).map_err(fault)?;
    let exit = reports.iter().map(Exit::of).max().unwrap_or(Exit::Holds).max(exit);
    let exit = exit.max(args.vacuity.exit(&reports));
    let level = args.vacuity.level();
    let annotations =
        || Annotations::of_reports(&loaded, &reports).with_vacuity(&loaded, &reports, level);
    let exit = annotator.deliver(exit, annotations);
    if let Some(keeping) = keeping {
        let is_written = exit.max(outcome()) < Exit::BadInput;
        let line = keeping.end(&reports, is_written);
        write_all(&line.unwrap_or_default(), args.format != CheckFormat::Text);
    }
    Ok(exit)
}

/// Refuses statistics where nothing would print them.
fn refuse_stats(args: &CheckArgs) -> Result<(), Refused> {
    let is_printed = matches!(args.format, CheckFormat::Text | CheckFormat::Json);
    match args.stats && !is_printed {
        true => Err(Refused::Message(
            "--stats is for `--format text`; `--format json` has them always".into(),
        )),
        false => Ok(()),
    }
}

/// A check of a model to compare with: an engine that is for one model alone is left out.
pub fn beside<'l>(check: Check<'l>, search: &SearchArgs) -> Check<'l> {
    match scope::only_model(search) {
        Some(_) => check.engine(EngineChoice::Auto),
        None => check,
    }
}

/// The models that are meant if none is named.
fn default_model(search: &SearchArgs) -> ModelArg {
    scope::only_model(search).map_or(ModelArg::All, ModelArg::One)
}

/// Shows a fault of Taut's own.
pub fn internal(fault: &taut::EngineFault) -> Exit {
    eprint(&format!(
        "internal error: {fault}\nThis is a bug in Taut: the verdict is withheld. Please report it with the program.\n"
    ));
    Exit::Internal
}

/// The runs of a report's violations.
pub fn violations(loaded: &Loaded, report: &Report) -> String {
    report.violations().map(|(result, _)| violation(loaded, report.memory, result)).collect()
}

/// The run of a violation, with a title; nothing for other answers.
fn violation(loaded: &Loaded, memory: Memory, result: &PropertyResult) -> String {
    let Some(witness) = result.verdict.witness() else { return String::new() };
    let styled = is_styled();
    let title = format!("{}: {} violated", memory.model.name().to_uppercase(), result.name);
    let title = paint(&title, verdict_style("violated"), styled);
    let options = LaneOptions { width: width(), styled };
    let finding = &witness.trace.finding;
    let run = lanes(&witness.program, &loaded.sources, &witness.run, finding, options);
    format!("{title}\n\n{run}\n")
}

/// One row per model.
pub fn summary(loaded: &Loaded, reports: &[Report]) -> String {
    let header =
        ["model", "verdict", "property", "states", "transitions", "depth", "time", "coverage"];
    let mut rows = vec![header.map(Cell::new).into_iter().collect::<Vec<_>>()];
    for i in [3, 4, 5, 6] {
        rows[0][i] = Cell::right(header[i]);
    }
    rows.extend(reports.iter().map(row));
    format!("{}\n{}", loaded.name, render(&rows, is_styled()))
}

fn row(report: &Report) -> Vec<Cell> {
    let (verdict, properties, coverage) = overall(report);
    vec![
        Cell::new(report.memory.model.name()),
        Cell::new(verdict).styled(verdict_style(verdict)),
        Cell::new(properties),
        Cell::right(thousands(report.stats.states)),
        Cell::right(thousands(report.stats.transitions)),
        Cell::right(thousands(report.stats.depth)),
        Cell::right(Seconds(report.stats.time).to_string()),
        Cell::new(coverage),
    ]
}

/// A report in one verdict: what is violated, else what is unknown, else what holds.
fn overall(report: &Report) -> (&'static str, String, String) {
    let violated: Vec<_> = report.violations().map(|(r, _)| r.name.as_str()).collect();
    if !violated.is_empty() {
        let shortest = report.violations().min_by_key(|(_, w)| w.trace.actions.len());
        let run = shortest.map_or_else(String::new, |(r, _)| r.verdict.coverage());
        return ("violated", violated.join(", "), run + &left_open(report));
    }
    let word = if report.is_unknown() { "unknown" } else { "holds" };
    let of_word = report.results.iter().filter(|r| r.verdict.word() == word);
    let names: Vec<_> = of_word.clone().map(|r| r.name.as_str()).collect();
    (word, names.join(", "), coverages(of_word))
}

/// What some answers cover, without repetition.
pub fn coverages<'r>(results: impl Iterator<Item = &'r PropertyResult>) -> String {
    let mut all: Vec<String> = Vec::new();
    for coverage in results.map(|r| r.verdict.coverage()) {
        if !all.contains(&coverage) {
            all.push(coverage);
        }
    }
    if all.is_empty() { "nothing was asked".into() } else { all.join("; ") }
}

/// What a limit left open beside a violation, and what was not asked after it.
fn left_open(report: &Report) -> String {
    let names = |is_meant: fn(&Verdict) -> bool| {
        let meant = report.results.iter().filter(|r| is_meant(&r.verdict));
        meant.map(|r| r.name.as_str()).collect::<Vec<_>>().join(", ")
    };
    let mut text = String::new();
    if let Some(first) = report.results.iter().find(|r| r.verdict.is_open()) {
        let why = first.verdict.coverage();
        text = format!("; {} unknown: {why}", names(Verdict::is_open));
    }
    let not_asked = names(|verdict| matches!(verdict, Verdict::NotAsked));
    if !not_asked.is_empty() {
        text.push_str(&format!("; {not_asked} not asked"));
    }
    text
}

/// What else is to be said about the searches.
fn notes(reports: &[Report]) -> String {
    let mut text = String::new();
    for report in reports {
        for result in &report.results {
            if let Some(note) = &result.note {
                let model = report.memory.model.name();
                text.push_str(&format!("  note: {model}, {}: {note}\n", result.name));
            }
        }
    }
    text
}

/// Writes the first violating run, if there is one.
fn write_trace(path: &std::path::Path, loaded: &Loaded, reports: &[Report]) -> std::io::Result<()> {
    let first = reports.iter().find_map(|report| report.violations().next());
    let Some((_, witness)) = first else {
        eprint(&format!("note: nothing is violated, `{}` is not written\n", path.display()));
        return Ok(());
    };
    files::replace(path, json::trace(loaded, witness).as_bytes())
}
