//! The counts of several searches together.

use taut_explicit::{Effort, Phases, Pruned, Stats};

/// What two searches did, one after the other: counts and times add up, sizes are those of the larger one.
pub(crate) fn sum(a: Stats, b: Stats) -> Stats {
    Stats {
        states: a.states + b.states,
        transitions: a.transitions + b.transitions,
        matched: a.matched + b.matched,
        deadlocks: a.deadlocks + b.deadlocks,
        faults: a.faults + b.faults,
        depth: a.depth.max(b.depth),
        time: a.time + b.time,
        peak_bytes: a.peak_bytes.max(b.peak_bytes),
        disk_bytes: a.disk_bytes.max(b.disk_bytes),
        state_bits: a.state_bits.max(b.state_bits),
        buffer_size: a.buffer_size.max(b.buffer_size),
        expanded: a.expanded + b.expanded,
        pruned: Pruned {
            stubborn: a.pruned.stubborn + b.pruned.stubborn,
            fused: a.pruned.fused + b.pruned.fused,
            symmetric: a.pruned.symmetric + b.pruned.symmetric,
        },
        phases: Phases {
            successors: a.phases.successors + b.phases.successors,
            store: a.phases.store + b.phases.store,
            properties: a.phases.properties + b.phases.properties,
        },
        slots: a.slots.max(b.slots),
        lossy: a.lossy.or(b.lossy),
        effort: Effort {
            machines: a.effort.machines + b.effort.machines,
            searches: a.effort.searches + b.effort.searches,
            states_for_shorter_runs: a.effort.states_for_shorter_runs
                + b.effort.states_for_shorter_runs,
        },
    }
}
