//! A few bits of a state.

use taut_ir::Interval;

/// A number stored in a few bits of one word of a state, as its distance from the smallest value.
/// A field never straddles two words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    word: u32,
    shift: u8,
    width: u8,
    /// As many ones as there are bits: it is needed more often than the width.
    mask: u64,
    lo: i64,
}

impl Field {
    /// A field of given bits; `width` may be 0 for a number that is always `lo`.
    pub(crate) fn new(word: u32, shift: u8, width: u8, lo: i64) -> Field {
        debug_assert!(shift < 64 && shift + width <= 64);
        let mask = if width == 0 { 0 } else { u64::MAX >> (64 - width) };
        Field { word, shift, width, mask, lo }
    }

    /// A field that is some bits of this one, from the bit `shift` of it on.
    pub fn part(self, shift: u32, width: u32, lo: i64) -> Field {
        debug_assert!(shift + width <= self.width());
        // A field of no bits may sit where no word is.
        let shift = if width == 0 { 0 } else { u32::from(self.shift) + shift };
        Field::new(self.word, shift as u8, width as u8, lo)
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
        (state[self.word as usize] >> self.shift) & self.mask
    }

    /// Stores bits.
    #[inline]
    pub fn set_bits(self, state: &mut [u64], bits: u64) {
        debug_assert!(bits <= self.mask, "{bits} does not fit {self:?}");
        let word = &mut state[self.word as usize];
        *word = (*word & !(self.mask << self.shift)) | (bits << self.shift);
    }

    /// The word of the state that it lies in.
    pub fn word(self) -> u32 {
        self.word
    }

    /// Its bits as they lie in their word: ones where the field is.
    pub fn mask_in_word(self) -> u64 {
        self.mask << self.shift
    }

    /// Bits of the field as they lie in their word. Negative distances come out as what is to be added to the
    /// word to move the field down.
    pub fn in_word(self, bits: u64) -> u64 {
        bits << self.shift
    }

    /// How many bits.
    pub fn width(self) -> u32 {
        u32::from(self.width)
    }

    /// The numbers it can hold.
    pub fn interval(self) -> Interval {
        Interval { lo: self.lo, hi: self.lo.wrapping_add(self.mask as i64) }
    }
}
