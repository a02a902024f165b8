//! `taut run`: a program's threads on the real processor, beside what the models allow.
//!
//! This is a command of the terminal only: nothing else in Taut runs a program of a user. The compiler is the one that the
//! command line or the variable `CC` names.
//!
//! | file | idea |
//! | --- | --- |
//! | `model.rs` | litmus tests and programs that are written as C |
//! | `c_program.rs` | C programs, which are run as they are |
//! | `judge.rs` | what the models say, and what contradicts them |

mod c_program;
mod judge;
mod model;

use taut::Language;
use taut::json::RunDocument;
use taut_run::{Compiler, Failure, Seen, Settings};

use super::args::RunOnProcessorArgs;
use super::command;
use super::exit::Exit;
use super::output::{eprint, page, print};
use super::refused::Refused;

/// Runs the command.
pub fn run(args: &RunOnProcessorArgs) -> Exit {
    match document(args) {
        Ok(document) => {
            print(&args.format.run(&page(), &document));
            exit_of(&document)
        }
        Err(exit) => exit,
    }
}

fn exit_of(document: &RunDocument) -> Exit {
    match () {
        () if document.is_violated() => Exit::Violated,
        () if document.is_open() => Exit::Unknown,
        () => Exit::Holds,
    }
}

fn document(args: &RunOnProcessorArgs) -> Result<RunDocument, Exit> {
    let refuse = |message: &str| Err(Refused::Message(message.into()).show());
    if !cfg!(target_os = "linux") {
        return refuse("`taut run` needs Linux: it pins threads to processors");
    }
    if args.input.granularity.is_some() {
        return refuse(
            "--granularity is not for `taut run`: a processor does one access at a time",
        );
    }
    let language = args.input.language.or_else(|| Language::of_path(&args.input.file));
    match language.map(|language| language.name()) {
        Some("c") => c_program::document(args),
        _ if !args.cflags.is_empty() => refuse("--cflag is for C programs"),
        _ => model::document(args),
    }
}

/// Runs something with the settings that were typed, and says why if nothing was seen.
fn seen(
    args: &RunOnProcessorArgs,
    run: impl FnOnce(&Settings<'_>) -> Result<Seen, Failure>,
) -> Result<(Seen, Compiler), Exit> {
    let named = args.cc.clone().or_else(|| std::env::var("CC").ok());
    let compiler = Compiler::find(named.as_deref()).map_err(|failure| failed(&failure))?;
    let budget = command::budget();
    let is_interrupted = || budget.interrupt().is_raised();
    let settings = Settings {
        compiler: compiler.clone(),
        time: args.seconds,
        seed: args.seed,
        keep: args.keep.clone(),
        is_interrupted: &is_interrupted,
    };
    let seen = run(&settings).map_err(|failure| failed(&failure))?;
    Ok((seen, compiler))
}

/// Says why nothing was seen.
fn failed(failure: &Failure) -> Exit {
    match failure {
        Failure::Late | Failure::Interrupted => {
            eprint(&format!("unknown: {failure}\n"));
            Exit::Unknown
        }
        _ => {
            eprint(&format!("error: {failure}\n"));
            Exit::BadInput
        }
    }
}

/// The document of what was seen, without what the models say.
fn begin(args: &RunOnProcessorArgs, file: &str, seen: &Seen, compiler: &Compiler) -> RunDocument {
    let mut notes = Vec::new();
    if seen.threads > seen.cpus {
        notes.push(format!(
            "{} threads share {} processors: what needs all of them at the same time is seen rarely or never",
            seen.threads, seen.cpus
        ));
    }
    if !judge::has_tso() {
        notes.push(format!(
            "this processor ({}) does not have TSO: it may show what TSO and PSO forbid",
            std::env::consts::ARCH
        ));
    }
    RunDocument {
        file: file.into(),
        processor: std::env::consts::ARCH.into(),
        compiler: compiler.version().into(),
        processors: seen.cpus,
        threads: seen.threads,
        seconds: args.seconds.as_secs_f64(),
        rounds: seen.rounds,
        finished: seen.finished,
        cut: seen.cut,
        assumed: seen.assumed,
        models: judge::MODELS.iter().map(|model| model.name()).collect(),
        others: seen.others,
        notes,
        ..RunDocument::default()
    }
}
