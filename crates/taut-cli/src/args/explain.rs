//! Questions for the story of a violation.

use taut::formats::Shown;

use super::{CheckingArgs, FormatArg, ModelArg, ReportArgs, format_of};

#[derive(Debug, clap::Args)]
pub struct ExplainArgs {
    #[command(flatten)]
    pub checking: CheckingArgs,
    /// The memory model [default: the first of SC, TSO and PSO in which something is violated, or what an mmlib
    /// model says].
    #[arg(long, value_enum, ignore_case = true)]
    pub model: Option<ModelArg>,
    /// Text for people or JSON, one object per model.
    #[arg(long, default_value = "text", value_parser = format_of(Shown::Explain))]
    pub format: FormatArg,
    #[command(flatten)]
    pub report: ReportArgs,
}
