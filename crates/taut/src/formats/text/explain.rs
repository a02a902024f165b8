//! The story of a violation in plain sentences.

use unicode_width::UnicodeWidthStr;

use crate::formats::style::{paint, printable, verdict_style};
use crate::formats::{Page, Told};
use crate::load::Loaded;
use crate::outcome::Report;
use crate::verdict::{VerdictKind, coverages};

fn model_name(report: &Report) -> String {
    report.memory.model.name().to_uppercase()
}

/// The story, or what holds and what is open.
pub(super) fn text(
    page: &Page,
    loaded: &Loaded,
    report: &Report,
    told: Option<&Told<'_>>,
) -> String {
    let Some((result, story)) = told else { return without_violation(page, loaded, report) };
    let violated = paint("violated", verdict_style(VerdictKind::Violated), page.styled);
    // Races are told of runs under SC, whatever the memory model of the check is.
    let witness = result.verdict.witness();
    let model = witness.map_or_else(
        || model_name(report),
        |witness| witness.trace.memory.model.name().to_uppercase(),
    );
    let (file, name) = (&loaded.name, printable(&result.name));
    let mut text = format!("{file}: {name} is {violated} under {model}\n\n");
    for sentence in &story.sentences {
        text.push_str(&wrapped(&sentence.text, page.width));
    }
    text
}

/// What holds and what is open, with what that covers.
fn without_violation(page: &Page, loaded: &Loaded, report: &Report) -> String {
    let mut text = String::new();
    for kind in [VerdictKind::Holds, VerdictKind::Covered, VerdictKind::Never, VerdictKind::Unknown]
    {
        let answers = report.answers(kind);
        let names: Vec<_> = answers.clone().map(|r| printable(&r.name)).collect();
        if names.is_empty() {
            continue;
        }
        let verb = match (kind, names.len()) {
            (VerdictKind::Holds, 1) => "holds",
            (VerdictKind::Holds, _) => "hold",
            (VerdictKind::Covered, 1) => "is covered",
            (VerdictKind::Covered, _) => "are covered",
            (VerdictKind::Never, 1) => "is never reached",
            (VerdictKind::Never, _) => "are never reached",
            (_, 1) => "is unknown",
            _ => "are unknown",
        };
        let verb = paint(verb, verdict_style(kind), page.styled);
        let (file, model) = (&loaded.name, model_name(report));
        let (names, coverage) = (names.join(", "), coverages(answers));
        text.push_str(&format!("{file}: {names} {verb} under {model} ({coverage})\n"));
    }
    if text.is_empty() {
        text = format!("{}: nothing was asked\n", loaded.name);
    }
    text + &page.repeat(loaded, std::slice::from_ref(report))
}

/// A sentence, indented and broken into lines between words, where "(line 7)" counts as one.
fn wrapped(text: &str, width: usize) -> String {
    let text = printable(text).replace("(line ", "(line\u{a0}").replace("(row ", "(row\u{a0}");
    let mut lines = String::new();
    let mut line = String::from(" ");
    for word in text.split(' ').filter(|word| !word.is_empty()) {
        if line.width() + 1 + word.width() > width && !line.trim().is_empty() {
            lines.push_str(&line);
            lines.push('\n');
            line = "   ".into();
        }
        line.push(' ');
        line.push_str(word);
    }
    (lines + &line + "\n").replace('\u{a0}', " ")
}
