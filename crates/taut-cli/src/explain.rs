//! `taut explain`: the story of a violation in plain sentences.

use serde::Serialize;
use taut::render::{Sentence, Story, story};
use taut::{Loaded, MemoryModel, PropertyResult, Report};
use unicode_width::UnicodeWidthStr;

use super::args::{ExplainArgs, Format, ModelArg};
use super::check::{beside, coverages, internal};
use super::command;
use super::exit::Exit;
use super::input::warn_under;
use super::output::{is_styled, paint, print, verdict_style, width};
use super::progress;
use super::provenance;
use super::report;
use super::scope;

/// Runs the command.
pub fn run(args: &ExplainArgs) -> Exit {
    match explain(args) {
        Ok(exit) | Err(exit) => exit,
    }
}

/// The models to look at, the strongest first.
fn models(args: &ExplainArgs, loaded: &Loaded) -> &'static [MemoryModel] {
    let said = args.model.or_else(|| loaded.memory_model().map(ModelArg::One));
    let otherwise = scope::only_model(&args.checking.search).map_or(ModelArg::All, ModelArg::One);
    said.unwrap_or(otherwise).models()
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
        match args.format {
            Format::Json => print(&json(loaded, &report, told.as_ref())),
            Format::Text => print(&text(loaded, &report, told.as_ref())),
        }
        let is_told = told.is_some();
        reports.push(report);
        if is_told {
            break;
        }
    }
    let compared = |model| beside(check(model), &args.checking.search);
    let exit = report::write(&args.report, loaded, &reports, compared)
        .map_err(|fault| internal(&fault))?;
    Ok(reports.iter().map(Exit::of).max().unwrap_or(Exit::Holds).max(exit))
}

/// What is violated first, and its story.
fn first_story<'r>(loaded: &Loaded, report: &'r Report) -> Option<(&'r PropertyResult, Story)> {
    let (result, witness) = report.violations().next()?;
    let (program, run) = (&witness.program, &witness.run);
    Some((result, story(program, &loaded.sources, run, witness.trace.finding)))
}

fn model_name(report: &Report) -> String {
    report.memory.model.name().to_uppercase()
}

fn text(loaded: &Loaded, report: &Report, told: Option<&(&PropertyResult, Story)>) -> String {
    let Some((result, story)) = told else { return without_violation(loaded, report) };
    let styled = is_styled();
    let violated = paint("violated", verdict_style("violated"), styled);
    let (file, name, model) = (&loaded.name, printable(&result.name), model_name(report));
    let mut text = format!("{file}: {name} is {violated} under {model}\n\n");
    for sentence in &story.sentences {
        text.push_str(&wrapped(&sentence.text, width()));
    }
    text
}

/// What holds and what is open, with what that covers.
fn without_violation(loaded: &Loaded, report: &Report) -> String {
    let mut text = String::new();
    for word in ["holds", "unknown"] {
        let of_word = report.results.iter().filter(|r| r.verdict.word() == word);
        let names: Vec<_> = of_word.clone().map(|r| printable(&r.name)).collect();
        if names.is_empty() {
            continue;
        }
        let verb = match (word, names.len()) {
            ("holds", 1) => "holds",
            ("holds", _) => "hold",
            (_, 1) => "is unknown",
            _ => "are unknown",
        };
        let verb = paint(verb, verdict_style(word), is_styled());
        let (file, model) = (&loaded.name, model_name(report));
        let (names, coverage) = (names.join(", "), coverages(of_word));
        text.push_str(&format!("{file}: {names} {verb} under {model} ({coverage})\n"));
    }
    if text.is_empty() {
        text = format!("{}: nothing was asked\n", loaded.name);
    }
    text + &provenance::line(loaded, std::slice::from_ref(report))
}

/// A text without what a terminal would not print as it is.
fn printable(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect()
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

#[derive(Serialize)]
struct Object<'a> {
    file: &'a str,
    model: &'static str,
    verdict: &'static str,
    /// What is violated, else null.
    property: Option<&'a str>,
    kind: Option<&'static str>,
    coverage: String,
    /// Whether the same steps are a violation under SC.
    under_sc: Option<bool>,
    sentences: Vec<SentenceObject<'a>>,
}

#[derive(Serialize)]
struct SentenceObject<'a> {
    kind: &'static str,
    text: &'a str,
    rows: &'a [usize],
    lines: &'a [u32],
}

impl<'a> SentenceObject<'a> {
    fn of(sentence: &'a Sentence) -> SentenceObject<'a> {
        let Sentence { kind, text, rows, lines } = sentence;
        SentenceObject { kind: kind.word(), text, rows, lines }
    }
}

/// A report as one line.
fn json(loaded: &Loaded, report: &Report, told: Option<&(&PropertyResult, Story)>) -> String {
    let verdict = match told {
        Some(_) => "violated",
        None if report.is_unknown() => "unknown",
        None => "holds",
    };
    let of_verdict = report.results.iter().filter(|r| r.verdict.word() == verdict);
    let coverage = match told {
        Some((result, _)) => result.verdict.coverage(),
        None => coverages(of_verdict),
    };
    let object = Object {
        file: &loaded.name,
        model: report.memory.model.name(),
        verdict,
        property: told.map(|(result, _)| result.name.as_str()),
        kind: told.map(|(result, _)| result.kind),
        coverage,
        under_sc: told.map(|(_, story)| story.under_sc),
        sentences: told
            .map_or(&[][..], |(_, story)| &story.sentences)
            .iter()
            .map(SentenceObject::of)
            .collect(),
    };
    serde_json::to_string(&object).expect("numbers and strings") + "\n"
}
