//! Three bits a state: bitstate hashing.
//!
//! A large field of bits, at first all 0. A state stands for three of them; if all three are 1 it is taken for a
//! known one, and what only it leads to may be missed (Holzmann, "An analysis of bitstate hashing", 1998). The
//! field does not grow, so there is always room; the fuller it is, the more is missed.
//!
//! DIVERGENCE: the three bits lie in one word of 64, where the paper has them anywhere. A lookup is then one cache
//! miss instead of three, and setting the bits is one atomic operation, so that of several threads with the same
//! state exactly one finds it new. The price is that words are not all equally full.
//!
//! The coverage that is reported is the expected share of states that were not taken for others: a word in
//! which a share `f` of the bits is set makes that mistake with a probability of `f^3`, and as it was filled
//! little by little, with a quarter of that on the way. Words are taken as they are at the end. What would have
//! been found behind a missed state is not counted, as nobody knows how much that is.

use std::sync::atomic::{AtomicU64, Ordering};

use super::chunks::Atomic;
use super::visited::{Seen, Sharing, Visited};
use crate::exploration::Lossy;
use taut_machine::hash::hash;

/// Bytes of the field if nobody limits them.
const DEFAULT_BYTES: u64 = 256 << 20;
/// Bytes of the smallest field.
const LEAST_BYTES: u64 = 1 << 10;

/// A field of bits.
pub(crate) struct Bitstate {
    field: Box<[AtomicU64]>,
    set: AtomicU64,
}

impl Bitstate {
    /// The word of a state and its three bits there. The word is chosen by the high bits of the hash, the
    /// bits in it by low ones.
    #[inline]
    fn place(&self, hash: u64) -> (&AtomicU64, u64) {
        let at = (u128::from(hash) * self.field.len() as u128) >> 64;
        let mixed = hash.wrapping_mul(0xd134_2543_de82_ef95);
        let bits = [mixed >> 58, mixed >> 52, mixed >> 46].map(|bit| 1 << (bit & 63));
        (&self.field[at as usize], bits[0] | bits[1] | bits[2])
    }
}

impl Visited for Bitstate {
    type ThreadCache = ();
    const HAS_HANDLES: bool = false;
    const SHARING: Sharing = Sharing::Never;

    /// Half of what may be held is for the field, the rest for states that wait to be expanded.
    fn new(_: usize, most_bytes: Option<u64>) -> Bitstate {
        let bytes = most_bytes.map_or(DEFAULT_BYTES, |most| (most / 2).max(LEAST_BYTES));
        Bitstate { field: AtomicU64::zeros((bytes / 8) as usize), set: AtomicU64::new(0) }
    }

    fn insert_all(&self, _: &[u64], hashes: &[u64], _: &mut (), mut f: impl FnMut(usize, Seen)) {
        let touched = hashes.iter().map(|&hash| self.place(hash).0.load(Ordering::Relaxed));
        std::hint::black_box(touched.fold(0, |a, b| a ^ b));
        let mut set = 0;
        for (i, &hash) in hashes.iter().enumerate() {
            let (word, bits) = self.place(hash);
            let before = word.fetch_or(bits, Ordering::Relaxed);
            set += u64::from((bits & !before).count_ones());
            f(i, if before & bits == bits { Seen::Old } else { Seen::New(0) });
        }
        self.set.fetch_add(set, Ordering::Relaxed);
    }

    fn contains(&self, state: &[u64]) -> bool {
        let (word, bits) = self.place(hash(state));
        word.load(Ordering::Relaxed) & bits == bits
    }

    fn load(&self, _: u64, _: &mut [u64]) {
        unreachable!("there are no handles")
    }

    fn bytes(&self) -> u64 {
        self.field.len() as u64 * 8
    }

    fn bytes_after(&self, _: usize) -> u64 {
        self.bytes()
    }

    fn slots(&self, _: u64) -> (u64, u64) {
        (self.field.len() as u64 * 64, self.set.load(Ordering::Relaxed))
    }

    fn lossy(&self, states: u64) -> Option<Lossy> {
        let mistaken = |set: u32| (f64::from(set) / 64.0).powi(3);
        let words = self.field.len() as u64;
        let sum = if states < words / 1024 {
            // Hardly any word has more than one state, and it takes long to look at all of them.
            states as f64 * mistaken(3)
        } else {
            let set = self.field.iter().map(|word| word.load(Ordering::Relaxed).count_ones());
            set.map(mistaken).sum()
        };
        let mean = sum / words as f64;
        Some(Lossy::Coverage(1.0 - mean / 4.0))
    }
}
