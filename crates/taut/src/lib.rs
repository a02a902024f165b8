//! Taut verifies concurrent programs on relaxed memory.
//!
//! This is the face of the library: read or build a program, choose a memory model and limits, and match
//! on the verdict. The command line does nothing that cannot be done from here.
//!
//! ```
//! use taut::{Check, MemoryModel, Verdict, load};
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
//! let report = Check::new(&loaded.program).model(MemoryModel::Sc).run().expect("a report");
//! assert!(matches!(report.verdict("mutex"), Some(Verdict::Holds(_))));
//!
//! let report = Check::new(&loaded.program).model(MemoryModel::Tso).run().expect("a report");
//! match report.verdict("mutex") {
//!     Some(Verdict::Violated(witness)) => assert!(witness.trace.actions.len() >= 6),
//!     other => panic!("Peterson's lock needs a fence under TSO: {other:?}"),
//! }
//! ```
//!
//! Programs can also be built without any text: see [`ir::build::ProgramBuilder`].

pub mod annotate;
pub mod check;
mod counts;
pub mod dve;
pub mod engines;
pub mod extra;
pub mod formats;
pub mod frontends;
pub mod graph;
pub mod json;
mod lint;
pub mod litmus;
pub mod load;
mod plan;
mod pool;
pub mod promela;
pub mod provenance;
pub mod repair;
pub mod report;
pub mod rounds;
mod safety;
pub mod sarif;
pub mod schema;
pub mod suite;
mod temporal;
pub mod vacuity;
pub mod verdict;

pub use check::{Check, EngineFault, Refusal, Report};
pub use engines::{Engine, EngineChoice, EngineId};
pub use extra::ExtraProperty;
pub use frontends::Language;
pub use load::{LoadError, Loaded};
pub use plan::{About, SearchRecord};
pub use provenance::Provenance;
pub use verdict::{Coverage, PropertyResult, Unknown, Verdict, Witness};

pub use taut_budget as budget;
pub use taut_explicit as search;
pub use taut_explicit::disk::scratch_file;
pub use taut_explicit::{
    Checkpoints, DiskOptions, DiskTrouble, Interrupt, Limit, Limits, Lossy, Order, Phases,
    Progress, Pruned, Reduce, Stats, StoreKind,
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
pub use taut_symbolic as symbolic;
pub use taut_temporal::Emptiness;
pub use taut_witness as witness;
