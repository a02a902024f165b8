//! Witnesses: traces, the independent replayer, and their rendering.
//!
//! An engine that finds a violation hands over a [`Trace`]: the actions that lead to it and nothing
//! more. [`replay()`] runs the trace through a second, deliberately plain implementation of the
//! semantics, which shares no stepping code with the engines, and accepts it only if every action
//! is possible in its turn and the finding really holds at the end. What it gives back, a [`Run`],
//! says for every action what was read, what was written and where; [`lanes()`] draws it for the
//! terminal, [`json`] writes it to a file and [`story()`] tells why it could happen.
//!
//! Reading order: [`state`] and [`buffer`] for the data, [`machine`] for what can happen,
//! `attempt` for one action, `execution` for one step of a process (`effects` and `messages` for its parts) and `rendezvous`
//! for two steps at once, [`replay`](mod@replay) for traces, [`enumerate`] for the
//! brute force that tests compare engines with. For properties of runs: `fairness` for what a fair run
//! is, `replay/runs` for the judge of lassos, [`temporal`] for brute force.

mod attempt;
pub mod buffer;
mod effects;
pub mod enumerate;
mod eval;
mod execution;
mod explain;
mod fairness;
pub mod json;
pub mod lanes;
pub mod machine;
mod messages;
pub mod outcome;
mod priority;
pub mod record;
pub mod refusal;
mod rendezvous;
pub mod replay;
pub mod state;
pub mod story;
pub mod temporal;
pub mod text;
mod view;

pub use explain::{Explanation, explain};
pub use json::{Recording, TraceError, from_json, recording_from_json, to_json, to_json_text};
pub use lanes::{LaneOptions, Told, lanes, lanes_of_run, tell, told};
pub use machine::Machine;
pub use outcome::{BoundsMet, Failure, Move, Outcome, Successors};
pub use record::{LocalWrite, Message, Read, Record, Source, Target, Transfer, Write};
pub use refusal::Refusal;
pub use replay::{AtomTruths, Lasso, ReplayError, Row, Run, Trace, follow, replay};
pub use state::{Address, Frame, ProcessState, State};
pub use story::{Delay, Sentence, SentenceKind, Story, story};
pub use text::describe_action;
