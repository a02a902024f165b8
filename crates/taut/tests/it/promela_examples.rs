//! The Promela models in `examples/`: what their comments promise, and under sequential consistency the same
//! verdicts and numbers of states as SPIN, run for real.
//!
//! The verdicts on the files as they are, under all memory models, are in `testdata/promela.toml`.

use std::time::Duration;

use taut::load::{LoadOptions, from_path};
use taut::promela::HEADER;
use taut::{Check, Loaded, MemoryModel, Reduce, Report, Verdict};
use taut_testkit::spin::Verifier;
use taut_testkit::suite::root;

/// What the comments of a file name after `-D`; none are the files without such a switch.
const SWITCHES: &[(&str, &str)] = &[
    ("atomic_lock.pml", "LOCKED_INSTRUCTION"),
    ("dekker.pml", "FENCED"),
    ("linden_wolper_sb.pml", "FENCED"),
    ("mmlib_sb.pml", "FENCED"),
    ("mp.pml", "FENCED"),
    ("philosophers.pml", "POLITE"),
    ("seqlock.pml", "FENCED"),
    ("spinlock.pml", "FENCED"),
];

/// Files in a dialect that SPIN does not read.
const NOT_FOR_SPIN: &[&str] = &["linden_wolper_sb.pml", "mmlib_sb.pml"];

fn load(name: &str, defines: &[&str]) -> Loaded {
    let options = LoadOptions::default().define(defines.iter().copied());
    from_path(&root().join("examples").join(name), options).unwrap_or_else(|e| panic!("{e}"))
}

fn check(loaded: &Loaded, model: MemoryModel) -> Report {
    let check = Check::of(loaded).model(model).bound(Some(2)).whole(true).reduce(Reduce::None);
    check.run().unwrap_or_else(|e| panic!("{}: {e}", loaded.name))
}

fn is_violated(report: &Report, kind: &str) -> bool {
    let of_kind = report.results.iter().filter(|r| r.kind.word() == kind);
    of_kind.into_iter().any(|r| matches!(r.verdict, Verdict::Violated(_)))
}

fn names() -> Vec<String> {
    let entries = std::fs::read_dir(root().join("examples")).expect("examples");
    let paths = entries.map(|e| e.expect("an entry").path());
    let models = paths.filter(|p| p.extension().is_some_and(|e| e == "pml"));
    let name = |p: std::path::PathBuf| p.file_name().expect("a name").display().to_string();
    models.map(name).collect()
}

#[test]
fn every_switch_fixes_its_example_under_every_model() {
    for &(name, switch) in SWITCHES {
        let plain = MemoryModel::ALL.map(|model| check(&load(name, &[]), model).is_violated());
        assert!(plain.contains(&true), "{name} is broken somewhere");
        let fixed = load(name, &[switch]);
        for model in MemoryModel::ALL {
            let report = check(&fixed, model);
            let words: Vec<_> =
                report.results.iter().map(|r| (&r.name, r.verdict.word())).collect();
            assert!(words.iter().all(|(_, w)| *w == "holds"), "{name} under {model}: {words:?}");
        }
    }
}

#[test]
fn every_example_is_in_spin_what_it_is_here() {
    let names = names();
    assert!(names.len() >= 12, "{names:?}");
    for name in names.iter().filter(|name| !NOT_FOR_SPIN.contains(&name.as_str())) {
        compare(name, &[]);
        for (_, switch) in SWITCHES.iter().filter(|(file, _)| file == name) {
            compare(name, &[switch]);
        }
    }
}

fn compare(name: &str, defines: &[&str]) {
    let text = std::fs::read_to_string(root().join("examples").join(name)).expect("an example");
    let text = text.replace("#include \"taut.h\"", HEADER);
    let defined: String = defines.iter().map(|d| format!("#define {d}\n")).collect();
    let verifier = Verifier::plain(&(defined + &text)).unwrap_or_else(|e| panic!("{name}: {e}"));
    let spin = verifier.search(Duration::from_secs(60)).unwrap_or_else(|e| panic!("{name}: {e}"));
    let taut = check(&load(name, defines), MemoryModel::Sc);
    let verdicts = (is_violated(&taut, "assert"), is_violated(&taut, "deadlock"));
    assert_eq!(verdicts, (spin.assertion(), spin.end_state()), "{name} {defines:?}");
    let states = taut.states_search().map(|search| search.stats.states);
    assert_eq!(states, Some(spin.figures.states), "{name} {defines:?}");
}
