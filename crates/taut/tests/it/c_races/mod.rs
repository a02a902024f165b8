//! Data races of C programs: by brute force with vector clocks on random programs, by the verdicts of another tool where
//! the corpus is present, and program by program.

mod cases;
mod clocks;
mod program;

use std::path::{Path, PathBuf};

use proptest::prelude::*;
use taut::load::{LoadOptions, from_path, from_text};
use taut::{Check, Loaded, Report, VerdictKind};
use taut_testkit::cases::random_cases;
use taut_testkit::corpus;
use taut_testkit::tally::Tally;

/// The report of a program under SC, with the answer about races.
fn report(loaded: &Loaded) -> Report {
    let check = Check::of(loaded).deadlock(false).max_states(150_000).threads(1);
    let report = check.run().expect("a report");
    report.with_races(&check, loaded).expect("a run that replays")
}

/// The answer about races.
fn races(loaded: &Loaded) -> VerdictKind {
    report(loaded).races.expect("C programs are asked").result.verdict.kind()
}

#[test]
fn races_are_those_of_brute_force() {
    let tally = random_cases(400, (program::racing(), any::<bool>()), |case, (drawn, strict)| {
        let drawn = if strict { drawn.disciplined() } else { drawn };
        let Some(expected) = clocks::has_race(&drawn.code()) else {
            return case.pass_over("too large");
        };
        let text = drawn.text();
        let loaded = from_text("racing.c", &text).expect("a program");
        let found = races(&loaded);
        prop_assert!(found != VerdictKind::Unknown, "unknown:\n{text}");
        prop_assert_eq!(found == VerdictKind::Violated, expected, "{}", text);
        case.count(if expected { "race" } else { "no race" });
        Ok(())
    });
    tally.at_least("race", 90).at_least("no race", 90);
}

/// What another tool says about the programs of a folder.
fn compare(folder: &Path, tally: &Tally, expected: VerdictKind) {
    for test in entries(folder) {
        for variant in entries(&test.join("variants")) {
            let Ok(loaded) = from_path(&variant, LoadOptions::default()) else {
                tally.count("refused");
                continue;
            };
            match races(&loaded) {
                VerdictKind::Unknown => tally.count("unknown"),
                found => {
                    assert_eq!(found, expected, "{}", variant.display());
                    tally.count("compared");
                }
            }
        }
    }
}

#[test]
fn racy_programs_of_genmc_race() {
    let Some(corpus) = corpus::find("racy_programs_of_genmc_race") else { return };
    let tally = Tally::new();
    compare(&corpus.join("c/genmc/wrong/racy"), &tally, VerdictKind::Violated);
    println!("{tally}");
    tally.at_least("compared", 26).at_most("unknown", 0).at_most("refused", 0);
}

#[test]
fn correct_programs_of_genmc_do_not_race() {
    let Some(corpus) = corpus::find("correct_programs_of_genmc_do_not_race") else { return };
    let tally = Tally::new();
    for kind in ["litmus", "infr"] {
        compare(&corpus.join("c/genmc/correct").join(kind), &tally, VerdictKind::Holds);
    }
    println!("{tally}");
    tally.at_least("compared", 180).at_most("unknown", 2).at_most("refused", 3);
}

/// The entries of a folder in order; none if there is no such folder.
fn entries(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut all: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    all.sort();
    all
}
