//! What can be typed after `taut graph`.

use std::path::PathBuf;

use clap::ValueEnum;

use super::{BufferArgs, InputArgs, OneModelArg, ResourceArgs};

#[derive(Debug, clap::Args)]
pub struct GraphArgs {
    #[command(flatten)]
    pub input: InputArgs,
    /// The memory model [default: tso, or what an mmlib model says].
    #[arg(long, value_enum, ignore_case = true)]
    pub model: Option<OneModelArg>,
    /// Whose states are drawn [default: symbolic under TSO and PSO without --bound, else explicit].
    #[arg(long, value_enum)]
    pub engine: Option<GraphEngineArg>,
    #[command(flatten)]
    pub buffers: BufferArgs,
    /// Draw the automaton of one buffer: that of process P in state number N.
    #[arg(long, value_name = "P@N")]
    pub buffer: Option<String>,
    /// Draw only the states on shortest ways to violations.
    #[arg(long, conflicts_with = "buffer")]
    pub violating: bool,
    /// The format [default: what the name of the file says, else dot].
    #[arg(long, value_enum)]
    pub to: Option<GraphFormatArg>,
    /// Draw at most so many states, with --violating look at so many [default: 400, with --violating 20000].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=20_000))]
    pub max_nodes: Option<u32>,
    #[command(flatten)]
    pub limits: ResourceArgs,
    /// Write to a file in place of standard output.
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// Whose states are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum GraphEngineArg {
    /// State by state, each buffer a word.
    Explicit,
    /// Each state stands for all contents that its buffers may have, without a bound.
    Symbolic,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum GraphFormatArg {
    /// A picture that needs nothing else.
    Svg,
    /// The picture on a page that it fits, with zoom and pan.
    Html,
    /// Graphviz.
    Dot,
    /// For programs.
    Json,
}
