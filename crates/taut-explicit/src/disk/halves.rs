//! States that were expanded in part, until it is known whether that is enough.
//!
//! A reduced expansion stands if one of its successors is of the next level ([`crate::expander`]). Where its
//! successors are pending, that is known when they are settled. What does not stand is expanded in full at the end
//! of the level, in the order of the level, so that the order of discovery does not depend on the size of the memory.

use super::files::Files;
use super::spool::Spool;
use super::store::Seen;
use crate::limits::Limit;
use crate::sizes::Sizes;

/// A state that was expanded in part.
struct Half {
    /// Its position in the level.
    position: u64,
    /// The ordinal of the first successor that was left out.
    ordinal: u32,
    /// Number of its successors that are pending.
    pending: u32,
}

/// The states of a level that were expanded in part.
pub(super) struct Halves {
    halves: Vec<Half>,
    /// The numbers of their pending successors, one state after the other.
    pending: Vec<u32>,
    most: usize,
    /// Position and ordinal of each state that is to be expanded in full.
    pub(super) redo: Spool,
}

impl Halves {
    pub(super) fn new(files: &Files, sizes: &Sizes) -> Halves {
        let redo = Spool::new(files, 2, sizes);
        Halves { halves: Vec::new(), pending: Vec::new(), most: (sizes.table / 4).max(1), redo }
    }

    /// Notes a state that was expanded in part, and what is known of its successors.
    pub(super) fn push(&mut self, position: u64, ordinal: u32, successors: &[Seen]) {
        if successors.contains(&Seen::Next) {
            return;
        }
        let before = self.pending.len();
        self.pending.extend(successors.iter().filter_map(|seen| match seen {
            Seen::Inserted(id) | Seen::Pending(id) => Some(*id),
            Seen::Next | Seen::Old => None,
        }));
        let pending = (self.pending.len() - before) as u32;
        self.halves.push(Half { position, ordinal, pending });
    }

    /// Whether there are so many that they should be settled.
    pub(super) fn are_many(&self) -> bool {
        self.halves.len() + self.pending.len() / 4 >= self.most
    }

    /// Decides about all states, once their successors are settled; the number of those to be expanded in full.
    pub(super) fn settle(&mut self, is_next: impl Fn(u32) -> bool) -> Result<u64, Limit> {
        let before = self.redo.len();
        let mut pending = self.pending.as_slice();
        for half in &self.halves {
            let (own, others) = pending.split_at(half.pending as usize);
            pending = others;
            if !own.iter().any(|&id| is_next(id)) {
                self.redo.push(&[half.position, u64::from(half.ordinal)])?;
            }
        }
        self.halves.clear();
        self.pending.clear();
        Ok(self.redo.len() - before)
    }

    /// Bytes held in memory.
    pub(super) fn bytes(&self) -> u64 {
        let own = self.halves.capacity() * size_of::<Half>() + self.pending.capacity() * 4;
        own as u64 + self.redo.bytes()
    }
}
