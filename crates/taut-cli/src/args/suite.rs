//! Suites, and what shells and manuals need.

use std::path::PathBuf;

/// What is for suites only.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Suites")]
pub struct SuiteArgs {
    /// Of a directory: write the results as JUnit XML, too.
    #[arg(long, value_name = "FILE")]
    pub junit: Option<PathBuf>,
}

/// Violations that are known.
#[derive(Clone, Debug, clap::Args)]
pub struct BaselineArgs {
    /// Only violations that are not in this file fail: a file of `--write-baseline`, or what `--format json` printed.
    /// Every property is checked, as with --all.
    #[arg(long, value_name = "FILE", conflicts_with = "write_baseline")]
    pub baseline: Option<PathBuf>,
    /// Write the violations to a file, for `--baseline`; they do not fail. Every property is checked, as with --all.
    #[arg(long, value_name = "FILE")]
    pub write_baseline: Option<PathBuf>,
}

#[derive(Debug, clap::Args)]
pub struct CompletionsArgs {
    /// The shell.
    #[arg(value_enum)]
    pub shell: clap_complete::Shell,
}

#[derive(Debug, clap::Args)]
pub struct ManArgs {
    /// The command whose page is printed; without one, the page of taut itself.
    #[arg(conflicts_with = "out")]
    pub command: Option<String>,
    /// Write all pages into this directory in place of printing one.
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
}
