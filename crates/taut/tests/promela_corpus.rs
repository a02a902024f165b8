//! Promela models of other people: SPIN's own examples under SC, with SPIN's verdicts and numbers of states,
//! and mmlib's models natively under SC, TSO and PSO, with the verdicts of the library's encoding in SPIN.
//!
//! Every exception stands in a list here, with its reason.

use std::path::Path;
use std::time::Duration;

use taut::load::{LoadOptions, Loaded, from_bytes};
use taut::{Check, Report, Verdict};
use taut_testkit::corpus;
use taut_testkit::spin::Verifier;

/// A row of a file of comma-separated values, by the names in its first line.
struct Row(Vec<(String, String)>);

impl Row {
    fn get(&self, name: &str) -> &str {
        let field = self.0.iter().find(|(key, _)| key == name);
        field.map(|(_, value)| value.as_str()).unwrap_or_else(|| panic!("no column {name}"))
    }

    fn number(&self, name: &str) -> Option<u64> {
        self.get(name).parse().ok()
    }
}

fn fields(line: &str) -> Vec<String> {
    let mut all = vec![String::new()];
    let mut quoted = false;
    for c in line.chars() {
        match c {
            '"' => quoted = !quoted,
            ',' if !quoted => all.push(String::new()),
            c => all.last_mut().expect("a field").push(c),
        }
    }
    all
}

fn rows(path: &Path) -> Vec<Row> {
    let text = std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let mut lines = text.lines();
    let names = fields(lines.next().expect("a first line"));
    let row = |line| Row(names.iter().cloned().zip(fields(line)).collect());
    lines.map(row).collect()
}

fn violated(report: &Report, kind: &str) -> bool {
    let of_kind = report.results.iter().filter(|r| r.kind == kind);
    of_kind.into_iter().any(|r| matches!(r.verdict, Verdict::Violated(_)))
}

fn load(path: &Path, text: String) -> Result<Loaded, String> {
    let name = path.display().to_string();
    from_bytes(&name, text.into_bytes(), LoadOptions::default()).map_err(|e| e.to_string())
}

fn read(path: &Path) -> String {
    // Some of the models are not UTF-8 in their comments.
    let bytes = std::fs::read(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Models of SPIN's that are not compared, and why.
const NOT_COMPARED: &[(&str, &str)] = &[
    ("leader_trace.pml", "has a `notrace` assertion, which Taut refuses"),
    ("Book_1991/p108.pml", "SPIN's state vector is too small for it"),
    ("LTL/leader.pml", "SPIN did not finish in time"),
    ("LTL/petersonN.pml", "SPIN did not finish in time"),
    ("priorities.pml", "counts without end; SPIN was cut off at its depth limit"),
];

/// Compares one model with SPIN; what is different.
fn compare_with_spin(folder: &Path, row: &Row) -> Result<(), String> {
    let path = folder.join(row.get("file"));
    let loaded = load(&path, read(&path))?;
    let check = Check::of(&loaded).all(true).max_states(Some(2_000_000));
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
    let (states, expected) = (report.stats.states, row.number("states").expect("a number"));
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

/// The model of a row as mmlib's user writes it: with its header, and with the fences that the row names.
fn mmlib_text(path: &Path, row: &Row) -> String {
    let mut text = read(path);
    if row.get("memory") != "plain" {
        text = text.replace("sc.h", &format!("{}.h", row.get("memory")));
    }
    for fence in row.get("fence").split('+').filter(|fence| *fence != "none") {
        let comment = format!("/* {fence} needed */");
        assert!(text.contains(&comment), "{} has no {comment}", path.display());
        text = text.replace(&comment, "FENCE();");
    }
    text
}

/// Compares one row with mmlib in SPIN; the number of states, or what is different.
fn compare_with_mmlib(folder: &Path, row: &Row) -> Result<u64, String> {
    let file = format!("{}/{}/{}.pml", row.get("suite"), row.get("version"), row.get("model"));
    let path = folder.join(file);
    let text = mmlib_text(&path, row);
    let loaded = load(&path, text.clone())?;
    let check = Check::of(&loaded).asserts(false).all(true).max_states(Some(8_000_000));
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

fn mmlib_name(row: &Row) -> String {
    let column = |name| row.get(name).to_string();
    ["version", "model", "memory", "fence"].map(column).join(" ")
}

/// Reachability only: rows with a claim or a formula are questions about infinite runs, which the search for
/// safety does not ask. Rows that SPIN did not finish have no verdict to compare with.
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
    for row in rows(&folder.join("spin.csv")) {
        if row.get("search") != "reach" || row.get("verdict") == "incomplete" {
            continue;
        }
        let name = mmlib_name(&row);
        match compare_with_mmlib(&folder, &row) {
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
