//! Litmus tests per second.

use std::path::{Path, PathBuf};
use std::time::Instant;

use taut::load::{LoadOptions, from_bytes};
use taut::{Language, Limits, MemoryModel};

/// What to run.
#[derive(clap::Args)]
pub struct LitmusArgs {
    /// A folder with litmus tests; by default the corpus (`TAUT_CORPUS` or `../shared/corpus`), else the
    /// repository's own.
    folder: Option<PathBuf>,
    /// How often the whole folder is run; the best round counts.
    #[arg(long, default_value_t = 5)]
    rounds: u32,
}

/// The floor: tests per second under TSO on one core.
const FLOOR: f64 = 3_000.0;

/// Runs the benchmark.
pub fn run(args: &LitmusArgs) -> Result<(), String> {
    let folder = args.folder.clone().unwrap_or_else(default_folder);
    let tests = read(&folder)?;
    println!(
        "{} litmus tests in {}, one core, best of {}",
        tests.len(),
        folder.display(),
        args.rounds
    );
    println!("{:<6} {:>10} {:>14} {:>14}", "model", "seconds", "tests/s", "final states");
    for model in MemoryModel::ALL {
        let mut best = f64::INFINITY;
        let mut finals = 0;
        for _ in 0..args.rounds.max(1) {
            let start = Instant::now();
            finals = tests.iter().map(|test| run_one(test, model)).sum::<Result<usize, _>>()?;
            best = best.min(start.elapsed().as_secs_f64());
        }
        let rate = tests.len() as f64 / best;
        let note =
            if model == MemoryModel::Tso { format!("   floor {FLOOR}") } else { String::new() };
        println!("{:<6} {best:>10.3} {rate:>14.0} {finals:>14}{note}", model.name());
    }
    println!("peers, measured elsewhere: herd7 80 tests/s, a naive enumerator 1500 tests/s");
    Ok(())
}

fn default_folder() -> PathBuf {
    let named = std::env::var_os("TAUT_CORPUS").map(PathBuf::from);
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let corpus = named.unwrap_or_else(|| root.join("../shared/corpus")).join("litmus");
    if corpus.is_dir() { corpus } else { root.join("testdata/litmus") }
}

/// A test as it lies on disk.
struct Text {
    name: String,
    bytes: Vec<u8>,
}

fn read(folder: &Path) -> Result<Vec<Text>, String> {
    let mut tests = Vec::new();
    let mut todo = vec![folder.to_path_buf()];
    while let Some(path) = todo.pop() {
        if path.is_dir() {
            let entries =
                std::fs::read_dir(&path).map_err(|e| format!("{}: {e}", path.display()))?;
            todo.extend(entries.filter_map(Result::ok).map(|e| e.path()));
        } else if path.extension().is_some_and(|e| e == "litmus") {
            let bytes = std::fs::read(&path).map_err(|e| format!("{}: {e}", path.display()))?;
            tests.push(Text { name: path.display().to_string(), bytes });
        }
    }
    if tests.is_empty() { Err(format!("no tests in {}", folder.display())) } else { Ok(tests) }
}

/// Reads and runs one test; the number of its final states.
fn run_one(test: &Text, model: MemoryModel) -> Result<usize, String> {
    let options = LoadOptions { language: Language::named("litmus"), ..LoadOptions::default() };
    let loaded = from_bytes(&test.name, test.bytes.clone(), options).map_err(|e| e.to_string())?;
    let litmus = loaded.litmus().ok_or("no litmus test")?;
    let outcome =
        taut::litmus::run(litmus, model, &Limits::default()).map_err(|l| l.to_string())?;
    Ok(outcome.states.len())
}
