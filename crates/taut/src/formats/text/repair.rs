//! What came of a repair.

use super::check::{summary, violations};
use crate::formats::columns::{Cell, render};
use crate::formats::style::{paint, verdict_style};
use crate::formats::{Page, RepairView};
use crate::load::Loaded;
use crate::repair::{
    Outcome, Race, Races, RepairReport, Repaired, ShownPlace, ShownSet, Without, unified,
};
use crate::verdict::{VerdictKind, steps};

/// What came of a repair.
pub(super) fn text(
    page: &Page,
    loaded: &Loaded,
    report: &RepairReport,
    view: &RepairView,
) -> String {
    match &report.outcome {
        Outcome::Repaired(fixed) if view.only_diff => return diff(fixed),
        Outcome::Right(_) if view.only_diff => return String::new(),
        _ => {}
    }
    let model = report.model.name().to_uppercase();
    match &report.outcome {
        Outcome::WrongUnderSc(under_sc) => format!(
            "{}{}: violated under SC already: no fence helps\n{}",
            violations(page, loaded, under_sc),
            loaded.name,
            races(&report.races)
        ),
        Outcome::Right(proof) => {
            let reports = std::slice::from_ref(&**proof);
            let (rows, repeat) = (summary(page, loaded, reports), page.repeat(loaded, reports));
            format!("{rows}{repeat}nothing to fix\n")
        }
        Outcome::Unknown(why) => format!("{}: unknown under {model}: {why}\n", loaded.name),
        Outcome::Unrepairable(last) => unrepairable(page, loaded, report, last.as_deref()),
        Outcome::Repaired(fixed) => repaired(page, loaded, report, fixed, view),
    }
}

fn unrepairable(
    page: &Page,
    loaded: &Loaded,
    report: &RepairReport,
    last: Option<&Without>,
) -> String {
    let mut text =
        last.map_or_else(String::new, |last| violations(page, &last.loaded, &last.report));
    text.push_str(&format!(
        "{}: none of {} fixes it under {}\n",
        loaded.name,
        count(report.candidates, "place"),
        report.model.name().to_uppercase()
    ));
    text + &races(&report.races) + &unpatchable(report)
}

/// The loads and stores that have to be one step, and whether that is enough.
pub fn races(found: &Races) -> String {
    let mut text = String::new();
    for race in &found.races {
        let Race { file, load, store, statement, variable, process, other, instead } = race;
        let accesses = match load == store {
            true => format!("loads and stores {variable} (line {store})"),
            false => format!("loads {variable} (line {load}) and stores it (line {store})"),
        };
        text.push_str(&format!(
            "lost update at {file}:{store}, `{statement}`: {process} {accesses}, and {other} stores {variable} in \
             between; no fence keeps the two together\n  make it one step: {instead}\n"
        ));
    }
    if found.races.is_empty() {
        return text;
    }
    let each =
        if found.races.len() == 1 { "with this as one step" } else { "with each as one step" };
    text + match found.enough {
        Some(true) => format!("{each}, everything asked holds (checked)\n"),
        Some(false) => format!("{each}, the program is still violated (checked)\n"),
        None => format!("{each}, the check met a limit\n"),
    }
    .as_str()
}

fn repaired(
    page: &Page,
    loaded: &Loaded,
    report: &RepairReport,
    fixed: &Repaired,
    view: &RepairView,
) -> String {
    let styled = page.styled;
    let mut text = String::new();
    for (place, witness) in fixed.runs() {
        let title = format!("without the {} at line {}:", place.kind.word(), place.line);
        text.push_str(&paint(&title, verdict_style(VerdictKind::Violated), styled));
        text.push_str(&format!("\n\n{}", violations(page, &witness.loaded, &witness.report)));
    }
    let many = fixed.sets.len() > 1;
    for (i, set) in fixed.sets.iter().enumerate() {
        let number =
            if many { format!(" {} of {}", i + 1, fixed.sets.len()) } else { String::new() };
        let how = if fixed.optimal { "cheapest set" } else { "set found greedily" };
        text.push_str(&format!("{how}{number}: {}, cost {}\n", kinds(set), set.cost));
        text.push_str(&places(set, styled));
        text.push('\n');
    }
    text.push_str(&format!(
        "{}, {}, {} tried\n",
        count(report.candidates, "place"),
        count(report.counterexamples, "counterexample"),
        count(report.checks as usize, "set")
    ));
    text.push_str(&unpatchable(report));
    text.push_str("\nas fixed, ");
    let proof = std::slice::from_ref(&*fixed.proof);
    text.push_str(&summary(page, &fixed.loaded, proof));
    text.push_str(&page.repeat(loaded, proof));
    if let Some(note) = fixed.loaded.language.repair_note(&fixed.text) {
        text.push_str(&format!("\nnote: {note}\n"));
    }
    match &view.written_to {
        Some(file) => text.push_str(&format!("\nwritten to {file}\n")),
        None => text.push_str(&format!("\n{}", diff(fixed))),
    }
    text
}

fn diff(fixed: &Repaired) -> String {
    unified(&fixed.file, &fixed.original, &fixed.text)
}

/// What a set is made of: `2 fences, 1 sfence`.
pub fn kinds(set: &ShownSet) -> String {
    let words = [("fence", "fence"), ("sfence", "store fence"), ("atomic", "atomic write")];
    let of = |&(kind, word): &(&str, &str)| {
        let number = set.places.iter().filter(|p| p.kind.word() == kind).count();
        (number > 0).then(|| count(number, word))
    };
    words.iter().filter_map(of).collect::<Vec<_>>().join(", ")
}

fn count(number: usize, word: &str) -> String {
    if number == 1 { format!("1 {word}") } else { format!("{number} {word}s") }
}

/// A line a place, and below it what it is needed for.
fn places(set: &ShownSet, styled: bool) -> String {
    let row = |place: &ShownPlace| {
        vec![
            Cell::new(format!("{}:{}", place.file, place.line)),
            Cell::new(place.kind.word()),
            Cell::new(&place.words),
            Cell::new(place.processes.join(", ")),
        ]
    };
    let header = ["place", "kind", "where", "processes"].map(Cell::new).into();
    let rows: Vec<_> = std::iter::once(header).chain(set.places.iter().map(row)).collect();
    let table = render(&rows, styled);
    let mut lines = table.lines();
    let mut text = format!("{}\n", lines.next().unwrap_or_default());
    for (line, place) in lines.zip(&set.places) {
        text.push_str(&format!("{line}\n"));
        if let Some(need) = &place.need {
            let run = steps(need.steps);
            text.push_str(&format!(
                "      breaks a run of {run} to {}: {}\n",
                need.property, need.words
            ));
        }
    }
    text
}

fn unpatchable(report: &RepairReport) -> String {
    let mut text = String::new();
    for (file, line, why) in &report.unpatchable {
        text.push_str(&format!("note: nothing can be put at {file}:{line}: {why}\n"));
    }
    text
}
