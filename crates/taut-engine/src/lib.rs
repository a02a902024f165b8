//! The interface of engines: what is asked of one, what it can do, and what comes back.
//!
//! An [`Engine`] answers what is asked about the states and steps of a program, by one search. A crate that
//! brings an engine implements this one trait; one line in the list of the library `taut` makes it known to the command
//! line, to suites, to the page and to the published schemas.
//!
//! What an engine need not care about:
//!
//! - **Verdicts.** An engine returns findings with their runs, the bounds that it met and how it ended. The library
//!   has the replayer judge each run, and says what a `holds` covers.
//! - **Programs that grow.** A search that finds no process to start ends with [`Completion::NoProcess`], and is made
//!   again on a larger program.
//! - **Turns.** A search that meets its limit on states may be made again with a larger one.
//! - **Temporal properties**, which are searched state by state, whatever engine is chosen.
//!
//! What it must not do: claim more than it has seen. The [`Completion`] says whether all states were visited, and a
//! [`Scoped`] result names the runs that it is about.
//!
//! | file | idea |
//! | --- | --- |
//! | `id.rs` | the name of an engine |
//! | `capabilities.rs` | what an engine can do, as data |
//! | `job.rs` | one search that is asked for, and its result |
//! | `within.rs` | scopes: results about some runs only |
//! | `error.rs` | programs that an engine does not know, and faults of an engine |
//! | `explicit.rs` | the engine that every other one is compared with: state by state |

mod capabilities;
mod error;
mod explicit;
mod id;
mod job;
mod within;

use std::fmt;
use std::ops::RangeInclusive;

pub use capabilities::{Bounds, Capabilities, Share};
pub use error::{EngineError, Unsupported};
pub use explicit::Explicit;
pub use id::EngineId;
pub use job::{Count, EngineResult, Instance, Job, Scoped};
pub use within::{Within, WithinKind};

pub use taut_explicit::{
    BoundsMet, Completion, Exploration, Found, Limit, Limits, SearchOptions, Stats,
};

/// A search that answers what is asked about the states and steps of a program.
///
/// An engine with options of its own is a value that has them: the translation in rounds has its scopes.
pub trait Engine: fmt::Debug + Send + Sync {
    /// The name, as on the command line and in reports.
    fn id(&self) -> EngineId;

    /// The name and a few words, for lists of choices.
    fn title(&self) -> &'static str;

    /// What the engine can do, whatever the program.
    fn capabilities(&self) -> Capabilities;

    /// The stages of the search: engines that look at ever larger parts of the runs have several. Each is a search of
    /// its own, and they are made in this order until one covers all runs.
    fn stages(&self) -> RangeInclusive<u32> {
        0..=0
    }

    /// Refuses what the engine does not know: a memory model, or something in the program.
    fn supports(&self, job: &Job<'_>) -> Result<(), Unsupported>;

    /// Makes the search of one stage.
    fn run(&self, job: &Job<'_>) -> Result<EngineResult, EngineError>;
}

/// A reference to an engine is an engine.
impl<E: Engine + ?Sized> Engine for &E {
    fn id(&self) -> EngineId {
        (**self).id()
    }

    fn title(&self) -> &'static str {
        (**self).title()
    }

    fn capabilities(&self) -> Capabilities {
        (**self).capabilities()
    }

    fn stages(&self) -> RangeInclusive<u32> {
        (**self).stages()
    }

    fn supports(&self, job: &Job<'_>) -> Result<(), Unsupported> {
        (**self).supports(job)
    }

    fn run(&self, job: &Job<'_>) -> Result<EngineResult, EngineError> {
        (**self).run(job)
    }
}
