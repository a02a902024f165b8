//! Checks that can go on after they were ended.

use std::path::PathBuf;
use std::time::Duration;

use taut::budget::units;

/// Checkpoints of a check.
#[derive(Clone, Debug, clap::Args)]
pub struct CheckpointArgs {
    /// Write the state of the search to this directory from time to time, so that `taut resume DIR` can go on after a
    /// kill, a reboot or a limit.
    #[arg(long = "checkpoint", value_name = "DIR")]
    pub folder: Option<PathBuf>,
    /// Time between two checkpoints (30s, 10m, 1h) [default: 10m].
    #[arg(long, value_name = "TIME", value_parser = units::duration, requires = "folder")]
    pub every: Option<Duration>,
}

#[derive(Debug, clap::Args)]
pub struct ResumeArgs {
    /// The directory that `taut check --checkpoint DIR` has written.
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
    /// Take at most so long for each memory model (60s, 500ms, 2m); by default there is no limit.
    #[arg(long, value_name = "TIME", value_parser = units::duration)]
    pub timeout: Option<Duration>,
    /// Use at most so much memory for states (4G, 512M); by default three quarters of what is free.
    #[arg(long, value_name = "SIZE", value_parser = units::size)]
    pub max_memory: Option<u64>,
    /// Threads that search; by default as many as the check had.
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=256))]
    pub jobs: Option<u32>,
    /// Time between two checkpoints; by default that of the check.
    #[arg(long, value_name = "TIME", value_parser = units::duration)]
    pub every: Option<Duration>,
}
