//! The states in memory: a set with numbers in the order of insertion, which is emptied when it is full.
//!
//! Open addressing with linear probing. A slot has the number of a state, plus one. Slots are found by multiplying a hash
//! with the number of slots, which therefore need not be a power of two: the table fits the memory that is there.

use taut_machine::hash::hash;

/// A set of states with flags.
pub(super) struct Table {
    words: usize,
    /// States, at most.
    most: usize,
    states: Vec<u64>,
    slots: Vec<u32>,
    flags: Vec<u8>,
}

/// The states of a table.
#[derive(Clone, Copy)]
pub(super) struct States<'t> {
    words: usize,
    states: &'t [u64],
}

impl<'t> States<'t> {
    /// The state with a number.
    #[inline]
    pub(super) fn state(self, id: u32) -> &'t [u64] {
        let start = id as usize * self.words;
        &self.states[start..start + self.words]
    }
}

/// Slots to begin with.
const FIRST_SLOTS: usize = 1 << 7;

/// Whether two states are the same. A loop in place beats a call of `memcmp` for a few words.
#[inline]
fn same(a: &[u64], b: &[u64]) -> bool {
    a.iter().zip(b).all(|(a, b)| a == b)
}

impl Table {
    /// An empty table for at most this number of states of so many words.
    pub(super) fn new(words: usize, most: usize) -> Table {
        debug_assert!(most > 0 && most < u32::MAX as usize, "numbers fit a slot");
        let slots = vec![0; FIRST_SLOTS];
        Table { words, most, states: Vec::new(), slots, flags: Vec::new() }
    }

    /// Number of states.
    pub(super) fn len(&self) -> u32 {
        self.flags.len() as u32
    }

    /// Whether there is no room for another state.
    pub(super) fn is_full(&self) -> bool {
        self.flags.len() >= self.most
    }

    /// Number of states for which there is room.
    pub(super) fn room(&self) -> usize {
        self.most - self.flags.len()
    }

    /// The state with a number.
    #[inline]
    pub(super) fn state(&self, id: u32) -> &[u64] {
        let start = id as usize * self.words;
        &self.states[start..start + self.words]
    }

    /// The flags of a state; none are set at first.
    #[inline]
    pub(super) fn flags(&self, id: u32) -> u8 {
        self.flags[id as usize]
    }

    /// The states, and the flags of all of them, to be changed.
    pub(super) fn parts(&mut self) -> (States<'_>, &mut [u8]) {
        (States { words: self.words, states: &self.states }, &mut self.flags)
    }

    /// The number of a state with its hash, and whether it was inserted just now. There is room.
    #[inline]
    pub(super) fn insert(&mut self, state: &[u64], hash: u64) -> (u32, bool) {
        debug_assert!(!self.is_full(), "there is room");
        if self.flags.len() >= self.slots.len() / 4 * 3 {
            self.grow();
        }
        let mut slot = self.slot(hash);
        loop {
            match self.slots[slot] {
                0 => break,
                number if same(self.state(number - 1), state) => return (number - 1, false),
                _ => slot = self.after(slot),
            }
        }
        let id = self.len();
        self.slots[slot] = id + 1;
        self.states.extend_from_slice(state);
        self.flags.push(0);
        (id, true)
    }

    #[inline]
    fn slot(&self, hash: u64) -> usize {
        ((u128::from(hash) * self.slots.len() as u128) >> 64) as usize
    }

    #[inline]
    fn after(&self, slot: usize) -> usize {
        if slot + 1 == self.slots.len() { 0 } else { slot + 1 }
    }

    /// Doubles the slots and makes room for states, up to what a full table needs.
    fn grow(&mut self) {
        let full = self.most / 3 * 4 + FIRST_SLOTS;
        let slots = (self.slots.len() * 2).min(full);
        debug_assert!(slots > self.slots.len(), "a table that is not full can grow");
        self.slots = Vec::new();
        self.slots = vec![0; slots];
        for id in 0..self.len() {
            let mut slot = self.slot(hash(self.state(id)));
            while self.slots[slot] != 0 {
                slot = self.after(slot);
            }
            self.slots[slot] = id + 1;
        }
        let room = self.most.min(slots / 4 * 3 + 1) - self.flags.len();
        self.states.reserve_exact(room * self.words);
        self.flags.reserve_exact(room);
    }

    /// Removes all states and keeps the memory.
    pub(super) fn clear(&mut self) {
        self.states.clear();
        self.flags.clear();
        self.slots.fill(0);
    }

    /// Number of slots.
    pub(super) fn slots(&self) -> u64 {
        self.slots.len() as u64
    }

    /// Bytes held.
    pub(super) fn bytes(&self) -> u64 {
        let words = self.states.capacity() * 8 + self.slots.capacity() * 4;
        (words + self.flags.capacity()) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::HashMap;

    proptest! {
        #[test]
        fn a_table_is_a_set_with_numbers(
            states in prop::collection::vec(prop::collection::vec(0_u64..12, 2), 1..600),
            most in prop_oneof![1_usize..40, 100_usize..700],
        ) {
            let mut table = Table::new(2, most);
            let mut known: HashMap<Vec<u64>, u32> = HashMap::new();
            for state in &states {
                if table.is_full() {
                    prop_assert_eq!(known.len(), most);
                    table.clear();
                    known.clear();
                }
                let next = known.len() as u32;
                let expected = known.get(state).map_or((next, true), |&id| (id, false));
                prop_assert_eq!(table.insert(state, hash(state)), expected);
                known.insert(state.clone(), expected.0);
                prop_assert_eq!(table.state(expected.0), state.as_slice());
                table.parts().1[expected.0 as usize] |= 2;
                prop_assert_eq!(table.parts().0.state(expected.0), state.as_slice());
                prop_assert_eq!(table.flags(expected.0), 2);
                prop_assert!(table.slots() as usize <= most / 3 * 4 + FIRST_SLOTS);
            }
        }
    }
}
