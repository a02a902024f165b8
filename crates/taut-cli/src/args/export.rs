//! What can be typed after `taut export` and `taut translate`.

use std::path::PathBuf;

use clap::ValueEnum;

use super::depth::number;
use super::{BufferArgs, InputArgs, OneModelArg, QuestionArgs, ResourceArgs};

#[derive(Debug, clap::Args)]
pub struct ExportArgs {
    #[command(flatten)]
    pub input: InputArgs,
    /// The language to write.
    #[arg(long, value_enum, default_value_t = TargetArg::Promela)]
    pub to: TargetArg,
    #[command(flatten)]
    pub questions: QuestionArgs,
    /// The memory model to write out [default: tso, or what an mmlib model says].
    #[arg(long, value_enum, ignore_case = true)]
    pub model: Option<OneModelArg>,
    #[command(flatten)]
    pub buffers: BufferArgs,
    /// DVE: write the formulas of --ltl-file, under the condition that no write waits for ever, to this file.
    #[arg(long, value_name = "FILE", requires = "ltl_file")]
    pub ltl_out: Option<PathBuf>,
    /// Write to a file in place of standard output.
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    #[command(flatten)]
    pub limits: ResourceArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum TargetArg {
    /// Plain Promela, which SPIN accepts as it is.
    Promela,
    /// DVE, of DVE models: as they are under SC, with their buffers under delayed.
    Dve,
}

#[derive(Debug, clap::Args)]
pub struct TranslateArgs {
    #[command(flatten)]
    pub input: InputArgs,
    #[command(flatten)]
    pub scope: TranslateScope,
    /// The language to write.
    #[arg(long, value_enum, default_value_t = TranslateTargetArg::Taut)]
    pub to: TranslateTargetArg,
    /// Write to a file in place of standard output.
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    #[command(flatten)]
    pub limits: ResourceArgs,
}

/// The runs that a translation has.
#[derive(Debug, clap::Args)]
#[group(required = true, multiple = false)]
pub struct TranslateScope {
    /// Those in which each process has at most K + 1 rounds.
    #[arg(long, value_name = "K", value_parser = number)]
    pub rounds: Option<u32>,
    /// Those in which no store waits while its process begins more than K rounds.
    #[arg(long, value_name = "K", value_parser = number)]
    pub age: Option<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum TranslateTargetArg {
    /// The Taut language.
    Taut,
    /// Plain Promela, which SPIN accepts as it is.
    Promela,
    /// C with POSIX threads in the style of SV-COMP, which also compiles and runs as it is.
    C,
}
