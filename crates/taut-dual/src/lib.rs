//! Backward search over load buffers: reachability under TSO with unbounded buffers, decided.
//!
//! The method is that of Abdulla, Atig, Bouajjani and Ngo (*A load-buffer semantics for total store ordering*, LMCS
//! 14(1), 2018; below: *the journal paper*). For programs with finite data and a fixed number of processes it always
//! ends: only time and memory can stop it.
//!
//! # The dual semantics
//!
//! The buffer of a process runs from memory to the process, not from the process to memory:
//!
//! - *store* `x := v`: memory changes at once, and `own(x, v)` joins the newest end of the process's own buffer;
//! - *propagate*, at any time: a message about what memory has now joins the newest end of some buffer;
//! - *delete*, at any time: the oldest entry of some buffer goes;
//! - *load* of `x`: the newest own entry of `x`, if there is one; otherwise the oldest entry must be a message
//!   about `x`. The buffer stays as it is (the rule of the journal paper; that of the conference paper differs);
//! - *fence*, *read-modify-write*: the own buffer is empty; the latter acts on memory.
//!
//! The control points (and the memory, where no store is pending) that are reachable are those of TSO. One direction is
//! code: `witness.rs` turns dual runs into runs of TSO, which the replayer judges. The other one is tested: an explicit
//! search of the dual semantics, and of TSO, with bounded buffers, and this engine against both.
//! A store of TSO that is still in its buffer when a property looks at memory is treated in `obligation.rs`.
//!
//! # Why it ends, and why it is exact
//!
//! The search keeps *constraints* (`constraint.rs`), each a set of states. Starting from what must not be
//! (`seeds.rs`), it adds all predecessors (`pre.rs`), unless a kept constraint includes them.
//!
//! - *Exact.* Each rule of `pre.rs` makes constraints that stand for exactly the states from which the transition
//!   leads into the given one, up to deletions of oldest entries, which any run may make. So an initial state is in some constraint
//!   if and only if a run leads from it to what must not be.
//! - *It ends.* Inclusion of constraints is a well-quasi-order: subwords over finitely many entries (Higman's lemma), times finitely many
//!   heads. A search that adds no constraint that an earlier one includes has no infinite sequence.
//! - *DIVERGENCE* from the journal paper: its order compares the newest own entries of *all* variables, ours only
//!   of those that the word speaks of, and memory and control points may be *any*. A constraint thus stands for more
//!   states, the store rule has one case instead of one per older own entry and value, and deletions have none. States of the paper's
//!   order are upward closed for ours, so everything above is said of the same transition system.
//!
//! What makes it fast: control points and values are those that a forward over-approximation reaches
//! (`compile.rs`, `history.rs`); loads are undone first, in one order (`Undo::ample`); constraints are looked up by hash and
//! signature (`kept.rs`).
//!
//! | file | idea |
//! | --- | --- |
//! | `places.rs` | cells of shared memory and their values |
//! | `locals.rs` | the private state of a process; dead registers |
//! | `ghosts.rs`, `ends.rs` | ghosts that are shared variables; ghosts that only end waiting |
//! | `calls.rs`, `start.rs` | procedures; processes that others start |
//! | `eval.rs`, `step.rs` | expressions and steps with loads that are open |
//! | `edge.rs`, `system.rs` | control points and edges |
//! | `compile.rs`, `branch.rs`, `assemble.rs` | the forward over-approximation that finds them |
//! | `window.rs` | few values for cells without a bound |
//! | `history.rs`, `exclusion.rs` | what a process may have stored last; locks that one process holds |
//! | `symbol.rs`, `constraint.rs` | entries of buffers; sets of states as rows of numbers |
//! | `obligation.rs` | stores that are pending when a property looks |
//! | `seeds.rs`, `deadlock.rs` | what the search starts from |
//! | `pre.rs` | predecessors, rule by rule |
//! | `kept.rs`, `search.rs` | the constraints that are kept; the search |
//! | `witness.rs` | from a chain of constraints to a run of TSO |
//! | `explore.rs`, `engine.rs` | all questions of a program; the engine |
//! | `refuse.rs` | what the engine does not know |
//! | `any/` | the same for every number of processes |

pub mod any;
mod assemble;
mod branch;
mod calls;
mod compile;
mod constraint;
mod deadlock;
mod edge;
mod ends;
mod engine;
mod eval;
mod exclusion;
mod explore;
mod ghosts;
mod history;
mod kept;
mod locals;
mod not_compiled;
mod obligation;
mod places;
mod pre;
mod refuse;
mod search;
mod seeds;
mod start;
mod step;
mod symbol;
mod system;
#[cfg(test)]
mod tests;
mod window;
mod witness;

pub use engine::Dual;
pub use explore::{DualSearch, explore};
pub use search::DualCounts;

use taut_engine::Unsupported;
use taut_ir::Program;

/// Refuses a program with something that the engine does not know, with the place and the reason.
pub fn supports(program: &Program) -> Result<(), Unsupported> {
    refuse::check(&ends::prepare(program).0)
}
