//! The locks that tools for unbounded buffers are measured with: is mutual exclusion decided in a second?

use serde_json::{Value, json};

use super::{MODELS, SymbolicArgs, figures, load, median, milliseconds, visited};

/// Burns, Dekker, Dijkstra, Lamport, Peterson, the bakery, CLH, the barrier and tickets, as they are and with the
/// fences of TSO and PSO, and what is asked of them.
const LOCKS: &[(&str, &str)] = &[
    ("burns", "mutex"),
    ("burns_tso", "mutex"),
    ("dekker", "mutex"),
    ("dekker_tso", "mutex"),
    ("dijkstra", "mutex"),
    ("dijkstra_tso", "mutex"),
    ("lamport_fast", "mutex"),
    ("lamport_fast_tso", "mutex"),
    ("lamport_fast_pso", "mutex"),
    ("peterson", "mutex"),
    ("peterson_tso", "mutex"),
    ("peterson_pso", "mutex"),
    ("bakery", "mutex"),
    ("bakery_tso", "mutex"),
    ("clh_lock", "mutex"),
    ("clh_lock_pso", "mutex"),
    ("sense_barrier", "together"),
    ("sense_barrier_pso", "together"),
    ("ticket_lock", "mutex"),
    ("ticket_lock_pso", "mutex"),
];

/// Milliseconds in which every lock is decided.
const GOAL: f64 = 1000.0;

/// Prints the table; returns the figures and what was not decided in time.
pub fn run(args: &SymbolicArgs) -> Result<(Vec<Value>, Vec<String>), String> {
    println!("Mutual exclusion with buffers of any size (for the barrier: nobody passes early)\n");
    println!("| lock | model | verdict | stored | visited | automata | KB | ms |");
    println!("|{}", " --- |".repeat(8));
    let (mut all, mut slow) = (Vec::new(), Vec::new());
    for (lock, property) in LOCKS.iter().filter(|(lock, _)| args.wants(lock)) {
        let loaded = load(&format!("examples/{lock}.taut"))?;
        for model in MODELS {
            // A run in which the data is stale says nothing about mutual exclusion, and is not to end the search.
            let check = args.symbolic(&loaded, model).deadlock(false).asserts(*property != "mutex");
            let report = median(&check, args.runs)?;
            let answer = report.verdict(property).ok_or(format!("{lock} has no {property}"))?;
            let milliseconds = milliseconds(&report);
            if answer.is_open() || milliseconds >= GOAL {
                slow.push(format!("{lock} under {model}"));
            }
            println!(
                "| {lock} | {model} | {} | {} | {} | {} | {:.0} | {milliseconds:.2} |",
                answer.word(),
                report.stats.states,
                visited(&report),
                report.symbolic.map_or(0, |counts| counts.automata),
                report.stats.peak_bytes as f64 / 1e3,
            );
            all.push(
                json!({ "lock": lock, "model": model.name(), "property": property, "taut": figures(&report) }),
            );
        }
    }
    println!();
    Ok((all, slow))
}
