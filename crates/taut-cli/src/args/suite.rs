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
