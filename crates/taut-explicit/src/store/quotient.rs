//! Where a number lies in a table whose places say a part of it: quotients and remainders.
//!
//! A pair of numbers, of which only so many low bits are in use, is put together to one number of `n` bits.
//! That is mixed by a permutation of the numbers of `n` bits, so that whatever structure it had is gone and
//! nothing else. The mixed number, divided by a fixed *width*, gives the bucket that is its home and a
//! remainder that is kept there: the bucket need not be written down, because it is known from where the
//! remainder lies (Cleary, "Compact hash tables using bidirectional linear probing", 1984). With four million
//! buckets that saves 22 bits a number.
//!
//! Homes grow with mixed numbers, for any number of buckets. So a table that grows is walked through in one
//! direction, and so is the new one.

/// How many bits of the two numbers of a pair are in use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Widths {
    pub(super) low: u32,
    pub(super) high: u32,
}

impl Widths {
    /// Bits in all.
    pub(super) fn bits(self) -> u32 {
        self.low + self.high
    }

    /// Whether pairs of these widths are also pairs of those.
    pub(super) fn fit(self, other: Widths) -> bool {
        self.low <= other.low && self.high <= other.high
    }

    /// Wider by so many bits, as far as there are numbers of 32.
    pub(super) fn wider(self, more: u32) -> Widths {
        let low = (self.low + more / 2).min(32);
        let high = (self.high + more - more / 2).min(32);
        Widths { low, high }
    }
}

/// The arithmetic of a table.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape {
    pub(super) widths: Widths,
    pub(super) buckets: u64,
    /// Mixed numbers a bucket.
    width: u64,
    /// 2^64 divided by the width, or a little less.
    reciprocal: u64,
}

/// Odd numbers, and their inverses modulo 2^64.
const FACTORS: [u64; 2] = [0x9e37_79b9_7f4a_7c15, 0xd134_2543_de82_ef95];

/// The inverse of an odd number modulo 2^64, by Newton's iteration: each step doubles the bits that are right.
const fn inverse(odd: u64) -> u64 {
    let mut inverse = odd;
    let mut step = 0;
    while step < 5 {
        inverse = inverse.wrapping_mul(2_u64.wrapping_sub(odd.wrapping_mul(inverse)));
        step += 1;
    }
    inverse
}

const INVERSES: [u64; 2] = [inverse(FACTORS[0]), inverse(FACTORS[1])];

impl Shape {
    /// The arithmetic for pairs of these widths in so many buckets.
    pub(super) fn new(widths: Widths, buckets: u64) -> Shape {
        let numbers = 1_u128 << widths.bits();
        let width = numbers.div_ceil(u128::from(buckets)) as u64;
        Shape { widths, buckets, width, reciprocal: u64::MAX / width }
    }

    /// The largest remainder.
    pub(super) fn largest(&self) -> u64 {
        self.width - 1
    }

    /// The home of a pair and its remainder there.
    #[inline]
    pub(super) fn split(&self, pair: u64) -> (u64, u64) {
        let mixed = self.mix(pair);
        let mut home = ((u128::from(mixed) * u128::from(self.reciprocal)) >> 64) as u64;
        let mut remainder = mixed - home * self.width;
        // The reciprocal is a little too small, so the home may be, too.
        while remainder >= self.width {
            home += 1;
            remainder -= self.width;
        }
        (home, remainder)
    }

    /// The pair with this home and remainder.
    pub(super) fn join(&self, home: u64, remainder: u64) -> u64 {
        self.unmix(home * self.width + remainder)
    }

    fn mask(&self) -> u64 {
        u64::MAX >> (64 - self.widths.bits())
    }

    #[inline]
    fn mix(&self, pair: u64) -> u64 {
        let low = pair as u32;
        debug_assert!(u64::from(low) >> self.widths.low == 0, "the low number fits");
        debug_assert!((pair >> 32) >> self.widths.high == 0, "the high number fits");
        let (mask, half) = (self.mask(), self.widths.bits().div_ceil(2));
        let mut x = u64::from(low) | (pair >> 32) << self.widths.low;
        for factor in FACTORS {
            x = x.wrapping_mul(factor) & mask;
            x ^= x >> half;
        }
        x
    }

    fn unmix(&self, mixed: u64) -> u64 {
        let (mask, half) = (self.mask(), self.widths.bits().div_ceil(2));
        let mut x = mixed;
        for inverse in INVERSES.into_iter().rev() {
            // Shifting by half the bits or more is its own inverse.
            x ^= x >> half;
            x = x.wrapping_mul(inverse) & mask;
        }
        let low = x & (u64::MAX >> (64 - self.widths.low));
        low | (x >> self.widths.low) << 32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn what_is_split_can_be_joined(
            low in 1_u32..=32, high in 1_u32..=32, buckets in 1_u64..1 << 33, pair: u64
        ) {
            let widths = Widths { low, high };
            let buckets = buckets.max(1 << 5);
            let shape = Shape::new(widths, buckets);
            let pair = (pair & (u64::MAX >> (64 - low))) | (pair >> 32 & (u64::MAX >> (64 - high))) << 32;
            let (home, remainder) = shape.split(pair);
            prop_assert!(home < buckets);
            prop_assert!(remainder <= shape.largest());
            prop_assert_eq!(shape.join(home, remainder), pair);
        }
    }
}
