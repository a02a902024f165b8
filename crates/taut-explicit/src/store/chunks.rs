//! Rows of atomics by number: an arena that several threads read and write, and that grows without moving.
//!
//! A row is made of zeros when its chunk is first asked for. Chunks are laid out like floating-point numbers:
//! the numbers from 2^e up to 2^(e+1) lie in 16 chunks of the same size, so that at most one part in 16 is
//! laid out in vain, small arenas are small, and a few hundred chunks are enough for all 32-bit numbers.
//!
//! # What threads may expect of each other
//! Words are read and written with relaxed atomics. Who wants another thread to see a row whole publishes its
//! number by a release store after it has written the row; who reads the number by an acquire load sees
//! the row. [`super::shared`] does that with the slots of its table.

use std::alloc::{Layout, handle_alloc_error};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use bytemuck::Zeroable;
use bytemuck::allocation::try_zeroed_slice_box;

/// Rows in the first chunk, as a power of two.
const FIRST_BITS: u32 = 8;
/// Chunks that share one power of two, as a power of two.
const PART_BITS: u32 = 4;
const PARTS: usize = 1 << PART_BITS;

/// An atomic number that rows are made of.
pub trait Atomic: Zeroable + Sync + Send {
    /// So many zeros. They come from the system as zeros and are not touched before they are used.
    fn zeros(count: usize) -> Box<[Self]> {
        zeroed_chunk(count)
    }
}

impl Atomic for AtomicU32 {}

impl Atomic for AtomicU64 {}

/// Rows of so many atomics each.
pub struct Chunks<T> {
    width: usize,
    chunks: Box<[OnceLock<Box<[T]>>]>,
}

/// The chunk of a row and its position in it.
#[inline]
fn place(row: u32) -> (usize, usize) {
    if row >> FIRST_BITS == 0 {
        return (0, row as usize);
    }
    let exponent = row.ilog2();
    let part_bits = exponent - PART_BITS;
    let part = (row >> part_bits) as usize & (PARTS - 1);
    let chunk = 1 + (exponent - FIRST_BITS) as usize * PARTS + part;
    (chunk, row as usize & ((1 << part_bits) - 1))
}

/// How many rows a chunk has.
fn rows(chunk: usize) -> usize {
    match chunk {
        0 => 1 << FIRST_BITS,
        _ => 1 << (FIRST_BITS - PART_BITS + ((chunk - 1) / PARTS) as u32),
    }
}

/// The first row after a chunk.
fn end(chunk: usize) -> usize {
    match chunk.checked_sub(1) {
        None => 1 << FIRST_BITS,
        Some(part) => rows(chunk) * (PARTS + part % PARTS + 1),
    }
}

impl<T: Atomic> Chunks<T> {
    /// Rows of `width` zeros.
    pub fn new(width: usize) -> Chunks<T> {
        let count = 1 + (32 - FIRST_BITS) as usize * PARTS;
        Chunks { width, chunks: (0..count).map(|_| OnceLock::new()).collect() }
    }

    /// A row.
    #[inline]
    pub fn row(&self, row: u32) -> &[T] {
        let (chunk, index) = place(row);
        let words = self.chunks[chunk].get_or_init(|| T::zeros(rows(chunk) * self.width));
        &words[index * self.width..(index + 1) * self.width]
    }

    /// The only atomic of a row of one.
    #[inline]
    pub fn cell(&self, row: u32) -> &T {
        &self.row(row)[0]
    }

    /// Bytes held.
    pub fn bytes(&self) -> u64 {
        let held = self.chunks.iter().filter_map(OnceLock::get).map(|c| size_of_val::<[T]>(c));
        (held.sum::<usize>() + size_of_val::<[_]>(&self.chunks)) as u64
    }

    /// Bytes held if so many rows, from the first on, are in use.
    pub fn bytes_for(&self, count: u32) -> u64 {
        let rows = if count == 0 { 0 } else { end(place(count - 1).0) };
        (rows * self.width * size_of::<T>() + size_of_val::<[_]>(&self.chunks)) as u64
    }
}

impl Chunks<AtomicU64> {
    /// Writes a row.
    #[inline]
    pub fn write(&self, row: u32, words: &[u64]) {
        for (to, &word) in self.row(row).iter().zip(words) {
            to.store(word, Ordering::Relaxed);
        }
    }

    /// Reads a row.
    #[inline]
    pub fn read(&self, row: u32, words: &mut [u64]) {
        for (word, from) in words.iter_mut().zip(self.row(row)) {
            *word = from.load(Ordering::Relaxed);
        }
    }

    /// Whether a row has these words.
    #[inline]
    pub fn is(&self, row: u32, words: &[u64]) -> bool {
        self.row(row).iter().zip(words).all(|(a, &b)| a.load(Ordering::Relaxed) == b)
    }
}

/// A chunk of zeros from the system. Where it refuses the memory, the process ends as after any other allocation.
fn zeroed_chunk<T: Zeroable>(length: usize) -> Box<[T]> {
    try_zeroed_slice_box(length).unwrap_or_else(|()| match Layout::array::<T>(length) {
        Ok(layout) => handle_alloc_error(layout),
        Err(_) => unreachable!("chunks are far smaller than the address space"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_has_its_own_place() {
        let mut expected = (0, 0);
        for row in 0..1_u32 << 17 {
            assert_eq!(place(row), expected);
            expected.1 += 1;
            if expected.1 == rows(expected.0) {
                assert_eq!(row as usize + 1, end(expected.0));
                expected = (expected.0 + 1, 0);
            }
        }
    }

    #[test]
    fn the_last_row_has_a_chunk() {
        let (chunk, index) = place(u32::MAX);
        assert_eq!(chunk + 1, Chunks::<AtomicU32>::new(1).chunks.len());
        assert_eq!(index + 1, rows(chunk));
    }

    #[test]
    fn rows_are_laid_out_when_asked_for() {
        let chunks = Chunks::<AtomicU64>::new(3);
        let empty = chunks.bytes();
        assert_eq!(empty, chunks.bytes_for(0));
        chunks.write(1000, &[1, 2, 3]);
        assert!(chunks.is(1000, &[1, 2, 3]));
        assert!(chunks.is(1001, &[0, 0, 0]));
        assert_eq!(chunks.bytes() - empty, rows(place(1000).0) as u64 * 24);
        assert!(chunks.bytes_for(1 << 20) - empty <= (1 << 20) / 16 * 17 * 24);
    }
}
