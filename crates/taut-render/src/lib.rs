//! Runs of programs for people and tools.
//!
//! [`taut_witness::replay()`] gives back a [`Run`](taut_witness::Run): for every action what was read, what was written
//! and where. This crate draws it: [`lanes()`] for the terminal, [`json`] for a file that can be replayed, [`story()`] in
//! sentences that tell why it could happen.

mod atoms;
mod explain;
pub mod json;
pub mod lanes;
pub mod story;

pub use explain::{Explanation, explain};
pub use json::{Recording, TraceError, from_json, recording_from_json, to_json, to_json_text};
pub use lanes::{LaneOptions, Told, lanes, lanes_of_run, tell, told};
pub use story::{Delay, Sentence, SentenceKind, Story, story};
