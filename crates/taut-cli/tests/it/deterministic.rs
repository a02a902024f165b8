//! The same command prints the same thing each time and with any number of threads, to the letter, but for times, memory
//! and the number of threads itself.
//!
//! Most programs here are small, so that threads hardly ever share work. The last command is one in which they do: levels
//! of thousands of states with a violation behind them. Random programs whose smallest levels are shared are in
//! `taut-explicit` (`explore/tests.rs`) and `taut-temporal` (`same_at_any_threads.rs`).

use crate::command;

use command::{shown, taut};

/// Commands of every kind that takes `-j`.
const COMMANDS: [&[&str]; 27] = [
    &["check", "examples/peterson.taut", "--all"],
    &["check", "examples/peterson.taut", "--model", "pso", "--format", "json"],
    &["check", "examples/dekker.taut", "--model", "tso", "--stats"],
    &["check", "examples/mp.taut", "--all", "--reduce", "none"],
    &["check", "examples/iriw.taut", "--reduce", "por"],
    &["check", "examples/spawn.taut", "--stats", "--all"],
    &["check", "examples/burns.taut", "--model", "pso", "--search", "dfs"],
    &["check", "examples/seqlock.taut", "--model", "pso", "--store", "tree"],
    &[
        "check",
        "examples/seqlock.taut",
        "--model",
        "pso",
        "--store",
        "disk",
        "--max-memory",
        "256K",
    ],
    &["check", "examples/peterson.pml", "--model", "tso", "--store", "compact", "--all"],
    &["check", "examples/mp.pml", "--model", "pso", "--store", "bitstate", "--max-memory", "64M"],
    &["check", "examples/dve/peterson2.dve", "--model", "delayed", "--stats"],
    &["check", "examples/insisting_lock.taut", "--model", "tso", "--bound", "2", "--stats"],
    &["check", "examples/peterson_live.taut", "--stats"],
    &["check", "examples/polite_lock.taut", "--model", "sc", "--format", "json"],
    &["check", "examples/late_toggles.taut", "--model", "tso", "--engine", "symbolic"],
    &["check", "examples/insisting_peterson.taut", "--model", "tso", "--engine", "rounds"],
    &["compare", "examples/peterson.taut"],
    &["compare", "examples/tas_lock_pso.taut", "--ltl-file", "examples/locks.ltl"],
    &["compare", "examples/lw_unlock.taut"],
    &["explain", "examples/peterson.taut"],
    &["explain", "examples/mp.taut", "--model", "pso"],
    &["repair", "examples/peterson.taut", "--model", "pso"],
    &["repair", "examples/sb.taut", "--model", "tso", "--all"],
    &["check", "examples/lamport_fast.taut", "--model", "pso", "--reduce", "none", "--stats"],
    &["check", "examples/work_stealing_deque.taut", "--model", "pso", "--all", "--stats"],
    // Here threads do share levels.
    &[
        "check",
        "examples/peterson_filter.taut",
        "--model",
        "pso",
        "--max-states",
        "150000",
        "--stats",
    ],
];

const REPETITIONS: usize = 5;

/// What a command prints, without what may differ: times, bytes, the number of threads, and the blanks that align them.
fn letters(command: &[&str], threads: &str) -> String {
    let output = taut(&[command, &["-j", threads]].concat());
    let text = shown(&output);
    let lines = text.lines().filter(|line| !is_of_the_machine(line));
    lines.map(masked).collect::<Vec<_>>().join("\n")
}

/// Lines about memory, threads and time alone.
fn is_of_the_machine(line: &str) -> bool {
    let line = line.trim_start();
    let of_store = line.contains(" store: ") && line.contains("bytes per state");
    // The arguments, of which `-j` is one.
    of_store
        || line.starts_with("repeat: ")
        || line.starts_with("time in ")
        || line.contains(" thread: ")
        || line.contains(" threads: ")
}

fn masked(line: &str) -> String {
    let words: Vec<&str> = line.split_whitespace().collect();
    let is_unit = |word: &&str| ["µs", "ms", "s"].contains(&word.trim_end_matches(','));
    let mut masked = Vec::new();
    for (i, word) in words.iter().enumerate() {
        let timed = words.get(i + 1).is_some_and(is_unit);
        let is_time = timed && word.parse::<f64>().is_ok();
        let after_time = is_unit(word) && masked.last() == Some(&"TIME");
        match (is_time, after_time) {
            (true, _) => masked.push("TIME"),
            (_, true) => {}
            _ => masked.push(word),
        }
    }
    let line = masked.join(" ").replace("\"-j\",\"1\"", "\"-j\",\"2\"");
    NUMBERS.iter().fold(line, |line, name| without_number(&line, name))
}

/// The fields of JSON objects that tell times, memory and threads.
const NUMBERS: [&str; 8] = [
    "seconds",
    "successors",
    "store",
    "properties",
    "threads",
    "peak_bytes",
    "bytes_per_state",
    "load_factor",
];

/// A line with all numbers of that name made equal.
fn without_number(line: &str, name: &str) -> String {
    let field = format!("\"{name}\":");
    let mut parts = line.split(field.as_str());
    let first = parts.next().unwrap_or_default().to_string();
    parts.fold(first, |all, part| {
        let rest = part.trim_start_matches(|c: char| c.is_ascii_digit() || ".e-".contains(c));
        format!("{all}{field}N{rest}")
    })
}

#[test]
fn a_command_prints_the_same_each_time_at_any_number_of_threads() {
    for command in COMMANDS {
        let one = letters(command, "1");
        assert!(!one.contains("error: unexpected argument"), "{command:?}: {one}");
        for _ in 0..REPETITIONS {
            assert_eq!(one, letters(command, "2"), "{command:?}");
        }
    }
}
