//! Runs of programs for people and tools.
//!
//! [`taut_witness::replay()`] gives back a [`Run`](taut_witness::Run): for every action what was read, what was written
//! and where. A [`RunView`] is what there is to show of it, and all outputs draw from it: [`lanes()`] for the terminal,
//! [`json`] for a file that can be replayed, [`story()`] in sentences that tell why it could happen; in other crates the
//! HTML report, annotations of source lines, graphs and the simulator. A new output is a function of a [`RunView`].

mod atoms;
mod explain;
pub mod json;
pub mod lanes;
mod pool;
mod race;
pub mod story;
mod swap;
pub mod view;

pub use explain::{Explanation, explain};
pub use json::{Recording, TraceError, from_json, recording_from_json, to_json, to_json_text};
pub use lanes::{LaneOptions, lanes, lanes_footer, lanes_of_run, lanes_table, tell};
pub use race::{Race, RacingAccess, race};
pub use story::{Delay, Sentence, SentenceKind, Story, story};
pub use swap::{Swap, swap};
pub use view::{Names, RunView, is_hidden};
