//! States whole, numbered, for several threads at once: a lock-free set.
//!
//! States lie in an arena of [`Chunks`]. The table is open addressing with linear probing over 32-bit
//! slots. A slot holds one more than the number of a state in its low bits and, in the bits that the number
//! does not need, a tag of the state's hash, so that few probes look at a state in vain; 0 is an empty slot.
//! Slots go from empty to full once and never change after that.
//!
//! # Why it is right
//! A thread that looks for a state passes slots in the order of probing until it finds the state or an empty
//! slot. Only an empty slot lets it insert: it writes the state into a row of the arena that nobody
//! else knows, and then claims the slot by a compare-and-swap with release order. If another thread was faster,
//! the swap fails, and the slot is looked at like any full one. So two threads with the same state meet at the
//! first slot that was empty for both, one of them wins, and the other finds the state there: no state is
//! stored twice. Who reads a slot does so with acquire order and then sees the row that was written before it
//! was published.
//!
//! Numbers are taken in blocks ([`Ids`]), one thread each, so that threads do not queue for the next number;
//! at most a block a thread stays unused. A row whose claim failed is used for the next new state.
//!
//! The table is behind locks, one per inserting thread (`lanes.rs`). Growing takes them all: the table is dropped, one
//! of twice the size is filled from the arena, and all threads go on. Laarman, van de Pol and Weber, "Boosting
//! multi-core reachability performance with shared hash tables" (FMCAD 2010) is the same idea with a table of
//! fixed size.
//!
//! Words that belong to a state (marks, links of a union-find forest) are rows of [`Chunks`] under its number.

use std::io;
use std::ops::Range;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, RwLockReadGuard};

use taut_fault::{Fault, is_on};

use super::chunks::{Atomic, Chunks};
use super::lanes::{Apart, Lane, Lanes};
use super::{BATCH, Inserted, StateId};
use crate::checkpoint::{Reader, Saved, Writer, damaged};
use taut_machine::bits::BitSet;
use taut_machine::hash::hash;

const EMPTY: u32 = 0;
const FIRST_SLOTS: usize = 1 << 9;
/// Numbers taken together.
const BLOCK: u32 = BATCH as u32;
/// How many numbers there are, some left over for the batches that threads have at hand.
const MOST_IDS: u64 = (1 << 32) - (1 << 24);

/// Numbers that threads have at hand and have not used, no fewer than there can be.
const MOST_AT_HAND: u64 = 1 << 20;

/// A set of states for several threads.
pub struct SharedStore {
    words: usize,
    arena: Chunks<AtomicU64>,
    table: Lanes<Table>,
    /// Slots of the table, for threads that do not hold it.
    slots: AtomicU64,
    /// The first number that no thread has taken. It changes all the time; what is beside it is only read.
    next: Apart<AtomicU64>,
}

/// Numbers that one thread has taken and not used yet.
#[derive(Debug, Default)]
pub struct Ids {
    now: Range<u32>,
    /// What comes after: nothing or a whole block.
    then: Range<u32>,
    /// By which lock the thread reads the table.
    lane: Lane,
}

impl Ids {
    /// Forgets the numbers.
    pub(super) fn forget(&mut self) {
        *self = Ids { lane: self.lane, ..Ids::default() };
    }

    fn first(&mut self) -> u32 {
        if self.now.is_empty() {
            self.now = std::mem::take(&mut self.then);
        }
        debug_assert!(!self.now.is_empty(), "numbers are taken before states are inserted");
        self.now.start
    }

    fn use_first(&mut self) {
        self.now.start += 1;
    }

    /// The number of the next new state, if one is left.
    pub fn peek(&self) -> Option<u32> {
        let next = if self.now.is_empty() { &self.then } else { &self.now };
        (!next.is_empty()).then_some(next.start)
    }

    /// How many are not used.
    pub fn len(&self) -> usize {
        self.now.len() + self.then.len()
    }

    /// Whether all are used.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

struct Table {
    slots: Box<[AtomicU32]>,
    /// The bits of a slot that number a state; the others are the tag.
    index_mask: u32,
}

/// How many states a table of so many slots takes.
fn most(slots: u64) -> u64 {
    slots / 5 * 4
}

impl Table {
    fn new(slots: usize) -> Table {
        Table { slots: AtomicU32::zeros(slots), index_mask: slots.wrapping_sub(1) as u32 }
    }

    /// How many states it takes.
    fn most(&self) -> u64 {
        most(self.slots.len() as u64)
    }

    #[inline]
    fn home(&self, hash: u64) -> usize {
        hash as usize & (self.slots.len() - 1)
    }

    #[inline]
    fn after(&self, at: usize) -> usize {
        (at + 1) & (self.slots.len() - 1)
    }

    #[inline]
    fn tag(&self, hash: u64) -> u32 {
        (hash >> 32) as u32 & !self.index_mask
    }

    /// A slot for a state. There are more slots than states, so one more than a number fits its bits.
    #[inline]
    fn slot(&self, hash: u64, id: u32) -> u32 {
        self.tag(hash) | (id + 1)
    }

    /// The number in a slot, if it has the tag of a hash.
    #[inline]
    fn candidate(&self, slot: u32, hash: u64) -> Option<u32> {
        let id = (slot ^ self.tag(hash)).wrapping_sub(1);
        (id < self.index_mask).then_some(id)
    }

    /// The numbers of the states in it, as bits.
    fn ids(&self) -> BitSet {
        let mut ids = BitSet::default();
        for slot in &self.slots {
            let slot = slot.load(Ordering::Relaxed);
            if slot != EMPTY {
                ids.insert((slot & self.index_mask) as usize - 1);
            }
        }
        ids
    }

    /// Puts states into it that it does not have.
    fn fill(&self, hashes: &[u64], ids: &[u32]) {
        let touched = hashes.iter().map(|&h| self.slots[self.home(h)].load(Ordering::Relaxed));
        std::hint::black_box(touched.fold(0, |a, b| a ^ b));
        for (&hash, &id) in hashes.iter().zip(ids) {
            let mut at = self.home(hash);
            while self.slots[at].load(Ordering::Relaxed) != EMPTY {
                at = self.after(at);
            }
            self.slots[at].store(self.slot(hash, id), Ordering::Relaxed);
        }
    }
}

impl SharedStore {
    /// An empty store for states of so many words.
    pub fn new(words: usize) -> SharedStore {
        SharedStore {
            words,
            arena: Chunks::new(words),
            table: Lanes::new(Table::new(FIRST_SLOTS)),
            slots: AtomicU64::new(FIRST_SLOTS as u64),
            next: Apart(AtomicU64::new(0)),
        }
    }

    /// The first number that nobody has taken. Every state inserted later by a thread without numbers gets
    /// this one or a larger one.
    pub fn next_id(&self) -> u64 {
        self.next.load(Ordering::Relaxed)
    }

    /// Whether numbers are used up.
    pub fn is_full(&self) -> bool {
        self.next_id() >= MOST_IDS
    }

    /// Reads a state.
    #[inline]
    pub fn read(&self, id: StateId, state: &mut [u64]) {
        self.arena.read(id.0, state);
    }

    /// Bytes held.
    pub fn bytes(&self) -> u64 {
        self.arena.bytes_for(self.next_id() as u32) + self.slots() * 4
    }

    /// Bytes held once so many more states are there, at most.
    pub fn bytes_after(&self, more: usize) -> u64 {
        let ids = self.next_id() + more as u64 + u64::from(BLOCK);
        let slots = self.slots();
        let doubled = if ids > most(slots) { 2 } else { 1 };
        self.arena.bytes_for(ids.min(MOST_IDS) as u32) + slots * 4 * doubled
    }

    /// Slots of the table.
    pub fn slots(&self) -> u64 {
        self.slots.load(Ordering::Relaxed)
    }

    /// The number of a state, if it is stored.
    pub fn find(&self, state: &[u64]) -> Option<StateId> {
        let hash = hash(state);
        let table = self.table.glance();
        let mut at = table.home(hash);
        loop {
            let slot = table.slots[at].load(Ordering::Acquire);
            if slot == EMPTY {
                return None;
            }
            if let Some(id) = table.candidate(slot, hash).filter(|&id| self.arena.is(id, state)) {
                return Some(StateId(id));
            }
            at = table.after(at);
        }
    }

    /// Inserts one state, under one of the thread's numbers if it is new.
    pub fn insert(&self, state: &[u64], ids: &mut Ids) -> Inserted {
        let table = self.with_ids(ids);
        self.insert_into(&table, state, hash(state), ids)
    }

    /// Inserts states that lie one after the other, and calls `f` with the position and the outcome of each,
    /// in order. The slots of a block of them are touched first, then their states, so that the cache
    /// misses overlap. `f` must not ask the store anything: the table is held for a block.
    pub fn insert_all(
        &self,
        states: &[u64],
        hashes: &[u64],
        ids: &mut Ids,
        mut f: impl FnMut(usize, Inserted),
    ) {
        let blocks = states.chunks(BATCH * self.words).zip(hashes.chunks(BATCH));
        for (block, (states, hashes)) in blocks.enumerate() {
            let table = self.with_ids(ids);
            self.touch(&table, hashes);
            for (i, (state, &hash)) in states.chunks_exact(self.words).zip(hashes).enumerate() {
                f(block * BATCH + i, self.insert_into(&table, state, hash, ids));
            }
        }
    }

    /// Brings what a block of lookups will need into the cache.
    fn touch(&self, table: &Table, hashes: &[u64]) {
        let mut slots = [EMPTY; BATCH];
        for (slot, &hash) in slots.iter_mut().zip(hashes) {
            *slot = table.slots[table.home(hash)].load(Ordering::Acquire);
        }
        let mut sum = 0;
        for (&slot, &hash) in slots.iter().zip(hashes) {
            if let Some(id) = table.candidate(slot, hash) {
                sum ^= self.arena.row(id)[0].load(Ordering::Relaxed);
            }
        }
        std::hint::black_box(sum);
    }

    #[inline]
    fn insert_into(&self, table: &Table, state: &[u64], hash: u64, ids: &mut Ids) -> Inserted {
        let mut at = table.home(hash);
        loop {
            let mut slot = table.slots[at].load(Ordering::Acquire);
            if slot == EMPTY {
                let id = ids.first();
                self.arena.write(id, state);
                match claim(&table.slots[at], table.slot(hash, id)) {
                    Ok(()) => {
                        ids.use_first();
                        return Inserted::New(StateId(id));
                    }
                    Err(theirs) => slot = theirs,
                }
            }
            if let Some(id) = table.candidate(slot, hash).filter(|&id| self.arena.is(id, state)) {
                return Inserted::Old(StateId(id));
            }
            if is_on(Fault::CollisionsAreKnown) {
                return Inserted::Old(StateId(0));
            }
            at = table.after(at);
        }
    }

    /// The table, with a number and a slot for each state of a block.
    fn with_ids(&self, ids: &mut Ids) -> RwLockReadGuard<'_, Arc<Table>> {
        if ids.len() >= BATCH {
            return self.table.read(&mut ids.lane);
        }
        let start = self.next.fetch_add(u64::from(BLOCK), Ordering::Relaxed);
        let end = start + u64::from(BLOCK);
        assert!(end < 1 << 32, "who inserts asks first whether numbers are used up");
        ids.then = start as u32..end as u32;
        loop {
            let table = self.table.read(&mut ids.lane);
            if end <= table.most() {
                return table;
            }
            drop(table);
            self.grow(end);
        }
    }

    /// Makes room for so many states, unless another thread has.
    #[cold]
    fn grow(&self, states: u64) {
        let mut locked = self.table.lock();
        if states <= locked.get().most() {
            return;
        }
        let slots = locked.get().slots.len() * 2;
        let stored = locked.get().ids();
        // The old table goes before the new one comes.
        drop(locked.replace(Table::new(0)));
        let table = Table::new(slots);
        self.fill(&table, &stored);
        locked.replace(table);
        self.slots.store(slots as u64, Ordering::Relaxed);
    }

    /// Puts the states with these numbers into an empty table.
    fn fill(&self, table: &Table, stored: &BitSet) {
        let mut state = vec![0; self.words];
        let (mut hashes, mut ids) = (Vec::with_capacity(BATCH), Vec::with_capacity(BATCH));
        for block in 0..self.next_id().div_ceil(u64::from(BLOCK)) as u32 {
            let numbers = block * BLOCK..(block + 1) * BLOCK;
            ids.clear();
            ids.extend(numbers.filter(|&id| stored.contains(id as usize)));
            hashes.clear();
            hashes.extend(ids.iter().map(|&id| {
                self.arena.read(id, &mut state);
                hash(&state)
            }));
            table.fill(&hashes, &ids);
        }
    }
}

impl Saved for Ids {
    fn save(&self, to: &mut Writer<'_>) -> io::Result<()> {
        for range in [&self.now, &self.then] {
            (range.start, range.end).save(to)?;
        }
        Ok(())
    }

    fn restore(from: &mut Reader<'_>) -> io::Result<Ids> {
        let [now, then] = [<(u32, u32)>::restore(from)?, Saved::restore(from)?];
        let is_block = |(start, end): (u32, u32)| start <= end && end - start <= BLOCK;
        match is_block(now) && is_block(then) {
            true => Ok(Ids { now: now.0..now.1, then: then.0..then.1, lane: Lane::default() }),
            false => Err(damaged("numbers at hand are none")),
        }
    }
}

/// States are written under their numbers. No thread is inserting.
impl SharedStore {
    /// Writes the states.
    pub fn save(&self, to: &mut Writer<'_>) -> io::Result<()> {
        let stored = self.table.glance().ids();
        self.next_id().save(to)?;
        stored.words().len().save(to)?;
        stored.words().iter().try_for_each(|word| word.save(to))?;
        let numbers = (0..self.next_id() as u32).filter(|&id| stored.contains(id as usize));
        for id in numbers {
            for word in self.arena.row(id) {
                word.load(Ordering::Relaxed).save(to)?;
            }
        }
        Ok(())
    }

    /// Reads states of so many words.
    pub fn restore(words: usize, from: &mut Reader<'_>) -> io::Result<SharedStore> {
        let next = u64::restore(from)?;
        let stored = BitSet::from_words(Saved::restore(from)?);
        // Numbers that threads had at hand follow the last one in use.
        let known = stored.words().len() as u64 * 64;
        let is_near = known <= next && next <= known + MOST_AT_HAND;
        if !is_near || next >= 1 << 32 || !next.is_multiple_of(u64::from(BLOCK)) {
            return Err(damaged("the numbers of states are none"));
        }
        let store = SharedStore { next: Apart(AtomicU64::new(next)), ..SharedStore::new(words) };
        let mut state = vec![0; words];
        for id in (0..next as u32).filter(|&id| stored.contains(id as usize)) {
            for word in &mut state {
                *word = u64::restore(from)?;
            }
            store.arena.write(id, &state);
        }
        // As large as if it had grown from the first size on.
        let mut slots = FIRST_SLOTS;
        while most(slots as u64) < next {
            slots *= 2;
        }
        let table = Table::new(slots);
        store.fill(&table, &stored);
        let slots = AtomicU64::new(slots as u64);
        Ok(SharedStore { table: Lanes::new(table), slots, ..store })
    }
}

/// Puts something into a slot that was empty, or says what is in it.
#[inline]
fn claim(slot: &AtomicU32, value: u32) -> Result<(), u32> {
    slot.compare_exchange(EMPTY, value, Ordering::AcqRel, Ordering::Acquire).map(|_| ())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::{HashMap, HashSet};
    use std::thread;

    fn states_of(keys: &[u64], words: usize) -> Vec<u64> {
        keys.iter().flat_map(|&k| (0..words as u64).map(move |w| k.wrapping_mul(w + 1))).collect()
    }

    proptest! {
        #[test]
        fn behaves_like_a_map(
            words in 1_usize..4, keys in prop::collection::vec(0_u64..3_000, 0..4_000)
        ) {
            let store = SharedStore::new(words);
            let mut ids = Ids::default();
            let mut model = HashMap::new();
            let states = states_of(&keys, words);
            let hashes: Vec<u64> = states.chunks(words).map(hash).collect();
            let mut outcomes = Vec::new();
            store.insert_all(&states, &hashes, &mut ids, |_, o| outcomes.push(o));
            for (&key, outcome) in keys.iter().zip(&outcomes) {
                let next = StateId(model.len() as u32);
                let expected = match model.get(&key) {
                    Some(&id) => Inserted::Old(id),
                    None => Inserted::New(next),
                };
                prop_assert_eq!(*outcome, expected);
                model.entry(key).or_insert(next);
            }
            for (&key, &id) in &model {
                let mut state = vec![0; words];
                store.read(id, &mut state);
                prop_assert_eq!(state[0], key);
                prop_assert_eq!(store.find(&state), Some(id));
            }
            prop_assert_eq!(store.find(&vec![3_000; words]), None);
        }
    }

    /// A few numbers that look random.
    fn scramble(seed: u64) -> impl FnMut() -> u64 {
        let mut x = seed;
        move || {
            x = x.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
            x >> 33
        }
    }

    /// Four threads insert overlapping states, in batches and one by one, while the table grows many times.
    #[test]
    fn threads_agree_on_what_is_stored() {
        const WORDS: usize = 3;
        let store = SharedStore::new(WORDS);
        let work = |thread: u64| {
            let mut next = scramble(thread);
            let mut ids = Ids::default();
            let mut seen = Vec::new();
            for round in 0..200 {
                let keys: Vec<u64> = (0..300).map(|_| next() % 40_000).collect();
                let states = states_of(&keys, WORDS);
                let hashes: Vec<u64> = states.chunks(WORDS).map(hash).collect();
                if round % 10 == 0 {
                    let one = |s: &[u64]| store.insert(s, &mut ids);
                    seen.extend(keys.iter().copied().zip(states.chunks(WORDS).map(one)));
                } else {
                    store.insert_all(&states, &hashes, &mut ids, |i, o| seen.push((keys[i], o)));
                }
            }
            seen
        };
        let seen: Vec<Vec<_>> = thread::scope(|scope| {
            let threads: Vec<_> = (0..4).map(|t| scope.spawn(move || work(t))).collect();
            threads.into_iter().map(|t| t.join().expect("no panic")).collect()
        });
        let mut ids = HashMap::new();
        let mut new = HashSet::new();
        for &(key, outcome) in seen.iter().flatten() {
            let id = match outcome {
                Inserted::New(id) => {
                    assert!(new.insert(key), "{key} is new once");
                    id
                }
                Inserted::Old(id) => id,
            };
            assert_eq!(*ids.entry(key).or_insert(id), id, "{key} has one number");
        }
        assert_eq!(new.len(), ids.len(), "whatever is known was new once");
        assert_eq!(ids.values().collect::<HashSet<_>>().len(), ids.len());
        for (key, id) in ids {
            let mut state = [0; WORDS];
            store.read(id, &mut state);
            assert_eq!(state.to_vec(), states_of(&[key], WORDS));
        }
    }
}
