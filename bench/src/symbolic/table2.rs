//! Table 2 of A. Linden and P. Wolper, "An automata-based symbolic approach for verifying programs on relaxed
//! memory models" (SPIN 2010): Dekker's and Peterson's algorithms, single and repeated entry, with and without
//! sync, under TSO.
//!
//! What the paper counts as errors are states; what is counted here are violated properties.

use serde_json::{Value, json};
use taut::{MemoryModel, Report};

use super::{SymbolicArgs, figures, load, median, milliseconds, visited};

/// A row of the paper.
struct Row {
    program: &'static str,
    stored: u64,
    visited: u64,
    depth: u64,
    errors: u64,
    seconds: f64,
}

const fn row(program: &'static str, counts: [u64; 4], seconds: f64) -> Row {
    let [stored, visited, depth, errors] = counts;
    Row { program, stored, visited, depth, errors, seconds }
}

const PAPER: [Row; 8] = [
    row("lw_dekker_single", [183, 301, 22, 2], 2.446),
    row("lw_dekker_single_sync", [111, 161, 22, 0], 1.194),
    row("lw_dekker_repeated", [3236, 6231, 785, 36], 22.881),
    row("lw_dekker_repeated_sync", [343, 631, 79, 0], 3.016),
    row("lw_peterson_single", [120, 173, 15, 2], 1.969),
    row("lw_peterson_single_sync", [54, 66, 13, 0], 0.399),
    row("lw_peterson_repeated", [355, 432, 50, 10], 3.097),
    row("lw_peterson_repeated_sync", [65, 92, 22, 0], 0.392),
];

/// Goal for all rows together, in milliseconds.
const GOAL: f64 = 100.0;

/// Prints the table. A verdict that is not the paper's is an error; more states than the paper's are said.
pub fn run(args: &SymbolicArgs) -> Result<Vec<Value>, String> {
    let mode = if args.all { "the whole space" } else { "up to the first violation" };
    println!("Linden and Wolper's Table 2, {mode}; the paper's figures are of the whole space\n");
    println!(
        "| program | paper: stored | visited | depth | errors | s | Taut: stored | visited | depth | \
         violated | ms |"
    );
    println!("|{}", " --- |".repeat(11));
    let (mut all, mut total) = (Vec::new(), 0.0);
    let (mut compared, mut more) = (0, Vec::new());
    for row in PAPER.iter().filter(|row| args.wants(row.program)) {
        let loaded = load(&format!("examples/{}.taut", row.program))?;
        let check = args.symbolic(&loaded, MemoryModel::Tso).all(args.all);
        let report = median(&check, args.runs)?;
        if report.is_unknown() || report.is_violated() != (row.errors > 0) {
            return Err(format!("{}: not the verdict of the paper", row.program));
        }
        // A search that ended early is not to be compared with one of the whole space.
        if args.all || row.errors == 0 {
            compared += 1;
            if report.stats.states > row.stored {
                more.push(row.program);
            }
        }
        total += milliseconds(&report);
        print(row, &report);
        all.push(json!({ "program": row.program, "paper": { "stored": row.stored, "visited": row.visited,
            "depth": row.depth, "errors": row.errors, "seconds": row.seconds }, "taut": figures(&report) }));
    }
    let paper: f64 = PAPER.iter().filter(|r| args.wants(r.program)).map(|r| r.seconds).sum();
    println!("\nall rows: paper {paper:.1} s, Taut {total:.1} ms (goal: under {GOAL} ms)");
    let named = if more.is_empty() { "none".into() } else { more.join(", ") };
    println!(
        "of {compared} rows that visit the whole space, with more states than the paper's: {named}"
    );
    println!();
    Ok(all)
}

fn print(row: &Row, report: &Report) {
    println!(
        "| {} | {} | {} | {} | {} | {:.1} | {} | {} | {} | {} | {:.2} |",
        row.program,
        row.stored,
        row.visited,
        row.depth,
        row.errors,
        row.seconds,
        report.stats.states,
        visited(report),
        report.stats.depth,
        report.violations().count(),
        milliseconds(report)
    );
}
