//! How many stores can wait in a buffer at most, found by looking at the code.
//!
//! If every loop of a process that stores also drains the buffer, the number of stores that can wait is
//! the longest path between drains. A buffer laid out for that many entries can never be full, so the
//! bound is never met and states are no larger than they need be. Straight-line programs, such as litmus
//! tests, are the common case.

use taut_ir::{Control, ProcessDef};

/// The most stores that can wait at once, where `stores` counts those of a step by its position; `None` if
/// code alone sets no limit.
pub(crate) fn most_pending(def: &ProcessDef, stores: impl Fn(usize) -> u32) -> Option<u32> {
    let calls =
        def.steps.iter().any(|s| matches!(s.target, Control::Call { .. } | Control::Return));
    if calls {
        // Following calls and returns would be a pushdown analysis; programs with procedures that
        // store get the bound instead.
        return (0..def.steps.len()).all(|s| stores(s) == 0).then_some(0);
    }
    let mut waiting = vec![None; def.locations.len()];
    waiting[def.entry.index()] = Some(0_u32);
    let mut most = 0;
    // Bellman-Ford for longest paths: without a storing loop it settles in as many rounds as there are
    // locations.
    for _ in 0..=def.locations.len() {
        let mut changed = false;
        for (i, step) in def.steps.iter().enumerate() {
            let Some(before) = waiting[step.source.index()] else { continue };
            // Who exits has an empty buffer, and whoever is spawned next starts with one.
            let Control::Goto(target) = step.target else { continue };
            let kept = if step.needs_drained() { 0 } else { before };
            let after = kept + stores(i);
            most = most.max(after);
            if waiting[target.index()].is_none_or(|w| w < after) {
                waiting[target.index()] = Some(after);
                changed = true;
            }
        }
        if !changed {
            return Some(most);
        }
    }
    None
}
