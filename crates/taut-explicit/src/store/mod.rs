//! The states seen.
//!
//! | file | what it keeps |
//! | --- | --- |
//! | `single.rs` | states whole, with the state each was found from; for one thread |
//! | `shared.rs` | states whole, numbered, for several threads at once |
//! | `tree.rs` | states whole, as trees whose parts are shared |
//! | `compact.rs` | hashes of states |
//! | `bitstate.rs` | three bits a state |
//! | `visited.rs` | what a search asks of any of these but the first |
//! | `chunks.rs` | rows of atomics by number, which grow without moving: the arena of `shared.rs` |
//! | `lanes.rs` | a table that threads read by locks of their own |
//! | `buckets.rs`, `quotient.rs` | a set of pairs of small numbers: the roots of trees, hashes |

mod bitstate;
mod buckets;
pub mod chunks;
mod compact;
pub(crate) mod lanes;
mod quotient;
pub mod shared;
mod single;
mod tree;
pub(crate) mod visited;

use std::io;

use crate::checkpoint::{Reader, Saved, Writer};
pub(crate) use bitstate::Bitstate;
pub(crate) use compact::Compact;
pub use single::StateStore;
pub(crate) use tree::Tree;

/// Number of a state in the order of discovery.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StateId(pub u32);

impl Saved for StateId {
    fn save(&self, to: &mut Writer<'_>) -> io::Result<()> {
        self.0.save(to)
    }

    fn restore(from: &mut Reader<'_>) -> io::Result<StateId> {
        u32::restore(from).map(StateId)
    }
}

/// What became of a state that was inserted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Inserted {
    /// It was not there before.
    New(StateId),
    /// It was there.
    Old(StateId),
}

/// How many lookups overlap.
pub const BATCH: usize = 64;
