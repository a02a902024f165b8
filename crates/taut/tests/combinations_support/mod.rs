//! All ways to search for one answer, and what must be equal between them.

// Each test file uses its own part of this.
#![allow(dead_code)]

use taut::{Check, Order, Reduce, Report, StoreKind, Verdict};

/// One way to search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Way {
    pub reduce: Reduce,
    pub store: StoreKind,
    pub threads: usize,
    pub order: Order,
}

/// Every state, kept whole, by one thread: what all others are compared with.
pub const PLAIN: Way =
    Way { reduce: Reduce::None, store: StoreKind::Exact, threads: 1, order: Order::Bfs };

/// Every combination of reduction, store, number of threads and order.
pub fn ways() -> Vec<Way> {
    let mut all = Vec::new();
    for reduce in [Reduce::None, Reduce::Por, Reduce::All] {
        for store in [StoreKind::Exact, StoreKind::Tree, StoreKind::Compact, StoreKind::Bitstate] {
            for threads in [1, 2, 4] {
                for order in [Order::Bfs, Order::Dfs] {
                    all.push(Way { reduce, store, threads, order });
                }
            }
        }
    }
    all
}

/// Memory for the states of one search: more than any of these needs, and a field of bits that is quickly there.
const BYTES: u64 = 64 << 20;

impl Way {
    /// The same check in this way, to the end of the search.
    pub fn of<'p>(self, check: Check<'p>) -> Check<'p> {
        let Way { reduce, store, threads, order } = self;
        let check = check.reduce(reduce).store(store).threads(threads).order(order);
        check.all(true).max_memory(BYTES)
    }
}

/// What must not depend on the way: each answer and what it covers. How long a run is may.
fn answers(report: &Report) -> Vec<String> {
    let answer = |verdict: &Verdict| match verdict {
        // So few states are not confused.
        Verdict::Holds(coverage) => taut::Coverage { lossy: None, ..*coverage }.to_string(),
        Verdict::Violated(_) => String::new(),
        Verdict::Unknown(why) => why.to_string(),
    };
    let results = report.results.iter();
    results.map(|r| format!("{} {} {}", r.name, r.verdict.word(), answer(&r.verdict))).collect()
}

/// Compares some ways with the plain one, if that finishes within so many states. Every run that any of them finds
/// has been replayed. Whether it was compared, or what differs.
pub fn compare(check: &Check<'_>, ways: &[Way], most_states: u64) -> Result<bool, String> {
    let plain = PLAIN.of(check.clone()).max_states(Some(most_states));
    let plain = plain.run().map_err(|fault| format!("plain: {fault}"))?;
    // Where only runs are asked about, no search for states was made.
    let cut_off = !plain.reached.is_empty() && !plain.complete;
    if cut_off || plain.is_unknown() {
        return Ok(false);
    }
    for way in ways {
        let report = way.of(check.clone()).max_states(Some(most_states)).run();
        let report = report.map_err(|fault| format!("{way:?}: {fault}"))?;
        let (ours, theirs) = (answers(&report), answers(&plain));
        if ours != theirs {
            return Err(format!(
                "{way:?} under {:?}: {ours:?}, and plainly {theirs:?}",
                plain.memory
            ));
        }
        let lossy = report.stats.lossy.is_some();
        if way.reduce == Reduce::None && !lossy && report.stats.states != plain.stats.states {
            let (ours, theirs) = (report.stats.states, plain.stats.states);
            return Err(format!("{way:?}: {ours} states, and plainly {theirs}"));
        }
    }
    Ok(true)
}

/// Some ways, others for every number, so that many numbers see all of them.
pub fn some(number: usize) -> [Way; 3] {
    let all = ways();
    // No divisor of the number of ways, so that neighbours have little in common.
    [0, 1, 2].map(|i| all[(number * 3 + i) * 29 % all.len()])
}
