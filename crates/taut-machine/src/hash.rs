//! The one hash function of states.

/// Hashes the words of a state: multiply, fold the 128-bit product, repeat.
#[inline]
pub fn hash(state: &[u64]) -> u64 {
    let mut hash = 0x9e37_79b9_7f4a_7c15_u64;
    for &word in state {
        let product = u128::from(hash ^ word) * 0xa076_1d64_78bd_642f_u128;
        hash = (product as u64) ^ ((product >> 64) as u64);
    }
    hash ^ (hash >> 32)
}
