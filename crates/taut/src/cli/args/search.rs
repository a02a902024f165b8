//! How states are searched.

use clap::ValueEnum;

use super::super::scope::{self, Depth};

/// The engine, the order and the extent of the search.
#[derive(Debug, clap::Args)]
pub struct SearchArgs {
    /// How what is asked of states is answered. `auto`: state by state while buffers stay within the bound,
    /// symbolically, with buffers without a bound, as soon as one would not; with --bound, state by state.
    #[arg(long, value_enum, default_value_t = EngineArg::Auto)]
    pub engine: EngineArg,
    /// Rounds: those runs in which each process has at most K + 1 rounds, in which it alone takes steps and
    /// commits; or `auto` for K = 0, 1, 2, … Means --engine rounds.
    #[arg(long, value_name = "K|auto", value_parser = scope::depth)]
    pub rounds: Option<Depth>,
    /// Rounds: those runs in which no store waits while its process begins more than K rounds; or `auto` for
    /// K = 0, 1, 2, … Means --engine rounds.
    #[arg(long, value_name = "K|auto", value_parser = scope::depth, conflicts_with = "rounds")]
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
    /// Which states to leave out because they cannot matter.
    #[arg(long, value_enum, default_value_t = ReduceArg::All)]
    pub reduce: ReduceArg,
}

/// Engines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum EngineArg {
    Auto,
    Explicit,
    Symbolic,
    Rounds,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SearchArg {
    /// Breadth first.
    Bfs,
    /// Depth first.
    Dfs,
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
