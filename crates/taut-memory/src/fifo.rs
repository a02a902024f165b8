//! A queue of small numbers in a few words of a state.
//!
//! Entry 0 is the oldest and sits in the lowest bits, so taking it is a shift to the right. Behind the
//! last entry all bits are zero. The length is kept by the owner, because parallel queues (the place and
//! the value of an entry) share one.

use crate::{Field, LayoutBuilder};

/// A queue of `capacity` entries of `width` bits.
#[derive(Clone, Debug)]
pub(crate) struct Fifo {
    width: u32,
    mask: u64,
    /// Entries a chunk; the last chunk may hold fewer.
    per_chunk: usize,
    /// Each chunk is one field, so that within a chunk the queue moves by a single shift.
    chunks: Vec<Field>,
}

impl Fifo {
    pub(crate) fn new(layout: &mut LayoutBuilder, width: u32, capacity: u32) -> Fifo {
        let per_chunk = 64_usize.checked_div(width as usize).unwrap_or(usize::MAX);
        let mut left = if width == 0 { 0 } else { capacity as usize };
        let mut chunks = Vec::new();
        while left > 0 {
            let entries = left.min(per_chunk);
            chunks.push(layout.add_bits(entries as u32 * width));
            left -= entries;
        }
        let mask = if width == 0 { 0 } else { u64::MAX >> (64 - width) };
        Fifo { width, mask, per_chunk, chunks }
    }

    /// The field of each entry.
    pub(crate) fn entries(&self, capacity: u64) -> Vec<Field> {
        let entry = |index: usize| {
            if self.width == 0 {
                return Field::new(0, 0, 0, 0);
            }
            let (field, shift) = self.place(index);
            field.part(shift, self.width, 0)
        };
        (0..capacity as usize).map(entry).collect()
    }

    /// Where its entries lie.
    pub(crate) fn fields(&self) -> &[Field] {
        &self.chunks
    }

    /// The chunk of an entry and by how much the entry is shifted in it. Nearly all queues have one chunk, and a
    /// division costs more than all the rest.
    #[inline]
    fn place(&self, index: usize) -> (Field, u32) {
        if let [only] = &*self.chunks {
            return (*only, index as u32 * self.width);
        }
        (self.chunks[index / self.per_chunk], (index % self.per_chunk) as u32 * self.width)
    }

    #[inline]
    pub(crate) fn get(&self, state: &[u64], index: usize) -> u64 {
        if self.width == 0 {
            return 0;
        }
        let (chunk, shift) = self.place(index);
        (chunk.bits(state) >> shift) & self.mask
    }

    /// Overwrites the entry at an index; behind the last entry this appends.
    #[inline]
    pub(crate) fn set(&self, state: &mut [u64], index: usize, value: u64) {
        if self.width == 0 {
            debug_assert_eq!(value, 0);
            return;
        }
        debug_assert!(value <= self.mask);
        let (chunk, shift) = self.place(index);
        let bits = chunk.bits(state) & !(self.mask << shift);
        chunk.set_bits(state, bits | (value << shift));
    }

    /// The position of the newest of `len` entries that has a value.
    #[inline]
    pub(crate) fn newest(&self, state: &[u64], len: usize, value: u64) -> Option<usize> {
        if let [only] = &*self.chunks {
            let bits = only.bits(state);
            return (0..len)
                .rev()
                .find(|&i| (bits >> (i as u32 * self.width)) & self.mask == value);
        }
        (0..len).rev().find(|&i| self.get(state, i) == value)
    }

    /// Drops the oldest entry.
    #[inline]
    pub(crate) fn pop(&self, state: &mut [u64]) {
        match &*self.chunks {
            [] => {}
            [only] => {
                let rest = only.bits(state).checked_shr(self.width).unwrap_or(0);
                only.set_bits(state, rest);
            }
            _ => self.pop_chunks(state),
        }
    }

    fn pop_chunks(&self, state: &mut [u64]) {
        for (i, chunk) in self.chunks.iter().enumerate() {
            let rest = chunk.bits(state).checked_shr(self.width).unwrap_or(0);
            let carry = match self.chunks.get(i + 1) {
                Some(next) => {
                    let top = (self.per_chunk as u32 - 1) * self.width;
                    (next.bits(state) & self.mask) << top
                }
                None => 0,
            };
            chunk.set_bits(state, rest | carry);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::VecDeque;

    proptest! {
        #[test]
        fn behaves_like_a_queue(
            width in 0_u32..=64, capacity in 1_u32..20, ops in prop::collection::vec(any::<u64>(), 0..60)
        ) {
            let mut layout = LayoutBuilder::new();
            layout.add_bits(13);
            let fifo = Fifo::new(&mut layout, width, capacity);
            let mut state = vec![0; layout.finish().words];
            let mut model = VecDeque::new();
            for op in ops {
                if op % 3 == 0 && !model.is_empty() {
                    model.pop_front();
                    fifo.pop(&mut state);
                } else if model.len() < capacity as usize {
                    let value = if width == 0 { 0 } else { op >> (64 - width) };
                    fifo.set(&mut state, model.len(), value);
                    model.push_back(value);
                }
                for (i, &value) in model.iter().enumerate() {
                    prop_assert_eq!(fifo.get(&state, i), value);
                    let newest = model.iter().rposition(|&v| v == value);
                    prop_assert_eq!(fifo.newest(&state, model.len(), value), newest);
                }
            }
            for _ in 0..model.len() {
                fifo.pop(&mut state);
            }
            prop_assert!(state.iter().all(|&w| w == 0), "an empty queue is zero bits");
        }
    }
}
