//! Taut verifies concurrent programs on relaxed memory.
//!
//! This is the face of the library: read or build a program, choose a memory model and limits, and ask for
//! the verdict. The command line does nothing that cannot be done from here, and gives the same answers if nothing
//! else is asked for.
//!
//! ```
//! use taut::{Check, MemoryModel, load};
//!
//! let lock = r"
//!     shared bool flag[2] = 0;
//!     shared 0..1 turn = 0;
//!     process p[2](i) begin
//!       loop {
//!         flag[i] := 1;
//!         turn := 1 - i;
//!         await(flag[1 - i] == 0 || turn == i);
//!         cs: skip;
//!         flag[i] := 0;
//!       }
//!     end
//!     forbid mutex: p[0]@cs && p[1]@cs;
//! ";
//! let loaded = load::from_text("peterson.taut", lock).expect("a program");
//!
//! let report = Check::of(&loaded).model(MemoryModel::Sc).run().expect("a report");
//! assert!(report.proves("mutex"));
//!
//! // Under TSO the lock needs a fence. The run that shows it has been accepted by a second implementation.
//! let report = Check::of(&loaded).model(MemoryModel::Tso).run().expect("a report");
//! let (violated, witness) = report.violations().next().expect("a violation");
//! assert_eq!(violated.name, "mutex");
//! assert!(witness.trace.actions.len() >= 6);
//! ```
//!
//! [`Report::proves`] is true only if *all* executions are covered. [`Report::verdict`] has the [`Verdict`] with its
//! [`Coverage`]: a search may end at a bound on buffers, threads or calls, and the coverage says so.
//!
//! Where to start: [`load`] reads programs, [`Check`] checks one, [`engines`] lists the engines and how to add one,
//! [`suite`] checks directories, [`repair`] finds the cheapest fences.
//!
//! Programs can also be built without any text: see [`ir::build::ProgramBuilder`].

pub mod annotate;
pub mod baseline;
pub mod c;
pub mod check;
mod counts;
pub mod dve;
pub mod engines;
pub mod extra;
mod finals;
pub mod formats;
pub mod frontends;
pub mod graph;
pub mod json;
mod lint;
pub mod litmus;
pub mod load;
mod outcome;
mod plan;
mod pool;
pub mod promela;
pub mod proof;
pub mod provenance;
mod question;
pub mod races;
mod refusal;
pub mod repair;
pub mod report;
pub mod robust;
pub mod rounds;
mod safety;
pub mod sarif;
pub mod schema;
mod shell;
mod subject;
pub mod suite;
pub mod sv_witness;
mod temporal;
pub mod vacuity;
pub mod verdict;

pub use check::Check;
pub use engines::{Engine, EngineChoice, EngineId};
pub use extra::ExtraProperty;
pub use finals::finals;
pub use frontends::Language;
pub use load::{LoadError, Loaded};
pub use outcome::{About, EngineFault, RaceLevel, Races, Refusal, Report, SearchRecord};
pub use provenance::Provenance;
pub use refusal::refused;
pub use subject::Subject;
pub use verdict::{Coverage, PropertyResult, QuestionKind, Unknown, Verdict, VerdictKind, Witness};

pub use taut_budget as budget;
pub use taut_dual::DualCounts;
pub use taut_explicit::disk::scratch_file;
pub use taut_explicit::limits::ProgressSnapshot;
pub use taut_explicit::{
    Checkpoints, DiskOptions, DiskTrouble, Interrupt, Limit, Limits, Lossy, Order, Phases,
    Progress, Pruned, Reduce, Resumed, Stats, StoreKind, checkpoint,
};
pub use taut_export as export;
pub use taut_ir as ir;
pub use taut_ir::{
    Atomics, Buffers, Fairness, FullBuffer, Granularity, Memory, MemoryModel, Program,
};
pub use taut_lang as lang;
pub use taut_ltl as ltl;
pub use taut_render as render;
pub use taut_source as diag;
pub use taut_symbolic::SymbolicCounts;
pub use taut_temporal::Emptiness;
pub use taut_witness as witness;
