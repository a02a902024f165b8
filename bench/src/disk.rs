//! States in files: a search with an eighth of the memory that it needs, beside the search with all of it.
//!
//! Each search is made by a process of its own, so that the peak of its memory is its own. All are made by one thread,
//! one after the other, and visit every state. What counts are ratios within one run.

use std::path::PathBuf;
use std::process::Command;

use serde_json::{Value, json};
use taut::load::{LoadOptions, from_path};
use taut::{Check, DiskOptions, MemoryModel, Reduce, StoreKind};
use taut_testkit::suite::root;

/// What to run.
#[derive(clap::Args)]
pub struct DiskArgs {
    /// The model: Peterson's lock for four processes (8.8 million states), or Lamport's lock for three with delayed writes
    /// (74.9 million states, some minutes and some gigabytes).
    #[arg(long, value_enum, default_value_t = Model::Peterson)]
    model: Model,
    /// The part of the memory that the exact store needs: one in this number.
    #[arg(long, default_value_t = 8)]
    part: u64,
    /// Directory of the files [default: the system's directory of temporary files].
    #[arg(long, value_name = "DIR")]
    disk_dir: Option<PathBuf>,
    /// Makes one search and prints its figures as JSON: the store.
    #[arg(long, hide = true)]
    store: Option<String>,
    /// The limit of that search on memory.
    #[arg(long, hide = true)]
    bytes: Option<u64>,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Model {
    /// Peterson's lock for three processes, 43,000 states: to see that everything works.
    Small,
    /// Peterson's lock for four processes.
    Peterson,
    /// Lamport's lock for three processes with delayed writes.
    Lamport,
}

impl Model {
    fn path(self) -> PathBuf {
        match self {
            Model::Small | Model::Peterson => root().join("bench/models/peterson.pml"),
            Model::Lamport => root().join("examples/dve/lamport3.dve"),
        }
    }

    fn options(self) -> LoadOptions {
        let defines = matches!(self, Model::Small).then_some("N=3");
        LoadOptions::default().define(defines)
    }

    fn memory_model(self) -> MemoryModel {
        match self {
            Model::Small | Model::Peterson => MemoryModel::Sc,
            Model::Lamport => MemoryModel::Delayed,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Model::Small => "small",
            Model::Peterson => "peterson",
            Model::Lamport => "lamport",
        }
    }
}

/// Runs the benchmark.
pub fn run(args: &DiskArgs) -> Result<(), String> {
    match &args.store {
        Some(store) => search(args, store).map(|figures| println!("{figures}")),
        None => compare(args),
    }
}

/// Makes one search.
fn search(args: &DiskArgs, store: &str) -> Result<Value, String> {
    let kinds = [StoreKind::Exact, StoreKind::Tree, StoreKind::Disk];
    let kind = kinds.into_iter().find(|kind| kind.name() == store).ok_or("no such store")?;
    let loaded = from_path(&args.model.path(), args.model.options()).map_err(|e| e.to_string())?;
    let check = Check::of(&loaded)
        .model(args.model.memory_model())
        .reduce(Reduce::None)
        .store(kind)
        .disk(DiskOptions { directory: args.disk_dir.clone(), ..DiskOptions::default() })
        .whole(true)
        .max_memory(args.bytes.unwrap_or(u64::MAX));
    let report = check.run().map_err(|e| e.to_string())?;
    let stats = report.stats;
    Ok(json!({
        "complete": report.complete,
        "states": stats.states,
        "transitions": stats.transitions,
        "depth": stats.depth,
        "seconds": stats.time.as_secs_f64(),
        "state_bytes": stats.peak_bytes,
        "file_bytes": stats.disk_bytes,
        "resident_bytes": peak_resident(),
    }))
}

/// The most memory that this process had, where Linux tells.
fn peak_resident() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix(" kB")?.parse::<u64>().ok().map(|kilobytes| kilobytes << 10)
}

/// Makes all searches, each in a process of its own, and prints a table.
fn compare(args: &DiskArgs) -> Result<(), String> {
    println!(
        "{:<22} {:>11} {:>12} {:>9} {:>6} {:>11} {:>12} {:>10} {:>8}",
        "",
        "states",
        "transitions",
        "seconds",
        "ratio",
        "states MiB",
        "process MiB",
        "files MiB",
        "ratio"
    );
    let exact = row(args, "exact", None, None)?;
    let needed = exact["state_bytes"].as_u64().ok_or("bytes are counted")?;
    let part = Some(needed / args.part.max(1));
    row(args, "tree", None, Some(&exact))?;
    row(args, "exact", part, Some(&exact))?;
    row(args, "tree", part, Some(&exact))?;
    let disk = row(args, "disk", part, Some(&exact))?;
    let counts =
        |figures: &Value| ["states", "transitions", "depth"].map(|key| figures[key].clone());
    if counts(&exact) != counts(&disk) || disk["complete"] != true {
        return Err("the search with files did not visit the same states".into());
    }
    Ok(())
}

/// Makes a search and prints its line.
fn row(
    args: &DiskArgs,
    store: &str,
    bytes: Option<u64>,
    whole: Option<&Value>,
) -> Result<Value, String> {
    let figures = in_a_process(args, store, bytes)?;
    let number = |key: &str| figures[key].as_f64().unwrap_or(f64::NAN);
    let ratio =
        |key: &str| number(key) / whole.unwrap_or(&figures)[key].as_f64().unwrap_or(f64::NAN);
    let name = match bytes {
        Some(_) => format!("{store}, 1/{} memory", args.part),
        None => store.to_string(),
    };
    let note = if figures["complete"] == true { "" } else { "  cut off by the limit" };
    println!(
        "{name:<22} {:>11} {:>12} {:>9.2} {:>6.2} {:>11.1} {:>12.1} {:>10.1} {:>8.2}{note}",
        figures["states"].to_string(),
        figures["transitions"].to_string(),
        number("seconds"),
        ratio("seconds"),
        number("state_bytes") / f64::from(1 << 20),
        number("resident_bytes") / f64::from(1 << 20),
        number("file_bytes") / f64::from(1 << 20),
        ratio("resident_bytes"),
    );
    Ok(figures)
}

fn in_a_process(args: &DiskArgs, store: &str, bytes: Option<u64>) -> Result<Value, String> {
    let this = std::env::current_exe().map_err(|e| e.to_string())?;
    let mut command = Command::new(this);
    command.args(["disk", "--model", args.model.name(), "--store", store]);
    if let Some(bytes) = bytes {
        command.arg("--bytes").arg(bytes.to_string());
    }
    if let Some(directory) = &args.disk_dir {
        command.arg("--disk-dir").arg(directory);
    }
    let output = command.output().map_err(|e| e.to_string())?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    serde_json::from_slice(&output.stdout).map_err(|e| e.to_string())
}
