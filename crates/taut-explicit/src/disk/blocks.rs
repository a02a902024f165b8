//! Blocks of bytes, one after the other: in memory as long as they are few, then in a file.
//!
//! A block is a *head* and its bytes. The head has the number of bytes, a number of the caller's, and a checksum of both,
//! of the bytes and of the block's offset. So a block that was damaged, cut off or read from a wrong offset is
//! noticed before anything in it is believed.
//!
//! Blocks are written at the end only and read anywhere, mostly in order. The last blocks stay in memory until there
//! are enough for one large write. If that write fails, all blocks can still be read: the finding that a search has
//! made does not get lost because the disk is full.

use super::files::{Files, Scratch};
use crate::limits::DiskTrouble;
use crate::limits::Limit;
use taut_machine::hash::hash;

/// Bytes of a head: length, number, checksum.
const HEAD: usize = 16;

/// Blocks that were written.
pub(super) struct Blocks {
    files: Files,
    /// None as long as everything fits the memory.
    file: Option<Scratch>,
    /// The last blocks, which are not in the file.
    tail: Vec<u8>,
    /// Bytes of blocks that are collected for one write.
    buffer: usize,
}

/// What was read of blocks: a part of the file.
#[derive(Default)]
pub(super) struct Window {
    start: u64,
    bytes: Vec<u8>,
}

/// A block as it was read.
#[derive(Clone, Copy)]
pub(super) struct Block<'b> {
    /// The number that was written with it.
    pub(super) number: u32,
    pub(super) bytes: &'b [u8],
    /// The offset of the next block.
    pub(super) end: u64,
}

impl Window {
    /// Bytes held.
    pub(super) fn bytes(&self) -> u64 {
        self.bytes.capacity() as u64
    }

    /// The window without anything in it, for other blocks.
    pub(super) fn emptied(mut self) -> Window {
        self.bytes.clear();
        self.start = 0;
        self
    }

    fn end(&self) -> u64 {
        self.start + self.bytes.len() as u64
    }

    fn has(&self, offset: u64, len: usize) -> bool {
        self.start <= offset && offset + len as u64 <= self.end()
    }
}

impl Blocks {
    /// No blocks; this number of bytes of them are collected for one write.
    pub(super) fn new(files: &Files, buffer: usize) -> Blocks {
        Blocks { files: files.clone(), file: None, tail: Vec::new(), buffer }
    }

    /// The offset of the next block to be written.
    pub(super) fn end(&self) -> u64 {
        self.in_file() + self.tail.len() as u64
    }

    fn in_file(&self) -> u64 {
        self.file.as_ref().map_or(0, Scratch::len)
    }

    /// Bytes held in memory.
    pub(super) fn bytes(&self) -> u64 {
        self.tail.capacity() as u64
    }

    /// Adds a block.
    pub(super) fn push(&mut self, number: u32, bytes: &[u8]) -> Result<(), Limit> {
        let offset = self.end();
        let len = u32::try_from(bytes.len()).expect("a block is shorter than 4 GiB");
        self.tail.extend_from_slice(&len.to_le_bytes());
        self.tail.extend_from_slice(&number.to_le_bytes());
        self.tail.extend_from_slice(&checksum(offset, number, bytes).to_le_bytes());
        self.tail.extend_from_slice(bytes);
        if self.tail.len() >= self.buffer { self.write() } else { Ok(()) }
    }

    /// Writes what is in memory to the file.
    pub(super) fn write(&mut self) -> Result<(), Limit> {
        let file = match &mut self.file {
            Some(file) => file,
            none => none.insert(self.files.create()?),
        };
        file.append(&self.tail)?;
        self.tail.clear();
        Ok(())
    }

    /// Gives the memory of collected blocks back; there are none.
    pub(super) fn shrink(&mut self) {
        debug_assert!(self.tail.is_empty(), "everything was written");
        self.tail = Vec::new();
    }

    /// Removes all blocks.
    pub(super) fn clear(&mut self) -> Result<(), Limit> {
        self.tail.clear();
        self.file.as_mut().map_or(Ok(()), Scratch::clear)
    }

    /// The block at an offset.
    pub(super) fn block<'b>(
        &'b self,
        offset: u64,
        window: &'b mut Window,
    ) -> Result<Block<'b>, Limit> {
        let head = self.part(offset, HEAD, window)?;
        let (len, number) = (number_at(head, 0), number_at(head, 4));
        let sum = u64::from(number_at(head, 8)) | u64::from(number_at(head, 12)) << 32;
        let end = offset + HEAD as u64 + u64::from(len);
        if end > self.end() {
            return Err(DiskTrouble::Damaged.into());
        }
        let bytes = self.part(offset + HEAD as u64, len as usize, window)?;
        if checksum(offset, number, bytes) != sum {
            return Err(DiskTrouble::Damaged.into());
        }
        Ok(Block { number, bytes, end })
    }

    /// A part of what was written: of the tail, of the window, or read into the window.
    fn part<'b>(
        &'b self,
        offset: u64,
        len: usize,
        window: &'b mut Window,
    ) -> Result<&'b [u8], Limit> {
        let in_file = self.in_file();
        if offset >= in_file {
            let start = (offset - in_file) as usize;
            return self.tail.get(start..start + len).ok_or(DiskTrouble::Damaged.into());
        }
        if !window.has(offset, len) {
            self.read(offset, len, window)?;
        }
        let start = (offset - window.start) as usize;
        window.bytes.get(start..start + len).ok_or(DiskTrouble::Damaged.into())
    }

    /// Reads bytes into the window, and some more if they are read in order.
    fn read(&self, offset: u64, len: usize, window: &mut Window) -> Result<(), Limit> {
        let Some(file) = &self.file else { return Err(DiskTrouble::Damaged.into()) };
        let in_order = (window.start..=window.end()).contains(&offset);
        let ahead = if in_order { self.buffer } else { self.buffer / 64 };
        window.bytes.resize(len.max(ahead), 0);
        window.start = offset;
        let there = file.read(offset, &mut window.bytes);
        // After a failure there is nothing in the window.
        window.bytes.truncate(*there.as_ref().unwrap_or(&0));
        there.map(|_| ())
    }

    /// Changes a byte of the file.
    #[cfg(test)]
    pub(super) fn damage(&mut self, offset: u64) {
        self.file.as_mut().expect("a file").damage(offset);
    }
}

fn number_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
}

/// A hash of everything that a block has to be.
fn checksum(offset: u64, number: u32, bytes: &[u8]) -> u64 {
    let start = hash(&[offset, u64::from(number), bytes.len() as u64]);
    let (words, rest) = bytes.as_chunks::<8>();
    let sum = words.iter().fold(start, |sum, word| fold(sum, u64::from_le_bytes(*word)));
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    fold(sum, u64::from_le_bytes(last))
}

/// One multiplication per word: checksums take a fraction of the time of decoding.
#[inline]
fn fold(sum: u64, word: u64) -> u64 {
    let product = u128::from(sum ^ word) * 0x9e37_79b9_7f4a_7c15_u128;
    (product as u64) ^ ((product >> 64) as u64) ^ sum.rotate_left(23)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files() -> Files {
        Files::new(std::env::temp_dir(), u64::MAX)
    }

    /// Blocks of several sizes, with their offsets.
    fn some(buffer: usize) -> (Blocks, Vec<u64>) {
        let mut blocks = Blocks::new(&files(), buffer);
        let offsets = (0_u32..40).map(|i| {
            let offset = blocks.end();
            blocks.push(i, &vec![i as u8; i as usize * 3]).expect("room");
            offset
        });
        let offsets = offsets.collect();
        (blocks, offsets)
    }

    #[test]
    fn blocks_are_read_in_any_order_from_file_and_memory() {
        for buffer in [1, 50, 700, 1 << 20] {
            let (blocks, offsets) = some(buffer);
            let mut window = Window::default();
            let forth = 0..offsets.len();
            for i in forth.clone().chain(forth.rev()).chain([3, 30, 4, 31]) {
                let block = blocks.block(offsets[i], &mut window).expect("a block");
                assert_eq!((block.number, block.bytes), (i as u32, &*vec![i as u8; i * 3]));
                assert_eq!(block.end, offsets.get(i + 1).copied().unwrap_or(blocks.end()));
            }
        }
    }

    #[test]
    fn every_damaged_byte_is_noticed() {
        let (mut blocks, offsets) = some(1);
        for offset in offsets[7]..offsets[8] {
            blocks.damage(offset);
            let read = blocks.block(offsets[7], &mut Window::default()).map(|block| block.number);
            assert_eq!(read, Err(Limit::Disk(DiskTrouble::Damaged)), "{offset}");
            blocks.damage(offset);
        }
        assert!(blocks.block(offsets[7], &mut Window::default()).is_ok());
        assert!(blocks.block(offsets[7] + 1, &mut Window::default()).is_err());
    }

    #[test]
    fn blocks_that_could_not_be_written_can_be_read() {
        let files = Files::new(std::env::temp_dir(), 100);
        let mut blocks = Blocks::new(&files, 60);
        let mut pushed = Vec::new();
        let end = loop {
            pushed.push(blocks.end());
            if let Err(end) = blocks.push(pushed.len() as u32, &[7; 20]) {
                break end;
            }
        };
        assert_eq!(end, Limit::Disk(DiskTrouble::Most(100)));
        for (i, &offset) in pushed.iter().enumerate() {
            let mut window = Window::default();
            let block = blocks.block(offset, &mut window).expect("a block");
            assert_eq!((block.number, block.bytes), (i as u32 + 1, &[7; 20][..]));
        }
        drop(blocks);
        assert!(files.peak() > 0);
    }

    #[test]
    fn bytes_of_files_are_counted_until_they_are_gone() {
        let files = files();
        let mut blocks = Blocks::new(&files, 1);
        blocks.push(0, &[1; 84]).expect("room");
        assert_eq!(files.peak(), 100);
        blocks.clear().expect("a file");
        blocks.push(0, &[1; 14]).expect("room");
        assert_eq!((files.peak(), blocks.end()), (100, 30));
    }
}
