//! Finite integer types.

/// What happens to a value that does not fit a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Overflow {
    /// It wraps around, as the machine's integers do.
    Wrap,
    /// It is an error of the program, reported as such ([`crate::Fault::Range`]).
    Fault,
}

/// A range of integers and what happens outside of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Type {
    /// The smallest value.
    pub lo: i64,
    /// The largest value.
    pub hi: i64,
    /// What happens to a value outside.
    pub overflow: Overflow,
}

impl Type {
    /// Truth values, 0 and 1.
    pub const BOOL: Type = Type { lo: 0, hi: 1, overflow: Overflow::Fault };
    /// 32-bit integers that wrap around.
    pub const INT: Type =
        Type { lo: i32::MIN as i64, hi: i32::MAX as i64, overflow: Overflow::Wrap };
    /// 64-bit integers that wrap around.
    pub const INT64: Type = Type { lo: i64::MIN, hi: i64::MAX, overflow: Overflow::Wrap };

    /// A range; leaving it is an error of the program.
    pub fn range(lo: i64, hi: i64) -> Type {
        assert!(lo <= hi, "empty range {lo}..{hi}");
        Type { lo, hi, overflow: Overflow::Fault }
    }

    /// Whether a value is in the range.
    pub fn contains(self, value: i64) -> bool {
        self.lo <= value && value <= self.hi
    }

    /// A value as a variable of this type holds it; `None` if that is an error of the program.
    pub fn fit(self, value: i64) -> Option<i64> {
        if self.contains(value) {
            return Some(value);
        }
        match self.overflow {
            Overflow::Fault => None,
            Overflow::Wrap => {
                let size = i128::from(self.hi) - i128::from(self.lo) + 1;
                let offset = (i128::from(value) - i128::from(self.lo)).rem_euclid(size);
                Some((i128::from(self.lo) + offset) as i64)
            }
        }
    }

    /// All values of the type.
    pub fn interval(self) -> Interval {
        Interval { lo: self.lo, hi: self.hi }
    }
}

/// A non-empty interval of integers, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Interval {
    /// The smallest value.
    pub lo: i64,
    /// The largest value.
    pub hi: i64,
}

impl Interval {
    /// All 64-bit integers.
    pub const ALL: Interval = Interval { lo: i64::MIN, hi: i64::MAX };
    /// The truth values.
    pub const BOOL: Interval = Interval { lo: 0, hi: 1 };

    /// The interval of one value.
    pub fn single(value: i64) -> Interval {
        Interval { lo: value, hi: value }
    }

    /// The smallest interval with all given values; `None` if there are none.
    pub fn hull(values: &[i64]) -> Option<Interval> {
        Some(Interval { lo: *values.iter().min()?, hi: *values.iter().max()? })
    }

    /// The smallest interval that holds both.
    pub fn join(self, other: Interval) -> Interval {
        Interval { lo: self.lo.min(other.lo), hi: self.hi.max(other.hi) }
    }

    /// Whether a value is inside.
    pub fn contains(self, value: i64) -> bool {
        self.lo <= value && value <= self.hi
    }

    /// Whether another interval is inside.
    pub fn includes(self, other: Interval) -> bool {
        self.lo <= other.lo && other.hi <= self.hi
    }

    /// How many bits it takes to tell the values apart: 0 for a single value.
    pub fn bits(self) -> u32 {
        let span = self.hi.wrapping_sub(self.lo) as u64;
        u64::BITS - span.leading_zeros()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_wrap_or_fault() {
        assert_eq!(Type::INT.fit(1 << 31), Some(-(1 << 31)));
        assert_eq!(Type::range(0, 3).fit(4), None);
        let byte = Type { lo: 0, hi: 255, overflow: Overflow::Wrap };
        assert_eq!(byte.fit(-1), Some(255));
        assert_eq!(byte.fit(256), Some(0));
        assert_eq!(Type::INT64.fit(i64::MIN), Some(i64::MIN));
    }

    #[test]
    fn bits_of_intervals() {
        assert_eq!(Interval::single(7).bits(), 0);
        assert_eq!(Interval { lo: -1, hi: 0 }.bits(), 1);
        assert_eq!(Interval { lo: 0, hi: 4 }.bits(), 3);
        assert_eq!(Interval::ALL.bits(), 64);
    }
}
