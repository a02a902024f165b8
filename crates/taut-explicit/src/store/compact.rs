//! Hashes of states instead of states: hash compaction.
//!
//! Two states with the same hash are taken for one, and what only the second leads to may be missed (Wolper and
//! Leroy, "Reliable hashing without collision detection", CAV 1993; Stern and Dill, "Improved probabilistic
//! verification by hash compaction", 1995). With hashes of 63 bits that is unlikely, and how unlikely is part of
//! the result: if hashes are as good as random, any two of `n` states have the same one with a probability of
//! 2^-63, so the probability that there is any such pair is at most `n(n-1)/2 · 2^-63`; a search that
//! has no such pair misses nothing. A thousand million states miss any with one chance in eighteen.
//!
//! A state takes 9 to 11 bytes, however long it is, and [`super::tree`] is smaller where states have parts in
//! common. States are kept whole as long as they wait to be expanded.

use super::buckets::Buckets;
use super::lanes::Lane;
use super::quotient::Widths;
use super::visited::{Seen, Sharing, Visited};
use crate::exploration::Lossy;
use taut_machine::hash::hash;

const WIDTHS: Widths = Widths { low: 32, high: 31 };

/// A set of hashes of states.
pub(crate) struct Compact {
    hashes: Buckets,
}

/// What one thread needs to insert hashes.
#[derive(Default)]
pub(crate) struct CompactThreadCache {
    keys: Vec<u64>,
    lane: Lane,
}

impl Visited for Compact {
    type ThreadCache = CompactThreadCache;
    const HAS_HANDLES: bool = false;
    // Two states with one hash are taken for one, but so rarely that the result of a search names the probability.
    const SHARING: Sharing = Sharing::Unreduced;

    fn new(_: usize, _: Option<u64>) -> Compact {
        Compact { hashes: Buckets::new(WIDTHS) }
    }

    fn insert_all(
        &self,
        _: &[u64],
        hashes: &[u64],
        CompactThreadCache { keys, lane }: &mut CompactThreadCache,
        mut f: impl FnMut(usize, Seen),
    ) {
        keys.clear();
        keys.extend(hashes.iter().map(|hash| hash >> 1));
        self.hashes.insert_all(keys, WIDTHS, lane, |i, is_new| {
            f(i, if is_new { Seen::New(0) } else { Seen::Old });
        });
    }

    fn contains(&self, state: &[u64]) -> bool {
        self.hashes.contains(hash(state) >> 1, WIDTHS)
    }

    fn load(&self, _: u64, _: &mut [u64]) {
        unreachable!("there are no handles")
    }

    fn bytes(&self) -> u64 {
        self.hashes.bytes()
    }

    fn bytes_after(&self, more: usize) -> u64 {
        self.hashes.bytes_after(more, WIDTHS)
    }

    fn slots(&self, states: u64) -> (u64, u64) {
        (self.hashes.slots(), states)
    }

    fn lossy(&self, states: u64) -> Option<Lossy> {
        let states = states as f64;
        let pairs = states * (states - 1.0) / 2.0;
        let bits = WIDTHS.bits() as i32;
        Some(Lossy::Omission((pairs * 2_f64.powi(-bits)).min(1.0)))
    }
}
