//! A sorted file of states.
//!
//! States are in lexicographic order of their words, in blocks. Within a block each state is the difference from the
//! one before ([`super::code`]). The index in memory has the first state and the offset of every block, so that blocks
//! which cannot have any of the states that are looked up are not read.

use std::cmp::Ordering;

use super::blocks::{Blocks, Window};
use super::code::{decode, encode};
use super::files::Files;
use crate::limits::DiskTrouble;
use crate::limits::{Limit, LimitMonitor};
use crate::sizes::Sizes;

/// A sorted file.
pub(super) struct Run {
    words: usize,
    blocks: Blocks,
    /// The first states of all blocks.
    firsts: Vec<u64>,
    offsets: Vec<u64>,
    states: u64,
}

/// A state that is looked up: its first word and its number in the table. Most comparisons need the first word only.
pub(super) type Key = (u64, u32);

impl Run {
    /// Number of states.
    pub(super) fn states(&self) -> u64 {
        self.states
    }

    /// Bytes held in memory.
    pub(super) fn bytes(&self) -> u64 {
        (self.firsts.capacity() + self.offsets.capacity()) as u64 * 8 + self.blocks.bytes()
    }

    /// Changes a byte of the file.
    #[cfg(test)]
    pub(super) fn damage(&mut self, offset: u64) {
        self.blocks.damage(offset);
    }

    fn first(&self, block: usize) -> &[u64] {
        &self.firsts[block * self.words..(block + 1) * self.words]
    }

    /// The last block from a block on that starts with a state up to this one; none if the first of them starts after it.
    fn block_of(&self, from: usize, state: &[u64]) -> Option<usize> {
        let (mut low, mut high) = (from, self.offsets.len());
        while low < high {
            let middle = low.midpoint(high);
            if self.first(middle) <= state { low = middle + 1 } else { high = middle }
        }
        (low > from).then(|| low - 1)
    }

    /// Looks sorted states up and calls `found` with those that are in the file, in one pass from its start to its end.
    pub(super) fn look_up<'t>(
        &self,
        keys: &[Key],
        state_of: impl Fn(u32) -> &'t [u64],
        window: &mut Window,
        watch: &LimitMonitor,
        mut found: impl FnMut(usize),
    ) -> Result<(), Limit> {
        let (mut at, mut from) = (0, 0);
        let mut state = vec![0; self.words];
        while at < keys.len() {
            let Some(block) = self.block_of(from, state_of(keys[at].1)) else {
                // It comes before everything that is left.
                at += 1;
                continue;
            };
            give_up(watch)?;
            let mut reader = BlockReader::new(self, block, window, &mut state)?;
            while at < keys.len() && reader.advance()? {
                at += passed(&keys[at..], &state_of, reader.state);
                let is_same =
                    |&(first, id): &Key| first == reader.state[0] && state_of(id) == reader.state;
                if keys.get(at).is_some_and(is_same) {
                    found(at);
                    at += 1;
                }
            }
            // What is left lies behind the block or, unseen, between it and the next one.
            from = block + 1;
            if from == self.offsets.len() {
                return Ok(());
            }
            let next = self.first(from);
            at += passed(&keys[at..], &state_of, next);
        }
        Ok(())
    }
}

/// The number of keys at the beginning that come before a state.
#[inline]
fn passed<'t>(keys: &[Key], state_of: &impl Fn(u32) -> &'t [u64], state: &[u64]) -> usize {
    let before = |&&(first, id): &&Key| match first.cmp(&state[0]) {
        Ordering::Equal => state_of(id) < state,
        order => order == Ordering::Less,
    };
    keys.iter().take_while(before).count()
}

/// Ends long work on files where time or an interrupt ends the search.
fn give_up(watch: &LimitMonitor) -> Result<(), Limit> {
    watch.check_steady().map_or(Ok(()), Err)
}

/// Reads the states of one block.
struct BlockReader<'r> {
    state: &'r mut [u64],
    bytes: &'r [u8],
    left: u32,
}

impl<'r> BlockReader<'r> {
    fn new(
        run: &'r Run,
        block: usize,
        window: &'r mut Window,
        state: &'r mut [u64],
    ) -> Result<BlockReader<'r>, Limit> {
        let block = run.blocks.block(run.offsets[block], window)?;
        state.fill(0);
        Ok(BlockReader { state, bytes: block.bytes, left: block.number })
    }

    /// Goes to the next state, if there is one.
    #[inline]
    fn advance(&mut self) -> Result<bool, Limit> {
        if self.left == 0 {
            return Ok(false);
        }
        self.left -= 1;
        self.bytes = decode(self.bytes, self.state).ok_or(DiskTrouble::Damaged)?;
        Ok(true)
    }
}

/// Reads all states of a sorted file.
struct Reader<'r> {
    run: &'r Run,
    state: Vec<u64>,
    block: usize,
    /// The bytes of the block that is being read, from here on, and the states left in it.
    bytes: Vec<u8>,
    at: usize,
    left: u32,
    window: Window,
}

impl<'r> Reader<'r> {
    fn new(run: &'r Run) -> Reader<'r> {
        let (bytes, window) = (Vec::new(), Window::default());
        Reader { run, state: vec![0; run.words], block: 0, bytes, at: 0, left: 0, window }
    }

    /// Goes to the next state, if there is one.
    fn advance(&mut self) -> Result<bool, Limit> {
        while self.left == 0 {
            let Some(&offset) = self.run.offsets.get(self.block) else { return Ok(false) };
            let block = self.run.blocks.block(offset, &mut self.window)?;
            self.bytes.clear();
            self.bytes.extend_from_slice(block.bytes);
            (self.at, self.left) = (0, block.number);
            self.block += 1;
            self.state.fill(0);
        }
        let bytes = &self.bytes[self.at..];
        let rest = decode(bytes, &mut self.state).ok_or(DiskTrouble::Damaged)?;
        self.at = self.bytes.len() - rest.len();
        self.left -= 1;
        Ok(true)
    }
}

/// Writes a sorted file.
pub(super) struct Writer {
    run: Run,
    block: usize,
    previous: Vec<u64>,
    bytes: Vec<u8>,
    count: u32,
}

impl Writer {
    /// A file for states of so many words.
    pub(super) fn new(files: &Files, words: usize, sizes: &Sizes) -> Writer {
        let blocks = Blocks::new(files, sizes.buffer);
        let run = Run { words, blocks, firsts: Vec::new(), offsets: Vec::new(), states: 0 };
        let (block, previous) = (sizes.block, vec![0; words]);
        Writer { run, block, previous, bytes: Vec::new(), count: 0 }
    }

    /// Adds a state that comes after all others.
    pub(super) fn push(&mut self, state: &[u64]) -> Result<(), Limit> {
        debug_assert!(
            self.run.states == 0 || self.previous.as_slice() < state,
            "states are sorted"
        );
        if self.count == 0 {
            self.run.firsts.extend_from_slice(state);
            self.run.offsets.push(self.run.blocks.end());
            encode(&vec![0; state.len()], state, &mut self.bytes);
        } else {
            encode(&self.previous, state, &mut self.bytes);
        }
        self.previous.copy_from_slice(state);
        self.count += 1;
        self.run.states += 1;
        if self.bytes.len() >= self.block { self.end_block() } else { Ok(()) }
    }

    fn end_block(&mut self) -> Result<(), Limit> {
        self.run.blocks.push(self.count, &self.bytes)?;
        self.bytes.clear();
        self.count = 0;
        Ok(())
    }

    /// The file, with everything written.
    pub(super) fn finish(mut self) -> Result<Run, Limit> {
        if self.count > 0 {
            self.end_block()?;
        }
        self.run.blocks.write()?;
        self.run.blocks.shrink();
        self.run.firsts.shrink_to_fit();
        self.run.offsets.shrink_to_fit();
        Ok(self.run)
    }
}

/// Merges sorted files that have no state in common into one.
pub(super) fn merge(runs: &[Run], mut writer: Writer, watch: &LimitMonitor) -> Result<Run, Limit> {
    let mut readers: Vec<Reader<'_>> = runs.iter().map(Reader::new).collect();
    let mut open = Vec::with_capacity(readers.len());
    for reader in readers.drain(..) {
        open.extend(advanced(reader)?);
    }
    while let Some(least) = (0..open.len()).min_by(|&a, &b| open[a].state.cmp(&open[b].state)) {
        if writer.count == 0 {
            give_up(watch)?;
        }
        writer.push(&open[least].state)?;
        if !open[least].advance()? {
            open.swap_remove(least);
        }
    }
    writer.finish()
}

/// A reader at its first state; none if there is none.
fn advanced(mut reader: Reader<'_>) -> Result<Option<Reader<'_>>, Limit> {
    Ok(reader.advance()?.then_some(reader))
}
