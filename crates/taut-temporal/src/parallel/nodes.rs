//! The nodes that several threads have found, each with the node it was found from.

use std::io;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use taut_explicit::checkpoint::{Reader, Saved, Writer, damaged};
use taut_explicit::store::chunks::Chunks;
use taut_explicit::store::shared::{Ids, SharedStore};
use taut_explicit::store::{Inserted, StateId, StateStore};

/// Not numbered.
const NONE: u32 = u32::MAX;

pub(super) struct Nodes {
    words: usize,
    store: SharedStore,
    /// As differences (exclusive or) from the own number: 0 for a node in which runs begin.
    parents: Chunks<AtomicU32>,
    stored: AtomicU64,
}

impl Nodes {
    pub(super) fn new(words: usize) -> Nodes {
        Nodes {
            words,
            store: SharedStore::new(words),
            parents: Chunks::new(1),
            stored: AtomicU64::new(0),
        }
    }

    /// Writes the nodes. No thread is inserting.
    pub(super) fn save(&self, to: &mut Writer<'_>) -> io::Result<()> {
        self.store.save(to)?;
        (0..self.numbers()).try_for_each(|id| self.parent(id).save(to))?;
        self.len().save(to)
    }

    /// Reads nodes of so many words.
    pub(super) fn restore(words: usize, from: &mut Reader<'_>) -> io::Result<Nodes> {
        let store = SharedStore::restore(words, from)?;
        let nodes = Nodes { store, ..Nodes::new(words) };
        for id in 0..nodes.numbers() {
            let parent = u32::restore(from)?;
            if parent >= nodes.numbers() {
                return Err(damaged("a node was found from none"));
            }
            nodes.parents.cell(id).store(id ^ parent, Ordering::Relaxed);
        }
        nodes.stored.store(u64::restore(from)?, Ordering::Relaxed);
        Ok(nodes)
    }

    /// Numbers that were taken, in use or not.
    pub(super) fn numbers(&self) -> u32 {
        self.store.next_id() as u32
    }

    /// How many there are.
    pub(super) fn len(&self) -> u64 {
        self.stored.load(Ordering::Relaxed)
    }

    /// Whether there are no numbers for more.
    pub(super) fn is_full(&self) -> bool {
        self.store.is_full()
    }

    /// Bytes held.
    pub(super) fn bytes(&self) -> u64 {
        self.store.bytes() + self.parents.bytes()
    }

    pub(super) fn read(&self, id: u32, node: &mut [u64]) {
        self.store.read(StateId(id), node);
    }

    pub(super) fn contains(&self, node: &[u64]) -> bool {
        self.store.find(node).is_some()
    }

    /// The number of a node, which was found from another or is one in which runs begin.
    pub(super) fn insert(&self, node: &[u64], from: Option<u32>, ids: &mut Ids) -> u32 {
        match self.store.insert(node, ids) {
            Inserted::Old(StateId(id)) => id,
            Inserted::New(StateId(id)) => {
                let from = from.unwrap_or(id);
                self.parents.cell(id).store(id ^ from, Ordering::Relaxed);
                self.stored.fetch_add(1, Ordering::Relaxed);
                id
            }
        }
    }

    fn parent(&self, id: u32) -> u32 {
        id ^ self.parents.cell(id).load(Ordering::Relaxed)
    }

    /// The same nodes in a store for one thread, and for each number here its number there. All threads must
    /// have ended.
    pub(super) fn renumbered(&self) -> (StateStore, Vec<u32>) {
        let mut store = StateStore::new(self.words);
        let mut numbers = vec![NONE; self.store.next_id() as usize];
        let mut node = vec![0; self.words];
        let mut way = Vec::new();
        for id in 0..numbers.len() as u32 {
            self.read(id, &mut node);
            // Some numbers were taken and never used.
            if self.store.find(&node) != Some(StateId(id)) {
                continue;
            }
            // Who was found from whom must come later.
            let mut at = id;
            while numbers[at as usize] == NONE {
                numbers[at as usize] = NONE - 1;
                way.push(at);
                at = self.parent(at);
            }
            while let Some(at) = way.pop() {
                self.read(at, &mut node);
                let own = StateId(store.len() as u32);
                let parent = self.parent(at);
                let parent = if parent == at { own } else { StateId(numbers[parent as usize]) };
                store.insert(&node, parent);
                numbers[at as usize] = own.0;
            }
        }
        (store, numbers)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_get_new_numbers_and_keep_their_parents() {
        let nodes = Nodes::new(1);
        // Two threads, so that numbers are left unused in between.
        let (mut a, mut b) = (Ids::default(), Ids::default());
        let root = nodes.insert(&[7], None, &mut b);
        let first = nodes.insert(&[0], Some(root), &mut a);
        let second = nodes.insert(&[9], Some(first), &mut b);
        assert_eq!(nodes.insert(&[0], Some(second), &mut b), first);
        assert_eq!(nodes.len(), 3);
        let (store, numbers) = nodes.renumbered();
        assert_eq!(store.len(), 3);
        let new = |old: u32| StateId(numbers[old as usize]);
        assert_eq!(store.state(new(second)), [9]);
        assert_eq!(store.parent(new(second)), new(first));
        assert_eq!(store.parent(new(first)), new(root));
        assert_eq!(store.parent(new(root)), new(root));
    }
}
