//! Random numbers that are the same everywhere: splitmix64.

/// A source of random numbers.
pub(super) struct Random(u64);

impl Random {
    /// The source of a seed.
    pub(super) fn new(seed: u64) -> Random {
        Random(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `n`.
    pub(super) fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    /// A number from `lo` to `hi`, both included.
    pub(super) fn between(&mut self, lo: usize, hi: usize) -> usize {
        lo + self.below(hi - lo + 1)
    }

    /// True in so many of a hundred cases.
    pub(super) fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// One of them.
    pub(super) fn pick<'a, T>(&mut self, of: &'a [T]) -> &'a T {
        &of[self.below(of.len())]
    }

    /// One of them, each as likely as its weight says.
    pub(super) fn weighted<T: Copy>(&mut self, of: &[(usize, T)]) -> T {
        let total = of.iter().map(|(weight, _)| weight).sum();
        let mut at = self.below(total);
        for &(weight, choice) in of {
            if at < weight {
                return choice;
            }
            at -= weight;
        }
        unreachable!("the weights add up to their sum")
    }
}
