//! Certificates: bytes per state, the time to write them and the time to check them, beside the search. Each program is measured without
//! reductions, where search and certificate have the same states, and with them, where each has its own.
//!
//! Times are of the processor, of all threads: the search has one, the checker as many as there are cores. What is short is done
//! again and again, and the time is that of one.

use std::path::{Path, PathBuf};
use std::time::Duration;

use taut::budget::Budget;
use taut::load::{LoadOptions, from_path};
use taut::proof::certificate;
use taut::{Check, MemoryModel, Reduce};
use taut_testkit::suite::root;

/// Programs that hold, with the memory model and the bound.
const PROGRAMS: [(&str, MemoryModel, u32); 16] = [
    ("examples/dekker_tso.taut", MemoryModel::Pso, 8),
    ("examples/bakery_tso.taut", MemoryModel::Sc, 8),
    ("examples/peterson_filter_tso.taut", MemoryModel::Sc, 2),
    ("examples/peterson_filter_tso.taut", MemoryModel::Tso, 2),
    ("examples/lamport_fast_tso.taut", MemoryModel::Tso, 4),
    ("examples/mcs_lock.taut", MemoryModel::Tso, 4),
    ("examples/spawn.taut", MemoryModel::Sc, 4),
    ("examples/abp.pml", MemoryModel::Sc, 8),
    ("examples/leader.pml", MemoryModel::Sc, 8),
    ("bench/models/anderson.pml", MemoryModel::Sc, 8),
    ("bench/models/bakery.pml", MemoryModel::Sc, 8),
    ("bench/models/counters.pml", MemoryModel::Sc, 8),
    ("bench/models/leader.pml", MemoryModel::Sc, 8),
    ("bench/models/peterson.pml", MemoryModel::Sc, 8),
    ("bench/models/philosophers.pml", MemoryModel::Sc, 8),
    ("bench/models/window.pml", MemoryModel::Sc, 8),
];

/// Arguments.
#[derive(clap::Args)]
pub struct ProofsArgs {
    /// Only programs whose path contains this.
    #[arg(long, value_name = "NAME")]
    only: Option<String>,
    /// Other programs, under SC.
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Seconds that one program may take.
    #[arg(long, value_name = "SECONDS", default_value_t = 120)]
    limit: u64,
}

/// Runs the benchmark.
pub fn run(args: &ProofsArgs) -> Result<(), String> {
    println!(
        "| program | model | reductions | states of the search | states | bytes per state | search | write | check | check / search |"
    );
    println!("| --- | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |");
    let is_asked = |name: &str| args.only.as_deref().is_none_or(|only| name.contains(only));
    let own = PROGRAMS.into_iter().filter(|(name, ..)| args.files.is_empty() && is_asked(name));
    let own = own.map(|(name, model, bound)| (root().join(name), model, bound));
    let given = args.files.iter().map(|file| (file.clone(), MemoryModel::Sc, 8));
    own.chain(given).try_for_each(|(path, model, bound)| {
        let mut each = [Reduce::None, Reduce::All].into_iter();
        each.try_for_each(|reduce| measure(&path, (model, bound), reduce, args.limit))
    })
}

fn measure(
    path: &Path,
    (model, bound): (MemoryModel, u32),
    reduce: Reduce,
    limit: u64,
) -> Result<(), String> {
    let loaded = from_path(path, LoadOptions::default()).map_err(|e| e.to_string())?;
    let text = std::fs::read(path).map_err(|e| e.to_string())?;
    let check = Check::of(&loaded).model(model).bound(bound).reduce(reduce).temporal(false);
    let check = check.all(true).timeout(Some(Duration::from_secs(limit)));
    let (search, report) = timed(|| check.clone().run().map_err(|e| e.to_string()))?;
    let states = report.stats.states;
    let budget = || Budget::new().time(Some(Duration::from_secs(limit)));
    let (write, made) = timed(|| {
        let report = report.clone().with_proof(&loaded, &budget()).map_err(|e| e.to_string())?;
        let proof = report.proof.unwrap_or_default();
        Ok((certificate(&loaded, [&proof]).map(|whole| whole.to_bytes()), proof))
    })?;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let (Some(bytes), proof) = made else {
        println!("| {name} | {model} | {} | {states} | | no certificate | | | | |", reduce.name());
        return Ok(());
    };
    let file = path.display().to_string();
    let (checked, _) =
        timed(|| taut_certify::certify(&file, &text, &bytes).map_err(|e| e.to_string()))?;
    println!(
        "| {name} | {model} | {} | {states} | {} | {:.2} | {:.4} s | {:.4} s | {:.4} s | {:.1} |",
        reduce.name(),
        proof.states,
        proof.bytes() as f64 / proof.states.max(1) as f64,
        search,
        write,
        checked,
        checked / search,
    );
    Ok(())
}

/// The seconds of processor time that some work takes, and what comes of it.
fn timed<T>(mut work: impl FnMut() -> Result<T, String>) -> Result<(f64, T), String> {
    let (started, mut times) = (processor_time(), 0);
    loop {
        let done = work()?;
        times += 1;
        let taken = processor_time() - started;
        // A tick is a hundredth of a second.
        if taken > 0.5 {
            return Ok((taken / f64::from(times), done));
        }
    }
}

/// The seconds that this process has had a processor, by all of its threads, those that have ended included.
fn processor_time() -> f64 {
    let text = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let after_name = text.rsplit(')').next().unwrap_or_default();
    let ticks = after_name.split_whitespace().skip(11).take(2);
    ticks.filter_map(|ticks| ticks.parse::<f64>().ok()).sum::<f64>() / 100.0
}
