//! Witnesses: traces and the independent replayer.
//!
//! An engine that finds a violation hands over a [`Trace`]: the actions that lead to it and nothing
//! more. [`replay()`] runs the trace through a second, deliberately plain implementation of the
//! semantics, which shares no stepping code with the engines, and accepts it only if every action
//! is possible in its turn and the finding really holds at the end. What it gives back, a [`Run`],
//! says for every action what was read, what was written and where; the crate `taut-render` draws it.
//!
//! Reading order: [`state`] and [`buffer`] for the data, [`machine`] for what can happen,
//! `attempt` for one action, `execution` for one step of a process (`effects` and `messages` for its parts) and `rendezvous`
//! for two steps at once, `observer` for what properties see, [`trace`] and [`replay`](mod@replay) for traces, [`enumerate`] for the
//! brute force that tests compare engines with. For properties of runs: `fairness` for what a fair run
//! is, `replay/runs` for the judge of lassos, [`temporal`] for brute force. For runs that no sequentially consistent run
//! is like: [`happens`]. For the checker of certificates: [`control`], and [`memo`] for steps that are taken once.

mod address;
mod attempt;
pub mod buffer;
pub mod control;
mod effects;
pub mod enumerate;
mod eval;
mod execution;
pub mod fairness;
pub mod happens;
pub mod machine;
pub mod memo;
mod messages;
mod observer;
pub mod outcome;
mod priority;
pub mod record;
pub mod refusal;
mod rendezvous;
pub mod replay;
pub mod state;
pub mod temporal;
pub mod text;
pub mod trace;
mod view;

pub use address::Address;
pub use machine::Machine;
pub use observer::condition;
pub use outcome::{BoundsMet, Move, Outcome, Successors};
pub use record::{Failure, LocalWrite, Message, Read, Record, Source, Target, Transfer, Write};
pub use refusal::Refusal;
pub use replay::{ReplayError, follow, replay};
pub use state::{Frame, ProcessState, State};
pub use text::{describe_action, describe_state};
pub use trace::{AtomTruths, Lasso, Row, Run, Trace};
