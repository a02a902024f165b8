//! What became of the files of a suite.

use taut_explicit::limits::Seconds;

use crate::formats::Page;
use crate::formats::columns::{Cell, render};
use crate::formats::style::verdict_style;
use crate::provenance::Provenance;
use crate::suite::{Answer, FileResult, Status, quoted};
use crate::verdict::VerdictKind;

/// The table of all expectations, what to do about those that are not met, and the counts.
pub(super) fn text(page: &Page, folder: &str, files: &[FileResult]) -> String {
    let repeat = Provenance::of_files(files, page.arguments.clone()).line();
    let (table, hints) = (table(page, files), hints(files));
    let counts = summary(files);
    format!("{folder}\n{table}{hints}{counts}\nrepeat: {repeat}\n{}", vacuous(files))
}

/// A row per expectation, what went wrong first.
fn table(page: &Page, files: &[FileResult]) -> String {
    let header = ["file", "model", "expected", "got"].map(Cell::new).into_iter();
    let mut rows: Vec<(Status, Vec<Cell>)> = Vec::new();
    for file in files {
        match file.answers() {
            [] => rows.push((file.status(), unchecked(file))),
            answers => rows.extend(answers.iter().map(|a| (a.status(), row(file, a)))),
        }
    }
    // The sort keeps the order of the files among those that did as well.
    rows.sort_by_key(|(status, _)| std::cmp::Reverse(*status));
    let mut all = vec![header.chain([Cell::right("time")]).collect::<Vec<_>>()];
    all.extend(rows.into_iter().map(|(_, row)| row));
    render(&all, page.styled)
}

fn row(file: &FileResult, answer: &Answer) -> Vec<Cell> {
    let style = match answer.status() {
        Status::Met => verdict_style(VerdictKind::Holds),
        Status::Differs => verdict_style(VerdictKind::Violated),
        _ => verdict_style(VerdictKind::Unknown),
    };
    vec![
        Cell::new(file.name()),
        Cell::new(answer.expectation.model.name()),
        Cell::new(answer.expectation.text()),
        Cell::new(answer.got.name()).styled(style),
        Cell::right(Seconds(answer.time).to_string()),
    ]
}

fn unchecked(file: &FileResult) -> Vec<Cell> {
    let (expected, got) = match file.status() {
        Status::NoExpectation => ("no expectation", Cell::new("not run")),
        _ => ("–", Cell::new("error").styled(verdict_style(VerdictKind::Violated))),
    };
    vec![Cell::new(file.name()), Cell::new("–"), Cell::new(expected), got]
}

/// For each expectation that was not met, what came instead, and how to see it.
fn hints(files: &[FileResult]) -> String {
    let mut all: Vec<(&FileResult, &Answer)> =
        files.iter().flat_map(|f| f.answers().iter().map(move |a| (f, a))).collect();
    all.retain(|(_, a)| a.status() != Status::Met);
    all.sort_by_key(|(_, a)| std::cmp::Reverse(a.status()));
    let hint = |(file, answer): (&FileResult, &Answer)| {
        format!(
            "\n{}: expected {}\n  hint: {}\n",
            file.name(),
            expected(answer),
            answer.hint(&file.path)
        )
    };
    let text: String = all.into_iter().map(hint).collect();
    if text.is_empty() { text } else { text + "\n" }
}

fn expected(answer: &Answer) -> String {
    format!("{} {}", answer.expectation.model.name(), answer.expectation.text())
}

/// The counts in one line.
fn summary(files: &[FileResult]) -> String {
    let answers: Vec<Status> = files.iter().flat_map(|f| f.answers()).map(Answer::status).collect();
    let of = |status| answers.iter().filter(|s| **s == status).count();
    let checked = files.iter().filter(|f| !f.answers().is_empty()).count();
    let mut text = format!(
        "{} in {}: {} met",
        counted(answers.len(), "expectation"),
        counted(checked, "file"),
        of(Status::Met)
    );
    for (status, word) in [(Status::Differs, "not met"), (Status::Unknown, "unknown")] {
        if of(status) > 0 {
            text.push_str(&format!(", {} {word}", of(status)));
        }
    }
    for (status, words) in
        [(Status::Error, "with errors"), (Status::NoExpectation, "without an expectation")]
    {
        let count = files.iter().filter(|f| f.status() == status).count();
        if count > 0 {
            text.push_str(&format!("; {} {words}", counted(count, "file")));
        }
    }
    text
}

/// What never happens in files that are as expected otherwise: a line per file and memory model.
fn vacuous(files: &[FileResult]) -> String {
    let mut lines: Vec<String> = Vec::new();
    for file in files {
        for answer in file.answers().iter().filter(|a| !a.vacuity.is_empty() && !a.is_vacuous()) {
            let (name, model) = (file.name(), answer.expectation.model.name());
            let count = counted(answer.vacuity.len(), "thing");
            let file = quoted(&name);
            let line = format!(
                "  {name}: under {model}, {count} that never happen; see `taut check {file} --model {model}`\n"
            );
            if !lines.contains(&line) {
                lines.push(line);
            }
        }
    }
    lines.concat()
}

fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}
