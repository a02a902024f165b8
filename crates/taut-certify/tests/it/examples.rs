//! Every example of the repository × memory model × engine × reduction × store × property for which `holds` is said: accepted, or counted
//! with the reason why there is no certificate.
//!
//! Each check is done once, with all its properties. In the usual run every combination has its turn on some of the files,
//! in a fixed order; a soak has all of them. The reasons for having no certificate are listed: another one fails.

use std::path::PathBuf;
use std::time::Duration;

use taut::budget::Budget;
use taut::load::{LoadOptions, from_path};
use taut::{Check, EngineChoice, Loaded, MemoryModel, Reduce, StoreKind, Verdict};
use taut_testkit::suite::root;
use taut_testkit::tally::Tally;

/// Programs with more states than this are left to a soak.
const MOST_STATES: u64 = 200;

/// One in so many combinations is taken in the usual run.
const STRIDE: usize = 11;

/// What may be said where there is no certificate, each with the word that it is counted by.
const REASONS: [(&str, &str); 9] = [
    ("can miss some", "lossy"),
    ("limit", "limit"),
    ("time", "limit"),
    ("by a look at the code", "by a look at the code"),
    ("buffers grow without a bound", "grows"),
    ("its simpler form does not meet", "simpler form"),
    ("any number of processes", "every number"),
    ("and not of all", "rounds only"),
    ("a finite run may decide", "decided"),
];

fn is_soak() -> bool {
    std::env::var_os("TAUT_SOAK").is_some()
}

/// Certifies what holds, as one combination of options says.
fn certify(tally: &Tally, name: &str, loaded: &Loaded, check: &Check<'_>) {
    let most = if is_soak() { 200_000 } else { MOST_STATES };
    let Ok(report) = check.clone().max_states(most).run() else {
        return tally.count("refused by the engine");
    };
    let held = report.results.iter().filter(|r| matches!(r.verdict, Verdict::Holds(_))).count();
    if report.is_unknown() || held == 0 {
        return tally.count("nothing holds within the limit");
    }
    let budget =
        Budget::new().time(Some(Duration::from_millis(if is_soak() { 600_000 } else { 400 })));
    let report = report.certified(loaded, &budget);
    let report = report.unwrap_or_else(|fault| panic!("{name}: {fault}"));
    let proof = report.proof.expect("evidence");
    tally.count("checks");
    tally.add("accepted", proof.names().count() as u64);
    for open in &proof.open {
        let known = REASONS.iter().find(|(part, _)| open.why.contains(part));
        let Some((_, word)) = known else { panic!("{name}: {}: {}", open.name, open.why) };
        let is_lossy = name.ends_with("Compact");
        assert_eq!(is_lossy, *word == "lossy", "{name}: {}", open.why);
        tally.count(word);
    }
    assert!(proof.names().count() + proof.open.len() >= held, "{name}: {:?}", proof.open);
    assert_eq!(proof.accepted.map_or(0, |all| all.len()), proof.claims.len(), "{name}");
}

fn files() -> Vec<PathBuf> {
    let mut files = Vec::new();
    for folder in ["examples", "examples/dve", "examples/c", "examples/rmm", "examples/structured"]
    {
        let all = std::fs::read_dir(root().join(folder)).expect("a folder");
        files.extend(all.map(|entry| entry.expect("a file").path()).filter(|path| path.is_file()));
    }
    files.sort();
    files
}

/// The combinations of engine, reduction and store, each with its name.
fn combinations<'l>(check: &Check<'l>) -> Vec<(String, Check<'l>)> {
    let mut all = vec![("auto".to_string(), check.clone())];
    for reduce in [Reduce::None, Reduce::Por, Reduce::All] {
        let stores = [StoreKind::Exact, StoreKind::Tree, StoreKind::Disk, StoreKind::Compact];
        for store in
            stores.into_iter().filter(|&store| store != StoreKind::Compact || reduce == Reduce::All)
        {
            let name = format!("explicit {} {store:?}", reduce.name());
            all.push((name, check.clone().reduce(reduce).store(store).bound(3)));
        }
    }
    for engine in taut::engines::ENGINES {
        let choice = engine.id().name().parse::<EngineChoice>().expect("an engine");
        all.push((engine.id().to_string(), check.clone().engine(choice)));
    }
    all
}

#[test]
fn what_holds_of_the_examples_is_accepted() {
    let tally = Tally::new();
    let mut turn = 0;
    for file in files() {
        let Ok(loaded) = from_path(&file, LoadOptions::default()) else { continue };
        let short = file.file_name().expect("a name").to_string_lossy().into_owned();
        for model in [MemoryModel::Sc, MemoryModel::Tso, MemoryModel::Pso] {
            let check = Check::of(&loaded).model(model).all(true);
            for (name, check) in combinations(&check) {
                turn += 1;
                if is_soak() || turn % STRIDE == 0 {
                    certify(&tally, &format!("{short} {model} {name}"), &loaded, &check);
                }
            }
        }
    }
    println!("{tally}");
    tally.at_least("accepted", 400);
    if !is_soak() {
        tally.at_least("lossy", 56).at_most("lossy", 56).at_most("limit", 8);
        for word in REASONS.map(|(_, word)| word).into_iter().skip(3) {
            tally.at_most(word, 0);
        }
    }
}
