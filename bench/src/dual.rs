//! The dual engine beside Dual-TSO: constraints made and kept, and seconds, for every program whose figures are known.

use std::time::{Duration, Instant};

use taut::engines::{Completion, Dual, Engine, Job, SearchOptions};
use taut::load::from_text;
use taut::{Memory, MemoryModel};
use taut_testkit::dual_tso::{ROWS, Row};

/// Arguments.
#[derive(clap::Args)]
pub struct DualArgs {
    /// Only programs whose name begins like this.
    #[arg(long, value_name = "NAME")]
    only: Option<String>,
    /// Seconds that one program may take.
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    limit: u64,
}

/// Runs the benchmark.
pub fn run(args: &DualArgs) -> Result<(), String> {
    println!(
        "| program | verdict | constraints made | kept | seconds | Dual-TSO: made | kept | seconds |"
    );
    println!("| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |");
    let is_asked = |row: &&Row| args.only.as_deref().is_none_or(|only| row.name.starts_with(only));
    ROWS.iter().filter(is_asked).try_for_each(|row| measure(row, args.limit))
}

fn measure(row: &Row, limit: u64) -> Result<(), String> {
    let text = row.text().map_err(|e| format!("{}: {e}", row.name))?;
    let loaded = from_text("row.taut", &text).map_err(|e| e.to_string())?;
    let memory = Memory::new(MemoryModel::Tso).bounded(None);
    let mut options = SearchOptions { deadlock: false, ..SearchOptions::default() };
    options.limits.time = Some(Duration::from_secs(limit));
    let started = Instant::now();
    let result = Dual
        .run(&Job::new(&loaded.program, memory, options))
        .map_err(|e| format!("{}: {e}", row.name))?;
    let seconds = started.elapsed().as_secs_f64();
    let count = |name: &str| result.counts.iter().find(|c| c.name == name).map_or(0, |c| c.value);
    let verdict = match result.completion() {
        Completion::Complete => "holds",
        Completion::FirstFinding => "violated",
        _ => "unknown",
    };
    let theirs = row.seconds.map_or_else(|| "–".into(), |s| format!("{s:.2}"));
    println!(
        "| {} | {verdict} | {} | {} | {seconds:.4} | {} | {} | {theirs} |",
        row.name,
        count("made"),
        count("kept"),
        row.made,
        row.kept,
    );
    Ok(())
}
