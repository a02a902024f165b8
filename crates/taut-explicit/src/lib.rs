//! Explicit-state search: every state of a program under a memory system, one by one.
//!
//! [`taut_machine`] compiles a program and a memory model into a transition relation over packed states;
//! [`store`] keeps the states seen; [`Explorer`] walks them breadth first or depth first and notes what it
//! finds ([`Finding`]) together with the run that leads there. [`final_states`] answers the litmus
//! question: in which states can everything end?
//!
//! The engine claims nothing it has not seen: a limit that stopped it and a bound that held a step back
//! are part of the result ([`Exploration`]).

mod bfs;
pub mod checkpoint;
mod dfs;
pub mod disk;
mod expander;
pub mod exploration;
pub mod explore;
mod finals;
mod findings;
pub mod limits;
pub mod part;
pub mod reduce;
mod search;
pub mod settings;
mod sizes;
pub mod store;
mod trace;

pub use checkpoint::{Checkpoints, Resumed, Vault};
pub use exploration::{Completion, Effort, Exploration, Found, Lossy, Phases, Pruned, Stats};
pub use explore::{Asking, Explorer, asked, explore};
pub use finals::{FinalStates, final_states};
pub use limits::{DiskTrouble, Interrupt, Limit, Limits, Progress, WorkerTrouble};
pub use settings::{DiskOptions, Order, Reduce, SearchOptions, StoreKind};
pub use taut_ir::Finding;
pub use taut_machine::BoundsMet;
