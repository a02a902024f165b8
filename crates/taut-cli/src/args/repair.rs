//! What can be typed after `taut repair`.

use std::path::PathBuf;

use clap::ValueEnum;
use taut::formats::Shown;
use taut::repair::{Costs, Strategy, With};

use super::{CheckingArgs, FormatArg, ModelArg, ProofArgs, format_of};

#[derive(Debug, clap::Args)]
pub struct RepairArgs {
    #[command(flatten)]
    pub checking: CheckingArgs,
    /// The memory model; with `all`, one change for all of them [default: tso, or what an mmlib model says].
    #[arg(long, value_enum, ignore_case = true)]
    pub model: Option<ModelArg>,
    /// Do the opposite: of a program that is right, find the weakest fences and orders with which it still is. For C and
    /// Taut programs.
    #[arg(long)]
    pub relax: bool,
    /// What may be put into the program [default: atomics under delayed, else fences], or with --relax be made weaker
    /// [default: both].
    #[arg(long, value_enum)]
    pub with: Option<WithArg>,
    /// Cost of each change, and factor for each loop around it, from 1 to 1000 [default:
    /// fence=3,atomic=5,sfence=1,loop=2].
    #[arg(long, value_name = "LIST", value_parser = costs)]
    pub cost: Option<Costs>,
    /// List every cheapest set.
    #[arg(long)]
    pub all: bool,
    /// How a set is looked for.
    #[arg(long, value_enum, default_value_t = StrategyArg::Minimal)]
    pub strategy: StrategyArg,
    #[command(flatten)]
    pub result: ResultArgs,
    /// Show, for each place, a run of the program with all other places.
    #[arg(long)]
    pub show_runs: bool,
    #[command(flatten)]
    pub proof: ProofArgs,
    /// Draw runs with all their rows; otherwise local steps that follow each other are one row.
    #[arg(long)]
    pub full: bool,
    /// Text for people or one JSON object.
    #[arg(long, default_value = "text", value_parser = format_of(Shown::Repair))]
    pub format: FormatArg,
}

/// What becomes of the result.
#[derive(Debug, clap::Args)]
#[group(multiple = false)]
pub struct ResultArgs {
    /// Print the change as a unified diff and nothing else; `patch -p0` applies it, or `patch FILE` if the file is not
    /// below the folder where you are.
    #[arg(long)]
    pub diff: bool,
    /// Change the file.
    #[arg(long)]
    pub write: bool,
    /// DVE: write the list of atomic writes and fences to this file.
    #[arg(long, value_name = "FILE")]
    pub atomic_out: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum WithArg {
    /// Fences and store fences.
    Fences,
    /// Atomic writes; in C, stores with a stronger order.
    Atomics,
    /// The same by the word of C.
    Orders,
    /// All of them.
    Both,
}

impl WithArg {
    /// What it means.
    pub fn with(self) -> With {
        match self {
            WithArg::Fences => With::Fences,
            WithArg::Atomics | WithArg::Orders => With::Atomics,
            WithArg::Both => With::Both,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum StrategyArg {
    /// A cheapest set.
    Minimal,
    /// By Havel's loop: one atomic write at a time.
    Greedy,
}

impl StrategyArg {
    /// What it means.
    pub fn strategy(self) -> Strategy {
        match self {
            StrategyArg::Minimal => Strategy::Minimal,
            StrategyArg::Greedy => Strategy::Greedy,
        }
    }
}

/// Reads `fence=3,atomic=5,sfence=1,loop=2`; what is not named costs what it usually does.
fn costs(text: &str) -> Result<Costs, String> {
    let mut costs = Costs::default();
    for item in text.split(',').map(str::trim) {
        let (name, number) =
            item.split_once('=').ok_or_else(|| format!("`{item}` is not of the form `fence=3`"))?;
        let cost = number.trim().parse().ok().filter(|cost| (1..=1000).contains(cost));
        let cost = cost.ok_or_else(|| format!("`{number}` is no number from 1 to 1000"))?;
        match name.trim() {
            "fence" => costs.fence = cost,
            "sfence" => costs.store_fence = cost,
            "atomic" => costs.atomic = cost,
            "loop" => costs.in_loop = cost,
            other => {
                return Err(format!(
                    "`{other}` has no cost; there are fence, sfence, atomic and loop"
                ));
            }
        }
    }
    Ok(costs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn costs_are_read_in_any_order_and_the_rest_is_as_usual() {
        let read = costs("sfence = 2, fence=7,loop=1").expect("costs");
        assert_eq!(read, Costs { fence: 7, store_fence: 2, in_loop: 1, ..Costs::default() });
    }

    #[test]
    fn bad_costs_are_refused() {
        for text in
            ["", "fence", "fence=0", "fence=1001", "fence=-1", "lock=2", "fence=1,,", "loop=0"]
        {
            assert!(costs(text).is_err(), "{text}");
        }
    }
}
