//! Memory is counted for the whole process, so these tests have a process to themselves, and are one.
#![cfg(target_os = "linux")]

use taut_budget::{Budget, Level, Met, Meter, Reason, tick};

/// Takes memory without end.
fn forever() -> ! {
    let mut all = Vec::new();
    loop {
        all.push(vec![1_u8; 1 << 16]);
        tick();
    }
}

#[test]
fn memory_that_is_taken_is_seen_and_ends_work_at_the_limit() {
    let meter = Meter::new().expect("Linux tells");
    let before = meter.held();
    let taken = vec![1_u8; 64 << 20];
    let after = meter.held();
    assert!(after >= before + (60 << 20), "{before} {after}");
    drop(taken);
    let limit = 64 << 20;
    let budget = Budget::new().memory(Some(limit), Some(meter));
    let met = budget.run(Level::Work, || forever());
    assert_eq!(met.err().map(|met: Met| met.reason), Some(Reason::Memory(limit)));
}
