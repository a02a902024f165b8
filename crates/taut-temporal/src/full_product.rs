//! The whole product, for its size.
//!
//! A search for a run ends at the first accepting cycle and takes short cuts; how large the product is depends
//! on neither. Published products of models and automata are compared by their sizes, so here every node is
//! visited, breadth first.

use taut_ir::{Fairness, Memory, Program, PropId};
use taut_ltl::TooLarge;
use taut_memory::MemorySystem;

use super::product_dfs::{Ended, Walk};
use super::violation::Violation;
use super::{Emptiness, Job, Search, TemporalOptions};
use taut_explicit::limits::{LimitMonitor, Limits};
use taut_explicit::settings::Reduce;
use taut_explicit::store::StateId;
use taut_explicit::{Completion, Stats};
use taut_machine::BoundsMet;

/// The size of a product.
#[derive(Clone, Debug)]
pub struct ProductSize {
    /// Nodes ([`Stats::states`]) and transitions. Where the automaton has no edge that can be taken, a node
    /// has no transitions; where nothing can happen in the program, the automaton goes on alone.
    pub stats: Stats,
    /// Whether it was gone through to the end.
    pub completion: Completion,
    /// Which bounds held back a step somewhere.
    pub bounds_met: BoundsMet,
}

/// The size of the product of a valid program and the automaton of one of its temporal properties: for an
/// LTL formula, of the runs that violate it.
pub fn product_size(
    program: &Program,
    memory: Memory,
    property: PropId,
    limits: &Limits,
) -> Result<ProductSize, TooLarge> {
    let violation = Violation::of(&program.property(property).kind)?;
    let options = TemporalOptions {
        fairness: Fairness::NONE,
        emptiness: Emptiness::Components,
        reduce: Reduce::None,
        threads: 1,
        alone: super::PARALLEL_FROM_NODES,
        spawn_all: false,
        limits: limits.clone(),
    };
    let watch = LimitMonitor::new(limits.clone());
    let (violation, options, watch) = (&violation, &options, &watch);
    let job = Job { program, violation, options, watch, whole: true };
    let Search { completion, bounds_met, stats, .. } = job.run(memory);
    Ok(ProductSize { stats, completion, bounds_met })
}

/// Visits every node.
pub(super) fn go_through<M: MemorySystem>(walk: &mut Walk<'_, M>) -> Ended {
    for node in walk.product.initial() {
        walk.begin(&node);
    }
    let mut next = 0;
    while next < walk.store.len() {
        let node = StateId(next as u32);
        next += 1;
        let (frame, _) = walk.open(node);
        for at in frame.next..frame.end {
            if let Err(ended) = walk.follow(node, at) {
                return ended;
            }
        }
        walk.close(frame.next);
        if let Some(ended) = walk.ended(0, 0) {
            return ended;
        }
    }
    Ended::Empty
}
