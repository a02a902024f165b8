//! Search over languages of store buffers: verdicts for buffers without bounds.
//!
//! A symbolic state has one program point for each process, one value for each variable, and for the buffer of each
//! process a regular language: every word that it may hold (`sets`). It stands for the
//! product of its languages. The method is that of Linden and Wolper (*An Automata-Based Symbolic Approach for
//! Verifying Programs on Relaxed Memory Models*, SPIN 2010), made exact where the published text is not and
//! taken to PSO.
//!
//! # What is exact, and why
//!
//! The claim is: **a state of the machine with unbounded buffers is reachable if and only if the search, when it
//! ends, has kept a symbolic state that stands for it.** (With ample sets, if and only if a state that no property
//! can tell from it is.)
//!
//! *Nothing too much.* By induction on the search, every word of every kept state is reachable:
//!
//! 1. A step is taken in a part of a state whose words agree on everything that the step asks
//!    (`expander.rs`): the parts are a partition, so each word takes the step as it would alone, and what the
//!    step appends is the same for all.
//! 2. A commit keeps exactly the words that can commit that value, each without the entry. Under PSO it takes one
//!    or more entries of a place: a run of commits of that word.
//! 3. A fence asks whether the buffer is empty; words that are not are another part, in which it waits.
//! 4. Acceleration adds only words that a run through cycles writes: the argument is in `cycle.rs`. It is tested
//!    for each acceleration by following the cycles from the larger language, not by comparing the two ends
//!    of a cycle.
//!
//! Moreover nothing is reported on the strength of this argument alone: every violation is turned into a run with
//! one word in each buffer (`concretise.rs`), which the replayer has to accept.
//!
//! *Nothing too little.* What is dropped is a state that a kept one includes, and every transition is monotone: a
//! larger state leads to larger states. What sleeps (`search/mod.rs`) and what waits for an ample step
//! (`ample.rs`) is reached by another order of independent transitions. A state whose language has grown is
//! expanded in full. So when the search ends with nothing left to do, it has seen everything.
//!
//! *It need not end.* Reachability with TSO buffers is decidable, but not by this method: a language may grow for
//! ever without a cycle that explains it. Then the search ends at a limit, and the verdict is `unknown`, with a
//! language that kept growing ([`Diverging`]).

mod ample;
mod concretise;
mod cycle;
mod edge;
mod engine;
mod expander;
mod graph;
mod independence;
mod loops;
mod node;
mod options;
mod outcome;
mod search;
mod sets;
mod simulate;

use taut_ir::{Atomics, Expr, Memory, MemoryModel, Program};
use taut_machine::compile_on;

pub use engine::Symbolic;
pub use graph::{Graph, GraphBuffer, GraphEdge, GraphEdgeKind, GraphState};
use sets::BufferSets;

pub use options::{Diverging, SymbolicCounts, SymbolicOptions, SymbolicSearch};

/// Whether there are symbolic states under a memory model: its buffers are queues, which languages describe, and
/// an atomic write finds its process's buffer empty.
pub fn supports(model: MemoryModel) -> bool {
    model.buffers().are_queues() && model.atomics() == Atomics::Drain
}

/// Explores a valid program under TSO or PSO with buffers without bounds.
pub fn explore(program: &Program, memory: Memory, options: &SymbolicOptions) -> SymbolicSearch {
    explore_watching(program, memory, &[], options)
}

/// The same; the states of the graph tell the values of some expressions over the whole state.
pub fn explore_watching(
    program: &Program,
    memory: Memory,
    watched: &[Expr],
    options: &SymbolicOptions,
) -> SymbolicSearch {
    debug_assert!(supports(memory.model), "no symbolic states under {}", memory.model);
    let machine = compile_on(program, memory, watched, 1, |places, layout| {
        BufferSets::new(program, places, memory.model, layout)
    });
    search::Search::new(program, memory, &machine, options).run()
}
