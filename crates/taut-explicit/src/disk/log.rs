//! The way to every state, in about a byte per state, on disk.
//!
//! As the log of a search in memory: for each state of a level, in the order of discovery, the position of its source in
//! the level before and the ordinal of the successor. The distance from one source to the next is small, and so is
//! the ordinal; both are written as one number of variable length, the ordinal in its lowest bits.
//!
//! The way to a state is found backwards: the part of its level is read from the beginning, then the part of the level
//! before, and so on; at most all of the log once.

use super::blocks::{Blocks, Window};
use super::files::Files;
use crate::limits::DiskTrouble;
use crate::limits::Limit;
use crate::sizes::Sizes;

/// Bits of a number that are the ordinal. An ordinal that does not fit follows as a number of its own.
const ORDINAL_BITS: u32 = 4;
const LARGE_ORDINAL: u64 = (1 << ORDINAL_BITS) - 1;

/// Where a state was found: the position of its source in the level before, and which of its successors it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Found {
    pub(super) source: u64,
    pub(super) ordinal: u32,
}

/// How each state was found.
pub(super) struct Log {
    blocks: Blocks,
    open: Vec<u8>,
    block: usize,
    /// Where each level starts but the first, which is the initial state: the offset of a block, and a byte in it.
    levels: Vec<(u64, u32)>,
    /// The source of the last state.
    last: u64,
}

impl Log {
    /// An empty log.
    pub(super) fn new(files: &Files, sizes: &Sizes) -> Log {
        let blocks = Blocks::new(files, sizes.buffer);
        Log { blocks, open: Vec::new(), block: sizes.buffer / 4, levels: vec![(0, 0)], last: 0 }
    }

    /// Notes where the next state was found.
    pub(super) fn push(&mut self, found: Found) -> Result<(), Limit> {
        // A source that is expanded in full after others lies behind.
        let distance = zigzag(found.source.wrapping_sub(self.last) as i64);
        let ordinal = u64::from(found.ordinal);
        let small = ordinal.min(LARGE_ORDINAL);
        push_number(u128::from(distance) << ORDINAL_BITS | u128::from(small), &mut self.open);
        if small == LARGE_ORDINAL {
            push_number(u128::from(ordinal - small), &mut self.open);
        }
        self.last = found.source;
        if self.open.len() >= self.block { self.seal() } else { Ok(()) }
    }

    fn seal(&mut self) -> Result<(), Limit> {
        let pushed = self.blocks.push(0, &self.open);
        self.open.clear();
        pushed
    }

    /// Notes that a level is finished.
    pub(super) fn end_level(&mut self) {
        self.levels.push((self.blocks.end(), self.open.len() as u32));
        self.last = 0;
    }

    /// The ordinals of the successors on the way from the initial state to a state, given its level and its position
    /// there.
    pub(super) fn way(&self, level: usize, position: u64) -> Result<Vec<u32>, Limit> {
        let mut way = Vec::with_capacity(level);
        let mut position = position;
        for level in (0..level).rev() {
            let found = self.found(self.levels[level], position)?;
            way.push(found.ordinal);
            position = found.source;
        }
        way.reverse();
        Ok(way)
    }

    /// Where the state at a position of a level was found.
    fn found(&self, (offset, at): (u64, u32), position: u64) -> Result<Found, Limit> {
        let mut bytes =
            Bytes { log: self, offset, block: Vec::new(), at: 0, window: Window::default() };
        bytes.next_block()?;
        bytes.at = at as usize;
        let mut found = Found { source: 0, ordinal: 0 };
        for _ in 0..=position {
            let number = bytes.number()?;
            let distance = unzigzag((number >> ORDINAL_BITS) as u64);
            found.source = found.source.wrapping_add(distance as u64);
            let small = number as u64 & LARGE_ORDINAL;
            let rest = if small == LARGE_ORDINAL { bytes.number()? as u64 } else { 0 };
            found.ordinal = (small + rest) as u32;
        }
        Ok(found)
    }

    /// Bytes held in memory.
    pub(super) fn bytes(&self) -> u64 {
        let levels = self.levels.capacity() * size_of::<(u64, u32)>();
        (levels + self.open.capacity()) as u64 + self.blocks.bytes()
    }
}

fn zigzag(number: i64) -> u64 {
    (number << 1 ^ number >> 63) as u64
}

fn unzigzag(number: u64) -> i64 {
    (number >> 1) as i64 ^ -((number & 1) as i64)
}

/// Seven bits per byte, the last byte without the highest bit.
fn push_number(mut number: u128, out: &mut Vec<u8>) {
    while number > 0x7f {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// The bytes of a log from a place on.
struct Bytes<'l> {
    log: &'l Log,
    /// The offset of the next block.
    offset: u64,
    block: Vec<u8>,
    at: usize,
    window: Window,
}

impl Bytes<'_> {
    /// Goes to the next block, or to what is not in a block yet.
    fn next_block(&mut self) -> Result<(), Limit> {
        self.at = 0;
        self.block.clear();
        if self.offset == self.log.blocks.end() {
            self.block.extend_from_slice(&self.log.open);
            // There is nothing after it.
            self.offset = u64::MAX;
            return Ok(());
        }
        if self.offset == u64::MAX {
            return Err(DiskTrouble::Damaged.into());
        }
        let block = self.log.blocks.block(self.offset, &mut self.window)?;
        self.block.extend_from_slice(block.bytes);
        self.offset = block.end;
        Ok(())
    }

    fn byte(&mut self) -> Result<u8, Limit> {
        while self.at == self.block.len() {
            self.next_block()?;
        }
        self.at += 1;
        Ok(self.block[self.at - 1])
    }

    fn number(&mut self) -> Result<u128, Limit> {
        let (mut number, mut shift) = (0_u128, 0);
        loop {
            let byte = self.byte()?;
            number |= u128::from(byte & 0x7f) << shift;
            shift += 7;
            if byte & 0x80 == 0 {
                return Ok(number);
            }
            if shift >= 70 {
                return Err(DiskTrouble::Damaged.into());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn log(buffer: usize) -> Log {
        let files = Files::new(std::env::temp_dir(), u64::MAX);
        Log::new(&files, &Sizes { buffer, ..Sizes::within(None, 1) })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn what_is_noted_is_read_again(
            founds in prop::collection::vec(
                (prop_oneof![0_u64..2_000, 1_u64 << 40..1 << 41], prop_oneof![0_u32..40, any::<u32>()]),
                1..300
            ),
            buffer in prop_oneof![Just(64_usize), Just(1 << 12)],
        ) {
            let mut log = log(buffer);
            log.push(Found { source: 0, ordinal: 77 }).expect("room");
            log.end_level();
            for &(source, ordinal) in &founds {
                log.push(Found { source, ordinal }).expect("room");
            }
            for (i, &(source, ordinal)) in founds.iter().enumerate() {
                let found = log.found(log.levels[1], i as u64);
                prop_assert_eq!(found, Ok(Found { source, ordinal }));
            }
            prop_assert!(log.found(log.levels[1], founds.len() as u64).is_err());
        }
    }

    #[test]
    fn a_way_goes_from_level_to_level() {
        let mut log = log(64);
        let found = |source, ordinal| Found { source, ordinal };
        for ordinal in [3, 5, 40] {
            log.push(found(0, ordinal)).expect("room");
        }
        log.end_level();
        log.push(found(2, 1)).expect("room");
        log.end_level();
        log.push(found(0, 9)).expect("room");
        assert_eq!(log.way(0, 0), Ok(vec![]));
        assert_eq!(log.way(1, 1), Ok(vec![5]));
        assert_eq!(log.way(3, 0), Ok(vec![40, 1, 9]));
    }
}
