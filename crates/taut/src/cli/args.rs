//! What can be typed.

mod repair;

pub use repair::RepairArgs;

use std::path::PathBuf;
use std::time::Duration;

use clap::{Parser, Subcommand, ValueEnum};

use super::scope::{self, Depth};
use super::units;

/// Verifies concurrent programs on relaxed memory (SC, TSO, PSO).
#[derive(Debug, Parser)]
#[command(version, about, arg_required_else_help = true)]
pub struct Args {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Checks a program: assertions, forbidden states, deadlock, temporal properties.
    ///
    /// Exit code: 1 if anything is violated, else 2 if anything is unknown, else 0; 3 for bad input.
    Check(CheckArgs),
    /// One table: each property under SC, TSO and PSO.
    Compare(CompareArgs),
    /// The final states of litmus tests, in the layout of herd7.
    Litmus(LitmusArgs),
    /// Prints a program in the Taut language.
    Fmt(FmtArgs),
    /// Finds the cheapest fences and atomic writes that mend a program, proves it right with them, and shows the
    /// change of its source.
    ///
    /// Exit code: 0 if it is mended or was right, 1 if it is wrong under SC or nothing mends it, 2 if a limit was
    /// met, 3 for bad input.
    Repair(RepairArgs),
    /// Writes a program with its store buffers for another tool: Promela for SPIN, DVE for DiVinE.
    Export(ExportArgs),
    /// Writes a program that does under SC what this one does under TSO, within some rounds or up to an age of
    /// its stores, for any tool that knows SC.
    Translate(TranslateArgs),
    /// Draws the states of a program: the languages of its buffers, and how states follow each other.
    ///
    /// Exit code: 2 if something is left out, 3 for bad input.
    Graph(GraphArgs),
    /// Replays a trace that `check --trace` or `--format json` wrote.
    Replay(ReplayArgs),
    /// Prints the automaton of a formula of linear temporal logic.
    Ltl(LtlArgs),
    /// Writes `taut.h`, with which SPIN reads models that use Taut's operations.
    Header(HeaderArgs),
}

/// Reading a program.
#[derive(Debug, clap::Args)]
pub struct InputArgs {
    /// The program: .taut, .litmus, .pml, .dve or .mdve, or - for standard input.
    pub file: PathBuf,
    /// The language, where the extension does not say it.
    #[arg(long, value_enum)]
    pub language: Option<LanguageArg>,
    /// How many threads of one process definition may be spawned at once.
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=64))]
    pub max_threads: u32,
    /// How deep calls may nest in one thread.
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub max_calls: u32,
    /// Promela: defines a macro, as in C; of a .mdve model, a parameter. Can be given several times.
    #[arg(short = 'D', long, value_name = "NAME[=VALUE]")]
    pub define: Vec<String>,
    /// Promela: global variables that are observers', beside those declared `ghost`.
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub ghost: Vec<String>,
    /// Promela: what to make of mmlib's headers sc.h, tso.h and pso.h.
    #[arg(long, value_enum, default_value_t = MmlibArg::Native)]
    pub mmlib: MmlibArg,
    /// DVE: a list of atomic writes and fences, such as `write x P_0 3` and `fence P_0 4`.
    #[arg(long, value_name = "FILE")]
    pub atomic: Option<PathBuf>,
    /// DVE: what becomes of a value outside of the type of its variable.
    #[arg(long, value_enum, default_value_t = RangeErrorsArg::Error)]
    pub range_errors: RangeErrorsArg,
}

/// How far to go.
#[derive(Debug, clap::Args)]
pub struct LimitArgs {
    /// Store at most so many states.
    #[arg(long, value_name = "N")]
    pub max_states: Option<u64>,
    /// Use at most so much memory for states (4G, 512M); by default three quarters of what is free.
    #[arg(long, value_name = "SIZE", value_parser = units::size)]
    pub max_memory: Option<u64>,
    /// Take at most so long for each memory model (60s, 500ms, 2m).
    #[arg(long, value_name = "TIME", value_parser = units::duration)]
    pub timeout: Option<Duration>,
}

/// The memory model's buffers.
#[derive(Debug, clap::Args)]
pub struct BufferArgs {
    /// Entries a store buffer holds under TSO and PSO, or `none` for no bound [default: 8, or what an mmlib
    /// model says].
    #[arg(long, value_name = "K", value_parser = units::bound)]
    pub bound: Option<Bound>,
    /// What a store into a full buffer does.
    #[arg(long, value_enum, default_value_t = FullBufferArg::Wait)]
    pub full_buffer: FullBufferArg,
}

impl BufferArgs {
    /// The bound for a program: as given, or what the program says.
    pub fn bound_for(&self, loaded: &taut::Loaded) -> Option<u32> {
        self.bound.map_or(Some(loaded.bound()), |bound| bound.0)
    }
}

/// A bound as clap can hold it, `None` for no bound: an `Option` in an `Option` means something else to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bound(pub Option<u32>);

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

/// Questions about runs, and which runs count.
#[derive(Debug, clap::Args)]
pub struct QuestionArgs {
    /// Whether every run satisfies this formula ([] <> U W R V X ! && || -> <->, or G F). If a question
    /// about runs is asked here, it alone is answered. Can be given several times.
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
#[derive(Debug, clap::Args)]
pub struct RunArgs {
    #[command(flatten)]
    pub questions: QuestionArgs,
    /// How cycles are looked for.
    #[arg(long, value_enum, default_value_t = CyclesArg::Scc)]
    pub cycles: CyclesArg,
    /// Answer only the question with this name, such as `mutex`, `never_0` or `deadlock`. Can be given several
    /// times.
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

#[derive(Debug, clap::Args)]
pub struct CheckArgs {
    #[command(flatten)]
    pub input: InputArgs,
    #[command(flatten)]
    pub runs: RunArgs,
    /// The memory model [default: all, or what an mmlib model says].
    #[arg(long, value_enum)]
    pub model: Option<ModelArg>,
    #[command(flatten)]
    pub buffers: BufferArgs,
    #[command(flatten)]
    pub search: SearchArgs,
    /// Go on after the first violation until every property has its verdict.
    #[arg(long)]
    pub all: bool,
    #[command(flatten)]
    pub limits: LimitArgs,
    /// Text for people or JSON, one object a model.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
    /// Print counts of the search.
    #[arg(long)]
    pub stats: bool,
    /// Write the first violating run to a file, for `taut replay`.
    #[arg(long, value_name = "FILE")]
    pub trace: Option<PathBuf>,
}

#[derive(Debug, clap::Args)]
pub struct CompareArgs {
    #[command(flatten)]
    pub input: InputArgs,
    #[command(flatten)]
    pub runs: RunArgs,
    #[command(flatten)]
    pub buffers: BufferArgs,
    #[command(flatten)]
    pub search: SearchArgs,
    #[command(flatten)]
    pub limits: LimitArgs,
    /// Text for people or JSON, one object a model.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
}

#[derive(Debug, clap::Args)]
pub struct LitmusArgs {
    /// Litmus tests, directories with litmus tests, or @FILE with one path a line.
    #[arg(required = true)]
    pub paths: Vec<PathBuf>,
    /// The memory model.
    #[arg(long, value_enum, default_value_t = ModelArg::Tso)]
    pub model: ModelArg,
    /// Tests run at the same time; by default one a core.
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=256))]
    pub jobs: Option<u32>,
    #[command(flatten)]
    pub limits: LimitArgs,
    /// The layout of herd7, or JSON, one object a line.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
}

#[derive(Debug, clap::Args)]
pub struct FmtArgs {
    #[command(flatten)]
    pub input: InputArgs,
    /// Write a .taut file back in place of printing it.
    #[arg(long)]
    pub write: bool,
    /// Print nothing; exit with 1 if a .taut file is not formatted.
    #[arg(long, conflicts_with = "write")]
    pub check: bool,
}

#[derive(Debug, clap::Args)]
pub struct ExportArgs {
    #[command(flatten)]
    pub input: InputArgs,
    /// The language to write.
    #[arg(long, value_enum, default_value_t = TargetArg::Promela)]
    pub to: TargetArg,
    #[command(flatten)]
    pub questions: QuestionArgs,
    /// The memory model to write out [default: tso, or what an mmlib model says].
    #[arg(long, value_enum)]
    pub model: Option<OneModelArg>,
    #[command(flatten)]
    pub buffers: BufferArgs,
    /// DVE: write the formulas of --ltl-file, under the condition that no write waits for ever, to this file.
    #[arg(long, value_name = "FILE", requires = "ltl_file")]
    pub ltl_out: Option<PathBuf>,
    /// Write to a file in place of standard output.
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

#[derive(Debug, clap::Args)]
pub struct TranslateArgs {
    #[command(flatten)]
    pub input: InputArgs,
    #[command(flatten)]
    pub scope: TranslateScope,
    /// The language to write.
    #[arg(long, value_enum, default_value_t = TranslateTargetArg::Taut)]
    pub to: TranslateTargetArg,
    /// Write to a file in place of standard output.
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// The runs that a translation has.
#[derive(Debug, clap::Args)]
#[group(required = true, multiple = false)]
pub struct TranslateScope {
    /// Those in which each process has at most K + 1 rounds.
    #[arg(long, value_name = "K", value_parser = scope::number)]
    pub rounds: Option<u32>,
    /// Those in which no store waits while its process begins more than K rounds.
    #[arg(long, value_name = "K", value_parser = scope::number)]
    pub age: Option<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum TranslateTargetArg {
    /// The Taut language.
    Taut,
    /// Plain Promela, which SPIN accepts as it is.
    Promela,
    /// C with POSIX threads in the style of SV-COMP, which also compiles and runs as it is.
    C,
}

#[derive(Debug, clap::Args)]
pub struct GraphArgs {
    #[command(flatten)]
    pub input: InputArgs,
    /// The memory model [default: tso, or what an mmlib model says].
    #[arg(long, value_enum)]
    pub model: Option<OneModelArg>,
    /// Whose states are drawn [default: symbolic under TSO and PSO without --bound, else explicit].
    #[arg(long, value_enum)]
    pub engine: Option<GraphEngineArg>,
    #[command(flatten)]
    pub buffers: BufferArgs,
    /// Draw the automaton of one buffer: that of process P in state number N.
    #[arg(long, value_name = "P@N")]
    pub buffer: Option<String>,
    /// The format [default: what the name of the file says, else dot].
    #[arg(long, value_enum)]
    pub to: Option<GraphFormatArg>,
    /// Draw at most so many states.
    #[arg(long, value_name = "N", default_value_t = 400, value_parser = clap::value_parser!(u32).range(1..=20_000))]
    pub max_nodes: u32,
    /// Search at most so long (60s, 500ms, 2m).
    #[arg(long, value_name = "TIME", value_parser = units::duration)]
    pub timeout: Option<Duration>,
    /// Write to a file in place of standard output.
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// Whose states are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum GraphEngineArg {
    /// State by state, each buffer a word.
    Explicit,
    /// Each state stands for all contents that its buffers may have, without a bound.
    Symbolic,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum GraphFormatArg {
    /// A picture that needs nothing else.
    Svg,
    /// Graphviz.
    Dot,
    /// For programs.
    Json,
}

#[derive(Debug, clap::Args)]
pub struct ReplayArgs {
    #[command(flatten)]
    pub input: InputArgs,
    /// The trace: what `check --trace` wrote, or an object that `check --format json` printed.
    pub trace: PathBuf,
}

#[derive(Debug, clap::Args)]
pub struct HeaderArgs {
    /// Write to a file in place of standard output.
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ModelArg {
    /// Sequential consistency.
    Sc,
    /// Total store order.
    Tso,
    /// Partial store order.
    Pso,
    /// Delayed writes: one slot a variable, which newer stores overwrite.
    Delayed,
    /// SC, TSO and PSO.
    All,
}

impl ModelArg {
    /// The models it means.
    pub fn models(self) -> &'static [taut::MemoryModel] {
        match self {
            ModelArg::Sc => &[taut::MemoryModel::Sc],
            ModelArg::Tso => &[taut::MemoryModel::Tso],
            ModelArg::Pso => &[taut::MemoryModel::Pso],
            ModelArg::Delayed => &[taut::MemoryModel::Delayed],
            ModelArg::All => &taut::MemoryModel::ALL,
        }
    }

    /// The choice that means one model.
    pub fn one(model: taut::MemoryModel) -> ModelArg {
        match model {
            taut::MemoryModel::Sc => ModelArg::Sc,
            taut::MemoryModel::Tso => ModelArg::Tso,
            taut::MemoryModel::Pso => ModelArg::Pso,
            taut::MemoryModel::Delayed => ModelArg::Delayed,
        }
    }
}

/// A single memory model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum OneModelArg {
    /// Sequential consistency.
    Sc,
    /// Total store order.
    Tso,
    /// Partial store order.
    Pso,
    /// Delayed writes: one slot a variable, which newer stores overwrite.
    Delayed,
}

impl OneModelArg {
    /// The model it means.
    pub fn model(self) -> taut::MemoryModel {
        match self {
            OneModelArg::Sc => taut::MemoryModel::Sc,
            OneModelArg::Tso => taut::MemoryModel::Tso,
            OneModelArg::Pso => taut::MemoryModel::Pso,
            OneModelArg::Delayed => taut::MemoryModel::Delayed,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum TargetArg {
    /// Plain Promela, which SPIN accepts as it is.
    Promela,
    /// DVE, of DVE models: as they are under SC, with their buffers under delayed.
    Dve,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum LanguageArg {
    /// The Taut language.
    Taut,
    /// x86 litmus tests.
    Litmus,
    /// Promela, the language of SPIN.
    Promela,
    /// DVE, the language of DiVinE.
    Dve,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum RangeErrorsArg {
    /// It is a fault.
    Error,
    /// It wraps around.
    Wrap,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum MmlibArg {
    /// The header chooses the memory model, and its macros are Taut's own operations.
    Native,
    /// They are included from disk as the plain Promela that they are.
    AsWritten,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ReduceArg {
    /// None: every reachable state is stored.
    None,
    /// In searches for runs, buffers of variables of which only one process can tell the state.
    All,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FullBufferArg {
    /// It waits until something commits.
    Wait,
    /// It is an error.
    Error,
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
pub enum Format {
    /// For people.
    Text,
    /// For programs.
    Json,
}
