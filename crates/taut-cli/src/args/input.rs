//! Reading a program: its file, and the options of its language.

use std::path::PathBuf;

use super::language::{self, LanguageArgs};
use super::{Command, GranularityArg};

/// Reading a program.
#[derive(Clone, Debug, clap::Args)]
pub struct InputArgs {
    /// The file of the program: as typed, or as a compiler's command names it. Empty until
    /// [`super::super::compiler::take_flags`] has set it.
    #[arg(skip)]
    pub file: PathBuf,
    #[arg(
        value_name = "FILE",
        help = language::program_help(),
        required_unless_present_any = ["compile_commands", "compiler"],
    )]
    pub typed: Option<PathBuf>,
    /// The language, where the extension does not say it.
    #[arg(long, value_parser = language::language())]
    pub language: Option<taut::Language>,
    #[arg(long, value_enum, help = language::granularity_help())]
    pub granularity: Option<GranularityArg>,
    #[command(flatten)]
    pub options: LanguageArgs,
    /// C: takes the flags of the file from compile_commands.json in this directory; without FILE, its only file.
    #[arg(short = 'p', long, value_name = "DIR")]
    pub compile_commands: Option<PathBuf>,
    /// C: a compiler's command (cc -O2 -Iinclude lock.c), whose flags and file are taken. It is not run.
    #[arg(last = true, value_name = "COMPILER COMMAND", conflicts_with = "compile_commands")]
    pub compiler: Vec<String>,
}

impl Command {
    /// How the command reads its program, if it reads one.
    pub fn input_mut(&mut self) -> Option<&mut InputArgs> {
        match self {
            Command::Check(args) => Some(&mut args.checking.input),
            Command::Compare(args) => Some(&mut args.checking.input),
            Command::Explain(args) => Some(&mut args.checking.input),
            Command::Repair(args) => Some(&mut args.checking.input),
            Command::Fmt(args) => Some(&mut args.input),
            Command::Fix(args) => Some(&mut args.input),
            Command::Export(args) => Some(&mut args.input),
            Command::Translate(args) => Some(&mut args.input),
            Command::Graph(args) => Some(&mut args.input),
            Command::Replay(args) => Some(&mut args.input),
            Command::Simulate(args) => Some(&mut args.input),
            #[cfg(feature = "run")]
            Command::Run(args) => Some(&mut args.input),
            #[cfg(feature = "serve")]
            Command::Serve(_) => None,
            #[cfg(feature = "lsp")]
            Command::Lsp(_) => None,
            Command::Resume(_)
            | Command::Litmus(_)
            | Command::Ltl(_)
            | Command::Header(_)
            | Command::Examples(_)
            | Command::Schema(_)
            | Command::InitCi(_)
            | Command::Completions(_)
            | Command::Man(_) => None,
        }
    }
}
