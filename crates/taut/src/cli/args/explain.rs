//! Questions for the story of a violation.

use super::{BufferArgs, Format, InputArgs, LimitArgs, ModelArg, ReportArgs, RunArgs, SearchArgs};

#[derive(Debug, clap::Args)]
pub struct ExplainArgs {
    #[command(flatten)]
    pub input: InputArgs,
    #[command(flatten)]
    pub runs: RunArgs,
    /// The memory model [default: the first of SC, TSO and PSO in which something is violated, or what an mmlib
    /// model says].
    #[arg(long, value_enum)]
    pub model: Option<ModelArg>,
    #[command(flatten)]
    pub buffers: BufferArgs,
    #[command(flatten)]
    pub search: SearchArgs,
    #[command(flatten)]
    pub limits: LimitArgs,
    /// Text for people or JSON, one object a model.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
    #[command(flatten)]
    pub report: ReportArgs,
}
