//! The explicit engine against brute force, on programs that bytes are decoded to.
//!
//! The same comparison as the random tests of `taut-explicit`, for coverage-guided fuzzing: counts, findings and replay must
//! agree, whatever the bytes are.

use std::collections::BTreeSet;

use taut_explicit::{Completion, Reduce, SearchOptions, explore};
use taut_ir::{Fault, Finding};
use taut_testkit::decoded::decode;
use taut_witness::{Trace, enumerate, replay};

/// Programs with more states than this are left out: brute force is slow.
const MOST_STATES: usize = 3_000;

/// Compares the engine, without and with reductions, with brute force. Whether the program was small enough.
///
/// Panics if they differ.
pub fn against_brute_force(bytes: &[u8]) -> bool {
    let (draft, memory) = decode(bytes);
    let program = draft.program();
    let Some(brute) = enumerate::explore(&program, memory, MOST_STATES) else { return false };
    let expected: BTreeSet<Finding> = brute.findings.iter().map(|&f| one_fault(f)).collect();

    let whole = SearchOptions { all: true, whole: true, ..SearchOptions::default() };
    let engine = explore(&program, memory, &whole);
    assert_eq!(engine.completion, Completion::Complete, "{draft:?}, {memory:?}");
    assert_eq!(engine.stats.states, brute.states as u64, "states: {draft:?}, {memory:?}");
    assert_eq!(engine.stats.deadlocks, brute.deadlocks as u64, "deadlocks: {draft:?}, {memory:?}");

    let reduced = SearchOptions { all: true, reduce: Reduce::All, ..SearchOptions::default() };
    for engine in [engine, explore(&program, memory, &reduced)] {
        let found: BTreeSet<Finding> = engine.found.iter().map(|f| one_fault(f.finding)).collect();
        assert_eq!(found, expected, "findings: {draft:?}, {memory:?}");
        for found in engine.found {
            let trace = Trace::new(memory, found.finding, found.actions);
            if let Err(error) = replay(&program, &trace) {
                panic!("{error}: {draft:?}, {memory:?}");
            }
        }
    }
    true
}

/// The engine reports one fault of a run, brute force all of them.
fn one_fault(finding: Finding) -> Finding {
    match finding {
        Finding::Fault(_) => Finding::Fault(Fault::Range),
        other => other,
    }
}
