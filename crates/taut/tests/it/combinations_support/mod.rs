//! All ways to search for one answer, and what must be equal between them.

// Each test file uses its own part of this.

use taut::{Check, Coverage, Order, PropertyResult, Reduce, Report, StoreKind, Verdict};

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
        all.push(Way { reduce, store: StoreKind::Disk, threads: 1, order: Order::Bfs });
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

/// Whether two answers to a question are the same: the same verdict, and what holds covers at least as much. A
/// reduction that leaves a buffer out also leaves its bound out. How long a run is may differ.
fn is_same(ours: &Verdict, plain: &Verdict) -> bool {
    match (ours, plain) {
        (Verdict::Holds(ours), Verdict::Holds(plain))
        | (Verdict::Never(ours), Verdict::Never(plain)) => covers(ours, plain),
        (Verdict::Violated(_), Verdict::Violated(_)) => true,
        (Verdict::Covered(_), Verdict::Covered(_)) => true,
        (Verdict::Unknown(ours), Verdict::Unknown(plain)) => ours == plain,
        _ => false,
    }
}

/// Whether a coverage has no bound that the other has not. So few states are not confused by lossy stores.
fn covers(ours: &Coverage, plain: &Coverage) -> bool {
    let no_more = |ours: Option<u32>, plain: Option<u32>| ours.is_none() || ours == plain;
    no_more(ours.buffer, plain.buffer)
        && no_more(ours.threads, plain.threads)
        && no_more(ours.calls, plain.calls)
        && (ours.scope, ours.fairness) == (plain.scope, plain.fairness)
        && ours.values == plain.values
        // A search for faults that may have missed some does not exclude them.
        && (ours.without_fault || !plain.without_fault)
}

/// The answers in words.
fn words(report: &Report) -> String {
    let word =
        |r: &PropertyResult| format!("{} {} ({})", r.name, r.verdict.word(), r.verdict.coverage());
    report.results.iter().map(word).collect::<Vec<_>>().join(", ")
}

/// Compares some ways with the plain one, if that finishes within so many states. Every run that any of them finds
/// has been replayed. Whether it was compared, or what differs.
pub fn compare(check: &Check<'_>, ways: &[Way], most_states: u64) -> Result<bool, String> {
    let plain = PLAIN.of(check.clone()).max_states(Some(most_states));
    let plain = plain.run().map_err(|fault| format!("plain: {fault}"))?;
    if plain.is_unknown() {
        return Ok(false);
    }
    for way in ways {
        let report = way.of(check.clone()).max_states(Some(most_states)).run();
        let report = report.map_err(|fault| format!("{way:?}: {fault}"))?;
        // A search ends when every question is violated. Where the plain one ended so, another order may not come to all
        // violations within the limit.
        if !plain.complete && report.is_unknown() {
            return Ok(false);
        }
        let pairs = report.results.iter().zip(&plain.results);
        let same = |(a, b): (&PropertyResult, &PropertyResult)| {
            a.name == b.name && is_same(&a.verdict, &b.verdict)
        };
        if report.results.len() != plain.results.len() || !pairs.into_iter().all(same) {
            let (ours, theirs) = (words(&report), words(&plain));
            return Err(format!("{way:?} under {:?}: {ours}; plainly {theirs}", plain.memory));
        }
        let lossy = report.stats.lossy.is_some();
        let states = |report: &Report| report.states_search().map(|search| search.stats.states);
        let (ours, theirs) = (states(&report), states(&plain));
        // The search for covers is the last one, and ends when it has found them: where depends on the order.
        let has_covers = plain.program.properties.iter().any(|p| p.kind.is_cover());
        if plain.complete && !has_covers && way.reduce == Reduce::None && !lossy && ours != theirs {
            return Err(format!("{way:?}: {ours:?} states, and plainly {theirs:?}"));
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
