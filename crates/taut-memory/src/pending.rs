//! How many stores can wait in a buffer at most, found by looking at the code.
//!
//! If every loop of a process that stores also drains the buffer, the number of stores that can wait is
//! the longest path between drains. A buffer laid out for that many entries can never be full, so the
//! bound is never met and states are no larger than they need be. Straight-line programs, such as litmus
//! tests, are the common case.

use std::collections::VecDeque;

use taut_ir::{Cfg, Control, PointId, ProcessDef};

/// The most stores that can wait at once, where `stores` counts those of a step by its position; `None` if
/// they are more than `bound`, or if code alone sets no limit.
pub(crate) fn most_pending(
    def: &ProcessDef,
    stores: impl Fn(usize) -> u32,
    bound: u32,
) -> Option<u32> {
    let calls =
        def.steps.iter().any(|s| matches!(s.target, Control::Call { .. } | Control::Return));
    if calls {
        // Following calls and returns would be a pushdown analysis; programs with procedures that
        // store get the bound instead.
        return (0..def.steps.len()).all(|s| stores(s) == 0).then_some(0);
    }
    let cfg = Cfg::of(def);
    // A way that stores more often than all steps together goes round a loop that stores.
    let all: u64 = (0..def.steps.len()).map(|s| u64::from(stores(s))).sum();
    let limit = u32::try_from(all).unwrap_or(u32::MAX).min(bound);
    let mut waiting = vec![None; def.points.len()];
    waiting[def.entry.index()] = Some(0_u32);
    let mut most = 0;
    // Longest paths with a worklist. No number exceeds the limit, so each program point comes back a few times only.
    let mut open = VecDeque::from([def.entry]);
    let mut is_open = vec![false; def.points.len()];
    while let Some(from) = open.pop_front() {
        taut_budget::tick();
        is_open[from.index()] = false;
        let before = waiting[from.index()].unwrap_or(0);
        for (id, step) in cfg.steps_from(def, from) {
            // A process that exits has an empty buffer, and the one that is spawned next starts with one.
            let Control::Goto(target) = step.target else { continue };
            let kept = if step.needs_drained() { 0 } else { before };
            let after = kept.saturating_add(stores(id.index()));
            most = most.max(after);
            if most > limit {
                return None;
            }
            if waiting[target.index()].is_none_or(|w| w < after) {
                waiting[target.index()] = Some(after);
                push(target, &mut open, &mut is_open);
            }
        }
    }
    Some(most)
}

fn push(point: PointId, open: &mut VecDeque<PointId>, is_open: &mut [bool]) {
    if !std::mem::replace(&mut is_open[point.index()], true) {
        open.push_back(point);
    }
}
