//! The dual engine beside Dual-TSO: constraints made and kept, and seconds, for every program whose figures are known.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use taut::engines::{Completion, Dual, Engine, Job, SearchOptions};
use taut::load::{LoadOptions, from_path, from_text};
use taut::{Loaded, Memory, MemoryModel};
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
    /// The folder with the programs that Dual-TSO was given, `rmm` of the corpus: they are read instead of ours.
    #[arg(long, value_name = "FOLDER")]
    originals: Option<PathBuf>,
}

/// Runs the benchmark.
pub fn run(args: &DualArgs) -> Result<(), String> {
    println!(
        "| program | verdict | constraints made | kept | seconds | Dual-TSO: made | kept | seconds |"
    );
    println!("| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |");
    let is_asked = |row: &&Row| args.only.as_deref().is_none_or(|only| row.name.starts_with(only));
    ROWS.iter().filter(is_asked).try_for_each(|row| match program(row, args)? {
        Some(loaded) => measure(row, &loaded, args.limit),
        None => Ok(()),
    })
}

/// The program of a row: ours, or that of Dual-TSO if it is there.
fn program(row: &Row, args: &DualArgs) -> Result<Option<Loaded>, String> {
    let Some(folder) = &args.originals else {
        let text = row.text().map_err(|e| format!("{}: {e}", row.name))?;
        return from_text("row.taut", &text).map(Some).map_err(|e| e.to_string());
    };
    let Some(name) = row.original() else { return Ok(None) };
    from_path(&folder.join(name), LoadOptions::default()).map(Some).map_err(|e| e.to_string())
}

fn measure(row: &Row, loaded: &Loaded, limit: u64) -> Result<(), String> {
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
