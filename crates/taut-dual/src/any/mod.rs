//! Any number of processes: reachability for all instances of a program at once, decided.
//!
//! The method is the second part of the journal paper (Abdulla, Atig, Bouajjani and Ngo, LMCS 14(1), 2018, section 5). A
//! configuration is memory with a multiset of processes, and multisets of what is well-quasi-ordered are
//! well-quasi-ordered, too. So the backward search of the fixed number works as it is, over *crowds* (`crowd.rs`), with
//! one rule more: a process of which nothing was asked may have stored what memory has (`undo.rs`).
//!
//! - *Exact.* A crowd from which nothing leads back to a start is reached by no instance; one that leads back to a start is
//!   reached by the instance with as many processes as the chain has had members.
//! - *DIVERGENCE* from the journal paper, besides those of a fixed number: definitions may have one process or any number, several of either
//!   kind; a process that has not started is no member; crowds that cost fewer processes come first.
//! - *Sequential consistency* is the same search of a program whose steps act on memory (`prepare.rs`): words are empty.
//!
//! What is asked must be closed upward: a state in which more processes are somewhere is as bad as before. Assertions, faults
//! and conditions on named processes and memory are. Deadlocks are not: one process more may be the one that goes on.
//!
//! | file | idea |
//! | --- | --- |
//! | `crowd.rs` | sets of states of all instances |
//! | `debts.rs` | what single processes owe while memory is frozen |
//! | `undo.rs` | predecessors, rule by rule |
//! | `prepare.rs` | one process more; SC as TSO of locked steps; ghosts |
//! | `start.rs` | what the search starts from |
//! | `kept.rs`, `search.rs` | the crowds that are kept; the search |
//! | `run.rs` | from a chain of crowds to a run of an instance |
//! | `explore.rs`, `smallest.rs`, `engine.rs` | all questions; the smallest number; the engine |
//! | `refuse.rs` | what must be alike, and what is not known |

mod crowd;
mod debts;
mod engine;
mod explore;
mod kept;
mod prepare;
mod refuse;
mod run;
mod search;
mod smallest;
mod start;
#[cfg(test)]
mod tests;
mod undo;

pub use engine::Any;
pub use explore::{AnySearch, Numbers, explore};
pub use refuse::CODE;

use taut_engine::Unsupported;
use taut_ir::{MemoryModel, Program};

/// Refuses a program that is not alike for every number of processes, with the place and the reason.
pub fn supports(program: &Program, model: MemoryModel) -> Result<(), Unsupported> {
    refuse::check(program, model)
}
