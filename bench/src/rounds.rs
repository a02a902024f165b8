//! Rounds beside the other engines: every example that has a translation, under TSO, searched state by state
//! with buffers of eight, symbolically, and in rounds with growing ages; and the experiment of the paper
//! (Atig, Bouajjani and Parlato, CAV 2011, Table 1) beside ours.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use taut::engines::{ENGINES, Rounds};
use taut::load::{LoadOptions, from_path};
use taut::rounds::{Scope, Scopes, translate_states};
use taut::{Check, Engine, EngineChoice, Loaded, MemoryModel, QuestionKind, Report, Verdict};
use taut_testkit::suite::root;

/// Arguments.
#[derive(clap::Args)]
pub struct RoundsArgs {
    /// Only programs whose name begins like this.
    #[arg(long, value_name = "NAME")]
    only: Option<String>,
    /// Seconds that an engine may take for one program.
    #[arg(long, value_name = "SECONDS", default_value_t = 10)]
    limit: u64,
    /// Write all figures to a file.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

/// A row of the paper's Table 1: seconds of POIROT without fences, with them for one delay and for two, then
/// seconds of ESBMC without fences (it finds no bug in Dekker's) and with them. The paper translates by hand, with
/// a store age of 2.
const PAPER: [(&str, [&str; 5]); 4] = [
    ("dekker", ["7", "6", "72", "–", "6"]),
    ("lamport_fast", ["26", "110", "1608", "1", "7"]),
    ("peterson", ["5", "6", "47", "1", "1"]),
    ("szymanski", ["8", "6", "978", "1", "6"]),
];

/// What an engine may take for the paper's experiment, which is not to be cut off.
const PATIENCE: Duration = Duration::from_secs(300);

/// Runs the benchmark.
pub fn run(args: &RoundsArgs) -> Result<(), String> {
    let limit = Duration::from_secs(args.limit);
    let table1 = experiment(limit.max(PATIENCE))?;
    println!();
    let programs = side_by_side(args, limit)?;
    if let Some(path) = &args.json {
        let all = json!({ "table1": table1, "programs": programs });
        let text = serde_json::to_string_pretty(&all).map_err(|e| e.to_string())? + "\n";
        std::fs::write(path, text).map_err(|e| format!("{}: {e}", path.display()))?;
    }
    Ok(())
}

fn load(path: &Path) -> Result<Loaded, String> {
    from_path(path, LoadOptions::default()).map_err(|e| e.to_string())
}

fn example(name: &str) -> PathBuf {
    root().join("examples").join(name)
}

/// The worst verdict on what is asked of states, deadlock aside, and what it covers.
fn verdict(report: &Report) -> (&'static str, String) {
    let asked =
        || report.results.iter().filter(|r| r.kind != QuestionKind::Deadlock).map(|r| &r.verdict);
    let first = asked().find(|v| matches!(v, Verdict::Violated(_)));
    let first = first.or_else(|| asked().find(|v| v.is_open())).or_else(|| asked().next());
    first.map_or(("–", String::new()), |v| (v.word(), v.coverage()))
}

/// The paper's experiment: the store-age translation with k = 2, as there.
fn experiment(limit: Duration) -> Result<Vec<Value>, String> {
    println!(
        "| lock | POIROT, no fences, s | fences, D = 1 | D = 2 | ESBMC, no fences, s | fences | Taut, no fences | ms | \
         states | Taut, fences | ms | states |"
    );
    println!("|{}", " --- |".repeat(12));
    let mut all = Vec::new();
    for (lock, paper) in PAPER {
        let mut cells = Vec::new();
        let mut ours = Vec::new();
        for name in [lock.to_owned(), format!("{lock}_tso")] {
            let loaded = load(&example(&format!("{name}.taut")))?;
            let engine = Rounds(Scopes::One(Scope::Age(2)));
            let (report, time) = ask(&loaded, engine, limit)?;
            let (word, covers) = verdict(&report);
            cells.push(format!("{word}, {covers} | {:.1} | {}", time * 1e3, report.stats.states));
            ours.push(figures(&report, time));
        }
        println!("| {lock} | {} | {} |", paper.join(" | "), cells.join(" | "));
        all.push(json!({ "lock": lock, "paper": paper, "no_fences": ours[0], "fences": ours[1] }));
    }
    Ok(all)
}

/// Asks about everything but deadlocks, which rounds do not tell; the report and the seconds it took.
fn ask(
    loaded: &Loaded,
    engine: impl Into<EngineChoice>,
    limit: Duration,
) -> Result<(Report, f64), String> {
    let check = Check::of(loaded).model(MemoryModel::Tso).engine(engine).deadlock(false);
    let started = Instant::now();
    let report = check.temporal(false).timeout(Some(limit)).run().map_err(|e| e.to_string())?;
    Ok((report, started.elapsed().as_secs_f64()))
}

fn figures(report: &Report, seconds: f64) -> Value {
    let (word, coverage) = verdict(report);
    json!({
        "verdict": word,
        "coverage": coverage,
        "seconds": seconds,
        "states": report.stats.states,
        "peak_bytes": report.stats.peak_bytes,
    })
}

/// All examples that have a translation.
fn side_by_side(args: &RoundsArgs, limit: Duration) -> Result<Vec<Value>, String> {
    let columns = |engine: &&dyn Engine| format!("{} | ms | states | KB", engine.id());
    let engines: Vec<_> = ENGINES.iter().map(columns).collect();
    println!("| program | {} |", engines.join(" | "));
    println!("|{}", " --- |".repeat(1 + 4 * ENGINES.len()));
    let mut all = Vec::new();
    let mut different = Vec::new();
    for path in programs(args)? {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let loaded = load(&path)?;
        if let Err(error) = translate_states(&loaded.program, Scope::Age(0)) {
            println!("| {name} | {error} |{}", " – |".repeat(4 * ENGINES.len() - 1));
            continue;
        }
        let mut cells = Vec::new();
        let mut words = Vec::new();
        let mut object = serde_json::Map::from_iter([("program".to_owned(), json!(name))]);
        for &engine in ENGINES {
            let engine_name = engine.id().name();
            let (report, time) = ask(&loaded, engine, limit)?;
            let (word, coverage) = verdict(&report);
            cells.push(cell(&report, word, &coverage, time));
            words.push((word, coverage == "all executions"));
            object.insert(engine_name.to_owned(), figures(&report, time));
        }
        println!("| {name} | {} |", cells.join(" | "));
        if contradict(&words) {
            different.push(name);
        }
        all.push(Value::Object(object));
    }
    match different.is_empty() {
        true => println!("\nno verdict contradicts another"),
        false => println!("\nverdicts contradict each other: {}", different.join(", ")),
    }
    Ok(all)
}

/// Whether one engine has a violation and another says that it holds for all executions.
fn contradict(words: &[(&str, bool)]) -> bool {
    let violated = words.iter().any(|(word, _)| *word == "violated");
    violated && words.iter().any(|(word, all)| *word == "holds" && *all)
}

fn cell(report: &Report, word: &str, coverage: &str, seconds: f64) -> String {
    let kilobytes = report.stats.peak_bytes as f64 / 1e3;
    let covers = if word == "violated" { report.scope.map(|s| s.to_string()) } else { None };
    let covers = covers.unwrap_or_else(|| coverage.to_owned());
    format!("{word}, {covers} | {:.1} | {} | {kilobytes:.0}", seconds * 1e3, report.stats.states)
}

fn programs(args: &RoundsArgs) -> Result<Vec<PathBuf>, String> {
    let entries = std::fs::read_dir(root().join("examples")).map_err(|e| e.to_string())?;
    let mut all: Vec<PathBuf> = entries.filter_map(|e| e.ok().map(|e| e.path())).collect();
    let is_program = |p: &PathBuf| p.extension().is_some_and(|e| e == "taut" || e == "pml");
    let wanted = |p: &PathBuf| {
        let name = p.file_name().unwrap_or_default().to_string_lossy();
        args.only.as_ref().is_none_or(|only| name.starts_with(only.as_str()))
    };
    all.retain(|p| is_program(p) && wanted(p));
    all.sort();
    Ok(all)
}
