//! The interface of memory systems: what makes memory sequentially consistent or relaxed.

use std::convert::Infallible;

use taut_ir::{ProcId, Program};

use crate::queue::Queue;
use crate::{CellId, Cells, Field, LayoutBuilder};

/// A store met a buffer that holds as many entries as it may.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BufferFull;

/// A question about a state that may have several answers, each with an outcome of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    /// The value that a process sees at a place.
    Load {
        /// The process that loads.
        process: ProcId,
        /// The place.
        place: CellId,
    },
    /// Whether nothing of a process waits in a buffer.
    Drained(ProcId),
}

impl From<Infallible> for Question {
    fn from(never: Infallible) -> Question {
        match never {}
    }
}

/// What makes memory sequentially consistent or relaxed.
///
/// All methods expect a state laid out by the system's own constructor, and values that fit the interval
/// of their place.
///
/// # Loads with several outcomes
///
/// With store buffers a load has one outcome. It may have several where a state stands for many (a set of
/// buffer contents), or where a process may read one of several writes. Then [`MemorySystem::load`] does not answer
/// but says that the question is *open*, and [`MemorySystem::for_each_outcome`] tells the outcomes: states in which the
/// question has one answer. Whatever asked is asked again in each of them. The machine does so for each step; the
/// number of the outcome is the [`taut_ir::Choice`] of the action. [`MemorySystem::forget_choice`] then takes the choice
/// out of the state that the step leads to.
///
/// A system with one outcome says so by its type: [`MemorySystem::Open`] is [`Infallible`], of which there is no
/// value, and the compiler removes all of this.
pub trait MemorySystem: Sync {
    /// A question that is open; [`Infallible`] if none ever is.
    type Open: Copy + Into<Question>;

    /// Whether every question has one answer.
    const ONE_OUTCOME: bool = size_of::<Self::Open>() == 0;

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

    /// What a process sees at a place: with buffers its newest buffered store, else memory.
    fn load(&self, state: &[u64], process: ProcId, place: CellId) -> Result<i64, Self::Open>;

    /// Calls `f` with each outcome of an open question, in a fixed order: a state like this one in which the question
    /// has one answer. Together they stand for all that the state stands for.
    fn for_each_outcome(&self, state: &[u64], _: Question, f: &mut dyn FnMut(&[u64])) {
        f(state);
    }

    /// Takes out of a state what tells one outcome from another, after the step for which it was chosen.
    fn forget_choice(&self, _: &mut [u64]) {}

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

    /// Whether nothing of a process waits in a buffer, in all outcomes.
    fn is_drained(&self, state: &[u64], process: ProcId) -> bool;

    /// Whether nothing of a process waits in a buffer.
    #[inline]
    fn drained(&self, state: &[u64], process: ProcId) -> Result<bool, Self::Open> {
        Ok(self.is_drained(state, process))
    }

    /// Calls `f` with each place of which a store of the process waits, some perhaps more than once.
    fn for_each_pending(&self, state: &[u64], process: ProcId, f: impl FnMut(CellId));

    /// Whether a store of the process to the place waits.
    fn is_pending(&self, state: &[u64], process: ProcId, place: CellId) -> bool {
        let mut found = false;
        self.for_each_pending(state, process, |pending| found |= pending == place);
        found
    }

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

    /// The buffers of a process as queues; none if they are something else.
    fn queues(&self, _: ProcId) -> Option<Vec<Queue>> {
        None
    }

    /// The fields that hold what waits in the buffers of a process; in the same order for two processes with
    /// the same code.
    fn buffer_fields(&self, process: ProcId) -> Vec<Field>;
}

/// A memory system that is the meaning of a memory model.
pub trait ModelSystem: MemorySystem + Sized + 'static {
    /// Lays out memory, and buffers of at most `bound` entries.
    fn lay_out(program: &Program, places: &Cells, bound: u32, layout: &mut LayoutBuilder) -> Self;
}
