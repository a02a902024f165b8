//! Questions for the story of a violation.

use super::{CheckingArgs, Format, ModelArg, ReportArgs};

#[derive(Debug, clap::Args)]
pub struct ExplainArgs {
    #[command(flatten)]
    pub checking: CheckingArgs,
    /// The memory model [default: the first of SC, TSO and PSO in which something is violated, or what an mmlib
    /// model says].
    #[arg(long, value_enum, ignore_case = true)]
    pub model: Option<ModelArg>,
    /// Text for people or JSON, one object a model.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
    #[command(flatten)]
    pub report: ReportArgs,
}
