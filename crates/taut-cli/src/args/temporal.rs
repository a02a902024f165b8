//! Questions about runs.

use std::path::PathBuf;

use clap::ValueEnum;

use super::ResourceArgs;

/// Questions about runs, and which runs count.
#[derive(Clone, Debug, clap::Args)]
pub struct QuestionArgs {
    /// Whether every run satisfies this formula ([] <> U W R V X ! && || -> <->, or G F). If a question
    /// about runs is asked here, it alone is answered, and whether a step faults. Can be given several times.
    #[arg(long, value_name = "FORMULA", allow_hyphen_values = true)]
    pub ltl: Vec<String>,
    /// A file of named formulas and #defines.
    #[arg(long, value_name = "FILE")]
    pub ltl_file: Vec<PathBuf>,
    /// An automaton in the Hanoi format that accepts the runs that must not be.
    #[arg(long, value_name = "FILE")]
    pub hoa: Vec<PathBuf>,
    /// Whether every infinite run comes to a `progress` label again and again (SPIN's -l).
    #[arg(long)]
    pub progress: bool,
    /// Whether no run comes to an `accept` label again and again (SPIN's -a without a claim).
    #[arg(long)]
    pub acceptance: bool,
    /// Which runs count: none, process, memory, memory-process, all, or a list with commas. With `none`,
    /// every run does.
    #[arg(long, value_name = "LIST", default_value = "all")]
    pub fairness: taut::Fairness,
}

/// Questions about runs, and how they are answered.
#[derive(Clone, Debug, clap::Args)]
pub struct RunArgs {
    #[command(flatten)]
    pub questions: QuestionArgs,
    /// How cycles are looked for.
    #[arg(long, value_enum, default_value_t = CyclesArg::Scc)]
    pub cycles: CyclesArg,
    /// Answer only the question with this name, such as `mutex`, `never_0` or `deadlock`, and whether a step faults.
    /// Can be given several times.
    #[arg(long, value_name = "NAME")]
    pub property: Vec<String>,
    /// Do not look at the program's own `ltl` and `never` properties.
    #[arg(long)]
    pub no_ltl: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum CyclesArg {
    /// By strongly connected components.
    Scc,
    /// By nested depth-first search, which needs less memory beside the states.
    Nested,
}

#[derive(Debug, clap::Args)]
pub struct LtlArgs {
    /// The formula. Its atoms are kept as they are.
    #[arg(allow_hyphen_values = true)]
    pub formula: String,
    /// The format.
    #[arg(long, value_enum, default_value_t = AutomatonArg::Hoa)]
    pub to: AutomatonArg,
    /// The automaton of the negation: of the runs that violate the formula.
    #[arg(long)]
    pub negate: bool,
    #[command(flatten)]
    pub limits: ResourceArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum AutomatonArg {
    /// The Hanoi omega-automata format.
    Hoa,
    /// A never claim for SPIN.
    Never,
    /// Graphviz.
    Dot,
}
