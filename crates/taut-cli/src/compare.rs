//! `taut compare`: one table, each property under each memory model.

use taut::annotate::Annotations;
use taut::search::limits::Seconds;
use taut::{EngineFault, MemoryModel, Report, Verdict};

use super::annotate::Annotator;
use super::args::{CheckFormat, CompareArgs};
use super::check::coverages;
use super::columns::{Cell, render, thousands};
use super::command;
use super::exit::Exit;
use super::input::warn_of;
use super::json;
use super::output::{is_styled, print, verdict_style};
use super::progress;
use super::provenance;
use super::refused::Refused;
use super::report;

/// Runs the command.
pub fn run(args: &CompareArgs) -> Exit {
    match compare(args) {
        Ok(exit) | Err(exit) => exit,
    }
}

fn compare(args: &CompareArgs) -> Result<Exit, Exit> {
    let annotator = Annotator::new(args.format, &args.sarif);
    let refuse = |refused: Refused| annotator.refuse(&refused);
    let fault = |fault: EngineFault| annotator.fault(&fault);
    let loaded = args.checking.load().map_err(refuse)?;
    args.checking.together(&loaded, &MemoryModel::ALL).map_err(refuse)?;
    if !annotator.takes_messages() {
        warn_of(&loaded, &MemoryModel::ALL);
    }
    let budget = command::budget();
    let mut reports = Vec::new();
    let check = |model| args.checking.check(&loaded, model, &budget).all(true);
    for (i, model) in MemoryModel::ALL.into_iter().enumerate() {
        let share = budget.share(MemoryModel::ALL.len() - i);
        let report = progress::watch(check(model).budget(&share), |check| check.run());
        reports.push(report.map_err(fault)?);
    }
    match args.format {
        CheckFormat::Json => reports.iter().for_each(|r| print(&json::line(&loaded, r))),
        CheckFormat::Text => {
            let repeat = provenance::line(&loaded, &reports);
            print(&format!("{}\n{}{repeat}", loaded.name, table(&reports)));
        }
        CheckFormat::Sarif | CheckFormat::Github => {}
    }
    let exit = report::write(&args.report, &loaded, &reports, check).map_err(fault)?;
    let exit = reports.iter().map(Exit::of).max().unwrap_or(Exit::Holds).max(exit);
    Ok(annotator.deliver(exit, || Annotations::of_reports(&loaded, &reports)))
}

/// Properties as rows, memory models as columns; below them what the searches cost and cover.
fn table(reports: &[Report]) -> String {
    let mut rows = verdict_rows(reports);
    rows.push(row("states", reports, |r| Cell::new(thousands(r.stats.states))));
    rows.push(row("time", reports, |r| Cell::new(Seconds(r.stats.time).to_string())));
    rows.push(row("coverage", reports, |r| Cell::new(coverage(r))));
    render(&rows, is_styled())
}

/// Properties as rows, memory models as columns, and what the answers cover.
pub fn verdicts(reports: &[Report]) -> String {
    let mut rows = verdict_rows(reports);
    rows.push(row("coverage", reports, |r| Cell::new(coverage(r))));
    render(&rows, is_styled())
}

fn verdict_rows(reports: &[Report]) -> Vec<Vec<Cell>> {
    let model = |r: &Report| Cell::new(r.memory.model.name().to_uppercase());
    let mut rows = vec![row("property", reports, model)];
    for name in names(reports) {
        rows.push(row(&name, reports, |r| verdict_cell(r, &name)));
    }
    rows
}

fn row(title: &str, reports: &[Report], cell: impl Fn(&Report) -> Cell) -> Vec<Cell> {
    std::iter::once(Cell::new(title)).chain(reports.iter().map(cell)).collect()
}

/// The names of all properties, in the order of the reports.
fn names(reports: &[Report]) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for result in reports.iter().flat_map(|r| &r.results) {
        if !all.contains(&result.name) {
            all.push(result.name.clone());
        }
    }
    all
}

fn verdict_cell(report: &Report, name: &str) -> Cell {
    match report.verdict(name) {
        None => Cell::new("–"),
        Some(verdict) => {
            let word = verdict.word();
            let text = match verdict {
                Verdict::Violated(witness) => format!("{word} in {}", witness.trace.actions.len()),
                _ => word.to_string(),
            };
            Cell::new(text).styled(verdict_style(word))
        }
    }
}

/// What the answers that are no violations cover.
fn coverage(report: &Report) -> String {
    let mut open = report.results.iter().filter(|r| !matches!(r.verdict, Verdict::Violated(_)));
    let all_violated = open.clone().next().is_none();
    if all_violated { "runs only".into() } else { coverages(&mut open) }
}
