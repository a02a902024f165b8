//! Programs to begin with.

use std::path::PathBuf;

#[derive(Debug, clap::Args)]
pub struct ExamplesArgs {
    /// The example that is printed, such as `peterson.taut`; without one, the list of all.
    #[arg(conflicts_with = "out")]
    pub name: Option<String>,
    /// Write the example to a file in place of printing it.
    #[arg(short, long, value_name = "FILE", requires = "name")]
    pub output: Option<PathBuf>,
    /// Write all examples into this directory. A file of that name with another text is left alone.
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
}
