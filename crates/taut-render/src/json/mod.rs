//! Traces as JSON: one object that says everything about a run in names that people know.
//!
//! Reading a trace back needs the head and, of each step, only `process`, `action`, `step` (the
//! number of the step in its definition) or `variable` and `index`; of a handshake also `receiver`
//! with its `process` and `step`. The head of a trace to the violation of a property of runs has `lasso`, with
//! `cycle` and `fairness`, unless what happens suffices. All else is for people; where it can cheaply be checked it is, so
//! that a trace of another program is recognised as such.
//!
//! ```json
//! {
//!   "format": "taut-trace",
//!   "version": 1,
//!   "program": "sb",
//!   "file": "sb.taut",
//!   "model": "tso",
//!   "bound": 8,
//!   "full_buffer": "wait",
//!   "property": { "name": "both see nothing", "kind": "forbid", "words": ["…"] },
//!   "initial": { "x": 0, "y": 0 },
//!   "steps": [
//!     { "process": "p", "action": "step", "step": 0, "line": 3, "text": "x := 1", "…": "…" },
//!     { "process": "p", "action": "commit", "variable": "x", "value": 1, "…": "…" },
//!     { "process": "p", "action": "handshake", "step": 2, "line": 5, "text": "c!x", "…": "…",
//!       "message": { "channel": "c", "how": "sent", "values": [1] },
//!       "receiver": { "process": "q", "step": 0, "line": 9, "text": "c?y", "…": "…" } }
//!   ]
//! }
//! ```
//!
//! A run of the simulator that shows nothing in particular has `"property": { "name": "", "kind": "run" }`: it
//! claims only that it is possible.
//!
//! For a property of runs, `lasso` says which step begins the cycle that is repeated for ever, `atoms` what
//! the property looks at, and `truth` the truth of each at the start and after each step:
//!
//! ```json
//! {
//!   "property": { "name": "served", "kind": "ltl", "words": ["…"] },
//!   "lasso": { "cycle": 3, "fairness": "all" },
//!   "atoms": ["want == 1", "p@cs"],
//!   "truth": [false, false],
//!   "steps": [{ "process": "p", "action": "step", "…": "…", "truth": [true, false] }]
//! }
//! ```

mod model;
mod read;
mod recording;
mod write;

pub use model::{
    Access, Buffered, Document, LassoDocument, MessageDocument, PropertyDocument, ReceiverDocument,
    StepDocument,
};
pub use read::{TraceError, from_json, recording_from_json};
pub use recording::Recording;
pub use write::{document, document_of_run, to_json, to_json_text};

/// What the `format` field says.
pub const FORMAT: &str = "taut-trace";
/// The version of the format, in the `version` field.
pub const VERSION: u32 = 1;
/// The kind of property of a run that claims nothing.
pub const RUN: &str = "run";
