//! The symbolic engine: buffers without a bound, beside searches with buffers of 1 to 8 entries.
//!
//! Four tables. Linden and Wolper's Table 2 with the figures of their paper; the locks that tools for unbounded
//! buffers are measured with, each of which must be decided in a second; every program of
//! `testdata/unbounded.toml`; and, for the same programs, what a search with a bound costs as the bound grows. The
//! last is drawn, too, with `--plot`.

mod growth;
mod locks;
mod programs;
mod table2;

use std::path::PathBuf;
use std::time::Duration;

use serde_json::{Value, json};
use taut::engines::Symbolic;
use taut::load::{LoadOptions, Loaded, from_path};
use taut::{Check, MemoryModel, Report};
use taut_testkit::suite::root;

use crate::plot;

/// Arguments.
#[derive(clap::Args)]
pub struct SymbolicArgs {
    /// Visit the whole space in place of ending at the first violation.
    #[arg(long)]
    all: bool,
    /// Only programs whose name begins like this.
    #[arg(long, value_name = "NAME")]
    only: Option<String>,
    /// Leave out the searches with bounds.
    #[arg(long)]
    no_bounds: bool,
    /// How often each question of the first two tables is answered; the median counts.
    #[arg(long, default_value_t = 11)]
    runs: usize,
    /// Seconds after which a search is given up.
    #[arg(long, default_value_t = 10)]
    seconds: u64,
    /// States after which a search is given up.
    #[arg(long, default_value_t = 5_000_000)]
    states: u64,
    /// Draw how searches with bounds grow.
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
    /// Write all figures to a file.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

/// The models that have store buffers.
const MODELS: [MemoryModel; 2] = [MemoryModel::Tso, MemoryModel::Pso];

impl SymbolicArgs {
    fn wants(&self, name: &str) -> bool {
        self.only.as_ref().is_none_or(|only| name.starts_with(only.as_str()))
    }

    /// A check with the limits of the benchmark.
    fn limited<'l>(&self, loaded: &'l Loaded, model: MemoryModel) -> Check<'l> {
        let check = Check::of(loaded).model(model).max_states(Some(self.states));
        check.timeout(Some(Duration::from_secs(self.seconds)))
    }

    fn symbolic<'l>(&self, loaded: &'l Loaded, model: MemoryModel) -> Check<'l> {
        self.limited(loaded, model).engine(Symbolic)
    }
}

/// Runs the benchmark.
pub fn run(args: &SymbolicArgs) -> Result<(), String> {
    let table2 = table2::run(args)?;
    let (locks, slow) = locks::run(args)?;
    let programs = programs::run(args)?;
    let growth = if args.no_bounds { Vec::new() } else { growth::run(args)? };
    if let Some(path) = &args.plot {
        write(path, plot::svg(&growth::plots(&growth)))?;
    }
    if let Some(path) = &args.json {
        let growth: Vec<Value> = growth.iter().map(growth::Curve::json).collect();
        let mode = if args.all { "whole space" } else { "first violation" };
        let all = json!({ "mode": mode, "table2": table2, "locks": locks, "programs": programs, "growth": growth });
        write(path, serde_json::to_string_pretty(&all).map_err(|e| e.to_string())? + "\n")?;
    }
    if slow.is_empty() {
        Ok(())
    } else {
        Err(format!("not decided in a second: {}", slow.join(", ")))
    }
}

fn write(path: &PathBuf, text: String) -> Result<(), String> {
    std::fs::write(path, text).map_err(|e| format!("{}: {e}", path.display()))
}

/// A program of the repository by its path.
fn load(file: &str) -> Result<Loaded, String> {
    from_path(&root().join(file), LoadOptions::default()).map_err(|e| e.to_string())
}

/// The median by time of several runs.
fn median(check: &Check, runs: usize) -> Result<Report, String> {
    let all = (0..runs.max(1)).map(|_| check.run().map_err(|e| e.to_string()));
    let mut all = all.collect::<Result<Vec<_>, _>>()?;
    all.sort_by_key(|report| report.stats.time);
    Ok(all.swap_remove(all.len() / 2))
}

fn milliseconds(report: &Report) -> f64 {
    report.stats.time.as_secs_f64() * 1e3
}

fn visited(report: &Report) -> u64 {
    report.symbolic.map_or(0, |counts| counts.visited)
}

/// The verdicts in one phrase: what is violated, and else whether anything is open.
fn verdict(report: &Report) -> String {
    let violated: Vec<_> = report.violations().map(|(result, _)| result.name.as_str()).collect();
    let open = report.results.iter().filter(|r| r.verdict.is_open()).map(|r| r.name.as_str());
    let open: Vec<_> = open.collect();
    match (violated.is_empty(), open.is_empty()) {
        (true, true) => "holds".into(),
        (false, true) => format!("violated: {}", violated.join(", ")),
        (true, false) => format!("open: {}", open.join(", ")),
        (false, false) => format!("violated: {}; open: {}", violated.join(", "), open.join(", ")),
    }
}

/// The figures of a report for a file.
fn figures(report: &Report) -> Value {
    let counts = report.symbolic.unwrap_or_default();
    json!({
        "verdict": verdict(report),
        "stored": report.stats.states,
        "visited": counts.visited,
        "accelerated": counts.accelerated,
        "automata": counts.automata,
        "largest": counts.largest,
        "depth": report.stats.depth,
        "peak_bytes": report.stats.peak_bytes,
        "seconds": report.stats.time.as_secs_f64(),
    })
}
