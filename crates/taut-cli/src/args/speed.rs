//! What a search costs: which states it visits, how it keeps them, and on how many cores.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::thread::available_parallelism;

use clap::ValueEnum;
use taut::budget::units;

/// Reductions, stores and threads.
#[derive(Clone, Debug, clap::Args)]
pub struct SpeedArgs {
    /// Which states to leave out because they cannot matter. Verdicts do not depend on it.
    #[arg(long, value_enum, default_value_t = ReduceArg::All)]
    pub reduce: ReduceArg,
    /// How states are kept. `compact` and `bitstate` may miss some, and the verdict says so.
    #[arg(long, value_enum, default_value_t = StoreArg::Exact)]
    pub store: StoreArg,
    /// Directory of the files of `--store disk` [default: the system's directory of temporary files].
    #[arg(long, value_name = "DIR")]
    pub disk_dir: Option<PathBuf>,
    /// Largest size of the files of `--store disk` together (100G, 512M) [default: what the disk has room for].
    #[arg(long, value_name = "SIZE", value_parser = units::size)]
    pub max_disk: Option<u64>,
    /// Memory for tables and buffers of `--store disk` [default: three quarters of what `--max-memory` leaves, at most 1G].
    #[arg(long, value_name = "SIZE", value_parser = units::size)]
    pub disk_memory: Option<u64>,
    /// Threads that search; of a directory, files checked at the same time, with one thread each. By default one a
    /// core.
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=256))]
    pub jobs: Option<u32>,
}

impl SpeedArgs {
    /// Where and how far states may be kept in files.
    pub fn disk(&self) -> taut::DiskOptions {
        taut::DiskOptions {
            directory: self.disk_dir.clone(),
            most: self.max_disk,
            memory: self.disk_memory,
        }
    }

    /// How many threads search one program.
    pub fn threads(&self) -> usize {
        match self.jobs {
            Some(jobs) => jobs as usize,
            None => available_parallelism().map_or(1, NonZeroUsize::get),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ReduceArg {
    /// Nothing: every reachable state is stored.
    None,
    /// Orders of actions that nobody can tell apart.
    Por,
    /// That, and everything else that changes no verdict.
    All,
}

impl From<ReduceArg> for taut::Reduce {
    fn from(reduce: ReduceArg) -> taut::Reduce {
        match reduce {
            ReduceArg::None => taut::Reduce::None,
            ReduceArg::Por => taut::Reduce::Por,
            ReduceArg::All => taut::Reduce::All,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum StoreArg {
    /// Whole, as packed words: the fastest.
    Exact,
    /// Whole, as trees whose parts are shared: a few bytes for each.
    Tree,
    /// As hashes: states with equal ones are taken for one. No proof.
    Compact,
    /// As some bits of a field: states whose bits are set are taken for known. No proof.
    Bitstate,
    /// Whole, in sorted files: for more states than fit the memory.
    Disk,
}

impl From<StoreArg> for taut::StoreKind {
    fn from(store: StoreArg) -> taut::StoreKind {
        match store {
            StoreArg::Exact => taut::StoreKind::Exact,
            StoreArg::Tree => taut::StoreKind::Tree,
            StoreArg::Compact => taut::StoreKind::Compact,
            StoreArg::Bitstate => taut::StoreKind::Bitstate,
            StoreArg::Disk => taut::StoreKind::Disk,
        }
    }
}
