//! Every example of the repository that holds: its certificate is accepted, whatever engine and reduction gave the verdict.

use std::time::Duration;

use taut::budget::Budget;
use taut::load::{LoadOptions, from_path};
use taut::{Check, EngineChoice, MemoryModel, Reduce, StoreKind, Verdict};
use taut_testkit::suite::root;
use taut_testkit::tally::Tally;

/// Programs with more states than this are left to a soak: the replayer takes some microseconds per step.
const MOST_STATES: u64 = 150;

fn is_soak() -> bool {
    std::env::var_os("TAUT_SOAK").is_some()
}

/// Certifies what holds under a model, as one combination of options says.
fn certify(tally: &Tally, name: &str, loaded: &taut::Loaded, check: &Check<'_>) {
    let most = if is_soak() { 200_000 } else { MOST_STATES };
    let Ok(report) = check.clone().max_states(most).run() else { panic!("{name}") };
    if report.is_unknown() || report.stats.states > most {
        return tally.count("too large");
    }
    let held = report.results.iter().filter(|r| matches!(r.verdict, Verdict::Holds(_))).count();
    let budget =
        Budget::new().time(Some(Duration::from_millis(if is_soak() { 120_000 } else { 400 })));
    let report = report.certified(loaded, &budget);
    let report = report.unwrap_or_else(|fault| panic!("{name} under {:?}: {fault}", check));
    let proof = report.proof.expect("evidence");
    tally.add("accepted", proof.names().count() as u64);
    tally.add("claims", proof.claims.len() as u64);
    for open in &proof.open {
        let why: String = open.why.chars().take(45).collect();
        tally.count(&format!("open ({why})"));
    }
    assert!(proof.names().count() + proof.open.len() >= held, "{name}: {:?}", proof.open);
    assert_eq!(proof.accepted.map_or(0, |all| all.len()), proof.claims.len(), "{name}");
}

#[test]
fn what_holds_of_the_examples_is_accepted() {
    let tally = Tally::new();
    let mut files = Vec::new();
    for folder in ["examples", "examples/dve", "examples/c"] {
        let all = std::fs::read_dir(root().join(folder)).expect("a folder");
        files.extend(all.map(|entry| entry.expect("a file").path()));
    }
    files.sort();
    for file in files {
        let Ok(loaded) = from_path(&file, LoadOptions::default()) else { continue };
        let name = file.display().to_string();
        for model in [MemoryModel::Sc, MemoryModel::Tso, MemoryModel::Pso] {
            certify(&tally, &name, &loaded, &Check::of(&loaded).model(model).all(true));
        }
    }
    println!("{tally}");
    tally.at_least("accepted", 150);
}

#[test]
fn every_engine_store_and_reduction_is_accepted() {
    let tally = Tally::new();
    for file in ["peterson_tso.taut", "dekker_tso.taut", "lw_unlock.taut", "abp.pml", "iriw.taut"] {
        let path = root().join("examples").join(file);
        let loaded = from_path(&path, LoadOptions::default()).expect("a program");
        for model in [MemoryModel::Sc, MemoryModel::Tso, MemoryModel::Pso] {
            let check = Check::of(&loaded).model(model).all(true);
            for reduce in [Reduce::None, Reduce::Por, Reduce::All] {
                for store in [StoreKind::Exact, StoreKind::Tree, StoreKind::Disk] {
                    let check = check.clone().reduce(reduce).store(store).temporal(false).bound(3);
                    certify(&tally, file, &loaded, &check);
                }
            }
            for engine in taut::engines::ENGINES {
                let check = check
                    .clone()
                    .engine(engine.id().name().parse::<EngineChoice>().expect("an engine"));
                certify(&tally, &format!("{file} by {}", engine.id()), &loaded, &check);
            }
        }
    }
    println!("{tally}");
    tally.at_least("accepted", 100);
}
