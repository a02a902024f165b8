//! States whole, for one thread: one flat arena, one flat table.
//!
//! States lie one after the other in the order in which they were found, in chunks that never move. The
//! table is open addressing with linear probing over 32-bit slots. A slot holds the number of a state in
//! its low bits and, in the bits that number does not need, a tag of the state's hash: with 2^24 slots,
//! 8 bits of tag, so that one probe in 256 looks at a state in vain. When the table grows it is filled
//! again from the arena, so nothing is ever held twice.
//!
//! Each state costs its words, 4 bytes for its parent, and 5 to 10 bytes of table (4-byte slots, at most
//! four fifths full, doubled when they are).
//!
//! Looking up a state is two cache misses, one in the table and one in the arena. [`StateStore::insert_all`]
//! takes a batch and touches the slots of all of them, then the states of all of them, before it works
//! them off one by one: the misses then overlap. On a model of ten million states this is a third faster
//! than one lookup after the other.

use std::io;

use super::{BATCH, Inserted, StateId};
use crate::checkpoint::{Reader, Saved, Writer, damaged};
use taut_machine::hash::hash;

const EMPTY: u32 = u32::MAX;
/// Bytes of states in a chunk, roughly: large enough that there are few, small enough to hold one more.
const CHUNK_BYTES: usize = 1 << 20;
const FIRST_SLOTS: usize = 1 << 8;

/// A set of states, each with the state it was found from.
pub struct StateStore {
    words: usize,
    /// States a chunk, as a power of two.
    chunk_bits: u32,
    arena: Vec<Vec<u64>>,
    parents: Vec<Vec<u32>>,
    len: usize,
    table: Vec<u32>,
    /// Bits of a slot that number a state: enough for every slot of the table.
    index_bits: u32,
}

/// Whether two states are the same. A loop in place beats a call of `memcmp` for a few words.
#[inline]
fn same(a: &[u64], b: &[u64]) -> bool {
    a.iter().zip(b).all(|(a, b)| a == b)
}

impl StateStore {
    /// An empty store for states of so many words.
    pub fn new(words: usize) -> StateStore {
        let states_a_chunk = (CHUNK_BYTES / (words * 8)).max(1);
        StateStore {
            words,
            chunk_bits: states_a_chunk.ilog2(),
            arena: Vec::new(),
            parents: Vec::new(),
            len: 0,
            table: vec![EMPTY; FIRST_SLOTS],
            index_bits: FIRST_SLOTS.trailing_zeros(),
        }
    }

    /// How many states are stored.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether no state is stored.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// A state.
    #[inline]
    pub fn state(&self, id: StateId) -> &[u64] {
        let (chunk, index) = self.place(id);
        &self.arena[chunk][index * self.words..(index + 1) * self.words]
    }

    /// The chunk of a state and its position in it.
    #[inline]
    fn place(&self, id: StateId) -> (usize, usize) {
        let index = id.0 as usize;
        (index >> self.chunk_bits, index & ((1 << self.chunk_bits) - 1))
    }

    /// The state from which a state was found; itself for an initial state.
    pub fn parent(&self, id: StateId) -> StateId {
        let (chunk, index) = self.place(id);
        StateId(self.parents[chunk][index])
    }

    /// Bytes held for states, parents and table.
    pub fn bytes(&self) -> u64 {
        // The first chunk grows as it is filled; the others are laid out whole.
        let first = self.arena.first().map_or(0, |c| c.capacity() * 8)
            + self.parents.first().map_or(0, |c| c.capacity() * 4);
        let chunk = (self.words * 8 + 4) << self.chunk_bits;
        let others = self.arena.len().saturating_sub(1) * chunk;
        (first + others + self.table.capacity() * 4) as u64
    }

    /// Bytes held once so many more states are there, at most: new chunks and a larger table included.
    pub fn bytes_after(&self, more: usize) -> u64 {
        let grows = self.len + more > self.most();
        let table = if grows { self.table.len() as u64 * 4 } else { 0 };
        let chunk = (self.words as u64 * 8 + 4) << self.chunk_bits;
        let (last, _) = self.place(StateId((self.len + more) as u32));
        let chunks = (last + 1).saturating_sub(self.arena.len()) as u64;
        // The first chunk grows as it is filled.
        let first = if self.len == 0 { chunk } else { 0 };
        self.bytes() + table + (chunks * chunk).saturating_sub(first)
    }

    /// Whether another state can be numbered.
    pub fn is_full(&self) -> bool {
        self.len + BATCH >= EMPTY as usize
    }

    /// How many states the table takes before it grows.
    fn most(&self) -> usize {
        self.table.len() / 5 * 4
    }

    /// Whether a state is stored.
    pub fn contains(&self, state: &[u64]) -> bool {
        self.find(state).is_some()
    }

    /// The number of a state, if it is stored.
    pub fn find(&self, state: &[u64]) -> Option<StateId> {
        let hash = hash(state);
        let mask = self.table.len() - 1;
        let mut at = hash as usize & mask;
        while self.table[at] != EMPTY {
            let slot = self.table[at];
            if self.tag(slot) == self.tag_of(hash) && same(self.state(self.id(slot)), state) {
                return Some(self.id(slot));
            }
            at = (at + 1) & mask;
        }
        None
    }

    /// Inserts one state, found from `parent`.
    pub fn insert(&mut self, state: &[u64], parent: StateId) -> Inserted {
        self.insert_hashed(state, hash(state), parent)
    }

    /// Inserts a batch of states, laid out one after the other in `states`, and calls `f` with the
    /// position and the outcome of each, in order. `parents` says how many of them were found from
    /// which state.
    pub fn insert_all(
        &mut self,
        states: &[u64],
        hashes: &[u64],
        parent_of: impl Fn(usize) -> StateId,
        mut f: impl FnMut(usize, Inserted),
    ) {
        let words = self.words;
        for (block, hashes) in hashes.chunks(BATCH).enumerate() {
            let first = block * BATCH;
            let states = &states[first * words..(first + hashes.len()) * words];
            self.touch(hashes);
            for (i, &hash) in hashes.iter().enumerate() {
                let state = &states[i * words..(i + 1) * words];
                f(first + i, self.insert_hashed(state, hash, parent_of(first + i)));
            }
        }
    }

    /// Brings what a batch of lookups will need into the cache, the misses overlapping.
    fn touch(&self, hashes: &[u64]) {
        let mask = self.table.len() - 1;
        let mut slots = [EMPTY; BATCH];
        for (slot, &hash) in slots.iter_mut().zip(hashes) {
            *slot = self.table[hash as usize & mask];
        }
        let mut sum = 0;
        for (&slot, &hash) in slots.iter().zip(hashes) {
            if slot != EMPTY && self.tag(slot) == self.tag_of(hash) {
                sum ^= self.state(self.id(slot))[0];
            }
        }
        std::hint::black_box(sum);
    }

    fn insert_hashed(&mut self, state: &[u64], hash: u64, parent: StateId) -> Inserted {
        if self.len >= self.most() {
            self.grow();
        }
        let mask = self.table.len() - 1;
        let tag = self.tag_of(hash);
        let mut at = hash as usize & mask;
        loop {
            let slot = self.table[at];
            if slot == EMPTY {
                let id = self.push(state, parent);
                self.table[at] = self.slot(tag, id);
                return Inserted::New(id);
            }
            if self.tag(slot) == tag && same(self.state(self.id(slot)), state) {
                return Inserted::Old(self.id(slot));
            }
            at = (at + 1) & mask;
        }
    }

    fn push(&mut self, state: &[u64], parent: StateId) -> StateId {
        let id = StateId(self.len as u32);
        let (chunk, _) = self.place(id);
        if chunk == self.arena.len() {
            self.arena.push(Vec::new());
            self.parents.push(Vec::new());
            // Small searches stay small; once the first chunk is full the next are laid out whole.
            if self.len > 0 {
                self.arena[chunk].reserve_exact(self.words << self.chunk_bits);
                self.parents[chunk].reserve_exact(1 << self.chunk_bits);
            }
        }
        self.arena[chunk].extend_from_slice(state);
        self.parents[chunk].push(parent.0);
        self.len += 1;
        id
    }

    /// Doubles the table and fills it from the arena. The old table is dropped first.
    fn grow(&mut self) {
        self.lay_out(self.table.len() * 2);
    }

    /// Makes a table of so many slots.
    fn lay_out(&mut self, slots: usize) {
        self.table = Vec::new();
        self.table = vec![EMPTY; slots];
        self.index_bits = slots.trailing_zeros();
        for index in 0..self.len {
            let id = StateId(index as u32);
            let hash = hash(self.state(id));
            let mut at = hash as usize & (slots - 1);
            while self.table[at] != EMPTY {
                at = (at + 1) & (slots - 1);
            }
            self.table[at] = self.slot(self.tag_of(hash), id);
        }
    }

    /// Writes the states with their parents.
    pub fn save(&self, to: &mut Writer<'_>) -> io::Result<()> {
        self.len.save(to)?;
        for (states, parents) in self.arena.iter().zip(&self.parents) {
            for (state, parent) in states.chunks_exact(self.words).zip(parents) {
                state.iter().try_for_each(|word| word.save(to))?;
                parent.save(to)?;
            }
        }
        Ok(())
    }

    /// Reads states of so many words, under the same numbers.
    pub fn restore(words: usize, from: &mut Reader<'_>) -> io::Result<StateStore> {
        let len = from.length()?;
        let mut store = StateStore::new(words);
        if len >= EMPTY as usize {
            return Err(damaged("there are too many states"));
        }
        let mut state = vec![0; words];
        for _ in 0..len {
            for word in &mut state {
                *word = u64::restore(from)?;
            }
            let parent = u32::restore(from)?;
            if parent as usize >= len {
                return Err(damaged("a state was found from none"));
            }
            store.push(&state, StateId(parent));
        }
        // As large as if the table had grown state by state.
        let mut slots = FIRST_SLOTS;
        while slots / 5 * 4 < len {
            slots *= 2;
        }
        store.lay_out(slots);
        Ok(store)
    }

    fn slot(&self, tag: u32, id: StateId) -> u32 {
        tag.checked_shl(self.index_bits).unwrap_or(0) | id.0
    }

    fn tag(&self, slot: u32) -> u32 {
        slot.checked_shr(self.index_bits).unwrap_or(0)
    }

    fn id(&self, slot: u32) -> StateId {
        let mask = if self.index_bits >= 32 { u32::MAX } else { (1 << self.index_bits) - 1 };
        StateId(slot & mask)
    }

    fn tag_of(&self, hash: u64) -> u32 {
        ((hash >> 32) as u32).checked_shr(self.index_bits).unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::HashMap;

    proptest! {
        #[test]
        fn behaves_like_a_map(
            words in 1_usize..4, keys in prop::collection::vec(0_u64..3_000, 0..4_000)
        ) {
            let mut store = StateStore::new(words);
            let mut model = HashMap::new();
            let states: Vec<u64> = keys
                .iter()
                .flat_map(|&k| (0..words as u64).map(move |w| k.wrapping_mul(w + 1)))
                .collect();
            let hashes: Vec<u64> = states.chunks(words).map(hash).collect();
            let mut outcomes = Vec::new();
            store.insert_all(&states, &hashes, |i| StateId(i as u32), |_, o| outcomes.push(o));
            for (&key, outcome) in keys.iter().zip(&outcomes) {
                let next = StateId(model.len() as u32);
                let expected = match model.get(&key) {
                    Some(&id) => Inserted::Old(id),
                    None => Inserted::New(next),
                };
                prop_assert_eq!(*outcome, expected);
                model.entry(key).or_insert(next);
            }
            prop_assert_eq!(store.len(), model.len());
            for (&key, &id) in &model {
                prop_assert_eq!(store.state(id)[0], key);
                prop_assert_eq!(keys[store.parent(id).0 as usize], key);
                prop_assert!(store.contains(store.state(id)));
            }
            prop_assert!(!store.contains(&vec![3_000; words]));
        }
    }
}
