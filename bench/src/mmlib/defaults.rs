//! Every model of mmlib under every memory model, with each set of fences that SPIN was asked about, as a user asks: `taut
//! check` with its default options, on one core. For each verdict its seconds and states, and at the end the list of
//! those that took too long.
//!
//! The process is the user's, from outside; the seconds of each verdict are those that its report gives to the search that
//! decided it. The models come from the corpus.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use serde_json::Value;
use taut_testkit::mmlib::Case;

use super::{MmlibArgs, models};
use crate::usability::program;

/// The most seconds that the search for a verdict may take.
const MOST: f64 = 2.0;

/// One verdict.
struct Verdict {
    property: String,
    kind: String,
    word: String,
    coverage: String,
    seconds: f64,
    states: u64,
}

/// Runs the benchmark.
pub(super) fn run(args: &MmlibArgs, folder: &Path) -> Result<(), String> {
    let taut = program(args.taut.as_deref())?;
    let (mut late, mut count) = (Vec::new(), 0);
    println!(
        "| model | memory | fences | property | SPIN 6.5.2, recorded | verdict | search, s | states | whole command, s |"
    );
    println!("|{}", " --- |".repeat(9));
    let cases = Case::all(folder);
    for case in cases.iter().filter(|case| is_asked(case, args)) {
        let (verdicts, whole) = check(&taut, case, &args.timeout)?;
        let name = ["model", "memory", "fence"].map(|column| case.get(column)).join(" | ");
        for Verdict { property, kind, word, coverage, seconds, states } in &verdicts {
            let spin = by_spin(&cases, case, kind);
            println!(
                "| {name} | {property} | {spin} | {word} | {seconds:.3} | {states} | {whole:.3} |"
            );
            count += 1;
            // A verdict that is missing is late, too, however quickly that was found out.
            if *seconds > MOST || word == "unknown" {
                late.push(format!(
                    "| {name} | {property} | {spin} | {word} ({coverage}) | {seconds:.2} s |"
                ));
            }
        }
    }
    println!("\n{count} verdicts, {} not within {MOST} s", late.len());
    late.iter().for_each(|line| println!("{line}"));
    Ok(())
}

/// Whether a row of the table is the question of a model about its claim.
fn is_asked(case: &Case, args: &MmlibArgs) -> bool {
    let is_wanted = |only: &String| case.get("model").starts_with(only.as_str());
    case.get("version") == "forLib"
        && models().any(|model| model == case.get("model"))
        && case.get("search") != "reach"
        && case.get("reduction") == "noreduce"
        && args.only.as_ref().is_none_or(is_wanted)
}

/// What SPIN said: about the claim, or about states, for which the table has a row of its own.
fn by_spin<'c>(cases: &'c [Case], case: &'c Case, kind: &str) -> &'c str {
    if matches!(kind, "never" | "ltl") {
        return case.get("verdict");
    }
    let is_same = |other: &&Case| {
        let columns = ["version", "model", "memory", "fence", "reduction"];
        other.get("search") == "reach" && columns.iter().all(|c| other.get(c) == case.get(c))
    };
    cases.iter().find(is_same).map_or("–", |other| other.get("verdict"))
}

/// The verdicts of a model, and the seconds of the whole command.
fn check(taut: &Path, case: &Case, timeout: &str) -> Result<(Vec<Verdict>, f64), String> {
    let failed = |e: std::io::Error| format!("{}: {e}", taut.display());
    let folder = case.path.parent().ok_or("a model without a folder")?;
    let start = Instant::now();
    let mut child = Command::new(taut)
        .args(["check", "-", "--language", "promela", "--format", "json", "-j", "1"])
        .args(["--timeout", timeout])
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(failed)?;
    let mut input = child.stdin.take().ok_or("no standard input")?;
    std::io::Write::write_all(&mut input, case.text().as_bytes()).map_err(failed)?;
    drop(input);
    let output = child.wait_with_output().map_err(failed)?;
    let whole = start.elapsed().as_secs_f64();
    let text = String::from_utf8_lossy(&output.stdout);
    let objects = text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let verdicts: Vec<Verdict> = objects.flat_map(|object| verdicts(&object)).collect();
    if verdicts.is_empty() {
        let errors = String::from_utf8_lossy(&output.stderr);
        return Err(format!("{}: no verdicts: {errors}", case.path.display()));
    }
    Ok((verdicts, whole))
}

/// The verdicts of a report. Questions without figures of their own share one search: what the others leave.
fn verdicts(report: &Value) -> Vec<Verdict> {
    let results = report["results"].as_array().cloned().unwrap_or_default();
    let own = |result: &Value| result["stats"].is_object();
    let seconds = |value: &Value| value["stats"]["seconds"].as_f64().unwrap_or(0.0);
    let states = |value: &Value| value["stats"]["states"].as_u64().unwrap_or(0);
    let others = || results.iter().filter(|result| own(result));
    let rest_seconds = (seconds(report) - others().map(seconds).sum::<f64>()).max(0.0);
    let rest_states = states(report).saturating_sub(others().map(states).sum());
    let text = |result: &Value, field: &str| result[field].as_str().unwrap_or("–").to_owned();
    let verdict = |result: &Value| Verdict {
        property: text(result, "property"),
        kind: text(result, "kind"),
        word: text(result, "verdict"),
        coverage: text(result, "coverage"),
        seconds: if own(result) { seconds(result) } else { rest_seconds },
        states: if own(result) { states(result) } else { rest_states },
    };
    results.iter().map(verdict).collect()
}
