//! One table: each property under each memory model.

use taut_explicit::limits::Seconds;

use crate::formats::Page;
use crate::formats::columns::{Cell, render, thousands};
use crate::formats::style::verdict_style;
use crate::outcome::Report;
use crate::verdict::{Verdict, coverages};

/// Properties as rows, memory models as columns; below them what the searches cost and cover.
pub(super) fn table(page: &Page, reports: &[Report]) -> String {
    let mut rows = verdict_rows(reports);
    rows.push(row("states", reports, |r| Cell::new(thousands(r.stats.states))));
    rows.push(row("time", reports, |r| Cell::new(Seconds(r.stats.time).to_string())));
    rows.push(row("coverage", reports, |r| Cell::new(coverage(r))));
    render(&rows, page.styled)
}

/// Properties as rows, memory models as columns, and what the answers cover.
pub(super) fn verdicts(page: &Page, reports: &[Report]) -> String {
    let mut rows = verdict_rows(reports);
    rows.push(row("coverage", reports, |r| Cell::new(coverage(r))));
    render(&rows, page.styled)
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
                Verdict::Violated(witness) | Verdict::Covered(witness) => {
                    format!("{word} in {}", witness.trace.actions.len())
                }
                _ => word.to_string(),
            };
            Cell::new(text).styled(verdict_style(verdict.kind()))
        }
    }
}

/// What the answers that are no violations cover.
fn coverage(report: &Report) -> String {
    let mut open = report.results.iter().filter(|r| r.verdict.run().is_none());
    let all_violated = open.clone().next().is_none();
    if all_violated { "runs only".into() } else { coverages(&mut open) }
}
