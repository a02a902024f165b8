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
//! | [`BufferSets`] | a set of contents for the buffers of each process under TSO or PSO | as there |
//!
//! Variables are flattened to *places*: a scalar is one place, an array one for each element. Ghost
//! variables are places that are never buffered.
//!
//! States are canonical: what is not in a buffer is zero bits, so two states are the same if and only if
//! their words are.

mod cells;
mod delayed;
mod field;
mod fifo;
mod layout;
mod pending;
mod pso;
mod sc;
mod sets;
mod tso;

pub use cells::{CellId, Cells};
pub use delayed::Delayed;
pub use field::Field;
pub use layout::{Layout, LayoutBuilder};
pub use pso::Pso;
pub use sc::Sc;
pub use sets::{BufferSets, Committed, Entry, SplitRequest};
pub use tso::Tso;

use taut_ir::ProcId;

/// A store met a buffer that holds as many entries as it may.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BufferFull;

/// What makes memory sequentially consistent or relaxed.
///
/// All methods expect a state laid out by the system's own constructor, and values that fit the interval
/// of their place.
pub trait MemorySystem: Sync {
    /// Whether a store replaces one of the same process that waits for the same place, so that the older
    /// one never reaches memory. Then a store and a commit of its place do not commute.
    const OVERWRITES: bool = false;

    /// Whether all stores of a process commit in their order, so that at most one of them may commit next.
    const IN_ORDER: bool = false;

    /// The bits of memory that hold a place.
    fn field(&self, place: CellId) -> Field;

    /// What memory holds at a place.
    #[inline]
    fn memory(&self, state: &[u64], place: CellId) -> i64 {
        self.field(place).get(state)
    }

    /// Writes memory at once, past all buffers.
    #[inline]
    fn write(&self, state: &mut [u64], place: CellId, value: i64) {
        self.field(place).set(state, value);
    }

    /// What a process sees at a place: its newest buffered store, else memory.
    fn load(&self, state: &[u64], process: ProcId, place: CellId) -> i64;

    /// A store of a process: into its buffer if the place is behind one.
    fn store(
        &self,
        state: &mut [u64],
        process: ProcId,
        place: CellId,
        value: i64,
    ) -> Result<(), BufferFull>;

    /// An atomic write of a process: to memory at once. What it has waiting for the place is dropped; where
    /// atomic writes find the buffer empty there is nothing to drop.
    #[inline]
    fn write_atomically(&self, state: &mut [u64], _: ProcId, place: CellId, value: i64) {
        self.write(state, place, value);
    }

    /// Separates the stores of a process before it from those after it.
    fn store_fence(&self, state: &mut [u64], process: ProcId);

    /// Whether nothing of a process waits in a buffer.
    fn is_drained(&self, state: &[u64], process: ProcId) -> bool;

    /// Calls `f` with each place of which a store of the process waits, some perhaps more than once.
    fn for_each_pending(&self, state: &[u64], process: ProcId, f: impl FnMut(CellId));

    /// Calls `f` with each place of which a store of the process may commit now.
    fn for_each_commit(&self, state: &[u64], process: ProcId, f: impl FnMut(CellId));

    /// Moves the oldest entry of the process, with a buffer for each place its oldest of the place, to
    /// memory.
    fn commit(&self, state: &mut [u64], process: ProcId, place: CellId);

    /// How many more stores of the process to the place find room now.
    fn room(&self, _: &[u64], _: ProcId, _: CellId) -> u64 {
        u64::MAX
    }

    /// Whether a store of the process to the place may ever meet a full buffer, as far as its code shows.
    fn can_fill(&self, _: ProcId, _: CellId) -> bool {
        false
    }

    /// Whether loads of the process from the place can be served by a buffer at all. If not, engines
    /// read the field of [`MemorySystem::field`] directly.
    fn is_buffered(&self, process: ProcId, place: CellId) -> bool;

    /// The fields that hold what waits in the buffers of a process; in the same order for two processes with
    /// the same code.
    fn buffer_fields(&self, process: ProcId) -> Vec<Field>;
}
