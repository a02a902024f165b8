//! Memory systems over packed states.
//!
//! A state of the machine is a short slice of 64-bit words; a [`Field`] is a few bits of it. A
//! [`MemorySystem`] owns the fields of shared memory and of the store buffers and says what loads see,
//! where stores go and what may commit. The systems differ in nothing else:
//!
//! | system | buffers | a commit takes |
//! | --- | --- | --- |
//! | [`Sc`] | none | – |
//! | [`Tso`] | one FIFO per process | the oldest entry of a process |
//! | [`Pso`] | one FIFO per process and place | the oldest entry of a place, if no store fence stands before it |
//! | [`Delayed`] | one slot per process and place, which a newer store overwrites | a slot, if no store fence stands before it |
//!
//! The symbolic engine has one more (`taut-symbolic`), in which a state stands for a set of buffer contents.
//!
//! Variables are flattened to *places*: a scalar is one place, an array one for each element. Ghost
//! variables are places that are never buffered.
//!
//! States are canonical: what is not in a buffer is zero bits, so two states are the same if and only if
//! their words are.

mod cells;
#[cfg(feature = "toy-model")]
mod combining;
mod delayed;
mod field;
mod fifo;
mod layout;
mod models;
mod pending;
mod pso;
mod queue;
mod sc;
mod system;
mod tso;

pub use cells::{CellId, Cells};
#[cfg(feature = "toy-model")]
pub use combining::Combining;
pub use delayed::Delayed;
pub use field::Field;
pub use layout::{Layout, LayoutBuilder};
pub use models::{SystemVisitor, visit_system};
pub use pso::Pso;
pub use queue::Queue;
pub use sc::Sc;
pub use system::{BufferFull, MemorySystem, ModelSystem, Question};
pub use tso::Tso;
