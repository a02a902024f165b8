//! Certificates: bytes per state, the time to write them and the time to check them, beside the search. Each program is measured without
//! reductions, where search and certificate have the same states, and with them, where each has its own.

use std::time::{Duration, Instant};

use taut::budget::Budget;
use taut::load::{LoadOptions, from_path};
use taut::proof::certificate;
use taut::{Check, MemoryModel, Reduce};
use taut_testkit::suite::root;

/// Programs that hold, with the memory model and the bound.
const PROGRAMS: [(&str, MemoryModel, u32); 9] = [
    ("dekker_tso.taut", MemoryModel::Pso, 8),
    ("bakery_tso.taut", MemoryModel::Sc, 8),
    ("peterson_filter_tso.taut", MemoryModel::Sc, 2),
    ("peterson_filter_tso.taut", MemoryModel::Tso, 2),
    ("lamport_fast_tso.taut", MemoryModel::Tso, 4),
    ("mcs_lock.taut", MemoryModel::Tso, 4),
    ("spawn.taut", MemoryModel::Sc, 4),
    ("abp.pml", MemoryModel::Sc, 8),
    ("leader.pml", MemoryModel::Sc, 8),
];

/// Arguments.
#[derive(clap::Args)]
pub struct ProofsArgs {
    /// Only programs whose name begins like this.
    #[arg(long, value_name = "NAME")]
    only: Option<String>,
    /// Seconds that one program may take.
    #[arg(long, value_name = "SECONDS", default_value_t = 120)]
    limit: u64,
}

/// Runs the benchmark.
pub fn run(args: &ProofsArgs) -> Result<(), String> {
    println!(
        "| program | model | reductions | states of the search | states | bytes per state | search | write | check |"
    );
    println!("| --- | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |");
    let is_asked = |name: &str| args.only.as_deref().is_none_or(|only| name.starts_with(only));
    let mut asked = PROGRAMS.into_iter().filter(|(name, ..)| is_asked(name));
    asked.try_for_each(|(name, model, bound)| {
        let mut each = [Reduce::None, Reduce::All].into_iter();
        each.try_for_each(|reduce| measure(name, (model, bound), reduce, args.limit))
    })
}

fn measure(
    name: &str,
    (model, bound): (MemoryModel, u32),
    reduce: Reduce,
    limit: u64,
) -> Result<(), String> {
    let path = root().join("examples").join(name);
    let loaded = from_path(&path, LoadOptions::default()).map_err(|e| e.to_string())?;
    let text = std::fs::read(&path).map_err(|e| e.to_string())?;
    let check = Check::of(&loaded).model(model).bound(bound).reduce(reduce).temporal(false);
    let started = Instant::now();
    let report = check.all(true).run().map_err(|e| e.to_string())?;
    let search = started.elapsed();
    let started = Instant::now();
    let budget = Budget::new().time(Some(Duration::from_secs(limit)));
    let report = report.with_proof(&loaded, &budget).map_err(|e| e.to_string())?;
    let Some(whole) = certificate(&loaded, report.proof.as_ref()) else {
        println!(
            "| {name} | {model} | {} | {} | | no certificate | | | |",
            reduce.name(),
            report.stats.states
        );
        return Ok(());
    };
    let bytes = whole.to_bytes();
    let write = started.elapsed();
    let started = Instant::now();
    let file = path.display().to_string();
    taut_certify::certify(&file, &text, &bytes).map_err(|refusal| refusal.to_string())?;
    let checked = started.elapsed();
    let proof = report.proof.unwrap_or_default();
    println!(
        "| {name} | {model} | {} | {} | {} | {:.2} | {:.3} s | {:.3} s | {:.3} s |",
        reduce.name(),
        report.stats.states,
        proof.states,
        proof.bytes() as f64 / proof.states.max(1) as f64,
        search.as_secs_f64(),
        write.as_secs_f64(),
        checked.as_secs_f64(),
    );
    Ok(())
}
