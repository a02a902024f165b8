//! Data races: the last question of a command.

use taut::formats::Page;
use taut::{Check, EngineFault, Loaded, MemoryModel, RaceLevel, Report};

use super::args::FormatArg;
use super::input::show_one;
use super::progress;

/// Adds the answer about races to the first report.
pub fn look<'l>(
    reports: &mut [Report],
    loaded: &'l Loaded,
    check: impl Fn(MemoryModel) -> Check<'l>,
) -> Result<(), EngineFault> {
    let Some(first) = reports.first_mut().filter(|_| loaded.asks_races()) else { return Ok(()) };
    let check = check(first.memory.model);
    *first = progress::watch(check, |check| first.clone().with_races(check, loaded))?;
    Ok(())
}

/// Shows a race that is a warning.
pub fn warn(loaded: &Loaded, reports: &[Report]) {
    for warning in reports.iter().filter_map(Report::race_warning) {
        show_one(loaded, warning);
    }
}

/// The run of a race that is a violation: no search has told it yet.
pub fn run(format: FormatArg, page: &Page, loaded: &Loaded, reports: &[Report]) -> String {
    let races = reports.iter().filter_map(|report| report.races.as_ref());
    let violated = races.filter(|races| races.level == RaceLevel::Error);
    let run = |races: &taut::Races| {
        let witness = races.result.verdict.witness()?;
        Some(format.violation(page, loaded, witness.trace.memory, &races.result))
    };
    violated.filter_map(run).collect()
}
