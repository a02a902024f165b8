//! `taut check`: one program under one or all memory models.

use std::time::SystemTime;

use taut::annotate::Annotations;
use taut::formats::CheckView;
use taut::json::TraceFile;
use taut::sv_witness;
use taut::{Check, EngineChoice, EngineFault, Loaded, MemoryModel, Report};

use super::annotate::Annotator;
use super::args::{CheckArgs, ModelArg, SearchArgs};
use super::baseline::Known;
use super::checkpoint::{self, Found, Keeping};
use super::command;
use super::exit::Exit;
use super::files;
use super::input::warn_of;
use super::output::{eprint, outcome, page, print, write_all};
use super::progress;
use super::races;
use super::refused::Refused;
use super::report;
use super::scope;
use super::suite;

/// Runs the command.
pub fn run(args: &CheckArgs) -> Exit {
    let annotator = Annotator::new(args.format, &args.sarif);
    match Known::of(&args.known) {
        Ok(known) => known.end(args.format, one(args, annotator, &known)),
        Err(refused) => annotator.refuse(&refused),
    }
}

/// Checks one program, or one directory.
pub fn one(args: &CheckArgs, annotator: Annotator<'_>, known: &Known) -> Exit {
    if let Err(exit) = suite::refuse_options(args) {
        return exit;
    }
    if args.checking.input.file.is_dir() {
        return suite::run(args, annotator, known);
    }
    match check(args, annotator, known, None) {
        Ok(exit) | Err(exit) => exit,
    }
}

/// Goes on with a check.
pub fn resume(args: &CheckArgs, found: Found) -> Exit {
    let annotator = Annotator::new(args.format, &args.sarif);
    let known = match Known::of(&args.known) {
        Ok(known) => known,
        Err(refused) => return annotator.refuse(&refused),
    };
    let exit = check(args, annotator, &known, Some(found));
    known.end(args.format, exit.unwrap_or_else(|exit| exit))
}

fn check(
    args: &CheckArgs,
    annotator: Annotator<'_>,
    known: &Known,
    found: Option<Found>,
) -> Result<Exit, Exit> {
    // A known violation must not hide a new one behind it.
    let all = args.all || known.is_used();
    let checking = &args.checking;
    let refuse = |refused: Refused| annotator.refuse(&refused);
    let fault = |fault: EngineFault| annotator.fault(&fault);
    refuse_stats(args).map_err(refuse)?;
    checkpoint::refuse(args).map_err(refuse)?;
    let loaded = checking.load().map_err(refuse)?;
    let budget = command::budget();
    let asked = args.model.or_else(|| loaded.memory_model().map(ModelArg::One));
    let usual = || default_models(&loaded, &checking.search);
    let models = asked.map_or_else(usual, ModelArg::models);
    checking.together(&loaded, models).map_err(refuse)?;
    if args.witness.is_some()
        && let Some(why) = sv_witness::refusal(&loaded, models)
    {
        return Err(refuse(Refused::Message(format!("--witness: {why}"))));
    }
    let keeping = match found {
        Some(found) => Keeping::again(found, args.checkpoint.every, &loaded).map(Some),
        None => Keeping::of(args, &loaded),
    };
    let keeping = keeping.map_err(refuse)?;
    let checkpoints = || keeping.as_ref().map(Keeping::checkpoints);
    if !annotator.takes_messages() {
        warn_of(&loaded, models);
    }
    let page = page().full(args.full);
    let mut reports = Vec::new();
    let check = |model| checking.check(&loaded, model, &budget).all(all).checkpoints(checkpoints());
    for (i, &model) in models.iter().enumerate() {
        // Each memory model has its share of the time that is left, so that none keeps the others from an answer.
        let share = budget.share(models.len() - i);
        let check = check(model).budget(&share);
        let check = check.observe(|memory, result| {
            progress::above(&args.format.violation(&page, &loaded, memory, result));
        });
        let report = progress::watch(check, |check| check.run()).map_err(fault)?;
        let probed = checking.check(&loaded, model, &share).checkpoints(checkpoints());
        let report = args.vacuity.look(report, &probed, &loaded);
        // The answer about races belongs to the first report, and comes last.
        let report = match loaded.asks_races() {
            true => report,
            false => args.proof.prove(report, &loaded, &share).map_err(fault)?,
        };
        if !loaded.asks_races() {
            print(&args.format.report(&page, &loaded, &report));
        }
        reports.push(report);
    }
    if loaded.asks_races() {
        races::look(&mut reports, &loaded, |model| check(model).checkpoints(None))
            .map_err(fault)?;
        let prove = |report| args.proof.prove(report, &loaded, &budget);
        reports = reports.into_iter().map(prove).collect::<Result<_, _>>().map_err(fault)?;
        reports.iter().for_each(|r| print(&args.format.report(&page, &loaded, r)));
        print(&races::run(args.format, &page, &loaded, &reports));
    }
    let covers = all || !args.checking.runs.property.is_empty();
    let view = CheckView { all, stats: args.stats, covers };
    print(&args.format.check(&page, &loaded, &reports, view));
    if let Some(path) = &args.trace
        && let Err(error) = write_trace(path, &loaded, &reports)
    {
        eprint(&format!("error: cannot write `{}`: {error}\n", path.display()));
        return Err(Exit::NotWritten);
    }
    if let (Some(path), [report]) = (&args.witness, reports.as_slice()) {
        write_witness(path, &loaded, report)?;
    }
    if !annotator.takes_messages() {
        races::warn(&loaded, &reports);
    }
    let written = args.proof.write(&loaded, &reports);
    let compared = |model| beside(check(model), &checking.search).checkpoints(None);
    let exit = report::write(&args.report, &loaded, &reports, compared).map_err(fault)?;
    let exit = reports
        .iter()
        .map(|r| known.exit_of_report(&loaded, r))
        .max()
        .unwrap_or(Exit::Holds)
        .max(exit);
    let exit = exit.max(written);
    let exit = exit.max(args.vacuity.exit(&reports));
    let level = args.vacuity.level();
    let annotations = || {
        let found = Annotations::of_reports(&loaded, &reports);
        known.mark(found.with_vacuity(&loaded, &reports, level))
    };
    let exit = annotator.deliver(exit, annotations);
    if let Some(keeping) = keeping {
        let is_written = exit.max(outcome()) < Exit::BadInput;
        let line = keeping.end(&reports, is_written);
        write_all(&line.unwrap_or_default(), !args.format.is_for_people());
    }
    Ok(exit)
}

/// Refuses statistics where nothing would print them.
fn refuse_stats(args: &CheckArgs) -> Result<(), Refused> {
    match args.stats && !args.format.has_statistics() {
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
pub fn default_models(loaded: &Loaded, search: &SearchArgs) -> &'static [MemoryModel] {
    match scope::only_model(search) {
        Some(model) => ModelArg::One(model).models(),
        None => loaded.usual_models(),
    }
}

/// Writes the witness for validators, if there is one.
fn write_witness(path: &std::path::Path, loaded: &Loaded, report: &Report) -> Result<(), Exit> {
    match sv_witness::witness(loaded, report, &command::budget(), SystemTime::now()) {
        Ok(text) => files::deliver(path, text.as_bytes()),
        Err(why) => {
            eprint(&format!("note: {why}; `{}` is not written\n", path.display()));
            Ok(())
        }
    }
}

/// Writes the first violating run, if there is one, else the first that a cover asks for.
fn write_trace(path: &std::path::Path, loaded: &Loaded, reports: &[Report]) -> std::io::Result<()> {
    let violated = reports.iter().find_map(|report| report.violations().next());
    let covered = || reports.iter().flat_map(|r| &r.results).find_map(|r| r.verdict.run());
    let Some(witness) = violated.map(|(_, witness)| witness).or_else(covered) else {
        eprint(&format!(
            "note: nothing is violated or covered, `{}` is not written\n",
            path.display()
        ));
        return Ok(());
    };
    files::replace(path, TraceFile::of_witness(loaded, witness).text().as_bytes())
}
