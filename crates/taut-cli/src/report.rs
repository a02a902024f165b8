//! `--report FILE`: what a command found, as a page to look at.

use taut::report::{COMPARISON, Compared, Document, document, html, others, replayed};
use taut::{Check, EngineFault, Loaded, MemoryModel, Report, Witness};

use super::args::ReportArgs;
use super::command;
use super::exit::Exit;
use super::files::deliver_text;
use super::provenance;

/// Writes the report of a run that was replayed, if one is asked for.
pub fn write_replayed(args: &ReportArgs, loaded: &Loaded, witness: Witness) -> Exit {
    match &args.path {
        Some(path) => deliver_text(&html(&replayed(loaded, witness)), Some(path)),
        None => Exit::Holds,
    }
}

/// Writes the report of some checks, if one is asked for. The other ones of SC, TSO and PSO are checked as
/// `check` says, for a short time each, so that there is something to compare with.
pub fn write<'l>(
    args: &ReportArgs,
    loaded: &'l Loaded,
    reports: &[Report],
    check: impl Fn(MemoryModel) -> Check<'l>,
) -> Result<Exit, EngineFault> {
    let Some(path) = &args.path else { return Ok(Exit::Holds) };
    let left = command::budget().left();
    let limit = left.map_or(COMPARISON, |left| left.min(COMPARISON));
    let compared = others(reports).map(|model| check(model).timeout(Some(limit)).run());
    let compared = compared.collect::<Result<Vec<_>, _>>()?;
    let compared = Compared { reports: &compared, limit };
    let repeat = provenance::of(loaded).line();
    let document = Document { repeat, ..document(loaded, reports, compared) };
    Ok(deliver_text(&html(&document), Some(path)))
}
