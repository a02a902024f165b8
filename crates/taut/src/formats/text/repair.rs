//! What came of a repair.

use super::check::{proofs, summary, violations};
use crate::formats::columns::{Cell, render};
use crate::formats::style::{paint, verdict_style};
use crate::formats::{Page, RepairView};
use crate::load::Loaded;
use crate::outcome::Report;
use crate::repair::{
    Outcome, Race, Races, RepairReport, Repaired, ShownPlace, ShownSet, ShownWeakening, Without,
    unified,
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
        Outcome::Repaired(fixed) | Outcome::Weakened(fixed) if view.only_diff => {
            return diff(fixed);
        }
        Outcome::Right(_) if view.only_diff => return String::new(),
        _ => {}
    }
    outcome(page, loaded, report, view) + &lost(report)
}

/// Covers that the repair makes unreachable.
fn lost(report: &RepairReport) -> String {
    let line = |(model, name): &(taut_ir::MemoryModel, String)| {
        format!("note: under {} no run reaches `{name}` any more\n", model.name().to_uppercase())
    };
    report.lost.iter().map(line).collect()
}

fn outcome(page: &Page, loaded: &Loaded, report: &RepairReport, view: &RepairView) -> String {
    let models = report.model_names();
    match &report.outcome {
        Outcome::WrongUnderSc(under_sc) => format!(
            "{}{}: violated under SC already: no fence helps\n{}",
            violations(page, loaded, under_sc),
            loaded.name,
            races(&report.races)
        ),
        Outcome::Wrong(check) => wrong(page, loaded, check),
        Outcome::Right(proofs) => {
            let (rows, repeat) = (summary(page, loaded, proofs), page.repeat(loaded, proofs));
            let words = if view.relax { NOTHING_WEAKER } else { "nothing to fix" };
            let proven = super::check::proofs(proofs);
            format!("{rows}{proven}{repeat}{words}\n{}", kept(report, view))
        }
        Outcome::Unknown(why) => format!("{}: unknown under {models}: {why}\n", loaded.name),
        Outcome::Unrepairable(last) => unrepairable(page, loaded, report, last.as_deref()),
        Outcome::Repaired(fixed) => repaired(page, loaded, report, fixed, view),
        Outcome::Weakened(fixed) => weakened(page, loaded, report, fixed, view),
    }
}

/// What is said of a program without anything that could be weaker.
const NOTHING_WEAKER: &str = "nothing to weaken: there is no full fence and no sequentially consistent store that could be weaker";

/// A program that was to be weakened, and is wrong.
fn wrong(page: &Page, loaded: &Loaded, check: &Report) -> String {
    let (name, model) = (&loaded.name, check.memory.model);
    let advice = match model.is_relaxed() {
        true => format!("fix it first: `taut repair {name} --model {model}`"),
        false => "no order and no fence helps".into(),
    };
    let label = model.name().to_uppercase();
    format!(
        "{}{name}: violated under {label} as it is; {advice}\n",
        violations(page, loaded, check)
    )
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
        report.model_names()
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
    let mut text = runs(page, fixed);
    let how = if fixed.optimal { "cheapest set" } else { "set found greedily" };
    for (i, set) in fixed.sets.iter().enumerate() {
        let number = number(i, fixed);
        text.push_str(&format!("{how}{number}: {}, cost {}\n", kinds(set), set.cost));
        text.push_str(&places(set, page.styled));
        text.push('\n');
    }
    text.push_str(&effort(report));
    text.push_str(&unpatchable(report));
    text.push_str("\nas fixed, ");
    text + &proven(page, loaded, fixed, view)
}

/// What was made weaker, what stays and why.
fn weakened(
    page: &Page,
    loaded: &Loaded,
    report: &RepairReport,
    fixed: &Repaired,
    view: &RepairView,
) -> String {
    let mut text = runs(page, fixed);
    match fixed.weakened.len() {
        0 => text.push_str("nothing can be weaker\n\n"),
        number => {
            text.push_str(&format!("made weaker: {}\n", count(number, "place")));
            text.push_str(&weaker_places(fixed, page.styled));
            text.push('\n');
        }
    }
    for (i, set) in fixed.sets.iter().enumerate() {
        let number = number(i, fixed);
        if set.places.is_empty() {
            text.push_str("what stays: nothing\n\n");
            continue;
        }
        text.push_str(&format!("what stays{number}: {}, cost {}\n", kinds(set), set.cost));
        text.push_str(&places(set, page.styled));
        text.push('\n');
    }
    text.push_str(&effort(report));
    text.push_str(&kept(report, view));
    if let Some(note) = fixed.loaded.language.weakening_note() {
        text.push_str(&format!("note: {note}\n"));
    }
    text.push_str(if fixed.weakened.is_empty() { "\nas it is, " } else { "\nas weakened, " });
    text + &proven(page, loaded, fixed, view)
}

/// The runs without each place, if they were asked for.
fn runs(page: &Page, fixed: &Repaired) -> String {
    let mut text = String::new();
    for (place, witness) in fixed.runs() {
        let title = format!("without the {} at line {}:", place.kind.word(), place.line);
        text.push_str(&paint(&title, verdict_style(VerdictKind::Violated), page.styled));
        text.push_str(&format!("\n\n{}", violations(page, &witness.loaded, &witness.report)));
    }
    text
}

/// Which of several sets one is.
fn number(index: usize, fixed: &Repaired) -> String {
    let many = fixed.sets.len() > 1;
    if many { format!(" {} of {}", index + 1, fixed.sets.len()) } else { String::new() }
}

fn effort(report: &RepairReport) -> String {
    format!(
        "{}, {}, {} tried\n",
        count(report.candidates, "place"),
        count(report.counterexamples, "counterexample"),
        count(report.checks as usize, "set")
    )
}

/// The proof of the edited text, and the change.
fn proven(page: &Page, loaded: &Loaded, fixed: &Repaired, view: &RepairView) -> String {
    let mut text = summary(page, &fixed.loaded, &fixed.proofs);
    text.push_str(&proofs(&fixed.proofs));
    text.push_str(&cheapest(fixed));
    text.push_str(&page.repeat(loaded, &fixed.proofs));
    if let Some(note) = fixed.loaded.language.repair_note(&fixed.text) {
        text.push_str(&format!("\nnote: {note}\n"));
    }
    match &view.written_to {
        Some(file) => text.push_str(&format!("\nwritten to {file}\n")),
        None => text.push_str(&format!("\n{}", diff(fixed))),
    }
    text
}

/// What the certificate says of cheaper sets.
fn cheapest(fixed: &Repaired) -> String {
    let Some(evidence) = &fixed.evidence else { return String::new() };
    let checked = if evidence.accepted.is_some() { ", accepted by the checker" } else { "" };
    let runs = evidence.runs().map(|runs| count(runs, "run"));
    let runs = runs.map(|runs| format!("  proof: no cheaper set is enough: {runs}{checked}\n"));
    let open = evidence.open.as_ref();
    let open =
        open.map(|why| format!("  note: no certificate that nothing cheaper is enough: {why}\n"));
    runs.into_iter().chain(open).collect()
}

/// A line per place that was made weaker.
fn weaker_places(fixed: &Repaired, styled: bool) -> String {
    let row = |place: &ShownWeakening| {
        vec![
            Cell::new(format!("{}:{}", place.file, place.line)),
            Cell::new(&place.was),
            Cell::new(&place.becomes),
        ]
    };
    let header = ["place", "was", "becomes"].map(Cell::new).into();
    let rows: Vec<_> = std::iter::once(header).chain(fixed.weakened.iter().map(row)).collect();
    render(&rows, styled)
}

/// What costs something and stays because no edit makes it weaker.
fn kept(report: &RepairReport, view: &RepairView) -> String {
    if !view.relax {
        return String::new();
    }
    let line = |(file, line, why): &(String, u32, &str)| {
        format!("note: {file}:{line} stays as it is: {why}\n")
    };
    report.unpatchable.iter().map(line).collect()
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
