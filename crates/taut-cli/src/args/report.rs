//! Reports to look at.

use std::path::PathBuf;

/// A report to look at.
#[derive(Clone, Debug, clap::Args)]
pub struct ReportArgs {
    /// Write what was found to an HTML file: verdicts, runs to step through, the source beside them.
    #[arg(long = "report", value_name = "FILE")]
    pub path: Option<PathBuf>,
}
