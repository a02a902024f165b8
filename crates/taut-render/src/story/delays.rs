//! Stores that were late, with what shows it.
//!
//! A store of p to a place is late if another process reads the place in memory and sees something else while
//! the store is p's newest to it in p's buffer; if a property of states looks at the place at the end while it
//! is there; if it never leaves the buffer in a run that goes on for ever; or if another store to the place was
//! made after it and reached memory before it. That p itself read something else meanwhile, or that a later
//! store of p was seen before it (which only PSO and delayed writes allow), says what went ahead of it.

use taut_ir::ProcId;
use taut_witness::Address;

use super::stores::Store;

/// A read, and what it saw.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Seen {
    /// Who read.
    pub process: ProcId,
    /// The row of the first such read.
    pub row: usize,
    /// What was read.
    pub address: Address,
    /// The value.
    pub value: i64,
    /// How often the same step read the same again while the store waited.
    pub again: usize,
}

/// A later store of the same process that was seen before the late one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Overtaking {
    /// The later store, which has reached memory.
    pub by: Store,
    /// The read that saw it.
    pub seen: Seen,
    /// The read of the same process after it, or in the same row, that did not see the late store; none if it
    /// is a property that does not see it at the end.
    pub missed: Option<Seen>,
}

/// A store of another process to the same place that was made later and reached memory first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Overwriting {
    /// Whose store.
    pub process: ProcId,
    /// What it stored.
    pub value: i64,
    /// The row in which it reached memory.
    pub row: usize,
}

/// A store that was late.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Delay {
    /// The store.
    pub store: Store,
    /// What its own process read in memory meanwhile, of places that others write.
    pub ahead: Vec<Seen>,
    /// What its own process read of the same place, out of its buffer.
    pub forwarded: Option<Seen>,
    /// Who read the place and saw something else, in order.
    pub missed: Vec<Seen>,
    /// A later store that was seen before it.
    pub overtaken: Option<Overtaking>,
    /// A store to the same place that reached memory before it.
    pub overwrote: Option<Overwriting>,
    /// What memory holds at the end, where a property looks at the place and the store has not reached it.
    pub at_end: Option<i64>,
    /// Whether it stays in the buffer while the run goes on for ever.
    pub forever: bool,
}

impl Delay {
    pub(super) fn of(store: Store) -> Delay {
        Delay {
            store,
            ahead: Vec::new(),
            forwarded: None,
            missed: Vec::new(),
            overtaken: None,
            overwrote: None,
            at_end: None,
            forever: false,
        }
    }

    /// Whether anything shows that the store is late.
    pub(super) fn is_one(&self) -> bool {
        !self.missed.is_empty() || self.at_end.is_some() || self.overwrote.is_some() || self.forever
    }

    /// The row in which it first shows that the store is late.
    pub(super) fn shows(&self) -> usize {
        let rows = self.missed.iter().map(|seen| seen.row);
        rows.chain(self.overwrote.map(|o| o.row)).min().unwrap_or(usize::MAX)
    }
}
