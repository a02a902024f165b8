//! `taut check DIR`: the programs of a folder with their expected verdicts.

use std::path::Path;

use clap::CommandFactory;
use clap::parser::ValueSource;
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;
use taut::annotate::Annotations;
use taut::search::limits::Seconds;
use taut::suite::{self, Answer, FileResult, Outcome, Status};
use taut::{Limits, Provenance};

use super::annotate::Annotator;
use super::args::{Args, CheckArgs, CheckFormat};
use super::columns::{Cell, render};
use super::command;
use super::exit::Exit;
use super::files;
use super::output::{eprint, is_error_styled, is_styled, is_watched, print, verdict_style};
use super::provenance;
use super::refused::Refused;

/// The options that say something about a whole suite; what else there is to say stands in its files.
const OF_SUITES: [&str; 8] =
    ["jobs", "junit", "sarif", "format", "max-states", "max-memory", "timeout", "vacuity"];
/// The options that say nothing about a single program.
const ONLY_OF_SUITES: [&str; 1] = ["junit"];

/// Runs the command on a folder.
pub fn run(args: &CheckArgs) -> Exit {
    let folder = &args.checking.input.file;
    match checked(args, folder) {
        Ok(files) => deliver(args, folder, &files),
        Err(message) => Annotator::new(args.format, &args.sarif).refuse(&Refused::Message(message)),
    }
}

/// Refuses options that would be ignored: those of files for a suite, and those of suites for a file.
pub fn refuse_options(args: &CheckArgs) -> Result<(), Exit> {
    let is_suite = args.checking.input.file.is_dir();
    let wrong = given().into_iter().find(|option| match is_suite {
        true => !OF_SUITES.contains(&option.as_str()),
        false => ONLY_OF_SUITES.contains(&option.as_str()),
    });
    let Some(option) = wrong else { return Ok(()) };
    let why = match is_suite {
        true => "is not for a directory; its files say how they are checked, in `// options:`",
        false => "is for directories only",
    };
    eprint(&format!("error: --{option} {why}\n"));
    Err(Exit::BadInput)
}

/// The long names of the options that were typed after `check`.
fn given() -> Vec<String> {
    let command = Args::command();
    let Ok(matches) = command.clone().try_get_matches() else { return Vec::new() };
    let (Some(check), Some(matches)) =
        (command.find_subcommand("check"), matches.subcommand_matches("check"))
    else {
        return Vec::new();
    };
    let typed = |id: &str| matches.value_source(id) == Some(ValueSource::CommandLine);
    let options = check.get_arguments().filter(|a| typed(a.get_id().as_str()));
    options.filter_map(|a| a.get_long().map(String::from)).collect()
}

fn checked(args: &CheckArgs, folder: &Path) -> Result<Vec<FileResult>, String> {
    let files = suite::programs(folder)?;
    if files.is_empty() {
        return Err(format!("there are no programs in `{}`", folder.display()));
    }
    let limits = Limits {
        states: args.checking.limits.max_states,
        time: args.checking.limits.timeout,
        ..command::search_limits()
    };
    let bar = progress(files.len());
    let jobs = args.checking.search.speed.threads();
    let results = suite::run(&files, jobs, &limits, args.vacuity.level(), || bar.inc(1));
    bar.finish_and_clear();
    results
}

/// A bar on a terminal, nothing elsewhere.
fn progress(files: usize) -> ProgressBar {
    if files < 2 || !is_watched() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(files as u64);
    match ProgressStyle::with_template("{bar:40} {pos}/{len} files, {elapsed}") {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

/// Prints and writes the results.
fn deliver(args: &CheckArgs, folder: &Path, files: &[FileResult]) -> Exit {
    match args.format {
        CheckFormat::Json => files.iter().for_each(|file| print(&line(file))),
        CheckFormat::Text => {
            files.iter().for_each(|file| eprint(&message(file)));
            print(&format!("{}\n{}{}", folder.display(), table(files), hints(files)));
            print(&format!("{}\n", summary(files)));
            print(&format!("repeat: {}\n", depends_on(files).line()));
            print(&vacuous(files));
        }
        CheckFormat::Sarif => files.iter().for_each(|file| eprint(&message(file))),
        CheckFormat::Github => {}
    }
    if let Some(path) = &args.suite.junit {
        let xml = suite::junit::xml(&folder.display().to_string(), files);
        if let Err(exit) = files::deliver(path, xml.as_bytes()) {
            return exit;
        }
    }
    let annotator = Annotator::new(args.format, &args.sarif);
    if files.iter().all(|f| f.status() == Status::NoExpectation) {
        let message = "no file has an expectation, so nothing was checked";
        return annotator.refuse(&Refused::Message(message.into()));
    }
    let exit = files.iter().map(exit).max().unwrap_or(Exit::Holds);
    annotator.deliver(exit, || Annotations::of_suite(files))
}

fn exit(file: &FileResult) -> Exit {
    match (file.status(), &file.outcome) {
        (_, Outcome::Fault(_)) => Exit::Internal,
        (Status::NoExpectation | Status::Met, _) => Exit::Holds,
        (Status::Unknown, _) => Exit::Unknown,
        (Status::Differs, _) => Exit::Violated,
        (Status::Error, _) => Exit::BadInput,
    }
}

/// Why a file was not checked, for standard error.
fn message(file: &FileResult) -> String {
    match &file.outcome {
        Outcome::Refused(error) => error.render(is_error_styled()) + "\n\n",
        Outcome::Fault(fault) => format!("{}: internal error: {fault}\n", file.name()),
        Outcome::NoExpectation | Outcome::Checked(_) => String::new(),
    }
}

/// A row an expectation, what went wrong first.
fn table(files: &[FileResult]) -> String {
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
    render(&all, is_styled())
}

fn row(file: &FileResult, answer: &Answer) -> Vec<Cell> {
    let style = match answer.status() {
        Status::Met => verdict_style("holds"),
        Status::Differs => verdict_style("violated"),
        _ => verdict_style("unknown"),
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
        _ => ("–", Cell::new("error").styled(verdict_style("violated"))),
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
            let file = suite::quoted(&name);
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

#[derive(Serialize)]
struct FileObject<'a> {
    file: String,
    status: &'static str,
    results: Vec<AnswerObject<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    seconds: f64,
    provenance: Provenance,
}

#[derive(Serialize)]
struct AnswerObject<'a> {
    model: &'static str,
    property: Option<&'a str>,
    expected: &'static str,
    got: &'static str,
    status: &'static str,
    coverage: &'a str,
    states: u64,
    transitions: u64,
    properties: &'a [String],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    vacuity: Vec<String>,
}

/// What the answers about some files depend on.
fn depends_on(files: &[FileResult]) -> Provenance {
    let sources = files.iter().filter_map(|file| file.source.clone()).collect();
    Provenance::of_sources(sources, provenance::arguments())
}

/// A file as one line of JSON.
fn line(file: &FileResult) -> String {
    let answers = file.answers().iter().map(|a| AnswerObject {
        model: a.expectation.model.name(),
        property: a.expectation.property.as_deref(),
        expected: a.expectation.verdict.name(),
        got: a.got.name(),
        status: a.status().word(),
        coverage: &a.coverage,
        states: a.states,
        transitions: a.transitions,
        properties: &a.properties,
        vacuity: a.vacuity.iter().map(ToString::to_string).collect(),
    });
    let error = match &file.outcome {
        Outcome::Refused(error) => Some(error.render(false)),
        Outcome::Fault(fault) => Some(format!("internal error: {fault}")),
        Outcome::NoExpectation | Outcome::Checked(_) => None,
    };
    let object = FileObject {
        file: file.name(),
        status: file.status().word(),
        results: answers.collect(),
        error,
        seconds: file.time.as_secs_f64(),
        provenance: depends_on(std::slice::from_ref(file)),
    };
    serde_json::to_string(&object).expect("numbers and strings") + "\n"
}
