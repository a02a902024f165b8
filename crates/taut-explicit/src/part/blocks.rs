//! Successors on their way to their owner: columns of states, of their places, and of questions.
//!
//! A block has, one column after the other: the number of states; for each a bit that says whether the sender asks if the state is
//! new ([`super`], the proviso); for each the distance of its source from the one before, and its ordinal, as numbers of variable
//! length, some two bytes per state; and the states. A word of a state is a byte that tells which of its bytes are not zero, and
//! those: buffers are laid out for their bound and empty most of the time.
//!
//! **States that were sent lately** are not sent again ([`SentLately`]). Many states are found several times in a short time, by
//! actions in another order. The filter compares whole states, so it never takes one for another.

use std::io;

use super::parcel::{Kind, Outbox, read_number, write_number};
use crate::bfs::log::Origin;
use crate::checkpoint::damaged;

/// Bytes of states after which a block is sent.
const BLOCK_BYTES: usize = 1 << 15;
/// States that the filter remembers.
const REMEMBERED: usize = 1 << 12;

/// Successors for one owner.
#[derive(Default)]
pub(super) struct Outgoing {
    count: u64,
    states: Vec<u8>,
    places: Vec<u8>,
    asks: Vec<u8>,
    last: u32,
}

/// What a part sends.
pub(super) struct Blocks {
    outgoing: Vec<Outgoing>,
    lately: SentLately,
    /// States sent.
    pub(super) sent: u64,
    /// States that the filter held back.
    pub(super) spared: u64,
}

/// States that were sent lately.
struct SentLately {
    words: usize,
    states: Vec<u64>,
    is_used: Vec<bool>,
}

impl SentLately {
    /// Whether a state was sent; from now on it was.
    fn was_sent(&mut self, state: &[u64], hash: u64) -> bool {
        // The owner is chosen by other bits.
        let slot = (hash >> 7) as usize % REMEMBERED;
        let remembered = &mut self.states[slot * self.words..(slot + 1) * self.words];
        if self.is_used[slot] && remembered == state {
            return true;
        }
        self.is_used[slot] = true;
        remembered.copy_from_slice(state);
        false
    }
}

impl Blocks {
    /// Blocks for so many parts, of states with so many words.
    pub(super) fn new(parts: u32, words: usize) -> Blocks {
        let (states, is_used) = (vec![0; words * REMEMBERED], vec![false; REMEMBERED]);
        Blocks {
            outgoing: (0..parts).map(|_| Outgoing::default()).collect(),
            lately: SentLately { words, states, is_used },
            sent: 0,
            spared: 0,
        }
    }

    /// Bytes held.
    pub(super) fn bytes(&self) -> u64 {
        let held = |o: &Outgoing| o.states.capacity() + o.places.capacity() + o.asks.capacity();
        (self.outgoing.iter().map(held).sum::<usize>() + self.lately.states.len() * 8) as u64
    }

    /// Sends a state with a hash to its owner, unless it was sent lately and nothing is asked.
    pub(super) fn push(
        &mut self,
        to: u32,
        (state, hash): (&[u64], u64),
        origin: Origin,
        asks: bool,
        out: &mut Outbox,
    ) {
        if self.lately.was_sent(state, hash) && !asks {
            self.spared += 1;
            return;
        }
        self.sent += 1;
        let outgoing = &mut self.outgoing[to as usize];
        outgoing.push(state, origin, asks);
        if outgoing.states.len() >= BLOCK_BYTES {
            out.send(to, outgoing.take());
        }
    }

    /// Sends all blocks, however short.
    pub(super) fn flush(&mut self, out: &mut Outbox) {
        for (to, outgoing) in self.outgoing.iter_mut().enumerate() {
            if outgoing.count > 0 {
                out.send(to as u32, outgoing.take());
            }
        }
    }
}

impl Outgoing {
    fn push(&mut self, state: &[u64], origin: Origin, asks: bool) {
        state.iter().for_each(|&word| write_word(&mut self.states, word));
        let distance = i64::from(origin.source) - i64::from(self.last);
        write_number(&mut self.places, (distance << 1 ^ distance >> 63) as u64);
        write_number(&mut self.places, u64::from(origin.ordinal));
        self.last = origin.source;
        if self.count.is_multiple_of(8) {
            self.asks.push(0);
        }
        if asks && let Some(last) = self.asks.last_mut() {
            *last |= 1 << (self.count % 8);
        }
        self.count += 1;
    }

    /// The block; what comes next is another one.
    fn take(&mut self) -> Vec<u8> {
        let size = 16 + self.states.len() + self.places.len() + self.asks.len();
        let mut block = Vec::with_capacity(size);
        block.push(Kind::Block as u8);
        write_number(&mut block, self.count);
        block.extend_from_slice(&self.asks);
        block.extend_from_slice(&self.places);
        block.extend_from_slice(&self.states);
        self.states.clear();
        self.places.clear();
        self.asks.clear();
        (self.count, self.last) = (0, 0);
        block
    }
}

/// Writes a word: which of its bytes are not zero, and those.
fn write_word(to: &mut Vec<u8>, word: u64) {
    let at = to.len();
    to.push(0);
    let mut mask = 0;
    for (i, byte) in word.to_le_bytes().into_iter().enumerate() {
        if byte != 0 {
            mask |= 1 << i;
            to.push(byte);
        }
    }
    to[at] = mask;
}

/// Reads such a word.
fn read_word(from: &mut &[u8]) -> io::Result<u64> {
    let short = || damaged("a word is too short");
    let (&mask, rest) = from.split_first().ok_or_else(short)?;
    let (bytes, rest) = rest.split_at_checked(mask.count_ones() as usize).ok_or_else(short)?;
    *from = rest;
    let (mut word, mut bytes) = (0, bytes.iter());
    for i in (0..8).filter(|i| mask >> i & 1 == 1) {
        word |= u64::from(*bytes.next().ok_or_else(short)?) << (8 * i);
    }
    Ok(word)
}

/// States that have come to their owner, or that were found by it, before they are inserted.
#[derive(Default)]
pub(super) struct Incoming {
    /// The states, one after the other.
    pub(super) states: Vec<u64>,
    pub(super) hashes: Vec<u64>,
    pub(super) origins: Vec<Origin>,
    /// For each, whether it is asked if the state is new.
    pub(super) asks: Vec<bool>,
}

impl Incoming {
    pub(super) fn clear(&mut self) {
        self.states.clear();
        self.hashes.clear();
        self.origins.clear();
        self.asks.clear();
    }

    /// Adds a state.
    pub(super) fn push(&mut self, state: &[u64], hash: u64, origin: Origin, asks: bool) {
        self.states.extend_from_slice(state);
        self.hashes.push(hash);
        self.origins.push(origin);
        self.asks.push(asks);
    }

    /// Reads a block of states with so many words.
    pub(super) fn read(&mut self, mut block: &[u8], words: usize) -> io::Result<()> {
        let count = usize::try_from(read_number(&mut block)?).unwrap_or(usize::MAX);
        let short = || damaged("a block is too short");
        let (asks, mut rest) = block.split_at_checked(count.div_ceil(8)).ok_or_else(short)?;
        self.clear();
        let mut source = 0_i64;
        for i in 0..count {
            let distance = read_number(&mut rest)?;
            source += (distance >> 1) as i64 ^ -((distance & 1) as i64);
            let ordinal = read_number(&mut rest)?;
            let number = |n: i64| u32::try_from(n).map_err(|_| damaged("a place is none"));
            let origin = Origin { source: number(source)?, ordinal: number(ordinal as i64)? };
            self.origins.push(origin);
            self.asks.push(asks[i / 8] >> (i % 8) & 1 == 1);
        }
        for _ in 0..count {
            let start = self.states.len();
            for _ in 0..words {
                self.states.push(read_word(&mut rest)?);
            }
            self.hashes.push(taut_machine::hash::hash(&self.states[start..]));
        }
        if rest.is_empty() { Ok(()) } else { Err(damaged("a block is too long")) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn what_is_sent_is_received(
            words in 1_usize..4,
            states in prop::collection::vec(
                (prop_oneof![any::<[u64; 4]>(), (0_u64..900).prop_map(|w| [w, 0, w << 40, 1])],
                 0_u32..2_000, 0_u32..90_000, any::<bool>()), 1..300)
        ) {
            let mut outgoing = Outgoing::default();
            for (state, source, ordinal, asks) in &states {
                let origin = Origin { source: *source, ordinal: *ordinal };
                outgoing.push(&state[..words], origin, *asks);
            }
            let block = outgoing.take();
            let (kind, rest) = Kind::of(&block);
            prop_assert_eq!(kind, Kind::Block);
            let mut incoming = Incoming::default();
            incoming.read(rest, words).expect("whole");
            let wanted: Vec<u64> = states.iter().flat_map(|(s, ..)| s[..words].to_vec()).collect();
            prop_assert_eq!(&incoming.states, &wanted);
            for (i, &(_, source, ordinal, asks)) in states.iter().enumerate() {
                prop_assert_eq!(incoming.origins[i], Origin { source, ordinal });
                prop_assert_eq!(incoming.asks[i], asks);
            }
            prop_assert!(incoming.read(&rest[..rest.len() - 1], words).is_err());
            prop_assert!(incoming.read(&[rest, &[0]].concat(), words).is_err());
        }
    }

    #[test]
    fn a_state_is_sent_once_unless_something_is_asked() {
        let mut blocks = Blocks::new(2, 1);
        let mut out = Outbox::default();
        let origin = Origin { source: 0, ordinal: 0 };
        // The state of zeros is the one that an empty filter must not know.
        for (state, asks) in [(0, false), (0, false), (0, true), (5, false), (0, false)] {
            blocks.push(1, (&[state], 0), origin, asks, &mut out);
        }
        assert_eq!((blocks.sent, blocks.spared), (4, 1));
        blocks.flush(&mut out);
        assert_eq!(out.drain().map(|(to, _)| to).collect::<Vec<_>>(), [1]);
    }
}
