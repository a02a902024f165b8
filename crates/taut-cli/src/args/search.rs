//! How states are searched.

use clap::ValueEnum;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use taut::EngineChoice;
use taut::engines;

use super::depth::depth;
use super::{Depth, SpeedArgs};

/// The engine, the order and the extent of the search.
#[derive(Clone, Debug, clap::Args)]
pub struct SearchArgs {
    /// How what is asked of states is answered. `auto`: state by state while buffers stay within the bound,
    /// symbolically, with buffers without a bound, as soon as one would not; with --bound, state by state.
    #[arg(long, value_parser = engine(), default_value = "auto")]
    pub engine: EngineChoice,
    /// Rounds: those runs in which each process has at most K + 1 rounds, in which it alone takes steps and
    /// commits; or `auto` for K = 0, 1, 2, … Means --engine rounds.
    #[arg(long, value_name = "K|auto", value_parser = depth)]
    pub rounds: Option<Depth>,
    /// Rounds: those runs in which no store waits while its process begins more than K rounds; or `auto` for
    /// K = 0, 1, 2, … Means --engine rounds.
    #[arg(long, value_name = "K|auto", value_parser = depth, conflicts_with = "rounds")]
    pub age: Option<Depth>,
    /// The order of the search; bfs finds shortest runs.
    #[arg(long, value_enum, default_value_t = SearchArg::Bfs)]
    pub search: SearchArg,
    /// Do not look for deadlocks.
    #[arg(long)]
    pub no_deadlock: bool,
    /// Do not look at assertions.
    #[arg(long)]
    pub no_assert: bool,
    /// Do not ask whether a step faults. What holds is then known of runs without a fault only.
    #[arg(long)]
    pub no_fault: bool,
    /// Ask also whether every run is like a sequentially consistent one: the question `robust`. It is decided for
    /// buffers without a bound. With `repair`, ask nothing else.
    #[arg(long)]
    pub robust: bool,
    #[command(flatten)]
    pub speed: SpeedArgs,
}

/// Reads the name of an engine: one of those that the library has.
fn engine() -> impl TypedValueParser<Value = EngineChoice> {
    let names = engines::choices().into_iter().map(|(name, _)| name);
    PossibleValuesParser::new(names).try_map(|name| name.parse::<EngineChoice>())
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SearchArg {
    /// Breadth first.
    Bfs,
    /// Depth first.
    Dfs,
}
