//! A run, step by step.

use std::path::PathBuf;

use super::{BufferArgs, InputArgs, OneModelArg, ResourceArgs};

#[derive(Debug, clap::Args)]
pub struct SimulateArgs {
    #[command(flatten)]
    pub input: InputArgs,
    /// The memory model [default: tso, or what an mmlib model says].
    #[arg(long, value_enum, ignore_case = true, conflicts_with = "trace")]
    pub model: Option<OneModelArg>,
    #[command(flatten)]
    pub buffers: BufferArgs,
    /// Begin with the run of a trace file, under its memory model: all of it lies ahead, to be stepped through.
    #[arg(long, value_name = "FILE", conflicts_with = "bound")]
    pub trace: Option<PathBuf>,
    /// Begin at this row of the trace; 0 is the start.
    #[arg(long, value_name = "N", requires = "trace", default_value_t = 0)]
    pub row: usize,
    /// What random walks are made from: the same seed makes the same walks.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Run these commands in place of asking for them, and print what comes of each: N takes an action, b goes
    /// back, f forward again, g0 to a row, r10 at random, u(x == 1) runs to a condition, s(FILE) saves the run, p
    /// prints the state, h the history, q quits. Without a terminal, commands are read from standard input.
    #[arg(long, value_name = "COMMANDS", allow_hyphen_values = true)]
    pub script: Option<String>,
    #[command(flatten)]
    pub limits: ResourceArgs,
}
