//! `taut litmus`: final states of many litmus tests, in parallel.

use std::path::{Path, PathBuf};

use indicatif::{ProgressBar, ProgressStyle};
use rayon::prelude::*;
use taut::budget::{Budget, Level};
use taut::formats::LitmusAnswer;
use taut::formats::columns::thousands;
use taut::litmus::{Observation, Test, Verdict};
use taut::load::{LoadOptions, from_path};
use taut::{Language, Limits, MemoryModel};

use super::args::{FormatArg, LitmusArgs};
use super::command;
use super::exit::Exit;
use super::output::{eprint, is_error_styled, is_watched, print};

/// What became of one test under one model.
struct Answer {
    /// What goes to standard output.
    text: String,
    /// What goes to standard error.
    message: String,
    exit: Exit,
    verdict: Option<(Verdict, Observation)>,
}

/// Runs the command.
pub fn run(args: &LitmusArgs) -> Exit {
    let files = match collect(&args.paths) {
        Ok(files) => files,
        Err(message) => {
            eprint(&format!("error: {message}\n"));
            return Exit::BadInput;
        }
    };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(args.jobs.unwrap_or(0) as usize).build();
    let pool = match pool {
        Ok(pool) => pool,
        Err(error) => {
            eprint(&format!("error: cannot start threads: {error}\n"));
            return Exit::Internal;
        }
    };
    let runner = Runner::new(args, pool.current_num_threads());
    let bar = progress(files.len());
    let answers: Vec<Vec<Answer>> = pool.install(|| {
        let run = |file: &PathBuf| {
            let answers = runner.run_file(file);
            bar.inc(1);
            answers
        };
        files.par_iter().map(run).collect()
    });
    bar.finish_and_clear();
    for answer in answers.iter().flatten() {
        eprint(&answer.message);
        print(&answer.text);
    }
    if args.format.is_for_people() && answers.len() > 1 {
        print(&summary(answers.iter().flatten()));
    }
    answers.iter().flatten().map(|a| a.exit).max().unwrap_or(Exit::Holds)
}

/// Runs single tests.
struct Runner<'a> {
    models: &'a [MemoryModel],
    format: FormatArg,
    limits: Limits,
}

impl<'a> Runner<'a> {
    fn new(args: &'a LitmusArgs, jobs: usize) -> Runner<'a> {
        // All tests that run at the same time share the memory.
        let whole = command::search_limits();
        let limits = Limits {
            states: args.limits.max_states,
            bytes: whole.bytes.map(|b| b / jobs as u64),
            time: args.limits.timeout,
            ..whole
        };
        Runner { models: args.model.models(), format: args.format, limits }
    }

    /// Runs a test under every model. Reading it and all models share the time of the test.
    fn run_file(&self, path: &Path) -> Vec<Answer> {
        let budget = self.limits.budget.within(self.limits.time);
        let options = LoadOptions { language: Language::named("litmus"), ..LoadOptions::default() };
        let loaded = match budget.run(Level::Work, || from_path(path, options)) {
            Ok(Ok(loaded)) => loaded,
            Ok(Err(error)) => {
                let message = error.render(is_error_styled()) + "\n\n";
                let exit = Exit::BadInput;
                return vec![Answer { text: String::new(), message, exit, verdict: None }];
            }
            Err(met) => {
                let message = format!("{}: unknown: {met}\n", path.display());
                let exit = Exit::Unknown;
                return vec![Answer { text: String::new(), message, exit, verdict: None }];
            }
        };
        let test = loaded.litmus().expect("a litmus test");
        let run = |&model: &MemoryModel| self.run_test(&loaded.name, test, model, &budget);
        self.models.iter().map(run).collect()
    }

    fn run_test(&self, file: &str, test: &Test, model: MemoryModel, budget: &Budget) -> Answer {
        // The budget ends every model; a limit on time for each of them would be counted anew.
        let limits = Limits { time: None, budget: budget.clone(), ..self.limits.clone() };
        let outcome = match budget.run(Level::Work, || taut::litmus::run(test, model, &limits)) {
            Ok(outcome) => outcome.map_err(|limit| limit.to_string()),
            Err(met) => Err(met.to_string()),
        };
        let text = self.format.litmus(&LitmusAnswer {
            file,
            test,
            model,
            is_one_of_many: self.models.len() > 1,
            outcome: outcome.as_ref().ok(),
        });
        match outcome {
            Ok(outcome) => {
                let verdict = Some((outcome.verdict, outcome.observation));
                Answer { text, message: String::new(), exit: Exit::Holds, verdict }
            }
            Err(limit) => {
                let message = format!("{file}: unknown under {model}: {limit}\n");
                Answer { text, message, exit: Exit::Unknown, verdict: None }
            }
        }
    }
}

/// A bar on a terminal, nothing elsewhere.
fn progress(tests: usize) -> ProgressBar {
    if tests < 2 || !is_watched() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{bar:40} {pos}/{len} tests, {per_sec}, {elapsed}");
    let bar = ProgressBar::new(tests as u64);
    match style {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

fn summary<'a>(answers: impl Iterator<Item = &'a Answer> + Clone) -> String {
    let count =
        |wanted: &dyn Fn(&Answer) -> bool| answers.clone().filter(|a| wanted(a)).count() as u64;
    let ok = count(&|a| a.verdict.is_some_and(|(v, _)| v == Verdict::Ok));
    let no = count(&|a| a.verdict.is_some_and(|(v, _)| v == Verdict::No));
    let refused = count(&|a| a.exit == Exit::BadInput);
    let unknown = count(&|a| a.exit == Exit::Unknown);
    let mut text = format!(
        "{} tests: {} Ok, {} No",
        thousands(ok + no + refused + unknown),
        thousands(ok),
        thousands(no)
    );
    if refused > 0 {
        text.push_str(&format!(", {refused} refused"));
    }
    if unknown > 0 {
        text.push_str(&format!(", {unknown} unknown"));
    }
    text + "\n"
}

/// All tests that the arguments name: files as they are, directories with everything in them that ends
/// in `.litmus`, and index files (`@all`) with one path per line.
fn collect(paths: &[PathBuf]) -> Result<Vec<PathBuf>, String> {
    let mut files = Vec::new();
    for path in paths {
        match path.to_str().and_then(|p| p.strip_prefix('@')) {
            Some(index) if !path.exists() => read_index(Path::new(index), 0, &mut files)?,
            _ if is_index(path) => read_index(path, 0, &mut files)?,
            _ if path.is_dir() => walk(path, &mut files)?,
            _ => files.push(path.clone()),
        }
    }
    if files.is_empty() {
        return Err("there are no litmus tests there".into());
    }
    Ok(files)
}

/// herd's own name for a list of tests is `@all`.
fn is_index(path: &Path) -> bool {
    path.is_file() && path.file_name().is_some_and(|n| n.to_string_lossy().starts_with('@'))
}

/// The levels of lists in lists. A list that names itself has no end.
const DEEPEST_INDEX: usize = 16;

/// The tests of a list. A list may come from a stranger, so it names tests, directories and lists only: no other file
/// is opened.
fn read_index(path: &Path, depth: usize, files: &mut Vec<PathBuf>) -> Result<(), String> {
    let shown = path.display();
    if depth >= DEEPEST_INDEX {
        return Err(format!("`{shown}`: more than {DEEPEST_INDEX} levels of lists"));
    }
    let text = std::fs::read_to_string(path).map_err(|e| format!("cannot read `{shown}`: {e}"))?;
    let folder = path.parent().unwrap_or(Path::new(""));
    for line in text.lines().map(str::trim).filter(|l| !l.is_empty() && !l.starts_with('#')) {
        let named = folder.join(line);
        match () {
            () if is_index(&named) => read_index(&named, depth + 1, files)?,
            () if named.is_dir() => walk(&named, files)?,
            () if is_test(&named) => files.push(named),
            () => return Err(format!("`{shown}`: `{line}` is no litmus test, directory or list")),
        }
    }
    Ok(())
}

/// Whether a file is a litmus test by its name. What is neither a file nor absent is a pipe or a device.
fn is_test(path: &Path) -> bool {
    path.extension().is_some_and(|e| e == "litmus") && (path.is_file() || !path.exists())
}

fn walk(folder: &Path, files: &mut Vec<PathBuf>) -> Result<(), String> {
    let error = |e: std::io::Error| format!("cannot read `{}`: {e}", folder.display());
    let mut entries: Vec<PathBuf> = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(error)? {
        entries.push(entry.map_err(error)?.path());
    }
    entries.sort();
    for path in entries {
        // A link to a directory could lead back here; tests are not kept behind links.
        if path.is_dir() && !path.is_symlink() {
            walk(&path, files)?;
        } else if is_test(&path) {
            files.push(path);
        }
    }
    Ok(())
}
