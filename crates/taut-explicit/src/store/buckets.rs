//! A set of pairs of small numbers, for several threads, in hardly more than the bits that it must keep.
//!
//! [`Shape`] says which *bucket* is the home of a pair and what is kept of it there. A bucket is 16 slots, a
//! cache line where slots have 32 bits; slots have 64 where a remainder does not fit. If a bucket is full the
//! next one takes the pair, and the slot says how many buckets away from home it is. In the unlikely case that
//! as many buckets as a slot can count are all full, the pair goes to a small set beside the table.
//!
//! Slots go from empty to full once and never change, and a bucket's slots are tried in order, so threads
//! agree on who was first in the same way as in [`super::shared`]. Growing, by a quarter, locks the table for all.
//! It drops the old table piece by piece as it goes, so that it hardly ever needs the room of both; only when
//! pairs have become wider are they mixed differently, and lie elsewhere.

use std::collections::HashSet;
use std::io;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, RwLockReadGuard};

use super::BATCH;
use super::lanes::{Apart, Lane, Lanes};
use super::quotient::{Shape, Widths};
use crate::checkpoint::{Reader, Saved, Writer, damaged};

/// Slots of a bucket.
const BUCKET: usize = 16;
/// Bits of a slot that say how far from home it is.
const AWAY_BITS: u32 = 5;
/// Buckets after its home that a pair can be in.
const MOST_AWAY: u64 = (1 << AWAY_BITS) - 1;
const FIRST_BUCKETS: u64 = 64;
/// Buckets laid out together.
const CHUNK: usize = 1 << 14;

/// An atomic number that is a slot; 0 if it is empty.
trait Slot: Default + Sync + Send {
    /// The largest number.
    const MOST: u64;
    fn get(&self) -> u64;
    /// Puts something into a slot that was empty, or says what is in it.
    fn claim(&self, value: u64) -> Result<(), u64>;
}

impl Slot for AtomicU32 {
    const MOST: u64 = u32::MAX as u64;

    #[inline]
    fn get(&self) -> u64 {
        u64::from(self.load(Ordering::Acquire))
    }

    #[inline]
    fn claim(&self, value: u64) -> Result<(), u64> {
        let claimed = self.compare_exchange(0, value as u32, Ordering::AcqRel, Ordering::Acquire);
        claimed.map(|_| ()).map_err(u64::from)
    }
}

impl Slot for AtomicU64 {
    const MOST: u64 = u64::MAX;

    #[inline]
    fn get(&self) -> u64 {
        self.load(Ordering::Acquire)
    }

    #[inline]
    fn claim(&self, value: u64) -> Result<(), u64> {
        self.compare_exchange(0, value, Ordering::AcqRel, Ordering::Acquire).map(|_| ())
    }
}

#[derive(Default)]
#[repr(align(64))]
struct Bucket<S>([S; BUCKET]);

/// Buckets that are laid out when they are first asked for.
type Chunk<S> = OnceLock<Box<[Bucket<S>]>>;

/// A table with slots of one size.
struct Table<S> {
    shape: Shape,
    /// Bits of a remainder.
    remainder_bits: u32,
    chunks: Box<[Chunk<S>]>,
}

impl<S: Slot> Table<S> {
    /// Whether slots are large enough.
    fn fits(shape: &Shape) -> bool {
        let most = u128::from(MOST_AWAY) << bits(shape.largest()) | u128::from(shape.largest());
        most < u128::from(S::MOST)
    }

    fn new(shape: Shape) -> Table<S> {
        let chunks = ((shape.buckets + MOST_AWAY) as usize).div_ceil(CHUNK);
        let chunks = (0..chunks).map(|_| OnceLock::new()).collect();
        Table { shape, remainder_bits: bits(shape.largest()), chunks }
    }

    #[inline]
    fn bucket(&self, at: u64) -> &Bucket<S> {
        let chunk = &self.chunks[at as usize / CHUNK];
        // Small tables stay small.
        let size = || CHUNK.min((self.shape.buckets + MOST_AWAY) as usize);
        let chunk = chunk.get_or_init(|| (0..size()).map(|_| Bucket::default()).collect());
        &chunk[at as usize % CHUNK]
    }

    /// Inserts a pair with a home and a remainder; none if all its buckets are full.
    #[inline]
    fn insert(&self, (home, remainder): (u64, u64)) -> Option<bool> {
        for away in 0..=MOST_AWAY {
            let value = (away << self.remainder_bits | remainder) + 1;
            for slot in &self.bucket(home + away).0 {
                let mut found = slot.get();
                if found == 0 {
                    match slot.claim(value) {
                        Ok(()) => return Some(true),
                        Err(theirs) => found = theirs,
                    }
                }
                if found == value {
                    return Some(false);
                }
            }
        }
        None
    }

    /// Whether a pair is in the table.
    fn contains(&self, (home, remainder): (u64, u64)) -> bool {
        let value = |away: u64| (away << self.remainder_bits | remainder) + 1;
        let slots = (0..=MOST_AWAY)
            .flat_map(|away| self.bucket(home + away).0.iter().map(move |slot| (slot.get(), away)));
        let mut full = slots.take_while(|&(found, _)| found != 0);
        full.any(|(found, away)| found == value(away))
    }

    /// Calls `f` with every pair until one fails.
    fn try_for_each<X>(&self, mut f: impl FnMut(u64) -> Result<(), X>) -> Result<(), X> {
        let mask = (1 << self.remainder_bits) - 1;
        for (number, chunk) in self.chunks.iter().enumerate() {
            let buckets = chunk.get().into_iter().flatten();
            for (bucket, at) in buckets.zip((number * CHUNK) as u64..) {
                let full = bucket.0.iter().map(S::get).filter(|&value| value != 0);
                for value in full.map(|value| value - 1) {
                    f(self.shape.join(at - (value >> self.remainder_bits), value & mask))?;
                }
            }
        }
        Ok(())
    }

    /// Calls `f` with every pair, dropping what was walked through.
    fn drain(self, mut f: impl FnMut(u64)) {
        let mask = (1 << self.remainder_bits) - 1;
        for (number, chunk) in self.chunks.into_iter().enumerate() {
            let buckets = chunk.into_inner().into_iter().flatten();
            for (bucket, at) in buckets.zip((number * CHUNK) as u64..) {
                let full = bucket.0.iter().map(S::get).filter(|&value| value != 0);
                for value in full.map(|value| value - 1) {
                    f(self.shape.join(at - (value >> self.remainder_bits), value & mask));
                }
            }
        }
    }
}

/// The bits of a number.
fn bits(number: u64) -> u32 {
    u64::BITS - number.leading_zeros()
}

enum AnyTable {
    Small(Table<AtomicU32>),
    Large(Table<AtomicU64>),
}

impl AnyTable {
    /// A table with the smallest slots that will do.
    fn new(shape: Shape) -> AnyTable {
        if Table::<AtomicU32>::fits(&shape) {
            AnyTable::Small(Table::new(shape))
        } else {
            AnyTable::Large(Table::new(shape))
        }
    }

    #[inline]
    fn shape(&self) -> &Shape {
        match self {
            AnyTable::Small(table) => &table.shape,
            AnyTable::Large(table) => &table.shape,
        }
    }

    #[inline]
    fn insert(&self, at: (u64, u64)) -> Option<bool> {
        match self {
            AnyTable::Small(table) => table.insert(at),
            AnyTable::Large(table) => table.insert(at),
        }
    }

    fn contains(&self, at: (u64, u64)) -> bool {
        match self {
            AnyTable::Small(table) => table.contains(at),
            AnyTable::Large(table) => table.contains(at),
        }
    }

    /// Brings a bucket into the cache.
    #[inline]
    fn touch(&self, bucket: u64) -> u64 {
        match self {
            AnyTable::Small(table) => table.bucket(bucket).0[0].get(),
            AnyTable::Large(table) => table.bucket(bucket).0[0].get(),
        }
    }

    fn try_for_each<X>(&self, f: impl FnMut(u64) -> Result<(), X>) -> Result<(), X> {
        match self {
            AnyTable::Small(table) => table.try_for_each(f),
            AnyTable::Large(table) => table.try_for_each(f),
        }
    }

    fn drain(self, f: impl FnMut(u64)) {
        match self {
            AnyTable::Small(table) => table.drain(f),
            AnyTable::Large(table) => table.drain(f),
        }
    }

    fn slot_bytes(&self) -> u64 {
        match self {
            AnyTable::Small(_) => 4,
            AnyTable::Large(_) => 8,
        }
    }
}

/// Bytes of a table: a small one is one piece, a large one is made of pieces of one size.
fn bytes_of(shape: &Shape, slot_bytes: u64) -> u64 {
    let buckets = shape.buckets + MOST_AWAY;
    let all =
        if buckets <= CHUNK as u64 { buckets } else { buckets.next_multiple_of(CHUNK as u64) };
    all * BUCKET as u64 * slot_bytes
}

/// A set of pairs, each of them two numbers of 32 bits in one of 64.
pub(super) struct Buckets {
    table: Lanes<AnyTable>,
    /// How many pairs there are. It changes all the time; what is beside it is only read.
    len: Apart<AtomicU64>,
    /// What threads may know of the table that do not hold it.
    extent: Extent,
    /// Pairs that found no slot.
    strays: Mutex<HashSet<u64>>,
}

/// The size of a table, which changes when the table is replaced.
#[derive(Default)]
struct Extent {
    bytes: AtomicU64,
    buckets: AtomicU64,
    low: AtomicU32,
    high: AtomicU32,
}

impl Extent {
    fn set(&self, table: &AnyTable) {
        let shape = table.shape();
        self.bytes.store(bytes_of(shape, table.slot_bytes()), Ordering::Relaxed);
        self.buckets.store(shape.buckets, Ordering::Relaxed);
        self.low.store(shape.widths.low, Ordering::Relaxed);
        self.high.store(shape.widths.high, Ordering::Relaxed);
    }

    fn widths(&self) -> Widths {
        Widths { low: self.low.load(Ordering::Relaxed), high: self.high.load(Ordering::Relaxed) }
    }
}

impl Buckets {
    /// An empty set of pairs of these widths.
    pub(super) fn new(widths: Widths) -> Buckets {
        Buckets::of(AnyTable::new(Shape::new(widths, FIRST_BUCKETS)))
    }

    fn of(table: AnyTable) -> Buckets {
        let extent = Extent::default();
        extent.set(&table);
        let (table, len) = (Lanes::new(table), Apart::default());
        Buckets { table, len, extent, strays: Mutex::default() }
    }

    /// Inserts pairs of these widths and calls `f` with the position of each and whether it is new.
    pub(super) fn insert_all(
        &self,
        pairs: &[u64],
        widths: Widths,
        lane: &mut Lane,
        mut f: impl FnMut(usize, bool),
    ) {
        for (block, pairs) in pairs.chunks(BATCH).enumerate() {
            let table = self.with_room(pairs.len(), widths, lane);
            let mut places = [(0, 0); BATCH];
            let mut sum = 0;
            for (place, &pair) in places.iter_mut().zip(pairs) {
                *place = table.shape().split(pair);
                sum ^= table.touch(place.0);
            }
            std::hint::black_box(sum);
            let mut new = 0;
            for (i, (&place, &pair)) in places.iter().zip(pairs).enumerate() {
                let is_new = table.insert(place).unwrap_or_else(|| self.insert_stray(pair));
                new += u64::from(is_new);
                f(block * BATCH + i, is_new);
            }
            self.len.fetch_add(new, Ordering::Relaxed);
        }
    }

    #[cold]
    fn insert_stray(&self, pair: u64) -> bool {
        self.strays().insert(pair)
    }

    fn strays(&self) -> MutexGuard<'_, HashSet<u64>> {
        self.strays.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether a pair of these widths is in the set.
    pub(super) fn contains(&self, pair: u64, widths: Widths) -> bool {
        let table = self.table.glance();
        widths.fit(table.shape().widths)
            && (table.contains(table.shape().split(pair)) || self.strays().contains(&pair))
    }

    /// How many pairs a table of so many buckets takes.
    fn most(buckets: u64) -> u64 {
        buckets * BUCKET as u64 / 10 * 9
    }

    /// The table, with room for so many more pairs of these widths.
    fn with_room(
        &self,
        more: usize,
        widths: Widths,
        lane: &mut Lane,
    ) -> RwLockReadGuard<'_, Arc<AnyTable>> {
        loop {
            let table = self.table.read(lane);
            if self.has_room(&table, more, widths) {
                return table;
            }
            drop(table);
            self.grow(more, widths);
        }
    }

    fn has_room(&self, table: &AnyTable, more: usize, widths: Widths) -> bool {
        let len = self.len.load(Ordering::Relaxed) + more as u64;
        len <= Buckets::most(table.shape().buckets) && widths.fit(table.shape().widths)
    }

    #[cold]
    fn grow(&self, more: usize, widths: Widths) {
        let mut locked = self.table.lock();
        if self.has_room(locked.get(), more, widths) {
            return;
        }
        let shape = self.next_shape(*locked.get().shape(), more, widths);
        let table = AnyTable::new(shape);
        // Nothing is laid out for the table that is there meanwhile.
        let old = locked.replace(AnyTable::new(Shape::new(shape.widths, FIRST_BUCKETS)));
        let strays = std::mem::take(&mut *self.strays());
        let place = |pair| {
            if table.insert(table.shape().split(pair)).is_none() {
                self.insert_stray(pair);
            }
        };
        old.drain(place);
        strays.into_iter().for_each(place);
        self.extent.set(&table);
        locked.replace(table);
    }

    /// The shape after growing. Where pairs get wider they get as wide as small slots allow, so that it does
    /// not happen often.
    fn next_shape(&self, old: Shape, more: usize, widths: Widths) -> Shape {
        let len = self.len.load(Ordering::Relaxed) + more as u64;
        let mut buckets = old.buckets;
        while len > Buckets::most(buckets) {
            // By a quarter, but small tables by more: they grow often.
            buckets += (buckets / 4).max(FIRST_BUCKETS);
        }
        if widths.fit(old.widths) {
            return Shape::new(old.widths, buckets);
        }
        let needed =
            Widths { low: widths.low.max(old.widths.low), high: widths.high.max(old.widths.high) };
        let free = (u32::BITS - AWAY_BITS - 1 + buckets.ilog2()).saturating_sub(needed.bits());
        Shape::new(needed.wider(free.max(2)), buckets)
    }

    /// Bytes held.
    pub(super) fn bytes(&self) -> u64 {
        self.extent.bytes.load(Ordering::Relaxed)
    }

    /// Bytes held once so many more pairs are there, at most.
    pub(super) fn bytes_after(&self, more: usize, widths: Widths) -> u64 {
        let len = self.len.load(Ordering::Relaxed) + more as u64;
        let most = Buckets::most(self.extent.buckets.load(Ordering::Relaxed));
        let bytes = self.bytes();
        if len <= most && widths.fit(self.extent.widths()) {
            return bytes;
        }
        let table = self.table.glance();
        let shape = self.next_shape(*table.shape(), more, widths);
        let slot = if Table::<AtomicU32>::fits(&shape) { 4 } else { 8 };
        let new = bytes_of(&shape, slot);
        // The old table goes piece by piece, unless pairs lie elsewhere from now on.
        let both = shape.widths != table.shape().widths;
        if both { bytes + new } else { new + (CHUNK * BUCKET) as u64 * 8 }
    }

    /// Writes the pairs, those that found no slot last. No thread is inserting.
    pub(super) fn save(&self, to: &mut Writer<'_>) -> io::Result<()> {
        let (table, strays) = (self.table.glance(), self.strays());
        let Shape { widths, buckets, .. } = *table.shape();
        (widths.low, widths.high).save(to)?;
        buckets.save(to)?;
        self.len.load(Ordering::Relaxed).save(to)?;
        table.try_for_each(|pair| pair.save(to))?;
        strays.iter().try_for_each(|pair| pair.save(to))
    }

    /// Reads pairs into a table of the same shape.
    pub(super) fn restore(from: &mut Reader<'_>) -> io::Result<Buckets> {
        let (low, high) = <(u32, u32)>::restore(from)?;
        let (buckets, len) = (u64::restore(from)?, from.length()?);
        let are_widths = (1..=32).contains(&low) && (1..=32).contains(&high);
        // A table grows only when it is nearly full.
        let is_needed = FIRST_BUCKETS <= buckets && buckets <= 2 * (FIRST_BUCKETS + len as u64);
        if !are_widths || !is_needed || len as u64 > Buckets::most(buckets) {
            return Err(damaged("a table of pairs has no such shape"));
        }
        let widths = Widths { low, high };
        let set = Buckets::of(AnyTable::new(Shape::new(widths, buckets)));
        let mut lane = Lane::default();
        let mut pairs = Vec::with_capacity(BATCH);
        for at in 1..=len {
            let pair = u64::restore(from)?;
            if (pair & 0xffff_ffff) >> low != 0 || (pair >> 32) >> high != 0 {
                return Err(damaged("a pair is too large"));
            }
            pairs.push(pair);
            if pairs.len() == BATCH || at == len {
                set.insert_all(&pairs, widths, &mut lane, |_, _| {});
                pairs.clear();
            }
        }
        Ok(set)
    }

    /// Slots of the table.
    pub(super) fn slots(&self) -> u64 {
        self.extent.buckets.load(Ordering::Relaxed) * BUCKET as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread;

    /// The widths of the numbers of some pairs.
    fn widths_of(pairs: &[u64]) -> Widths {
        let most = |f: fn(u64) -> u64| bits(pairs.iter().map(|&p| f(p)).max().unwrap_or(0)).max(1);
        Widths { low: most(|p| p & 0xffff_ffff), high: most(|p| p >> 32) }
    }

    fn check(pairs: &[u64]) {
        let set = Buckets::new(Widths { low: 1, high: 1 });
        let mut lane = Lane::default();
        let mut model = HashSet::new();
        for block in pairs.chunks(100) {
            let mut outcomes = Vec::new();
            set.insert_all(block, widths_of(block), &mut lane, |_, new| outcomes.push(new));
            let expected: Vec<bool> = block.iter().map(|&pair| model.insert(pair)).collect();
            assert_eq!(outcomes, expected);
        }
        assert_eq!(set.len.load(Ordering::Relaxed), model.len() as u64);
        assert!(pairs.iter().all(|&pair| set.contains(pair, widths_of(&[pair]))));
        assert!(!set.contains(u64::MAX, widths_of(&[u64::MAX])));
    }

    fn numbers(count: usize, f: impl Fn(u64) -> u64) -> Vec<u64> {
        let mut x = 7_u64;
        let mut next = || {
            x = x.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
            f(x >> 20)
        };
        (0..count).map(|_| next()).collect()
    }

    #[test]
    fn dense_pairs_that_get_wider() {
        let pair = |x: u64| (x & 0xff) | (x >> 8 & 0x3ff) << 32;
        check(&numbers(60_000, pair));
        let grid: Vec<u64> = (0..200_u64).flat_map(|a| (0..=a).map(move |b| a << 32 | b)).collect();
        check(&grid);
    }

    #[test]
    fn sparse_pairs_need_large_slots() {
        let mut pairs = numbers(30_000, |x| x << 20 ^ x);
        pairs.extend_from_within(..);
        check(&pairs);
    }

    #[test]
    fn one_number_alone() {
        check(&numbers(20_000, |x| x & 0x7fff));
        check(&numbers(20_000, |x| (x & 0x7fff) << 32));
    }

    #[test]
    fn threads_agree_on_who_was_first() {
        let set = Buckets::new(Widths { low: 1, high: 1 });
        let pairs = numbers(40_000, |x| (x & 0xfff) | (x >> 12 & 0x7) << 32);
        let new = thread::scope(|scope| {
            let work = |skip: usize| {
                let (mut new, mut lane) = (Vec::new(), Lane::default());
                for block in pairs[skip..].chunks(97) {
                    set.insert_all(block, widths_of(block), &mut lane, |i, is| {
                        new.extend(is.then(|| block[i]))
                    });
                }
                new
            };
            let threads: Vec<_> = (0..4).map(|t| scope.spawn(move || work(t * 1000))).collect();
            threads.into_iter().flat_map(|t| t.join().expect("no panic")).collect::<Vec<_>>()
        });
        let once: HashSet<u64> = new.iter().copied().collect();
        assert_eq!(once.len(), new.len(), "no pair was new twice");
        assert_eq!(once, pairs.iter().copied().collect::<HashSet<_>>());
    }
}
