//! The program model: what every language lowers to and every engine explores.
//!
//! A [`Program`] has shared and ghost [`Variable`]s and a fixed list of [`Process`]es, each an instance of
//! a [`ProcessDef`]: registers of its own and a control-flow graph whose edges are [`Step`]s. A step is a
//! guard and a list of effects, executed at once. What makes memory relaxed is not in here: a step says
//! *store x*, and the memory system (`taut-memory`) decides when the others see it.
//!
//! Reading order: [`program`] for the structure, [`step`] for what a process can do, [`expr`] for what it
//! can compute, [`channel`] for messages, [`property`] for what can be asked, [`frontend`] for how a language becomes
//! one of Taut's.

pub mod access;
pub mod build;
pub mod cfg;
pub mod channel;
mod claim;
pub mod display;
pub mod event_trace;
pub mod expr;
mod faults;
pub mod footprint;
pub mod frontend;
pub mod granularity;
mod ids;
pub mod lint;
mod lvalue;
mod model;
mod ops;
pub mod priority;
pub mod program;
pub mod property;
pub mod ranges;
mod references;
pub mod replicated;
mod run;
mod shown;
pub mod step;
mod types;
pub mod validate;
pub mod visibility;

pub use access::{Access, AccessKind, accesses};
pub use cfg::Cfg;
pub use channel::{Channel, ChannelOp, Channels, EffectOrder, Pattern};
pub use claim::{Claim, ClaimText};
pub use event_trace::{EventState, EventTrace};
pub use expr::{ChannelQuery, Expr, Poll};
pub use faults::{Faults, may_fault};
pub use footprint::{ChannelRef, Footprint, Locations};
pub use ids::{ChanId, DefId, PointId, ProcId, ProcedureId, PropId, RegId, StepId, VarId};
pub use lvalue::Lvalue;
pub use model::{Atomics, Buffers, MemoryModel, ModelInfo};
pub use ops::{BinaryOp, Fault, UnaryOp};
pub use program::{
    Chance, Granularity, Heap, Lifecycle, Procedure, Process, ProcessDef, Program, ProgramPoint,
    RaceWatch, Register, Start, VarKind, Variable,
};
pub use property::{Atom, Ltl, Never, Property, PropertyKind};
pub use references::{References, Slots};
pub use run::{Action, Choice, Fairness, Finding, FullBuffer, Memory, MemoryFairness};
pub use shown::{Shown, ShownCell};
pub use step::{Assignment, Control, Effect, Mode, Step};
pub use taut_source::Span;
pub use types::{Interval, Overflow, Type};
pub use visibility::{Observed, Visibility};
