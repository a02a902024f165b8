//! The command line of Taut: arguments, commands, output, exit codes. Flags and glue, no algorithm.
//!
//! It is a library so that an executable with languages or formats of its own is three lines: register them
//! ([`taut::frontends::register`], [`taut::formats::register`]), then [`run`]. See `examples/toy_language.rs`.

mod annotate;
mod args;
mod baseline;
mod check;
mod checking;
mod checkpoint;
mod command;
mod compare;
mod compiler;
mod completions;
mod examples;
mod exit;
mod explain;
mod export;
mod fault;
mod files;
mod fix;
mod fmt;
mod graph;
mod header;
mod init_ci;
mod input;
mod litmus;
#[cfg(feature = "lsp")]
mod lsp;
mod ltl;
mod man;
mod output;
mod progress;
mod proof;
mod provenance;
mod races;
mod recording;
mod refused;
mod repair;
mod replay;
mod report;
mod resume;
#[cfg(feature = "run")]
mod run;
mod schema;
mod scope;
#[cfg(feature = "serve")]
mod serve;
mod several;
mod simulate;
mod suite;
mod temporal;
mod translate;
mod vacuity;

use std::ffi::OsString;
use std::process::ExitCode;

use args::{Args, Command};
use exit::Exit;

/// Reads the arguments of this process and does what they say.
pub fn run() -> ExitCode {
    #[cfg(feature = "serve")]
    if let Some(exit) = serve::job_of_a_server() {
        return exit.into();
    }
    run_with(std::env::args_os())
}

/// Does what some arguments say, the first of which is the name of the program.
pub fn run_with(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let mut args = match Args::read(arguments) {
        Ok(args) => args,
        Err(error) => {
            // Help and version are answers, everything else is bad input.
            let exit = if error.use_stderr() { Exit::BadInput } else { Exit::Holds };
            output::write_all(&error.render().ansi().to_string(), error.use_stderr());
            return exit.max(output::outcome()).into();
        }
    };
    if let Err(refused) = compiler::take_flags(&mut args.command) {
        return refused.show().max(output::outcome()).into();
    }
    let exit = command::within(&args.command, || dispatch(&args.command));
    exit.max(output::outcome()).into()
}

fn dispatch(command: &Command) -> Exit {
    match command {
        Command::Check(args) if !args.more.is_empty() => several::run(args),
        Command::Check(args) => check::run(args),
        Command::Resume(args) => resume::run(args),
        Command::Compare(args) => compare::run(args),
        Command::Explain(args) => explain::run(args),
        Command::Litmus(args) => litmus::run(args),
        Command::Fmt(args) => fmt::run(args),
        Command::Fix(args) => fix::run(args),
        Command::Repair(args) => repair::run(args),
        Command::Export(args) => export::run(args),
        Command::Translate(args) => translate::run(args),
        Command::Graph(args) => graph::run(args),
        Command::Replay(args) => replay::run(args),
        Command::Simulate(args) => simulate::run(args),
        #[cfg(feature = "run")]
        Command::Run(args) => run::run(args),
        #[cfg(feature = "serve")]
        Command::Serve(args) => serve::run(args),
        #[cfg(feature = "lsp")]
        Command::Lsp(args) => lsp::run(args),
        Command::Ltl(args) => ltl::run(args),
        Command::Header(args) => header::run(args),
        Command::Examples(args) => examples::run(args),
        Command::Schema(args) => schema::run(args),
        Command::InitCi(args) => init_ci::run(args),
        Command::Completions(args) => completions::run(args),
        Command::Man(args) => man::run(args),
    }
}
