//! A queue of records of a few words: written to its end, then read from its start as often as needed.
//!
//! The states of a level wait in one. A small queue stays in memory.

use super::blocks::{Blocks, Window};
use super::files::Files;
use crate::limits::DiskTrouble;
use crate::limits::Limit;
use crate::sizes::Sizes;

/// Records that were written.
pub(super) struct Spool {
    words: usize,
    blocks: Blocks,
    /// The records of the block that is being filled.
    open: Vec<u64>,
    len: u64,
    /// Words of a block, at least.
    block: usize,
}

impl Spool {
    /// No records, of so many words each.
    pub(super) fn new(files: &Files, words: usize, sizes: &Sizes) -> Spool {
        let blocks = Blocks::new(files, sizes.buffer);
        Spool { words, blocks, open: Vec::new(), len: 0, block: sizes.buffer / 32 }
    }

    /// Number of records.
    pub(super) fn len(&self) -> u64 {
        self.len
    }

    /// Adds a record.
    pub(super) fn push(&mut self, record: &[u64]) -> Result<(), Limit> {
        debug_assert_eq!(record.len(), self.words);
        self.open.extend_from_slice(record);
        self.len += 1;
        if self.open.len() >= self.block { self.seal() } else { Ok(()) }
    }

    /// Ends the block that is being filled, before records are read.
    pub(super) fn seal(&mut self) -> Result<(), Limit> {
        if self.open.is_empty() {
            return Ok(());
        }
        let records = (self.open.len() / self.words) as u32;
        let pushed = self.blocks.push(records, bytemuck::cast_slice(&self.open));
        self.open.clear();
        pushed
    }

    /// Removes all records.
    pub(super) fn clear(&mut self) -> Result<(), Limit> {
        self.open.clear();
        self.len = 0;
        self.blocks.clear()
    }

    /// Bytes held in memory.
    pub(super) fn bytes(&self) -> u64 {
        self.open.capacity() as u64 * 8 + self.blocks.bytes()
    }
}

/// The place in a queue up to which records were read. It is for one queue, until that is changed.
#[derive(Default)]
pub(super) struct Cursor {
    window: Window,
    offset: u64,
    /// The words of the block that is being read, and how many of them were read.
    block: Vec<u64>,
    read: usize,
}

impl Cursor {
    /// Bytes held in memory.
    pub(super) fn bytes(&self) -> u64 {
        self.block.capacity() as u64 * 8 + self.window.bytes()
    }

    /// Goes back to the start; the queue may be another one.
    pub(super) fn rewind(&mut self) {
        self.window = std::mem::take(&mut self.window).emptied();
        self.offset = 0;
        self.block.clear();
        self.read = 0;
    }

    /// The next record, if there is one. The queue was sealed.
    #[inline]
    pub(super) fn next<'c>(&'c mut self, spool: &Spool) -> Result<Option<&'c [u64]>, Limit> {
        debug_assert!(spool.open.is_empty(), "the queue was sealed");
        if self.read == self.block.len() && !self.next_block(spool)? {
            return Ok(None);
        }
        let start = self.read;
        self.read += spool.words;
        Ok(Some(&self.block[start..self.read]))
    }

    fn next_block(&mut self, spool: &Spool) -> Result<bool, Limit> {
        if self.offset == spool.blocks.end() {
            return Ok(false);
        }
        let block = spool.blocks.block(self.offset, &mut self.window)?;
        let (words, rest) = block.bytes.as_chunks::<8>();
        let fits = words.len() == block.number as usize * spool.words && rest.is_empty();
        if !fits || words.is_empty() {
            return Err(DiskTrouble::Damaged.into());
        }
        self.block.clear();
        self.block.extend(words.iter().map(|word| u64::from_ne_bytes(*word)));
        (self.read, self.offset) = (0, block.end);
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_come_back_in_order_as_often_as_they_are_read() {
        let files = Files::new(std::env::temp_dir(), u64::MAX);
        for (buffer, count) in [(64, 100_u64), (1 << 12, 5_000), (1 << 18, 10), (64, 0)] {
            let sizes = Sizes { buffer, ..Sizes::within(None, 3) };
            let mut spool = Spool::new(&files, 3, &sizes);
            let mut cursor = Cursor::default();
            for turn in 0..3 {
                spool.clear().expect("a file");
                (0..count).for_each(|i| spool.push(&[i, turn, i * i]).expect("room"));
                spool.seal().expect("room");
                assert_eq!(spool.len(), count);
                for _ in 0..2 {
                    cursor.rewind();
                    for i in 0..count {
                        let record = cursor.next(&spool).expect("a file");
                        assert_eq!(record, Some(&[i, turn, i * i][..]));
                    }
                    assert_eq!(cursor.next(&spool).expect("a file"), None);
                }
            }
        }
    }
}
