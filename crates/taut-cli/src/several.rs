//! `taut check A B …`: several programs and directories, each checked by itself, one after the other.
//!
//! What is printed is what the single commands print. The exit code is that of the worst one. Annotations (SARIF, GitHub)
//! are written once, for all of them. `--timeout` is for each program.

use std::cell::RefCell;

use taut::annotate::Annotations;

use super::annotate::Annotator;
use super::args::{CheckArgs, CheckingArgs, InputArgs};
use super::baseline::Known;
use super::check;
use super::command;
use super::exit::Exit;
use super::refused::Refused;

/// Runs the command on several files.
pub fn run(args: &CheckArgs) -> Exit {
    let annotator = Annotator::new(args.format, &args.sarif);
    if let Some(option) = of_one_program(args) {
        let message = format!("--{option} is for one program; check them one by one");
        return annotator.refuse(&Refused::Message(message));
    }
    let collected = RefCell::new(Annotations::default());
    let each = annotator.collecting(&collected);
    let known = match Known::of(&args.known) {
        Ok(known) => known,
        Err(refused) => return annotator.refuse(&refused),
    };
    let mut worst = Exit::Holds;
    for args in parts(args) {
        if command::budget().interrupt().is_raised() {
            worst = worst.max(Exit::Unknown);
            break;
        }
        let timeout = args.checking.limits.timeout;
        worst = worst.max(command::for_one(timeout, || check::one(&args, each, &known)));
    }
    let exit = annotator.deliver(worst, || collected.into_inner());
    known.end(args.format, exit)
}

/// The arguments of each program by itself.
fn parts(args: &CheckArgs) -> impl Iterator<Item = CheckArgs> {
    let files = std::iter::once(&args.checking.input.file).chain(&args.more);
    files.map(|file| {
        let args = args.clone();
        let input =
            InputArgs { file: file.clone(), typed: Some(file.clone()), ..args.checking.input };
        let checking = CheckingArgs { input, ..args.checking };
        CheckArgs { checking, more: Vec::new(), ..args }
    })
}

/// An option that was given and names one file for one program.
fn of_one_program(args: &CheckArgs) -> Option<&'static str> {
    let given = [
        ("trace", args.trace.is_some()),
        ("witness", args.witness.is_some()),
        ("report", args.report.path.is_some()),
        ("proof", args.proof.proof_file.is_some()),
        ("checkpoint", args.checkpoint.folder.is_some()),
        ("junit", args.suite.junit.is_some()),
    ];
    given.into_iter().find(|(_, is_given)| *is_given).map(|(name, _)| name)
}
