//! C programs of other tools have the verdicts that those tools expect, where the corpus is present. A refusal names what is
//! not supported; both are counted.

use std::path::{Path, PathBuf};

use taut::frontends::Language;
use taut::load::{LoadOptions, from_path};
use taut::{Check, MemoryModel, VerdictKind};
use taut_ir::frontend::OptionSpec;
use taut_testkit::corpus;
use taut_testkit::table::rows;
use taut_testkit::tally::Tally;

/// Most states of a check: few, because there are many programs.
const MOST_STATES: u64 = 150_000;

const MODELS: [(&str, MemoryModel); 3] =
    [("sc", MemoryModel::Sc), ("tso", MemoryModel::Tso), ("pso", MemoryModel::Pso)];

/// The verdict of a program: a word.
fn verdict(path: &Path, model: MemoryModel, options: LoadOptions, most: u64) -> &'static str {
    let Ok(loaded) = from_path(path, options) else { return "refused" };
    let check = Check::of(&loaded).model(model).deadlock(false).max_states(most).threads(1);
    let report = check.run().unwrap_or_else(|fault| panic!("{}: {fault}", path.display()));
    match report.verdict_kind() {
        VerdictKind::Violated => "violated",
        VerdictKind::Holds => "holds",
        _ => "unknown",
    }
}

/// Counts a verdict and compares it with the expected one.
fn compare(tally: &Tally, path: &Path, model: MemoryModel, expected: &str) {
    compare_within(tally, path, model, expected, LoadOptions::default(), MOST_STATES);
}

/// The same with options and a limit of its own.
fn compare_within(
    tally: &Tally,
    path: &Path,
    model: MemoryModel,
    expected: &str,
    options: LoadOptions,
    most: u64,
) {
    let found = verdict(path, model, options, most);
    tally.count(found);
    if matches!(found, "holds" | "violated") {
        assert_eq!(found, expected, "{} under {model}", path.display());
        tally.count("compared");
    }
}

fn folder(name: &str, wanted_by: &str) -> Option<PathBuf> {
    Some(corpus::find(wanted_by)?.join("c").join(name))
}

#[test]
fn litmus_programs_of_cbmc() {
    let Some(folder) = folder("cbmc-wmm", "litmus_programs_of_cbmc") else { return };
    let tally = Tally::new();
    for row in rows(&folder.join("expected.csv")) {
        for (name, model) in MODELS.iter().filter(|(name, _)| !row.get(name).is_empty()) {
            compare(&tally, &folder.join(row.get("file")), *model, row.get(name));
        }
    }
    tally.at_least("compared", 660).at_most("refused", 0);
}

#[test]
fn correct_programs_of_genmc() {
    let Some(folder) = folder("genmc/correct", "correct_programs_of_genmc") else { return };
    let tally = Tally::new();
    for kind in ["litmus", "infr"] {
        for test in entries(&folder.join(kind)) {
            for variant in entries(&test.join("variants")) {
                for model in [MemoryModel::Sc, MemoryModel::Tso] {
                    compare(&tally, &variant, model, "holds");
                }
            }
        }
    }
    tally.at_least("compared", 360).at_most("refused", 4);
}

#[test]
fn small_programs_of_nidhugg() {
    let Some(folder) = folder("nidhugg/smoke", "small_programs_of_nidhugg") else { return };
    let text = std::fs::read_to_string(folder.join("expected.txt")).expect("a table");
    let tally = Tally::new();
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let mut words = line.split_whitespace();
        let (Some(name), Some(answer)) = (words.next(), words.next()) else { continue };
        let path = folder.join(format!("{name}.c"));
        let expected = if answer == "Allow" { "violated" } else { "holds" };
        // Some include a file that the corpus does not have.
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        if text.contains(".inc\"") || text.contains("#include \"xchgawait_test") {
            tally.count("incomplete");
            continue;
        }
        // The tool's answer is about something else than an assertion: memory, or a lock.
        if expected == "violated" && !text.contains("assert(") {
            tally.count("without an assertion");
            continue;
        }
        compare(&tally, &path, MemoryModel::Sc, expected);
    }
    tally.at_least("compared", 70).at_most("refused", 0);
}

#[test]
fn preprocessed_programs_of_the_competition() {
    let Some(folder) = folder("svcomp", "preprocessed_programs_of_the_competition") else { return };
    let tally = Tally::new();
    for row in rows(&folder.join("expected.csv")) {
        if row.get("verdict_sc") == "?" {
            tally.count("without a verdict");
            continue;
        }
        let path = folder.join(row.get("file"));
        let (expected, options) = (row.get("verdict_sc"), LoadOptions::default());
        // Many create threads for ever: no limit would be enough.
        compare_within(&tally, &path, MemoryModel::Sc, expected, options, 20_000);
    }
    // Those whose arrays have lengths that only arguments of `main` say.
    tally.at_least("compared", 15).at_most("refused", 3);
}

#[test]
fn locks_of_dartagnan() {
    let Some(folder) = folder("dat3m", "locks_of_dartagnan") else { return };
    let tally = Tally::new();
    for row in rows(&folder.join("expected.csv")) {
        let name = row.get("program");
        let (file, define) = name.split_once('-').unwrap_or((name, ""));
        // It includes a header that the corpus does not have.
        if file == "mutex" {
            tally.count("incomplete");
            continue;
        }
        let include = folder.join("include").display().to_string();
        let defined = (!define.is_empty()).then(|| define.to_uppercase());
        let options = LoadOptions::default().define(defined);
        let options = options.with(&include_dir(), include).expect("a folder");
        let path = folder.join("locks").join(format!("{file}.c"));
        // Dartagnan does not know what is behind its bound on loops; the locks are right.
        compare_within(&tally, &path, MemoryModel::Tso, "holds", options, MOST_STATES);
    }
    tally.at_least("compared", 9).at_most("refused", 0);
}

/// The option for folders with headers.
fn include_dir() -> OptionSpec {
    let language = Language::named("c").expect("a language");
    *language.options().iter().find(|o| o.name == "include-dir").expect("an option")
}

/// The entries of a folder in order; none if there is no such folder.
fn entries(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut all: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    all.sort();
    all
}
