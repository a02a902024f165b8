//! The programs of memorax and Dual-TSO, where the corpus is present: every verdict of the table in `RMM.md`.

use std::path::Path;

use taut::load::{LoadOptions, from_path};
use taut::{Check, MemoryModel, Verdict};
use taut_testkit::corpus;

/// Programs with the verdicts under SC, TSO and PSO: whether what is forbidden is reachable; none where nothing is known.
const ROWS: &[(&[&str], [Option<bool>; 3])] = &[
    (
        &["bakery.bound2", "burns", "dekker", "dekker.2", "dijkstra", "lamport_fast", "peterson"],
        [Some(false), Some(true), Some(true)],
    ),
    (
        &["clh", "sense_rev_bar", "ticket_spin_lock", "ticket_spin_lock.2"],
        [Some(false), Some(false), Some(false)],
    ),
    (
        &["sb", "sb_1_2", "sb_2_2", "sb_2_3", "sb_3_3", "sb_3_4", "sb_4_4", "sb_4_5", "sb_5_5"],
        [Some(false), Some(true), Some(true)],
    ),
    (
        &[
            "lb", "lb_1_2", "lb_2_2", "lb_2_3", "lb_3_3", "lb_3_4", "lb_4_4", "lb_4_5", "lb_5_5",
            "mp", "mp_1_2", "mp_2_2", "mp_2_3", "mp_3_3", "mp_3_4", "mp_4_4", "mp_4_5", "mp_5_5",
            "mp_5_6", "mp_6_6",
        ],
        [Some(false), Some(false), None],
    ),
];

/// Whether what is forbidden is reachable, with buffers without a bound.
fn is_reachable(path: &Path, model: MemoryModel) -> bool {
    let mut options = LoadOptions::default();
    options.values.set(&taut_rmm::INTEGERS, "0..4").expect("a range");
    let loaded = from_path(path, options).unwrap_or_else(|e| panic!("{e}"));
    let report = Check::of(&loaded).model(model).run().unwrap_or_else(|e| panic!("{e}"));
    match report.verdict("forbidden") {
        Some(Verdict::Violated(_)) => true,
        Some(Verdict::Holds(coverage)) => {
            assert!(coverage.buffer.is_none(), "{}: up to a bound", path.display());
            false
        }
        other => panic!("{} under {model}: {other:?}", path.display()),
    }
}

#[test]
fn every_known_verdict_is_the_answer() {
    let Some(folder) = corpus::find("the programs of memorax and Dual-TSO") else { return };
    let models = [MemoryModel::Sc, MemoryModel::Tso, MemoryModel::Pso];
    let mut count = 0;
    for (names, verdicts) in ROWS {
        for name in *names {
            let path = folder.join("rmm").join(format!("{name}.rmm"));
            for (model, expected) in models.into_iter().zip(verdicts) {
                let Some(expected) = expected else { continue };
                assert_eq!(is_reachable(&path, model), *expected, "{name} under {model}");
                count += 1;
            }
        }
    }
    assert_eq!(count, 100, "verdicts");
}
