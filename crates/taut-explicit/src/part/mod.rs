//! One process's part of a breadth-first search that several processes share.
//!
//! Each state has one *owner*: a process chosen by the hash of the state (`owner`). The owner stores the state, looks at
//! what is wrong in it, and expands it. A successor with another owner is sent there, in blocks. So the store of a
//! process is one of the existing ones, and no state is stored twice.
//!
//! This module knows no network. A [`Part`] takes parcels and gives parcels; [`Peers`] brings them to the other
//! parts and says when all parcels of a phase have come.
//!
//! # Phases
//! The parts go through the same phases, in step. A part *begins* a phase when everything that any part sent in earlier phases
//! has arrived and was taken in. A level has these phases:
//!
//! | phase | what is done | what is sent |
//! | --- | --- | --- |
//! | `Expand` | the states of the level are expanded; blocks that arrive are inserted for the next level | successors |
//! | `Answer` | nothing: blocks may still arrive, and are answered | sources that lead on |
//! | `Full` | sources that were expanded in part and do not lead on are expanded in full | successors |
//! | `Sum` | the next level is complete | counts and findings, to all |
//!
//! Without stubborn sets `Answer` and `Full` are left out. After `Sum` all parts know the same sums and take the same decision:
//! the next level, or the end. So they also note the same about the reduction (`Expander::weigh`).
//!
//! **Why the result is that of one process.** The set of states of a level and everything that is counted for whole levels
//! do not depend on the order in which the states of the level are expanded (`bfs`). The proviso of stubborn sets asks whether
//! a successor is new in the level that is being built; the owner of the successor knows, and answers. A search ends
//! between two levels, so its counts are those of whole levels, whatever the number of parts. The search by one process may end in
//! the middle of a level, with fewer states.
//!
//! **Limits.** The limit on the number of states is looked at after each level, and the search ends if *more* states than that are
//! stored. Time, memory and interrupts are polled by each part. A part that meets such a limit tells all others, which stop
//! expanding; the level ends unfinished, and so does the search.
//!
//! # Runs
//! Each part logs which part sent a state, and which successor of which of its states it is, in about a byte per state
//! (`bfs/log.rs`). After the end the parts are asked back for the way to each finding, level by level
//! (`Way`), and part 0, which gathers the ordinals, rebuilds the run.

mod blocks;
mod parcel;
mod search;
mod sums;

pub use parcel::Outbox;
pub(crate) use search::search;

/// The other parts of a search.
pub trait Peers {
    /// The number of this part.
    fn index(&self) -> u32;

    /// The number of parts.
    fn count(&self) -> u32;

    /// Drives a part to its end, together with all others.
    fn drive(&self, part: &mut dyn Part);
}

/// What a part does next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Doing {
    /// There is work in this phase.
    Works,
    /// Nothing is left to do in this phase.
    Waits,
    /// The search is over, for all parts at the same phase.
    Ends,
}

/// One process's part of a search.
pub trait Part {
    /// Begins the next phase: everything that was sent in earlier phases has been received.
    fn begin(&mut self, out: &mut Outbox) -> Doing;

    /// Does some work of this phase.
    fn work(&mut self, out: &mut Outbox) -> Doing;

    /// Takes a parcel that was sent in this phase or an earlier one.
    fn receive(&mut self, from: u32, parcel: &[u8], out: &mut Outbox);
}

/// The owner of a state with a hash, among so many parts.
///
/// The tables of a store use the hash, too. So it is mixed once more: the states of one owner must not crowd in a part of
/// its table.
#[inline]
pub(crate) fn owner(hash: u64, parts: u32) -> u32 {
    let mixed = hash.wrapping_mul(0xd6e8_feb8_6659_fd93);
    (((mixed >> 32) * u64::from(parts)) >> 32) as u32
}
