//! What can be typed.

mod checkpoint;
mod depth;
mod examples;
mod explain;
mod export;
mod formats;
mod graph;
mod help;
mod input;
mod language;
mod limits;
mod model;
mod proof;
mod repair;
mod report;
#[cfg(feature = "run")]
mod run;
mod search;
#[cfg(feature = "serve")]
mod serve;
mod simulate;
mod speed;
mod suite;
mod temporal;

pub use checkpoint::{CheckpointArgs, ResumeArgs};
pub use depth::Depth;
pub use examples::ExamplesArgs;
pub use explain::ExplainArgs;
pub use export::{ExportArgs, TargetArg, TranslateArgs, TranslateTargetArg};
pub use formats::{
    FormatArg, InitCiArgs, ProviderArg, SarifArgs, SchemaArgs, VacuityArg, format_of,
};
pub use graph::{GraphArgs, GraphEngineArg, GraphFormatArg};
pub use input::InputArgs;
pub use language::{LanguageArgs, formatted};
pub use limits::Typed;
pub use model::{BufferArgs, FullBufferArg, ModelArg, OneModelArg};
pub use proof::ProofArgs;
pub use repair::RepairArgs;
pub use report::ReportArgs;
#[cfg(feature = "run")]
pub use run::RunOnProcessorArgs;
pub use search::{SearchArg, SearchArgs};
#[cfg(feature = "serve")]
pub use serve::ServeArgs;
pub use simulate::SimulateArgs;
pub use speed::{SpeedArgs, StoreArg};
pub use suite::{BaselineArgs, CompletionsArgs, ManArgs, SuiteArgs};
pub use temporal::{AutomatonArg, CyclesArg, LtlArgs, QuestionArgs, RunArgs};

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};
use taut::budget::units;
use taut::formats::Shown;

/// Verifies concurrent programs on relaxed memory (SC, TSO, PSO).
#[derive(Debug, Parser)]
#[command(name = "taut", version, about, arg_required_else_help = true)]
pub struct Args {
    #[command(subcommand)]
    pub command: Command,
}

impl Args {
    /// What can be typed, with the headings and the short lines of help texts.
    pub fn command() -> clap::Command {
        help::arranged(Args::unarranged())
    }

    /// What can be typed.
    pub fn unarranged() -> clap::Command {
        // The compiler's command stands last, behind the trace and behind further files.
        let last = |command: clap::Command, second: &'static str| {
            let command = command.mut_arg(second, |arg| arg.index(2));
            command.mut_arg("compiler", |arg| arg.index(3))
        };
        let command = <Args as CommandFactory>::command();
        let command = command.mut_subcommand("replay", |replay| last(replay, "trace"));
        command.mut_subcommand("check", |check| last(check, "more"))
    }

    /// Reads words, the first of which is the name of the program.
    pub fn read(words: impl IntoIterator<Item = OsString>) -> Result<Args, clap::Error> {
        let words: Vec<OsString> = words.into_iter().collect();
        // Help and messages are arranged, which takes longer than most checks: only where there is something to show.
        let plain = Args::unarranged().try_get_matches_from(&words);
        if let Ok(args) = plain.and_then(|matches| Args::from_arg_matches(&matches)) {
            return Ok(args);
        }
        let mut command = Args::command();
        let matches = command.try_get_matches_from_mut(words).map_err(model::tell_of_absent)?;
        Args::from_arg_matches(&matches).map_err(|error| error.format(&mut command))
    }
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Checks a program: assertions, forbidden states, deadlock, temporal properties; or the programs of a
    /// directory against the verdicts that they expect; or several of these.
    ///
    /// Exit code: 1 if anything is violated, else 2 if anything is unknown, else 0; 3 for bad input. Of a
    /// directory: 1 if any verdict is not the expected one, else 2 if one is unknown instead, else 0; 3 for bad
    /// input.
    Check(CheckArgs),
    /// Goes on with a check that was ended: by a kill, a reboot or a limit of time or memory.
    ///
    /// The answer is the one that the check would have given. The limits of the check do not hold any longer; those that
    /// are given here do. Exit code: that of the check.
    Resume(ResumeArgs),
    /// One table: each property under SC, TSO and PSO.
    Compare(CompareArgs),
    /// Tells why something is violated, in plain sentences: which store was late, and who could tell.
    ///
    /// Exit code: 1 if anything is violated, else 2 if anything is unknown, else 0; 3 for bad input.
    Explain(ExplainArgs),
    /// The final states of litmus tests, in the layout of herd7.
    Litmus(LitmusArgs),
    /// Prints a program in the Taut language.
    Fmt(FmtArgs),
    /// Fixes the mistakes of a program in the Taut language whose fix is certain, and shows the messages about the rest.
    ///
    /// Exit code: 0 if the program is fine then, 3 if something is left.
    Fix(FixArgs),
    /// Finds the cheapest fences and atomic writes that fix a program, proves it right with them, and shows the
    /// change of its source.
    ///
    /// Exit code: 0 if it is fixed or was right, 1 if it is wrong under SC or nothing fixes it, 2 if a limit was
    /// met, 3 for bad input.
    Repair(RepairArgs),
    /// Writes a program with its store buffers for another tool: Promela for SPIN, DVE for DiVinE.
    Export(ExportArgs),
    /// Writes a program that does under SC what this one does under TSO, within some rounds or up to an age of
    /// its stores, for any tool that knows SC.
    Translate(TranslateArgs),
    /// Draws the states of a program: the languages of its buffers, and how states follow each other.
    ///
    /// Exit code: 2 if something is left out, 3 for bad input.
    Graph(GraphArgs),
    /// Replays a trace that `check --trace` or `--format json` wrote.
    Replay(ReplayArgs),
    /// Runs a program step by step: choose what happens next, go back, walk at random, run to a condition, step
    /// through a trace.
    ///
    /// On a terminal it draws the state; the key ? lists the keys. With --script, or where standard input is no
    /// terminal, it reads commands and prints text.
    Simulate(SimulateArgs),
    /// Runs a program's threads on the real processor, over and over, and counts the final states and violations that
    /// are seen, beside what each memory model allows.
    ///
    /// Litmus tests and Taut programs are written as C; of a C program the file itself is compiled and run, with all
    /// that it does: run only what you trust. Exit code: 1 if a violated property or a state that TSO forbids was seen,
    /// else 2 if a limit left an answer open, else 0; 3 for bad input, or if there is no compiler.
    #[cfg(feature = "run")]
    Run(RunOnProcessorArgs),
    /// Serves a page on this machine: an editor and examples, to check, compare and repair programs in a browser.
    ///
    /// The address with its secret token is the first line of the output. Each job runs in a process of its own,
    /// with a limit on its time and its memory, and reads no files. Ctrl-C ends the server and all its jobs.
    #[cfg(feature = "serve")]
    Serve(ServeArgs),
    /// Speaks with an editor over standard input and output: the Language Server Protocol.
    ///
    /// Messages while you type, hover, definitions, formatting, checks and repairs, for every language. It opens no
    /// files and starts no programs, whatever a document says.
    #[cfg(feature = "lsp")]
    Lsp(ResourceArgs),
    /// Prints the automaton of a formula of linear temporal logic.
    Ltl(LtlArgs),
    /// Writes `taut.h`, with which SPIN reads models that use Taut's operations.
    Header(HeaderArgs),
    /// Lists programs to begin with, prints one, or writes all of them.
    Examples(ExamplesArgs),
    /// Prints the JSON Schema of what `--format json` and `--trace` write.
    Schema(SchemaArgs),
    /// Prints a workflow that checks the models of a repository on a build server, or a hook of Git.
    InitCi(InitCiArgs),
    /// Prints what a shell needs to complete commands and options.
    Completions(CompletionsArgs),
    /// Prints the manual page of taut or of a command, or writes all of them.
    Man(ManArgs),
}

/// How far to go.
#[derive(Clone, Debug, clap::Args)]
pub struct LimitArgs {
    /// Store at most so many states.
    #[arg(long, value_name = "N")]
    pub max_states: Option<u64>,
    /// Use at most so much memory (4G, 512M); by default three quarters of what is free.
    #[arg(long, value_name = "SIZE", value_parser = units::size)]
    pub max_memory: Option<u64>,
    /// Take at most so long (60s, 500ms, 2m), shared by the memory models; for each test of several.
    #[arg(long, value_name = "TIME", value_parser = units::duration)]
    pub timeout: Option<Duration>,
}

/// How far a command without a search of its own may go.
#[derive(Clone, Copy, Debug, Default, clap::Args)]
pub struct ResourceArgs {
    /// Use at most so much memory (4G, 512M); by default three quarters of what is free.
    #[arg(long, value_name = "SIZE", value_parser = units::size)]
    pub max_memory: Option<u64>,
    /// Take at most so long (60s, 500ms, 2m).
    #[arg(long, value_name = "TIME", value_parser = units::duration)]
    pub timeout: Option<Duration>,
}

/// What every command is told that checks a program.
#[derive(Clone, Debug, clap::Args)]
pub struct CheckingArgs {
    #[command(flatten)]
    pub input: InputArgs,
    #[command(flatten)]
    pub runs: RunArgs,
    #[command(flatten)]
    pub buffers: BufferArgs,
    #[command(flatten)]
    pub search: SearchArgs,
    #[command(flatten)]
    pub limits: LimitArgs,
}

#[derive(Clone, Debug, clap::Args)]
pub struct CheckArgs {
    #[command(flatten)]
    pub checking: CheckingArgs,
    /// More programs and directories, each of which is checked by itself.
    #[arg(value_name = "MORE", conflicts_with_all = ["compile_commands", "compiler"])]
    pub more: Vec<PathBuf>,
    /// The memory model [default: all, or what an mmlib model says].
    #[arg(long, value_enum, ignore_case = true)]
    pub model: Option<ModelArg>,
    /// Go on after the first violation until every property has its verdict.
    #[arg(long)]
    pub all: bool,
    /// Statements, labels, assertions and processes that are never reached, conditions and left sides of properties
    /// that are never true.
    #[arg(long, value_enum, default_value_t = VacuityArg::Note)]
    pub vacuity: VacuityArg,
    /// How what is found is printed.
    #[arg(long, default_value = "text", value_parser = format_of(Shown::Check))]
    pub format: FormatArg,
    #[command(flatten)]
    pub sarif: SarifArgs,
    /// Print what the search did: states, reductions, memory, where the time went.
    #[arg(long)]
    pub stats: bool,
    /// Draw runs with all their rows; otherwise local steps that follow each other are one row.
    #[arg(long)]
    pub full: bool,
    /// Write the first violating run to a file, for `taut replay`.
    #[arg(long, value_name = "FILE")]
    pub trace: Option<PathBuf>,
    /// Write a witness for the validators of SV-COMP (format 2.0, YAML), for C and Promela with `--model sc`.
    #[arg(long, value_name = "FILE")]
    pub witness: Option<PathBuf>,
    #[command(flatten)]
    pub proof: ProofArgs,
    #[command(flatten)]
    pub report: ReportArgs,
    #[command(flatten)]
    pub checkpoint: CheckpointArgs,
    #[command(flatten)]
    pub suite: SuiteArgs,
    #[command(flatten)]
    pub known: BaselineArgs,
}

#[derive(Debug, clap::Args)]
pub struct CompareArgs {
    #[command(flatten)]
    pub checking: CheckingArgs,
    /// How what is found is printed.
    #[arg(long, default_value = "text", value_parser = format_of(Shown::Compare))]
    pub format: FormatArg,
    #[command(flatten)]
    pub sarif: SarifArgs,
    #[command(flatten)]
    pub proof: ProofArgs,
    #[command(flatten)]
    pub report: ReportArgs,
}

#[derive(Debug, clap::Args)]
pub struct LitmusArgs {
    /// Litmus tests, directories with litmus tests, or @FILE with one path per line.
    #[arg(required = true)]
    pub paths: Vec<PathBuf>,
    /// The memory model.
    #[arg(long, value_enum, ignore_case = true, default_value_t = ModelArg::One(taut::MemoryModel::USUAL))]
    pub model: ModelArg,
    /// Tests run at the same time; by default one a core.
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=256))]
    pub jobs: Option<u32>,
    #[command(flatten)]
    pub limits: LimitArgs,
    /// The layout of herd7, or JSON, one object per line.
    #[arg(long, default_value = "text", value_parser = format_of(Shown::Litmus))]
    pub format: FormatArg,
}

#[derive(Debug, clap::Args)]
pub struct FmtArgs {
    #[command(flatten)]
    pub input: InputArgs,
    #[arg(long, help = format!("Write a {} file back in place of printing it", formatted()))]
    pub write: bool,
    #[arg(long, conflicts_with = "write", help = format!("Print nothing; exit with 1 if a {} file is not formatted", formatted()))]
    pub check: bool,
    #[command(flatten)]
    pub limits: ResourceArgs,
}

#[derive(Debug, clap::Args)]
pub struct FixArgs {
    #[command(flatten)]
    pub input: InputArgs,
    /// Write the file back in place of printing it.
    #[arg(long)]
    pub write: bool,
    #[command(flatten)]
    pub limits: ResourceArgs,
}

#[derive(Debug, clap::Args)]
pub struct ReplayArgs {
    #[command(flatten)]
    pub input: InputArgs,
    /// The trace: what `check --trace` or `simulate` wrote, or an object that `check --format json` printed.
    #[arg(required_unless_present_any = ["compile_commands", "compiler"])]
    pub trace: Option<PathBuf>,
    /// Draw the run with all its rows; otherwise local steps that follow each other are one row.
    #[arg(long)]
    pub full: bool,
    #[command(flatten)]
    pub report: ReportArgs,
    #[command(flatten)]
    pub limits: ResourceArgs,
}

impl ReplayArgs {
    /// Where a compiler's command or its database names the program, the only file is the trace.
    pub fn only_file_is_trace(&mut self) {
        let InputArgs { typed, compiler, compile_commands, .. } = &mut self.input;
        if self.trace.is_none() && (!compiler.is_empty() || compile_commands.is_some()) {
            self.trace = typed.take();
        }
    }
}

#[derive(Debug, clap::Args)]
pub struct HeaderArgs {
    /// Write to a file in place of standard output.
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum GranularityArg {
    /// One access to shared memory.
    Access,
    /// One statement, with all its accesses.
    Statement,
}

impl GranularityArg {
    /// The granularity that it names.
    pub fn meant(self) -> taut::Granularity {
        match self {
            GranularityArg::Access => taut::Granularity::Access,
            GranularityArg::Statement => taut::Granularity::Statement,
        }
    }
}
