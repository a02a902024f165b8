//! What a check found.

use taut_explicit::limits::Seconds;
use taut_ir::Memory;
use taut_render::{LaneOptions, lanes_footer, lanes_table};

use super::compare::verdicts;
use super::{facts, stats, vacuity};
use crate::formats::columns::{Cell, render, thousands};
use crate::formats::drawn::DrawnRun;
use crate::formats::style::{paint, verdict_style};
use crate::formats::{CheckView, Page};
use crate::load::Loaded;
use crate::outcome::Report;
use crate::verdict::{PropertyResult, Verdict, VerdictKind, coverages};

/// All that is to be said at the end.
pub(super) fn text(page: &Page, loaded: &Loaded, reports: &[Report], view: CheckView) -> String {
    let mut text = summary(page, loaded, reports);
    text.push_str(&page.repeat(loaded, reports));
    text.push_str(&covers(reports));
    text.push_str(&notes(reports));
    text.push_str(&proofs(reports));
    if view.all {
        text.push_str(&format!("\n{}", verdicts(page, reports)));
    }
    if view.stats {
        text.push_str(&stats::text(reports));
    }
    text = text + &races(reports) + &vacuity::text(loaded, reports);
    text.push_str(&facts::paragraphs(loaded, reports));
    if view.covers {
        text.push_str(&covering_runs(page, loaded, reports));
    }
    text
}

/// What a limit left open about data races, where they are warnings. A race itself is told as warnings are.
pub(super) fn races(reports: &[Report]) -> String {
    let open = reports.iter().filter_map(Report::warned).filter(|r| r.verdict.is_open());
    open.map(|result| format!("  note: races unknown: {}\n", result.verdict.coverage())).collect()
}

/// The runs of a report's violations.
pub(super) fn violations(page: &Page, loaded: &Loaded, report: &Report) -> String {
    let page = page.fresh();
    let of = |result| violation(&page, loaded, report.memory, result);
    report.violations().map(|(result, _)| of(result)).collect()
}

/// One line per cover that some run reaches. What is never reached is in the summary.
fn covers(reports: &[Report]) -> String {
    let line = |report: &Report, result: &PropertyResult| {
        let (model, coverage) = (report.memory.model.name(), result.verdict.coverage());
        format!("  covered: {model}, {}: {coverage}\n", result.name)
    };
    let mut text = String::new();
    for report in reports.iter().filter(|r| r.verdict_kind() != VerdictKind::Covered) {
        text.extend(report.answers(VerdictKind::Covered).map(|result| line(report, result)));
    }
    text
}

/// The runs that reach what covers ask for.
fn covering_runs(page: &Page, loaded: &Loaded, reports: &[Report]) -> String {
    let mut text = String::new();
    for report in reports {
        for result in report.answers(VerdictKind::Covered) {
            text.push_str(&format!("\n{}", run(page, loaded, report.memory, result)));
        }
    }
    text
}

/// The run of a violation, with a title; nothing for other answers.
pub(super) fn violation(
    page: &Page,
    loaded: &Loaded,
    memory: Memory,
    result: &PropertyResult,
) -> String {
    match result.verdict {
        Verdict::Violated(_) => run(page, loaded, memory, result),
        _ => String::new(),
    }
}

/// The run of an answer that has one, with a title.
fn run(page: &Page, loaded: &Loaded, memory: Memory, result: &PropertyResult) -> String {
    let Some(witness) = result.verdict.run() else { return String::new() };
    let Page { width, styled, full, .. } = *page;
    let model = memory.model.name().to_uppercase();
    let title = format!("{model}: {} {}", result.name, result.verdict.word());
    let title = paint(&title, verdict_style(result.verdict.kind()), styled);
    let options = LaneOptions { width, styled, full };
    let (view, finding) = (witness.view(loaded), witness.trace.finding);
    let run = page.drawn.written(DrawnRun {
        property: result.name.clone(),
        trace: witness.trace.clone(),
        table: lanes_table(view, Some(finding), options),
        footer: lanes_footer(view, finding, options),
    });
    format!("{title}\n\n{run}\n")
}

/// One row per model.
pub(super) fn summary(page: &Page, loaded: &Loaded, reports: &[Report]) -> String {
    let header =
        ["model", "verdict", "property", "states", "transitions", "depth", "time", "coverage"];
    let mut rows = vec![header.map(Cell::new).into_iter().collect::<Vec<_>>()];
    for i in [3, 4, 5, 6] {
        rows[0][i] = Cell::right(header[i]);
    }
    rows.extend(reports.iter().map(row));
    format!("{}\n{}", loaded.name, render(&rows, page.styled))
}

fn row(report: &Report) -> Vec<Cell> {
    let (verdict, properties, coverage) = overall(report);
    vec![
        Cell::new(report.memory.model.name()),
        Cell::new(verdict.word()).styled(verdict_style(verdict)),
        Cell::new(properties),
        Cell::right(thousands(report.stats.states)),
        Cell::right(thousands(report.stats.transitions)),
        Cell::right(thousands(report.stats.depth)),
        Cell::right(Seconds(report.stats.time).to_string()),
        Cell::new(coverage),
    ]
}

/// A report in one verdict: what is violated, else what is never reached, else what is unknown, else what holds.
fn overall(report: &Report) -> (VerdictKind, String, String) {
    let verdict = report.verdict_kind();
    let answers = report.answers(verdict);
    let names = answers.clone().map(|r| r.name.as_str()).collect::<Vec<_>>().join(", ");
    if verdict == VerdictKind::Violated {
        let shortest = report.violations().min_by_key(|(_, w)| w.trace.actions.len());
        let run = shortest.map_or_else(String::new, |(r, _)| r.verdict.coverage());
        return (verdict, names, run + &left_open(report));
    }
    (verdict, names, coverages(answers))
}

/// What a limit left open besides a violation, and what was not asked after it.
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

/// What is proven by a certificate, and what has none.
pub(super) fn proofs(reports: &[Report]) -> String {
    let mut text = String::new();
    for report in reports {
        let (Some(proof), model) = (&report.proof, report.memory.model.name()) else { continue };
        let names: Vec<&str> = proof.names().collect();
        if !names.is_empty() {
            let checked = if proof.accepted.is_some() { ", accepted by the checker" } else { "" };
            text.push_str(&format!(
                "  proof: {model}, {}: {}, {} bytes{checked}\n",
                names.join(", "),
                proof.extent(),
                thousands(proof.bytes()),
            ));
        }
        // Where a certificate was demanded, the verdict has the reason.
        let is_held = |name: &str| report.verdict(name).is_some_and(|v| v.of_all_runs().is_some());
        for open in proof.open.iter().filter(|open| is_held(&open.name)) {
            text.push_str(&format!("  note: {model}, {}: {}\n", open.name, open.why));
        }
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
