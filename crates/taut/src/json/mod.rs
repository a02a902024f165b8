//! Everything that Taut writes as JSON, as types that serialise.
//!
//! Each document is what the schema of its name ([`crate::schema`]) describes: the command line writes nothing else, and a
//! user of the library can write the same.
//!
//! | document | schema | written by |
//! | --- | --- | --- |
//! | [`CheckDocument`] | `check` | `taut check FILE`, `taut compare`, a line per memory model |
//! | [`TraceFile`] | `trace` | `taut check --trace`, `witness` in the above, the simulator |
//! | [`SuiteDocument`] | `suite` | `taut check DIR`, a line per file |
//! | [`ExplainDocument`] | `explain` | `taut explain`, a line per memory model |
//! | [`RepairDocument`] | `repair` | `taut repair` |
//! | [`RunDocument`] | `run` | `taut run` |
//! | [`LitmusDocument`] | `litmus` | `taut litmus`, a line per test that met a limit; others by [`taut_litmus::Outcome::json`] |
//!
//! ```
//! use taut::json::{self, CheckDocument};
//! use taut::{Check, load};
//!
//! let loaded = load::from_text("p.taut", "shared int x; process p begin x := 1; end").expect("a program");
//! let report = Check::of(&loaded).run().expect("a report");
//! let line = json::line(&CheckDocument::new(&loaded, &report, Vec::new()));
//! assert!(line.starts_with(r#"{"file":"p.taut","model":"sc""#));
//! ```

mod check;
mod explain;
mod facts;
mod litmus;
mod proof;
mod races;
mod repair;
mod run;
mod stats;
mod suite;
mod trace;
mod vacuity;

use serde::Serialize;

pub use check::{CheckDocument, ResultDocument, SymbolicDocument};
pub use explain::{ExplainDocument, SentenceDocument};
pub use facts::{FactsDocument, UnreachedDocument};
pub use litmus::LitmusDocument;
pub use proof::{OpenDocument, ProofDocument};
pub use races::{RacesDocument, RacingAccessDocument};
pub use repair::{
    CheapestDocument, NeedDocument, PlaceDocument, RaceDocument, RepairDocument, SetDocument,
    UnpatchableDocument,
};
pub use run::{FinalStateDocument, RunDocument, SeenConditionDocument, SeenPropertyDocument};
pub use stats::{
    LossyDocument, PhasesDocument, PrunedDocument, ResumedDocument, SearchDocument, StatsDocument,
};
pub use suite::{AnswerDocument, SuiteDocument};
pub use trace::{ReadWith, TraceFile, asked, recording, slots};
pub use vacuity::VacuousDocument;

/// A document as one line of JSON, with a line break at the end.
pub fn line(document: &impl Serialize) -> String {
    serde_json::to_string(document).expect("numbers and strings") + "\n"
}
