//! `taut check DIR`: the programs of a folder with their expected verdicts.

use std::path::Path;

use clap::parser::ValueSource;
use indicatif::{ProgressBar, ProgressStyle};
use taut::Limits;
use taut::annotate::Annotations;
use taut::suite::{self, Answer, FileResult, Outcome, Status};

use super::annotate::Annotator;
use super::args::{Args, CheckArgs};
use super::baseline::Known;
use super::command;
use super::exit::Exit;
use super::files;
use super::output::{eprint, is_error_styled, is_watched, page, print};
use super::refused::Refused;

/// The options that say something about a whole suite; what else there is to say stands in its files.
const OF_SUITES: [&str; 10] = [
    "jobs",
    "junit",
    "sarif",
    "format",
    "max-states",
    "max-memory",
    "timeout",
    "vacuity",
    "baseline",
    "write-baseline",
];
/// The options that say nothing about a single program.
const ONLY_OF_SUITES: [&str; 1] = ["junit"];

/// Runs the command on a folder.
pub fn run(args: &CheckArgs, annotator: Annotator<'_>, known: &Known) -> Exit {
    let folder = &args.checking.input.file;
    match checked(args, folder) {
        Ok(files) => deliver(args, annotator, known, folder, &files),
        Err(message) => annotator.refuse(&Refused::Message(message)),
    }
}

/// Refuses options that would be ignored: those of files for a suite, and those of suites for a file.
pub fn refuse_options(args: &CheckArgs) -> Result<(), Exit> {
    let is_suite = args.checking.input.file.is_dir();
    if !is_suite && !ONLY_OF_SUITES.iter().any(|option| may_be_given(option)) {
        return Ok(());
    }
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

/// Whether some word looks like an option.
fn may_be_given(option: &str) -> bool {
    let long = format!("--{option}");
    std::env::args_os().any(|word| word.as_encoded_bytes().starts_with(long.as_bytes()))
}

/// The long names of the options that were typed after `check`.
fn given() -> Vec<String> {
    let command = Args::unarranged();
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
fn deliver(
    args: &CheckArgs,
    annotator: Annotator<'_>,
    known: &Known,
    folder: &Path,
    files: &[FileResult],
) -> Exit {
    if !args.format.takes_errors_of_suites() {
        files.iter().for_each(|file| eprint(&message(file)));
    }
    let exit = files.iter().map(|file| exit(file, known)).max().unwrap_or(Exit::Holds);
    print(&args.format.suite(&page(), &folder.display().to_string(), files));
    if let Some(path) = &args.suite.junit {
        let is_known =
            |file: &FileResult, answer: &Answer| known.is_known(&known.of_answer(file, answer).0);
        let xml = suite::junit::xml(&folder.display().to_string(), files, &is_known);
        if let Err(exit) = files::deliver(path, xml.as_bytes()) {
            return exit;
        }
    }
    if files.iter().all(|f| f.status() == Status::NoExpectation) {
        let message = "no file has an expectation, so nothing was checked";
        return annotator.refuse(&Refused::Message(message.into()));
    }
    annotator.deliver(exit, || known.mark(Annotations::of_suite(files)))
}

fn exit(file: &FileResult, known: &Known) -> Exit {
    if let (true, Outcome::Checked(answers)) = (known.is_used(), &file.outcome) {
        return answers.iter().map(|a| known.exit_of_answer(file, a)).max().unwrap_or(Exit::Holds);
    }
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
