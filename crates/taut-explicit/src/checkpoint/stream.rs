//! Streams of checked blocks, and how plain values are written to them.
//!
//! A file is a magic number, the version of the format, and blocks of at most 64 KiB. A block is its length, a
//! checksum and its bytes. The checksum covers the number of the block too, so that a block that is missing, doubled
//! or moved is noticed. An empty block is the last one. A value is read from blocks only after their checksums
//! have been compared.
//!
//! Values are written in little-endian order without names. A list begins with its length. A reader takes memory as
//! the elements arrive, so a wrong length costs nothing.

use std::io::{self, Read, Write};
use std::time::Duration;

const MAGIC: [u8; 8] = *b"TautCkpt";
/// The version of the format. Files of other versions are refused.
const FORMAT: u32 = 1;
/// Bytes of a full block.
const BLOCK: usize = 1 << 16;
/// Elements of a list for which memory is taken before they are read.
const AT_ONCE: usize = 1 << 12;

/// An error that says what is wrong with a file.
pub fn damaged(why: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, why)
}

fn checksum(index: u64, bytes: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&index.to_le_bytes());
    hasher.update(bytes);
    hasher.finalize()
}

/// Writes values as blocks.
pub struct Writer<'w> {
    out: &'w mut dyn Write,
    block: Vec<u8>,
    index: u64,
}

impl<'w> Writer<'w> {
    /// Begins a file.
    pub fn new(out: &'w mut dyn Write) -> io::Result<Writer<'w>> {
        out.write_all(&MAGIC)?;
        out.write_all(&FORMAT.to_le_bytes())?;
        Ok(Writer { out, block: Vec::with_capacity(BLOCK), index: 0 })
    }

    /// Writes bytes as they are.
    pub fn raw(&mut self, mut bytes: &[u8]) -> io::Result<()> {
        while !bytes.is_empty() {
            let (now, later) = bytes.split_at(bytes.len().min(BLOCK - self.block.len()));
            self.block.extend_from_slice(now);
            bytes = later;
            if self.block.len() == BLOCK {
                self.end_block()?;
            }
        }
        Ok(())
    }

    fn end_block(&mut self) -> io::Result<()> {
        self.out.write_all(&(self.block.len() as u32).to_le_bytes())?;
        self.out.write_all(&checksum(self.index, &self.block).to_le_bytes())?;
        self.out.write_all(&self.block)?;
        self.block.clear();
        self.index += 1;
        Ok(())
    }

    /// Ends the file.
    pub fn finish(mut self) -> io::Result<()> {
        if !self.block.is_empty() {
            self.end_block()?;
        }
        self.end_block()?;
        self.out.flush()
    }
}

/// Reads values from blocks.
pub struct Reader<'r> {
    from: Box<dyn Read + 'r>,
    /// Bytes of the file that were not read yet.
    left: u64,
    block: Vec<u8>,
    at: usize,
    index: u64,
    ended: bool,
}

impl<'r> Reader<'r> {
    /// Begins to read a file of so many bytes.
    pub fn new(from: Box<dyn Read + 'r>, length: u64) -> io::Result<Reader<'r>> {
        let (block, at, index) = (Vec::new(), 0, 0);
        let mut reader = Reader { from, left: length, block, at, index, ended: false };
        let mut magic = [0; 8];
        reader.file(&mut magic)?;
        if magic != MAGIC {
            return Err(damaged("this is no checkpoint of Taut"));
        }
        let mut format = [0; 4];
        reader.file(&mut format)?;
        if u32::from_le_bytes(format) != FORMAT {
            return Err(damaged("it has another format; another version of Taut wrote it"));
        }
        Ok(reader)
    }

    /// Reads bytes of the file.
    fn file(&mut self, to: &mut [u8]) -> io::Result<()> {
        let length = to.len() as u64;
        self.left = self.left.checked_sub(length).ok_or_else(|| damaged("it ends too early"))?;
        self.from.read_exact(to).map_err(|error| match error.kind() {
            io::ErrorKind::UnexpectedEof => damaged("it ends too early"),
            _ => error,
        })
    }

    fn next_block(&mut self) -> io::Result<()> {
        if self.ended {
            return Err(damaged("it ends too early"));
        }
        let mut head = [0; 8];
        self.file(&mut head)?;
        let [a, b, c, d, e, f, g, h] = head;
        let length = u32::from_le_bytes([a, b, c, d]) as usize;
        if length > BLOCK {
            return Err(damaged("a block has an impossible length"));
        }
        let mut block = std::mem::take(&mut self.block);
        block.resize(length, 0);
        self.file(&mut block)?;
        if checksum(self.index, &block) != u32::from_le_bytes([e, f, g, h]) {
            return Err(damaged("a checksum is wrong"));
        }
        (self.block, self.at, self.ended) = (block, 0, length == 0);
        self.index += 1;
        Ok(())
    }

    /// Reads bytes as they are.
    pub fn raw(&mut self, mut to: &mut [u8]) -> io::Result<()> {
        while !to.is_empty() {
            if self.at == self.block.len() {
                self.next_block()?;
                continue;
            }
            let count = to.len().min(self.block.len() - self.at);
            let (now, later) = to.split_at_mut(count);
            now.copy_from_slice(&self.block[self.at..self.at + count]);
            self.at += count;
            to = later;
        }
        Ok(())
    }

    /// The most bytes that can still be read. A list has no more elements than that.
    pub fn left(&self) -> u64 {
        self.left + (self.block.len() - self.at) as u64
    }

    /// Reads the length of a list.
    pub fn length(&mut self) -> io::Result<usize> {
        let length = u64::restore(self)?;
        match length <= self.left() {
            true => Ok(length as usize),
            false => Err(damaged("a list is longer than the file")),
        }
    }

    /// Reads up to the end; an error if anything there is damaged or follows it.
    pub fn finish(mut self) -> io::Result<()> {
        while !self.ended {
            self.next_block()?;
        }
        match self.left {
            0 => Ok(()),
            _ => Err(damaged("something follows its end")),
        }
    }
}

/// A value that can be written to a checkpoint and read again.
pub trait Saved: Sized {
    /// Writes it.
    fn save(&self, to: &mut Writer<'_>) -> io::Result<()>;
    /// Reads it.
    fn restore(from: &mut Reader<'_>) -> io::Result<Self>;
}

/// Has a struct written field by field; what stands behind `else` is not written and begins anew.
#[macro_export]
macro_rules! saved {
    ($type:ty { $($field:ident),* $(,)? } $(else $($left:ident),+)?) => {
        impl $crate::checkpoint::Saved for $type {
            fn save(&self, to: &mut $crate::checkpoint::Writer<'_>) -> std::io::Result<()> {
                $($crate::checkpoint::Saved::save(&self.$field, to)?;)*
                Ok(())
            }

            fn restore(from: &mut $crate::checkpoint::Reader<'_>) -> std::io::Result<Self> {
                Ok(Self {
                    $($field: $crate::checkpoint::Saved::restore(from)?,)*
                    $($($left: Default::default()),+)?
                })
            }
        }
    };
}
pub use saved;

macro_rules! numbers {
    ($($type:ty)*) => {$(
        impl Saved for $type {
            fn save(&self, to: &mut Writer<'_>) -> io::Result<()> {
                to.raw(&self.to_le_bytes())
            }

            fn restore(from: &mut Reader<'_>) -> io::Result<$type> {
                let mut bytes = [0; size_of::<$type>()];
                from.raw(&mut bytes)?;
                Ok(<$type>::from_le_bytes(bytes))
            }
        }
    )*};
}
numbers! { u8 u32 u64 }

impl Saved for usize {
    fn save(&self, to: &mut Writer<'_>) -> io::Result<()> {
        (*self as u64).save(to)
    }

    fn restore(from: &mut Reader<'_>) -> io::Result<usize> {
        usize::try_from(u64::restore(from)?).map_err(|_| damaged("a number is too large"))
    }
}

impl Saved for bool {
    fn save(&self, to: &mut Writer<'_>) -> io::Result<()> {
        u8::from(*self).save(to)
    }

    fn restore(from: &mut Reader<'_>) -> io::Result<bool> {
        match u8::restore(from)? {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(damaged("a truth value is neither true nor false")),
        }
    }
}

impl Saved for Duration {
    fn save(&self, to: &mut Writer<'_>) -> io::Result<()> {
        self.as_secs().save(to)?;
        self.subsec_nanos().save(to)
    }

    fn restore(from: &mut Reader<'_>) -> io::Result<Duration> {
        let (seconds, nanos) = (u64::restore(from)?, u32::restore(from)?);
        match nanos < 1_000_000_000 {
            true => Ok(Duration::new(seconds, nanos)),
            false => Err(damaged("a time is none")),
        }
    }
}

impl Saved for String {
    fn save(&self, to: &mut Writer<'_>) -> io::Result<()> {
        self.len().save(to)?;
        to.raw(self.as_bytes())
    }

    fn restore(from: &mut Reader<'_>) -> io::Result<String> {
        String::from_utf8(Vec::restore(from)?).map_err(|_| damaged("a text is none"))
    }
}

impl<T: Saved> Saved for Option<T> {
    fn save(&self, to: &mut Writer<'_>) -> io::Result<()> {
        self.is_some().save(to)?;
        self.iter().try_for_each(|value| value.save(to))
    }

    fn restore(from: &mut Reader<'_>) -> io::Result<Option<T>> {
        bool::restore(from)?.then(|| T::restore(from)).transpose()
    }
}

impl<T: Saved> Saved for Vec<T> {
    fn save(&self, to: &mut Writer<'_>) -> io::Result<()> {
        self.len().save(to)?;
        self.iter().try_for_each(|value| value.save(to))
    }

    fn restore(from: &mut Reader<'_>) -> io::Result<Vec<T>> {
        let length = from.length()?;
        let mut all = Vec::with_capacity(length.min(AT_ONCE));
        for _ in 0..length {
            all.push(T::restore(from)?);
        }
        Ok(all)
    }
}

impl<A: Saved, B: Saved> Saved for (A, B) {
    fn save(&self, to: &mut Writer<'_>) -> io::Result<()> {
        self.0.save(to)?;
        self.1.save(to)
    }

    fn restore(from: &mut Reader<'_>) -> io::Result<(A, B)> {
        Ok((A::restore(from)?, B::restore(from)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn written(lists: &Vec<Vec<u64>>) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut writer = Writer::new(&mut bytes).expect("memory");
        lists.save(&mut writer).expect("memory");
        writer.finish().expect("memory");
        bytes
    }

    fn read(bytes: &[u8]) -> io::Result<Vec<Vec<u64>>> {
        let mut reader = Reader::new(Box::new(bytes), bytes.len() as u64)?;
        let lists = Saved::restore(&mut reader)?;
        reader.finish()?;
        Ok(lists)
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_and_what_is_changed_is_refused(
            lists in prop::collection::vec(prop::collection::vec(any::<u64>(), 0..3_000), 0..12),
            at: prop::sample::Index,
            bit in 0_u32..8,
        ) {
            let bytes = written(&lists);
            prop_assert_eq!(read(&bytes).expect("whole"), lists);
            let at = at.index(bytes.len());
            prop_assert!(read(&bytes[..at]).is_err(), "a file that ends early");
            let mut flipped = bytes.clone();
            flipped[at] ^= 1 << bit;
            prop_assert!(read(&flipped).is_err(), "a file with another bit at {}", at);
            let longer = [bytes.as_slice(), &[0]].concat();
            prop_assert!(read(&longer).is_err(), "a file with something behind it");
        }
    }

    #[test]
    fn blocks_that_change_places_are_noticed() {
        let bytes = written(&vec![(0..30_000).collect()]);
        let block = BLOCK + 8;
        let (head, blocks) = bytes.split_at(12);
        let swapped = [head, &blocks[block..2 * block], &blocks[..block], &blocks[2 * block..]];
        assert!(read(&swapped.concat()).is_err());
        let missing = [head, &blocks[block..]];
        assert!(read(&missing.concat()).is_err());
    }

    #[test]
    fn a_length_takes_no_memory() {
        let mut bytes = Vec::new();
        let mut writer = Writer::new(&mut bytes).expect("memory");
        u64::MAX.save(&mut writer).expect("memory");
        writer.finish().expect("memory");
        assert!(read(&bytes).is_err());
    }
}
