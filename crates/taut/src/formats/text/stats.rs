//! What searches did, as text: states, what reductions left out, memory, and where the time went.

use std::time::Duration;

use taut_dual::DualCounts;
use taut_explicit::limits::{Bytes, Seconds};
use taut_explicit::{Phases, Pruned, Resumed, Stats};
use taut_symbolic::SymbolicCounts;

use crate::formats::columns::thousands;
use crate::outcome::Report;
use crate::outcome::{About, SearchRecord};
use crate::verdict::trust;

/// The counts of every search, a paragraph each.
pub(super) fn text(reports: &[Report]) -> String {
    reports.iter().map(of_report).collect()
}

fn of_report(report: &Report) -> String {
    let model = report.memory.model.name();
    let mut text: String = report.searches.iter().map(|search| of_search(model, search)).collect();
    if let Some(Resumed { searches, states }) = report.resumed {
        text.push_str(&format!(
            "    resumed: {} with {} states from the checkpoint; times are those since then\n",
            counted(searches, "search", "searches"),
            thousands(states),
        ));
    }
    text
}

fn counted(number: u64, one: &str, several: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { several })
}

/// One search, named by its questions.
fn of_search(model: &str, search: &SearchRecord) -> String {
    let names = search.questions.iter().map(|question| format!(", {question}"));
    let title = format!("{model}{}", names.collect::<String>());
    let mut text = counts(&title, search);
    if let Some(symbolic) = &search.symbolic {
        text.push_str(&symbolic_counts(symbolic));
    }
    if let Some(dual) = &search.dual {
        text.push_str(&dual_counts(dual));
    }
    if let Some(attacks) = search.robust {
        text.push_str(&robust(attacks));
    }
    text
}

/// Why a search under SC answered.
fn robust(attacks: Option<u64>) -> String {
    let why = match attacks {
        None => "by the code".into(),
        Some(states) => format!("no attack in {} states", thousands(states)),
    };
    format!("    under sc, because the program is robust: {why}\n")
}

/// One search: a line each for its extent, its store, its speed, and if there is any to tell of, its reductions.
fn counts(title: &str, search: &SearchRecord) -> String {
    let SearchRecord { stats, about, .. } = search;
    let state = match about {
        About::States => "state",
        About::Runs => "node",
    };
    let store = match (&search.symbolic, &search.dual) {
        (Some(_), _) => "symbolic".into(),
        (None, Some(_)) => "constraints".into(),
        (None, None) => format!("{} store", search.store.name()),
    };
    let lines = [
        Some(extent(state, stats)),
        Some(memory(state, stats, &store)),
        Some(speed(state, stats, search)),
        phases(stats.phases),
        pruned(stats.pruned),
        shortened(stats),
    ];
    let lines: Vec<_> = lines.into_iter().flatten().collect();
    format!("\n{title}: {}\n", lines.join("\n    "))
}

fn extent(state: &str, stats: &Stats) -> String {
    let mut text = format!(
        "{} {state}s of {} bits, {} transitions, {} matched, depth {}",
        thousands(stats.states),
        stats.state_bits,
        thousands(stats.transitions),
        thousands(stats.matched),
        thousands(stats.depth),
    );
    let rest =
        [(stats.expanded, "expanded"), (stats.deadlocks, "deadlocks"), (stats.faults, "faults")];
    for (count, words) in rest.into_iter().filter(|(count, _)| *count > 0) {
        text.push_str(&format!(", {words} {}", thousands(count)));
    }
    text
}

fn memory(state: &str, stats: &Stats, store: &str) -> String {
    let mut text = format!(
        "{store}: {}, {:.1} bytes per {state}",
        Bytes(stats.peak_bytes),
        bytes_per_state(stats)
    );
    if let Some(load) = load(stats) {
        text.push_str(&format!(", table {:.0} % full", load * 100.0));
    }
    if stats.disk_bytes > 0 {
        let per_state = stats.disk_bytes as f64 / stats.states.max(1) as f64;
        let disk = Bytes(stats.disk_bytes);
        text.push_str(&format!(", {disk} in files, {per_state:.1} bytes per {state}"));
    }
    if let Some(lossy) = stats.lossy {
        text.push_str(&format!(", states may be missed ({})", trust(lossy)));
    }
    text
}

fn speed(state: &str, stats: &Stats, search: &SearchRecord) -> String {
    let seconds = stats.time.as_secs_f64().max(1e-9);
    let threads = match search.threads {
        1 => "1 thread".into(),
        threads => format!("{threads} threads"),
    };
    let turns = match search.turns {
        0 | 1 => String::new(),
        turns => format!(", {turns} turns"),
    };
    let (time, speed) = (Seconds(stats.time), stats.states as f64 / seconds);
    format!("{threads}: {time}, {speed:.0} {state}s/s{turns}")
}

/// Where the time went, in shares; nothing if nobody took the time.
fn phases(phases: Phases) -> Option<String> {
    let Phases { successors, store, properties } = phases;
    let all = (successors + store + properties).as_secs_f64();
    let share = |part: Duration| part.as_secs_f64() / all * 100.0;
    (all > 0.0).then(|| {
        format!(
            "time in successors {:.0} %, store {:.0} %, properties {:.0} %",
            share(successors),
            share(store),
            share(properties),
        )
    })
}

/// What each reduction left out; nothing if none did.
fn pruned(pruned: Pruned) -> Option<String> {
    let Pruned { stubborn, fused, symmetric } = pruned;
    let parts = [
        (stubborn, "states expanded in part (stubborn sets)"),
        (fused, "steps fused"),
        (symmetric, "states for others by symmetry"),
    ];
    let parts = parts.iter().filter(|(count, _)| *count > 0);
    let parts: Vec<_> = parts.map(|(n, words)| format!("{} {words}", thousands(*n))).collect();
    (!parts.is_empty()).then(|| format!("reduced: {}", parts.join(", ")))
}

/// The search for shorter runs, if one was made.
fn shortened(stats: &Stats) -> Option<String> {
    let states = stats.effort.states_for_shorter_runs;
    (states > 0).then(|| format!("shorter runs: looked for in {} states", thousands(states)))
}

/// Counts of the symbolic engine.
fn symbolic_counts(counts: &SymbolicCounts) -> String {
    format!(
        "    {} visited, {} included in others, {} accelerated; {} automata, the largest buffer language has {} states\n",
        thousands(counts.visited),
        thousands(counts.included),
        thousands(counts.accelerated),
        thousands(counts.automata),
        thousands(counts.largest),
    )
}

/// Counts of the dual engine.
fn dual_counts(counts: &DualCounts) -> String {
    format!(
        "    {} constraints made, {} added, {} kept; {} pairs compared, {} entries in the longest; {} control points\n",
        thousands(counts.made),
        thousands(counts.added),
        thousands(counts.kept),
        thousands(counts.compared),
        thousands(counts.longest),
        thousands(counts.points),
    )
}

fn bytes_per_state(stats: &Stats) -> f64 {
    stats.peak_bytes as f64 / stats.states.max(1) as f64
}

/// The share of the table that is in use, if there is a table.
fn load(stats: &Stats) -> Option<f64> {
    let (slots, used) = stats.slots;
    (slots > 0).then(|| used as f64 / slots as f64)
}

#[cfg(test)]
mod tests {
    use taut_explicit::{Effort, Lossy, StoreKind};

    use super::*;

    #[test]
    fn every_count_has_its_words() {
        let stats = Stats {
            states: 1_000,
            transitions: 3_000,
            matched: 2_001,
            expanded: 1_200,
            deadlocks: 2,
            depth: 40,
            time: Duration::from_secs(2),
            peak_bytes: 16_000,
            state_bits: 31,
            slots: (2_000, 1_000),
            pruned: Pruned { stubborn: 300, fused: 40, symmetric: 5 },
            phases: Phases {
                successors: Duration::from_secs(1),
                store: Duration::from_millis(750),
                properties: Duration::from_millis(250),
            },
            lossy: Some(Lossy::Omission(1.2e-9)),
            effort: Effort { machines: 2, searches: 2, states_for_shorter_runs: 4_000 },
            ..Stats::default()
        };
        let search = SearchRecord {
            questions: vec!["mutex".into(), "deadlock".into()],
            about: About::States,
            model: taut_ir::MemoryModel::Tso,
            robust: None,
            engine: crate::engines::Explicit::ID,
            store: StoreKind::Compact,
            threads: 2,
            turns: 3,
            stats,
            symbolic: None,
            dual: None,
        };
        let text = of_search("tso", &search);
        let robust = SearchRecord { robust: Some(Some(1_200)), ..search.clone() };
        let last = "    under sc, because the program is robust: no attack in 1 200 states\n";
        assert!(of_search("tso", &robust).ends_with(last));
        let expected = "
tso, mutex, deadlock: 1 000 states of 31 bits, 3 000 transitions, 2 001 matched, depth 40, expanded 1 200, deadlocks 2
    compact store: 15.6 KiB, 16.0 bytes per state, table 50 % full, states may be missed (probability at most 1.3e-9)
    2 threads: 2.00 s, 500 states/s, 3 turns
    time in successors 50 %, store 38 %, properties 12 %
    reduced: 300 states expanded in part (stubborn sets), 40 steps fused, 5 states for others by symmetry
    shorter runs: looked for in 4 000 states
";
        assert_eq!(text, expected);
    }
}
