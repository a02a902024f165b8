//! Every program of `testdata/unbounded.toml` with buffers of any size.

use serde_json::{Value, json};
use taut_testkit::suite::{Case, cases};

use super::{MODELS, SymbolicArgs, figures, load, milliseconds, verdict, visited};

/// The programs with buffers that may grow without end, and the others of the same file, by name and path.
pub fn unbounded(args: &SymbolicArgs) -> Vec<(String, String)> {
    let named = |case: Case| {
        let name = case.name.strip_prefix("unbounded ")?.to_owned();
        Some((name, case.file?.display().to_string()))
    };
    let cases = cases().into_iter().filter(|case| case.group == "unbounded").filter_map(named);
    cases.filter(|(name, _)| args.wants(name)).collect()
}

/// Prints the table.
pub fn run(args: &SymbolicArgs) -> Result<Vec<Value>, String> {
    let mode = if args.all { "every question" } else { "up to the first violation" };
    println!("Programs with buffers of any size, {mode}\n");
    println!(
        "| program | model | verdict | stored | visited | accelerations | automata | KB | ms |"
    );
    println!("|{}", " --- |".repeat(9));
    let mut all = Vec::new();
    for (name, file) in unbounded(args) {
        let loaded = load(&file)?;
        for model in MODELS {
            let check = args.symbolic(&loaded, model).all(args.all);
            let report = check.run().map_err(|e| format!("{name} under {model}: {e}"))?;
            let counts = report.symbolic.unwrap_or_default();
            println!(
                "| {name} | {model} | {} | {} | {} | {} | {} | {:.0} | {:.2} |",
                verdict(&report),
                report.stats.states,
                visited(&report),
                counts.accelerated,
                counts.automata,
                report.stats.peak_bytes as f64 / 1e3,
                milliseconds(&report)
            );
            all.push(json!({ "program": name, "model": model.name(), "taut": figures(&report) }));
        }
    }
    println!();
    Ok(all)
}
