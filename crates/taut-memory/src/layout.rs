//! Laying out the fields of a state in words.

use taut_ir::Interval;

use crate::Field;

/// How many words a state has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// 64-bit words a state.
    pub words: usize,
    /// Bits in use.
    pub bits: usize,
}

/// Cells fields one after the other, each into the first word with room for it among those that are still
/// open. Only a few words are kept open, so that a hundred thousand fields are placed in no time.
#[derive(Debug, Default)]
pub struct LayoutBuilder {
    /// Bits used of each word.
    used: Vec<u8>,
    /// The words with room that are looked at, oldest first.
    open: Vec<usize>,
}

/// How many words with room are looked at.
const OPEN: usize = 16;

impl LayoutBuilder {
    /// An empty layout.
    pub fn new() -> LayoutBuilder {
        LayoutBuilder::default()
    }

    /// A field for the numbers of an interval.
    pub fn add(&mut self, interval: Interval) -> Field {
        taut_budget::tick();
        self.place(interval.bits() as u8, interval.lo)
    }

    /// A field of so many bits.
    pub fn add_bits(&mut self, bits: u32) -> Field {
        self.place(bits as u8, 0)
    }

    fn place(&mut self, width: u8, lo: i64) -> Field {
        assert!(width <= 64);
        if width == 0 {
            return Field::new(0, 0, 0, lo);
        }
        let room = self.open.iter().copied().find(|&w| self.used[w] + width <= 64);
        let word = room.unwrap_or_else(|| self.open_word());
        let shift = self.used[word];
        self.used[word] += width;
        if self.used[word] == 64 {
            self.open.retain(|&w| w != word);
        }
        Field::new(word as u32, shift, width, lo)
    }

    fn open_word(&mut self) -> usize {
        if self.open.len() == OPEN {
            self.open.remove(0);
        }
        self.used.push(0);
        self.open.push(self.used.len() - 1);
        self.used.len() - 1
    }

    /// The finished layout; at least one word, so that every state is something.
    pub fn finish(self) -> Layout {
        let bits = self.used.iter().map(|&b| usize::from(b)).sum();
        Layout { words: self.used.len().max(1), bits }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_do_not_overlap_and_keep_their_values() {
        let mut builder = LayoutBuilder::new();
        let widths = [3, 60, 1, 64, 0, 7, 54, 2];
        let fields: Vec<_> = widths.iter().map(|&w| builder.add_bits(w)).collect();
        let layout = builder.finish();
        assert_eq!(layout.bits, widths.iter().sum::<u32>() as usize);
        let mut state = vec![0; layout.words];
        let value = |w: u32| if w == 0 { 0 } else { (0x5a5a_5a5a_5a5a_5a5a_u64) >> (64 - w) };
        for (f, &w) in fields.iter().zip(&widths) {
            f.set_bits(&mut state, value(w));
        }
        for (f, &w) in fields.iter().zip(&widths) {
            assert_eq!(f.bits(&state), value(w));
        }
        let small = Field::new(0, 0, 2, -1);
        small.set(&mut state, 2);
        assert_eq!(small.get(&state), 2);
        assert_eq!(small.interval(), Interval { lo: -1, hi: 2 });
    }
}
