//! `taut explain`: the story of a violation in plain sentences.

use taut::render::{Story, story};
use taut::{Check, Loaded, MemoryModel, PropertyResult, Report};

use super::args::{ExplainArgs, ModelArg};
use super::check::{beside, default_models};
use super::command;
use super::exit::Exit;
use super::fault::internal;
use super::input::warn_under;
use super::output::{page, print};
use super::progress;
use super::races;
use super::report;

/// Runs the command.
pub fn run(args: &ExplainArgs) -> Exit {
    match explain(args) {
        Ok(exit) | Err(exit) => exit,
    }
}

/// The models to look at, the strongest first.
fn models(args: &ExplainArgs, loaded: &Loaded) -> &'static [MemoryModel] {
    let said = args.model.or_else(|| loaded.memory_model().map(ModelArg::One));
    said.map_or_else(|| default_models(loaded, &args.checking.search), ModelArg::models)
}

/// Checks one model after the other up to the first violation, and tells what it comes to.
fn explain(args: &ExplainArgs) -> Result<Exit, Exit> {
    let loaded = &args.checking.read()?;
    let models = models(args, loaded);
    args.checking.refuse(loaded, models)?;
    warn_under(loaded, models);
    let budget = command::budget();
    let check = |model| args.checking.check(loaded, model, &budget);
    let mut reports = Vec::new();
    for (i, &model) in models.iter().enumerate() {
        let check = check(model).budget(&budget.share(models.len() - i));
        let report =
            progress::watch(check, |check| check.run()).map_err(|fault| internal(&fault))?;
        let told = first_story(loaded, &report);
        print(&args.format.explain(&page(), loaded, &report, told.as_ref()));
        let is_told = told.is_some();
        reports.push(report);
        if is_told {
            break;
        }
    }
    if reports.iter().all(|report| !report.is_violated()) {
        explain_races(args, loaded, &mut reports, check)?;
    }
    let compared = |model| beside(check(model), &args.checking.search);
    let exit = report::write(&args.report, loaded, &reports, compared)
        .map_err(|fault| internal(&fault))?;
    Ok(reports.iter().map(Exit::of).max().unwrap_or(Exit::Holds).max(exit))
}

/// Tells of a data race, if there is one.
fn explain_races<'l>(
    args: &ExplainArgs,
    loaded: &'l Loaded,
    reports: &mut [Report],
    check: impl Fn(MemoryModel) -> Check<'l>,
) -> Result<(), Exit> {
    races::look(reports, loaded, check).map_err(|fault| internal(&fault))?;
    let raced = reports.iter().find_map(|report| Some((report, report.races.as_ref()?)));
    let Some((report, races)) = raced else { return Ok(()) };
    let Some(witness) = races.result.verdict.witness() else { return Ok(()) };
    let told = (&races.result, story(witness.view(loaded), witness.trace.finding));
    print(&args.format.explain(&page(), loaded, report, Some(&told)));
    Ok(())
}

/// What is violated first, and its story.
fn first_story<'r>(loaded: &Loaded, report: &'r Report) -> Option<(&'r PropertyResult, Story)> {
    let (result, witness) = report.violations().next()?;
    Some((result, story(witness.view(loaded), witness.trace.finding)))
}
