//! A few bits of a state.

use taut_ir::Interval;

/// A number stored in a few bits of one word of a state, as its distance from the smallest value.
/// A field never straddles two words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    word: u32,
    shift: u8,
    width: u8,
    lo: i64,
}

impl Field {
    /// A field of given bits; `width` may be 0 for a number that is always `lo`.
    pub(crate) fn new(word: u32, shift: u8, width: u8, lo: i64) -> Field {
        debug_assert!(shift < 64 && shift + width <= 64);
        Field { word, shift, width, lo }
    }

    fn mask(self) -> u64 {
        if self.width == 0 { 0 } else { u64::MAX >> (64 - self.width) }
    }

    /// The number.
    #[inline]
    pub fn get(self, state: &[u64]) -> i64 {
        self.lo.wrapping_add(self.bits(state) as i64)
    }

    /// Stores a number.
    #[inline]
    pub fn set(self, state: &mut [u64], value: i64) {
        self.set_bits(state, value.wrapping_sub(self.lo) as u64);
    }

    /// The bits themselves.
    #[inline]
    pub fn bits(self, state: &[u64]) -> u64 {
        (state[self.word as usize] >> self.shift) & self.mask()
    }

    /// Stores bits.
    #[inline]
    pub fn set_bits(self, state: &mut [u64], bits: u64) {
        debug_assert!(bits <= self.mask(), "{bits} does not fit {self:?}");
        let word = &mut state[self.word as usize];
        *word = (*word & !(self.mask() << self.shift)) | (bits << self.shift);
    }

    /// How many bits.
    pub fn width(self) -> u32 {
        u32::from(self.width)
    }

    /// The numbers it can hold.
    pub fn interval(self) -> Interval {
        Interval { lo: self.lo, hi: self.lo.wrapping_add(self.mask() as i64) }
    }
}
