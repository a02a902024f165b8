//! Promela models of other people: SPIN's own examples under SC, with SPIN's verdicts and numbers of states,
//! and mmlib's models natively under SC, TSO and PSO, with the verdicts of the library's encoding in SPIN.
//!
//! Every exception stands in a list here, with its reason.

use std::path::Path;
use std::time::Duration;

use taut::ir::MemoryFairness;
use taut::load::{LoadOptions, Loaded, from_bytes};
use taut::{Check, Emptiness, Fairness, Reduce, Report, Verdict};
use taut_testkit::corpus;
use taut_testkit::mmlib::{Case, read};
use taut_testkit::spin::Verifier;
use taut_testkit::table::{Row, rows};

fn violated(report: &Report, kind: &str) -> bool {
    let of_kind = report.results.iter().filter(|r| r.kind.word() == kind);
    of_kind.into_iter().any(|r| matches!(r.verdict, Verdict::Violated(_)))
}

fn load(path: &Path, text: String) -> Result<Loaded, String> {
    let name = path.display().to_string();
    from_bytes(&name, text.into_bytes(), LoadOptions::default()).map_err(|e| e.to_string())
}

/// Models of SPIN's that are not compared, and why.
const NOT_COMPARED: &[(&str, &str)] = &[
    ("Book_1991/p108.pml", "SPIN's state vector is too small for it"),
    ("LTL/leader.pml", "SPIN did not finish in time"),
    ("LTL/petersonN.pml", "SPIN did not finish in time"),
    ("priorities.pml", "counts without end; SPIN was cut off at its depth limit"),
];

/// Compares one model with SPIN; what is different.
fn compare_with_spin(folder: &Path, row: &Row) -> Result<(), String> {
    let path = folder.join(row.get("file"));
    let loaded = load(&path, read(&path))?;
    let check = Check::of(&loaded).temporal(false).whole(true).reduce(Reduce::None).threads(2);
    let check = check.max_states(Some(2_000_000));
    let report = check.run().map_err(|e| e.to_string())?;
    let (assertion, end_state) = (violated(&report, "assert"), violated(&report, "deadlock"));
    if violated(&report, "fault") {
        return Err("a fault".into());
    }
    let expected = row.number("safety_errors_all").expect("a number") > 0;
    let why = row.get("first_why");
    let of_kind = match why {
        _ if why.starts_with("assertion violated") => assertion,
        _ if why.starts_with("invalid end state") => end_state,
        _ => !expected,
    };
    if (assertion || end_state) != expected || !of_kind {
        let verdict = format!("assertion violated: {assertion}, invalid end state: {end_state}");
        return Err(format!("{verdict}, where SPIN has `{why}`"));
    }
    let states = report.states_search().map_or(0, |search| search.stats.states);
    let expected = row.number("states").expect("a number");
    match states == expected {
        true => Ok(()),
        false => Err(format!("{states} states, where SPIN has {expected}")),
    }
}

#[test]
fn spins_own_models_have_spins_verdicts_and_states() {
    let Some(corpus) = corpus::find("promela corpus") else { return };
    let folder = corpus.join("promela");
    let mut compared = 0;
    let mut wrong = Vec::new();
    for row in rows(&folder.join("spin.csv")) {
        let file = row.get("file");
        if NOT_COMPARED.iter().any(|(name, _)| *name == file) {
            continue;
        }
        match compare_with_spin(&folder, &row) {
            Ok(()) => compared += 1,
            Err(why) => wrong.push(format!("{file}: {why}")),
        }
    }
    assert!(wrong.is_empty(), "{compared} agree, {}:\n{}", wrong.len(), wrong.join("\n"));
    assert_eq!(compared, 42 - NOT_COMPARED.len());
}

/// Compares one row with mmlib in SPIN; the number of states, or what is different.
fn compare_with_mmlib(row: &Case) -> Result<u64, String> {
    let text = row.text();
    let loaded = load(&row.path, text.clone())?;
    let check = Check::of(&loaded).asserts(false).temporal(false).whole(true).threads(2);
    let check = check.reduce(Reduce::None).max_states(Some(8_000_000));
    let report = check.run().map_err(|e| e.to_string())?;
    if !report.complete {
        return Err("Taut was cut off".into());
    }
    let verdict = if violated(&report, "deadlock") { "deadlock" } else { "no deadlock" };
    if row.get("verdict") != verdict {
        return Err(format!("{verdict}, where mmlib has {}", row.get("verdict")));
    }
    let states = report.stats.states;
    if row.get("memory") != "plain" {
        let model = report.memory.model;
        return if model.name() == row.get("memory") { Ok(states) } else { Err(model.to_string()) };
    }
    let stored = Verifier::plain(&text)?.search(Duration::from_secs(60))?.figures.states;
    let different = || format!("{states} states, where SPIN has {stored}");
    if states == stored { Ok(states) } else { Err(different()) }
}

/// Reachability only; rows with a claim are in the next test. Rows that SPIN did not finish have no verdict to
/// compare with.
///
/// The numbers of the library's encoding in SPIN come from SPIN's usual way to generate, which joins
/// statements and forgets variables that are not read again; Taut does neither here. The plain models are
/// compared with SPIN doing neither, too.
#[test]
fn mmlib_models_have_the_deadlocks_that_the_library_has_in_spin() {
    let Some(corpus) = corpus::find("mmlib corpus") else { return };
    let folder = corpus.join("mmlib");
    let mut table = vec![format!("{:<56} {:>10} {:>10}", "", "natively", "in SPIN")];
    let mut wrong = Vec::new();
    for row in Case::all(&folder) {
        if row.get("search") != "reach" || row.get("verdict") == "incomplete" {
            continue;
        }
        let name = row.name();
        match compare_with_mmlib(&row) {
            Ok(states) => {
                let there = row.get("states_stored");
                table.push(format!("{name:<56} {states:>10} {there:>10}"));
            }
            Err(why) => wrong.push(format!("{name}: {why}")),
        }
    }
    println!("states:\n{}", table.join("\n"));
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong.join("\n"));
    assert_eq!(table.len() - 1, 125, "every row with a verdict");
}

/// The fairness of SPIN's `-f`: mmlib's memory is one process, which picks any buffer.
const SPINS: Fairness = Fairness { process: true, memory: MemoryFairness::Process };

/// The verdict on a row's claim.
fn claim_verdict(row: &Case, fairness: Fairness, emptiness: Emptiness) -> Result<String, String> {
    let loaded = load(&row.path, row.text())?;
    let check = Check::of(&loaded).asserts(false).deadlock(false).max_states(Some(2_000_000));
    let report = check.fairness(fairness).emptiness(emptiness).run().map_err(|e| e.to_string())?;
    let mut claims = report.results.iter().filter(|r| r.kind == taut::QuestionKind::Never);
    match (claims.next(), claims.next()) {
        (Some(claim), None) => Ok(claim.verdict.word().into()),
        _ => Err("not one claim".into()),
    }
}

/// All claims of mmlib's models, safety and liveness, plain and with the library's macros, under SC, TSO and
/// PSO with the bound of the models: the verdicts of the library in SPIN under SPIN's fairness, by components
/// and by nested search. Under fairness to every buffer the verdicts may differ; where they do is printed.
#[test]
fn mmlib_models_have_the_claims_verdicts_that_the_library_has_in_spin() {
    let Some(corpus) = corpus::find("mmlib corpus") else { return };
    let (mut compared, mut wrong, mut different) = (0, Vec::new(), Vec::new());
    for row in Case::all(&corpus.join("mmlib")) {
        let asked = row.get("search") != "reach" && row.get("reduction") == "noreduce";
        if !asked || row.get("verdict") == "incomplete" {
            continue;
        }
        let (name, expected) = (row.name(), row.get("verdict"));
        let fairness = if row.get("search") == "claim" { Fairness::NONE } else { SPINS };
        for emptiness in [Emptiness::Components, Emptiness::Nested] {
            match claim_verdict(&row, fairness, emptiness) {
                Ok(verdict) if verdict == expected => {}
                Ok(verdict) => wrong.push(format!("{name}: {verdict}, in SPIN {expected}")),
                Err(why) => wrong.push(format!("{name}: {why}")),
            }
        }
        match claim_verdict(&row, Fairness::ALL, Emptiness::Components) {
            Ok(verdict) if verdict == expected => {}
            Ok(verdict) => different.push(format!("{name}: {verdict}, in SPIN {expected}")),
            Err(why) => wrong.push(format!("{name}: {why}")),
        }
        compared += 1;
    }
    println!("different if no buffer may wait for ever:\n{}", different.join("\n"));
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong.join("\n"));
    assert_eq!(compared, 131, "every row with a verdict");
}
