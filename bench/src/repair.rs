//! Repair: how long it takes to find the cheapest fences of every lock in the examples and of programs with many places, and
//! Havel's experiment with atomic writes, the thesis's loop beside the cheapest sets.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use taut::load::{LoadOptions, from_path};
use taut::repair::{Costs, Outcome, Repair, RepairReport, Repaired, Strategy, With};
use taut::{Check, EngineChoice, Loaded, MemoryModel};
use taut_testkit::suite::root;

/// Arguments.
#[derive(clap::Args)]
pub struct RepairArgs {
    /// Only programs whose name begins like this.
    #[arg(long, value_name = "NAME")]
    only: Option<String>,
    /// Count the 74,948,667 states of Lamport's lock for three processes with delayed writes, too.
    #[arg(long)]
    large: bool,
    /// Seconds that one check may take.
    #[arg(long, value_name = "SECONDS", default_value_t = 600)]
    limit: u64,
    /// Write all figures to a file.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

/// The locks without fences. What is asked is mutual exclusion.
const LOCKS: [&str; 14] = [
    "bakery",
    "burns",
    "clh_lock",
    "dekker",
    "dijkstra",
    "lamport_fast",
    "mcs_lock",
    "peterson",
    "peterson_filter",
    "sense_barrier",
    "szymanski",
    "tas_lock",
    "ticket_lock",
    "ttas_lock",
];

/// A model of Havel's experiment: what the thesis says of it, if it does: writes, atomic ones, states under SC,
/// states with buffers.
const MODELS: [(&str, Option<[&str; 4]>); 7] = [
    ("peterson2", Some(["8", "4", "196", "7 267"])),
    ("lamport3", Some(["27", "13", "29 242", "74 948 667"])),
    ("anderson2", Some(["30", "24", "80", "380 224"])),
    ("lamport2", None),
    ("bakery2", None),
    ("szymanski2", None),
    ("mcs2", None),
];

/// Programs with many places: the file, the memory model, what may be put in.
const LARGE: [(&str, MemoryModel, With); 4] = [
    ("examples/dve/szymanski2.dve", MemoryModel::Tso, With::Fences),
    ("bench/models/hazard_queue.c", MemoryModel::Tso, With::Both),
    ("bench/models/hazard_queue.c", MemoryModel::Pso, With::Fences),
    ("bench/models/hazard_queue.c", MemoryModel::Pso, With::Both),
];

/// More states than this are only counted if asked for.
const MANY: u64 = 5_000_000;

/// Runs the benchmark.
pub fn run(args: &RepairArgs) -> Result<(), String> {
    let fences = locks(args)?;
    println!();
    let many = many_places(args)?;
    println!();
    let atomics = experiment(args)?;
    if let Some(path) = &args.json {
        let all = json!({ "fences": fences, "many_places": many, "delayed": atomics });
        let text = serde_json::to_string_pretty(&all).map_err(|e| e.to_string())? + "\n";
        std::fs::write(path, text).map_err(|e| format!("{}: {e}", path.display()))?;
    }
    Ok(())
}

fn wanted(args: &RepairArgs, name: &str) -> bool {
    args.only.as_ref().is_none_or(|only| name.starts_with(only))
}

fn load(path: &Path) -> Result<Loaded, String> {
    from_path(path, LoadOptions::default()).map_err(|e| e.to_string())
}

fn milliseconds(time: Duration) -> String {
    format!("{:.1}", time.as_secs_f64() * 1e3)
}

fn fixed(report: &RepairReport) -> Option<&Repaired> {
    match &report.outcome {
        Outcome::Repaired(fixed) => Some(fixed),
        _ => None,
    }
}

/// How a repair ended, if not with a set.
fn word(report: &RepairReport) -> &'static str {
    match report.outcome {
        Outcome::WrongUnderSc(_) => "wrong under SC",
        Outcome::Right(_) => "none",
        Outcome::Repaired(_) => "fixed",
        Outcome::Weakened(_) => "weakened",
        Outcome::Wrong(_) => "wrong",
        Outcome::Unrepairable(_) => "unrepairable",
        Outcome::Unknown(_) => "unknown",
    }
}

/// Fences for the locks.
fn locks(args: &RepairArgs) -> Result<Vec<Value>, String> {
    println!(
        "| lock | model | places | fences in the text | counterexamples | checks | ms | proof |"
    );
    println!("|{}", " --- |".repeat(8));
    let mut all = Vec::new();
    for name in LOCKS.into_iter().filter(|name| wanted(args, name)) {
        let loaded = load(&root().join("examples").join(format!("{name}.taut")))?;
        for model in [MemoryModel::Tso, MemoryModel::Pso] {
            all.push(lock(args, name, &loaded, model)?);
        }
    }
    Ok(all)
}

/// Repairs of programs with many places, with the usual costs and the proof that nothing cheaper is enough.
fn many_places(args: &RepairArgs) -> Result<Vec<Value>, String> {
    println!("| program | model | places | cost | counterexamples | checks | ms |");
    println!("|{}", " --- |".repeat(7));
    let mut all = Vec::new();
    for (name, model, with) in LARGE.into_iter().filter(|(name, ..)| wanted(args, name)) {
        let loaded = load(&root().join(name))?;
        let limit = Some(Duration::from_secs(args.limit));
        let check = Check::of(&loaded).model(model).timeout(limit);
        let started = Instant::now();
        let repair = Repair::new(&loaded).with(Some(with));
        let report = repair.run(&check).map_err(|e| e.to_string())?;
        let time = started.elapsed();
        let cost = fixed(&report).and_then(|fixed| fixed.sets.first()).map(|set| set.cost);
        let (places, found, checks) = (report.candidates, report.counterexamples, report.checks);
        println!(
            "| {name} | {model} | {places} | {} | {found} | {checks} | {} |",
            cost.map_or_else(|| word(&report).into(), |cost| cost.to_string()),
            milliseconds(time)
        );
        all.push(json!({
            "program": name,
            "model": model.name(),
            "places": places,
            "cost": cost,
            "counterexamples": found,
            "checks": checks,
            "seconds": time.as_secs_f64(),
        }));
    }
    Ok(all)
}

fn lock(
    args: &RepairArgs,
    name: &str,
    loaded: &Loaded,
    model: MemoryModel,
) -> Result<Value, String> {
    let limit = Some(Duration::from_secs(args.limit));
    let check =
        Check::of(loaded).model(model).engine(EngineChoice::Auto).deadlock(false).timeout(limit);
    let costs = Costs { fence: 1, store_fence: 1, atomic: 1, in_loop: 1 };
    let started = Instant::now();
    let report = Repair::new(loaded).costs(costs).run(&check).map_err(|e| e.to_string())?;
    let time = started.elapsed();
    let (fences, proof) = match fixed(&report) {
        Some(fixed) => {
            let proof = fixed.proofs.first();
            let covers =
                proof.and_then(|proof| proof.results.first()).map(|r| r.verdict.coverage());
            (kinds(fixed), covers.unwrap_or_default())
        }
        None => (word(&report).into(), String::new()),
    };
    println!(
        "| {name} | {model} | {} | {fences} | {} | {} | {} | {proof} |",
        report.candidates,
        report.counterexamples,
        report.checks,
        milliseconds(time)
    );
    Ok(json!({
        "lock": name,
        "model": model.name(),
        "places": report.candidates,
        "fences": fences,
        "counterexamples": report.counterexamples,
        "checks": report.checks,
        "seconds": time.as_secs_f64(),
    }))
}

/// What a set has of each kind.
fn kinds(fixed: &Repaired) -> String {
    let places = fixed.sets.first().map_or(&[][..], |set| &set.places);
    let of = |kind: &str| {
        let number = places.iter().filter(|place| place.kind.word() == kind).count();
        (number > 0).then(|| format!("{number} {kind}"))
    };
    ["fence", "sfence", "atomic"].iter().filter_map(|kind| of(kind)).collect::<Vec<_>>().join(", ")
}

/// Havel's Tables 4.1 and 4.2, and more locks.
fn experiment(args: &RepairArgs) -> Result<Vec<Value>, String> {
    println!(
        "| model | thesis: writes | atomic | states, SC | states, buffers | Taut: writes | greedy | checks | ms | cheapest | \
         checks | ms | states, SC | states, buffers | states, fixed |"
    );
    println!("|{}", " --- |".repeat(15));
    let mut all = Vec::new();
    for (name, thesis) in MODELS.into_iter().filter(|(name, _)| wanted(args, name)) {
        let loaded = load(&root().join("examples/dve").join(format!("{name}.dve")))?;
        all.push(model(args, name, thesis, &loaded)?);
    }
    Ok(all)
}

fn model(
    args: &RepairArgs,
    name: &str,
    thesis: Option<[&str; 4]>,
    loaded: &Loaded,
) -> Result<Value, String> {
    let assertions: Vec<String> =
        loaded.program.properties.iter().map(|p| p.name.clone()).collect();
    let limit = Some(Duration::from_secs(args.limit));
    let check =
        |model: MemoryModel| Check::of(loaded).model(model).only(assertions.clone()).timeout(limit);
    let repaired = |strategy: Strategy| {
        let started = Instant::now();
        let repair = Repair::new(loaded).with(Some(With::Atomics)).strategy(strategy);
        let report = repair.run(&check(MemoryModel::Delayed)).map_err(|e| e.to_string())?;
        Ok::<_, String>((report, started.elapsed()))
    };
    let (greedy, greedy_time) = repaired(Strategy::Greedy)?;
    let (cheapest, time) = repaired(Strategy::Minimal)?;
    let states = |model: MemoryModel, most: Option<u64>| -> Result<String, String> {
        let report = check(model).all(true).max_states(most).run().map_err(|e| e.to_string())?;
        let open = if report.complete { "" } else { "more than " };
        Ok(format!("{open}{}", report.stats.states))
    };
    let sc = states(MemoryModel::Sc, None)?;
    let many = (!args.large).then_some(MANY);
    let delayed = states(MemoryModel::Delayed, many)?;
    let count = |report: &RepairReport| match fixed(report) {
        Some(fixed) => fixed.sets.first().map_or(0, |set| set.places.len()).to_string(),
        None => word(report).into(),
    };
    let proof = fixed(&cheapest).and_then(|fixed| fixed.proofs.first());
    let after = proof.map_or_else(|| "–".into(), |proof| proof.stats.states.to_string());
    let said = thesis.unwrap_or(["–"; 4]).join(" | ");
    let (few, fewest) = (count(&greedy), count(&cheapest));
    println!(
        "| {name} | {said} | {} | {few} | {} | {} | {fewest} | {} | {} | {sc} | {delayed} | {after} |",
        cheapest.candidates,
        greedy.checks,
        milliseconds(greedy_time),
        cheapest.checks,
        milliseconds(time)
    );
    Ok(json!({
        "model": name,
        "thesis": thesis,
        "writes": cheapest.candidates,
        "greedy": few,
        "greedy_checks": greedy.checks,
        "greedy_seconds": greedy_time.as_secs_f64(),
        "cheapest": fewest,
        "checks": cheapest.checks,
        "seconds": time.as_secs_f64(),
        "states_sc": sc,
        "states_buffers": delayed,
        "states_fixed": after,
    }))
}
