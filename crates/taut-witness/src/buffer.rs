//! Store buffers: one list of stores and barriers a process, oldest first.
//!
//! Under TSO the list is the buffer, and there are no barriers. Under PSO the stores to each place
//! form a queue of their own; one list holds all of a process's queues, cut into *segments* by the
//! barriers that `sfence` leaves: a store may commit if it is the oldest of its place and no
//! barrier stands before it. Under delayed writes the list is the same, with at most one store to each
//! place: a newer one takes the older one's room away.
//!
//! Under PSO and delayed writes the order of stores to different places within a segment means nothing, so the
//! canonical form sorts each segment by place, keeping the order of stores to the same place. No
//! barrier stands first (it has nothing to hold back) and no two stand in a row (they are one). A
//! barrier at the end stays: it holds back what is stored next.

use std::collections::{BTreeMap, BTreeSet};

use crate::address::Address;

/// A store on its way to memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Entry {
    /// Where it goes.
    pub address: Address,
    /// What it stores.
    pub value: i64,
}

/// One item of a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Item {
    /// A store.
    Store(Entry),
    /// PSO and delayed writes only: no store after it commits before all stores before it have.
    Barrier,
}

/// The stores of one process that have not reached memory.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Buffer {
    items: Vec<Item>,
}

impl Buffer {
    /// A buffer with these stores and barriers, oldest first. They are not brought into canonical form.
    pub fn of(items: Vec<Item>) -> Buffer {
        Buffer { items }
    }

    /// Stores and barriers, oldest first.
    pub fn items(&self) -> &[Item] {
        &self.items
    }

    /// The stores, oldest first.
    pub fn entries(&self) -> impl DoubleEndedIterator<Item = Entry> {
        self.items.iter().filter_map(|item| match item {
            Item::Store(entry) => Some(*entry),
            Item::Barrier => None,
        })
    }

    /// Whether there is nothing in it. (A barrier never stands alone.)
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// The value that the process itself reads from a place, if a store to it is in the buffer.
    pub fn newest(&self, address: Address) -> Option<i64> {
        self.entries().rev().find(|e| e.address == address).map(|e| e.value)
    }

    /// The oldest store.
    pub fn oldest(&self) -> Option<Entry> {
        self.entries().next()
    }

    /// The places that PSO and delayed writes allow to commit.
    pub fn uncut_addresses(&self) -> BTreeSet<Address> {
        let first = self.items.split(|item| *item == Item::Barrier).next().unwrap_or_default();
        first.iter().filter_map(Item::address).collect()
    }

    /// The buffer as its process sees it if none of its stores ever commits: the newest store of each place, sorted by
    /// place, and a barrier at the end if it has one anywhere.
    #[must_use]
    pub fn frozen(&self) -> Buffer {
        let newest: BTreeMap<Address, Entry> = self.entries().map(|e| (e.address, e)).collect();
        let mut items: Vec<Item> = newest.into_values().map(Item::Store).collect();
        items.extend(self.items.contains(&Item::Barrier).then_some(Item::Barrier));
        Buffer { items }
    }

    pub(crate) fn push_store(&mut self, entry: Entry) {
        self.items.push(Item::Store(entry));
    }

    pub(crate) fn push_barrier(&mut self) {
        self.items.push(Item::Barrier);
    }

    /// Takes the oldest store to a place out.
    pub(crate) fn take(&mut self, address: Address) -> Option<Entry> {
        let at = self.items.iter().position(|item| item.address() == Some(address))?;
        match self.items.remove(at) {
            Item::Store(entry) => Some(entry),
            Item::Barrier => unreachable!("a barrier has no address"),
        }
    }

    /// Brings a buffer of PSO or of delayed writes into canonical form.
    pub(crate) fn canonicalise(&mut self) {
        self.items.dedup_by(|a, b| *a == Item::Barrier && *b == Item::Barrier);
        if self.items.first() == Some(&Item::Barrier) {
            self.items.remove(0);
        }
        for segment in self.items.split_mut(|item| *item == Item::Barrier) {
            segment.sort_by_key(Item::address);
        }
    }
}

impl Item {
    /// Where the store goes; none for a barrier.
    pub fn address(&self) -> Option<Address> {
        match self {
            Item::Store(entry) => Some(entry.address),
            Item::Barrier => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use taut_ir::VarId;

    fn address(var: u32) -> Address {
        Address { var: VarId(var), index: 0 }
    }

    fn buffer(items: &[Option<(u32, i64)>]) -> Buffer {
        let mut buffer = Buffer::default();
        for item in items {
            match item {
                Some((var, value)) => {
                    buffer.push_store(Entry { address: address(*var), value: *value })
                }
                None => buffer.push_barrier(),
            }
        }
        buffer.canonicalise();
        buffer
    }

    #[test]
    fn segments_are_sorted_by_place_and_keep_the_order_within_a_place() {
        let (x, y) = (0, 1);
        assert_eq!(
            buffer(&[Some((y, 1)), Some((x, 2)), Some((y, 0))]),
            buffer(&[Some((x, 2)), Some((y, 1)), Some((y, 0))])
        );
        assert_ne!(buffer(&[Some((x, 1)), Some((x, 2))]), buffer(&[Some((x, 2)), Some((x, 1))]));
        assert_ne!(
            buffer(&[Some((x, 1)), None, Some((y, 2))]),
            buffer(&[Some((x, 1)), Some((y, 2))])
        );
    }

    #[test]
    fn barriers_that_hold_nothing_back_disappear_and_trailing_ones_stay() {
        let store = Some((0, 1));
        assert_eq!(buffer(&[None]), buffer(&[]));
        assert_eq!(buffer(&[None, None, store]), buffer(&[store]));
        assert_eq!(buffer(&[store, None, None]), buffer(&[store, None]));
        assert_ne!(buffer(&[store, None]), buffer(&[store]));
    }

    #[test]
    fn a_frozen_buffer_has_the_newest_stores_and_keeps_a_barrier() {
        let mixed = buffer(&[Some((1, 1)), None, Some((1, 2)), Some((0, 3))]);
        let frozen = mixed.frozen();
        assert_eq!(frozen, buffer(&[Some((0, 3)), Some((1, 2)), None]));
        assert_eq!(buffer(&[Some((1, 1)), Some((1, 2))]).frozen(), buffer(&[Some((1, 2))]));
    }

    #[test]
    fn a_barrier_cuts_off_what_stands_after_it() {
        let b = buffer(&[Some((1, 1)), None, Some((0, 2))]);
        assert_eq!(b.uncut_addresses(), BTreeSet::from([address(1)]));
        assert_eq!(b.newest(address(0)), Some(2));
        assert!(Buffer::default().uncut_addresses().is_empty());
    }
}
