//! Random formulas and random lassos.

use std::cell::Cell;

use proptest::prelude::*;
use proptest::test_runner::{RngSeed, TestRunner};
use taut_ltl::Formula;

/// The atoms of random formulas.
pub const ATOMS: u32 = 4;

/// A small generator of random numbers (splitmix64): what matters is that a seed repeats a case.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below a limit.
    pub fn below(&mut self, limit: u64) -> u64 {
        self.next() % limit
    }

    /// A formula at most so deep, over all operators.
    pub fn formula(&mut self, depth: u32) -> Formula {
        if depth <= 1 || self.below(8) == 0 {
            return match self.below(12) {
                0 => Formula::True,
                1 => Formula::False,
                _ => Formula::atom(self.below(ATOMS.into()) as u32),
            };
        }
        let one = [Formula::not, Formula::next, Formula::always, Formula::eventually];
        let two = [
            Formula::and,
            Formula::or,
            Formula::implies,
            Formula::iff,
            Formula::until,
            Formula::release,
            Formula::weak_until,
            Formula::strong_release,
        ];
        match self.below(12) as usize {
            i @ 0..4 => one[i](self.formula(depth - 1)),
            i => two[i - 4](self.formula(depth - 1), self.formula(depth - 1)),
        }
    }

    /// Valuations, at least so many and at most `most`.
    pub fn word(&mut self, least: u64, most: u64) -> Vec<u64> {
        let length = least + self.below(most - least + 1);
        (0..length).map(|_| self.below(1 << ATOMS)).collect()
    }

    /// A stem and a cycle.
    pub fn lasso(&mut self) -> (Vec<u64>, Vec<u64>) {
        (self.word(0, 4), self.word(1, 4))
    }
}

/// How many times as many cases are wanted: `TAUT_SOAK=n`.
pub fn soak() -> u64 {
    std::env::var("TAUT_SOAK").ok().and_then(|n| n.parse().ok()).unwrap_or(1)
}

/// The names of the atoms of random formulas.
pub fn names() -> Vec<String> {
    ["p", "q", "r", "s"].map(String::from).to_vec()
}

/// Runs a test on so many drawn values, always the same ones, and returns the number of those that it did not pass over.
pub fn counted<S: Strategy>(
    cases: u32,
    strategy: S,
    test: impl Fn(S::Value) -> Result<bool, TestCaseError>,
) -> u32 {
    let count = Cell::new(0);
    let rng_seed = RngSeed::Fixed(2026);
    let config =
        ProptestConfig { cases, rng_seed, failure_persistence: None, ..ProptestConfig::default() };
    let result = TestRunner::new(config).run(&strategy, |value| {
        count.set(count.get() + u32::from(test(value)?));
        Ok(())
    });
    result.unwrap_or_else(|error| panic!("{error}"));
    count.get()
}
