//! How each state was found, in about a byte per state.
//!
//! For each state of a level the log has the position of its source in the level before and the *ordinal* of
//! the successor: the how-manieth of the source's successors it was. A worker takes sources in their order,
//! so the distance from one source to the next is small, and so is the ordinal: both fit a byte, three bits for
//! the distance and five for the ordinal. What does not fit follows as a number of variable length.
//!
//! To find the way to a state its level's part of the log is read from the beginning, then that of the level
//! before, and so on: at most all of the log once. States are not needed for this, so that every store has
//! counterexamples, also those that do not keep states.

use std::io;

use crate::checkpoint::{Reader, Saved, Writer, damaged, saved};

/// Bytes that are laid out together.
const CHUNK: usize = 1 << 16;
/// Ordinals up to this one fit the first byte.
const ORDINAL_BITS: u32 = 5;
const LARGE_ORDINAL: u64 = (1 << ORDINAL_BITS) - 1;
const LARGE_DISTANCE: u64 = 7;

/// Where a state was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Origin {
    /// The position of the source in its level.
    pub(crate) source: u32,
    /// Which of the source's successors it is.
    pub(crate) ordinal: u32,
}

saved!(Origin { source, ordinal });

/// The part of the log that one worker writes.
#[derive(Default)]
pub(crate) struct Stream {
    chunks: Vec<Vec<u8>>,
    /// The source of the last state.
    last: u32,
    /// States of this level.
    states: usize,
    /// Where this level began.
    start: usize,
}

impl Stream {
    fn len(&self) -> usize {
        let full = self.chunks.len().saturating_sub(1) * CHUNK;
        full + self.chunks.last().map_or(0, Vec::len)
    }

    /// Notes where the next state was found.
    pub(crate) fn push(&mut self, origin: Origin) {
        let distance = i64::from(origin.source) - i64::from(self.last);
        // A source that is expanded a second time lies behind.
        let small = u64::try_from(distance).map_or(LARGE_DISTANCE, |d| d.min(LARGE_DISTANCE));
        let ordinal = u64::from(origin.ordinal);
        self.byte((small << ORDINAL_BITS | ordinal.min(LARGE_ORDINAL)) as u8);
        if small == LARGE_DISTANCE {
            self.number((distance << 1 ^ distance >> 63) as u64);
        }
        if ordinal >= LARGE_ORDINAL {
            self.number(ordinal - LARGE_ORDINAL);
        }
        self.last = origin.source;
        self.states += 1;
    }

    fn byte(&mut self, byte: u8) {
        match self.chunks.last_mut().filter(|chunk| chunk.len() < CHUNK) {
            Some(chunk) => chunk.push(byte),
            None => {
                // The first chunk grows as it is filled, so that small searches stay small.
                let capacity = if self.chunks.is_empty() { 64 } else { CHUNK };
                let mut chunk = Vec::with_capacity(capacity);
                chunk.push(byte);
                self.chunks.push(chunk);
            }
        }
    }

    /// Seven bits a byte, the last byte without the highest bit.
    fn number(&mut self, mut number: u64) {
        while number > 0x7f {
            self.byte(number as u8 | 0x80);
            number >>= 7;
        }
        self.byte(number as u8);
    }

    /// Bytes held.
    pub(crate) fn bytes(&self) -> u64 {
        let chunks = match self.chunks.as_slice() {
            [] => 0,
            [only] => only.capacity(),
            all => all.len() * CHUNK,
        };
        (chunks + self.chunks.capacity() * size_of::<Vec<u8>>()) as u64
    }

    fn bytes_from(&self, start: usize) -> impl Iterator<Item = u8> {
        let chunks = self.chunks.iter().skip(start / CHUNK);
        chunks.flatten().copied().skip(start % CHUNK)
    }

    /// Where a state was found, given where its level starts in the stream.
    fn origin(&self, start: usize, index: usize) -> Origin {
        let mut bytes = self.bytes_from(start);
        let mut at = Origin { source: 0, ordinal: 0 };
        for _ in 0..=index {
            let first = u64::from(bytes.next().expect("as many states as were noted"));
            let (distance, ordinal) = (first >> ORDINAL_BITS, first & LARGE_ORDINAL);
            let distance = match distance {
                LARGE_DISTANCE => unfold(read_number(&mut bytes)),
                small => small as i64,
            };
            let rest = if ordinal == LARGE_ORDINAL { read_number(&mut bytes) } else { 0 };
            at.source = (i64::from(at.source) + distance) as u32;
            at.ordinal = (ordinal + rest) as u32;
        }
        at
    }
}

impl Saved for Stream {
    fn save(&self, to: &mut Writer<'_>) -> io::Result<()> {
        (self.last, self.states).save(to)?;
        (self.start, self.len()).save(to)?;
        self.chunks.iter().try_for_each(|chunk| to.raw(chunk))
    }

    fn restore(from: &mut Reader<'_>) -> io::Result<Stream> {
        let (last, states) = Saved::restore(from)?;
        let (start, mut left) = (usize::restore(from)?, from.length()?);
        if start > left {
            return Err(damaged("a level begins after the end of the log"));
        }
        let mut chunks = Vec::new();
        while left > 0 {
            let mut chunk = vec![0; left.min(CHUNK)];
            from.raw(&mut chunk)?;
            left -= chunk.len();
            // The last chunk is filled further.
            chunk.reserve_exact(CHUNK - chunk.len());
            chunks.push(chunk);
        }
        Ok(Stream { chunks, last, states, start })
    }
}

fn unfold(number: u64) -> i64 {
    (number >> 1) as i64 ^ -((number & 1) as i64)
}

fn read_number(bytes: &mut impl Iterator<Item = u8>) -> u64 {
    let (mut number, mut shift) = (0, 0);
    loop {
        let byte = bytes.next().expect("a number ends");
        number |= u64::from(byte & 0x7f) << shift;
        shift += 7;
        if byte & 0x80 == 0 {
            return number;
        }
    }
}

/// What one worker found for one level.
struct Part {
    worker: u32,
    start: usize,
    states: usize,
}

saved!(Part { worker, start, states });

/// Which parts of the workers' streams make up which level. Level 0 is the initial state, without a part.
#[derive(Default)]
pub(crate) struct Log {
    parts: Vec<Part>,
    /// For each level but the first, where its parts start.
    levels: Vec<usize>,
}

saved!(Log { parts, levels });

impl Log {
    /// Notes that a level is finished: its states are those of all streams, one stream after the other.
    pub(crate) fn end_level<'s>(&mut self, streams: impl Iterator<Item = &'s mut Stream>) {
        self.levels.push(self.parts.len());
        for (worker, stream) in streams.enumerate() {
            debug_assert!(stream.start <= stream.len(), "a level is behind the one before");
            if stream.states > 0 {
                let Stream { start, states, .. } = *stream;
                self.parts.push(Part { worker: worker as u32, start, states });
            }
            (stream.start, stream.last, stream.states) = (stream.len(), 0, 0);
        }
    }

    /// The ordinals of the successors on the way from the initial state to a state, given its level and its
    /// position there.
    pub(crate) fn way(&self, streams: &[&Stream], level: usize, position: usize) -> Vec<u32> {
        let mut way = Vec::with_capacity(level);
        let mut position = position;
        for level in (1..=level).rev() {
            let (_, origin) = self.origin(streams, level, position);
            debug_assert!(
                (origin.source as usize) < self.states_of(level - 1),
                "a source is of the level before"
            );
            way.push(origin.ordinal);
            position = origin.source as usize;
        }
        way.reverse();
        way
    }

    /// Where a state of a level, not the first one, was found, and the worker that noted it.
    pub(crate) fn origin(
        &self,
        streams: &[&Stream],
        level: usize,
        mut position: usize,
    ) -> (u32, Origin) {
        // The states of a level are those of its parts, one after the other.
        for part in &self.parts[self.levels[level - 1]..] {
            if position < part.states {
                let stream = streams[part.worker as usize];
                return (part.worker, stream.origin(part.start, position));
            }
            position -= part.states;
        }
        unreachable!("a position of the level")
    }

    /// Number of states of a level.
    fn states_of(&self, level: usize) -> usize {
        let Some(before) = level.checked_sub(1) else { return 1 };
        self.parts[self.levels[before]..self.levels[level]].iter().map(|part| part.states).sum()
    }

    /// Bytes held besides the streams.
    pub(crate) fn bytes(&self) -> u64 {
        (self.parts.capacity() * size_of::<Part>() + self.levels.capacity() * 8) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn what_is_noted_is_read_again(
            origins in prop::collection::vec((0_u32..2_000, prop_oneof![0_u32..40, 0_u32..100_000]), 1..300)
        ) {
            let mut stream = Stream::default();
            let mut log = Log::default();
            stream.push(Origin { source: 0, ordinal: 77 });
            log.end_level([&mut stream].into_iter());
            let start = stream.start;
            for &(source, ordinal) in &origins {
                stream.push(Origin { source, ordinal });
            }
            for (i, &(source, ordinal)) in origins.iter().enumerate() {
                prop_assert_eq!(stream.origin(start, i), Origin { source, ordinal });
            }
        }
    }

    #[test]
    fn a_way_goes_through_the_parts_of_several_workers() {
        let (mut a, mut b) = (Stream::default(), Stream::default());
        let mut log = Log::default();
        let origin = |source, ordinal| Origin { source, ordinal };
        // Level 1: positions 0 and 1 by the first worker, 2 by the second.
        a.push(origin(0, 3));
        a.push(origin(0, 5));
        b.push(origin(0, 40));
        log.end_level([&mut a, &mut b].into_iter());
        // Level 2: position 0 by the second worker.
        b.push(origin(2, 1));
        log.end_level([&mut a, &mut b].into_iter());
        a.push(origin(0, 9));
        log.end_level([&mut a, &mut b].into_iter());
        let streams = [&a, &b];
        assert_eq!(log.way(&streams, 0, 0), Vec::<u32>::new());
        assert_eq!(log.way(&streams, 1, 1), [5]);
        assert_eq!(log.way(&streams, 3, 0), [40, 1, 9]);
    }

    #[test]
    fn a_stream_goes_on_in_the_next_chunk() {
        let mut stream = Stream::default();
        let count = CHUNK as u32 + 10;
        (0..count).for_each(|i| stream.push(Origin { source: i, ordinal: i % 31 }));
        let last = Origin { source: count - 1, ordinal: (count - 1) % 31 };
        assert_eq!(stream.origin(0, count as usize - 1), last);
        assert_eq!(stream.len(), count as usize);
    }
}
