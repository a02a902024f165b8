//! A filter for states that are in no file (Bloom, "Space/time trade-offs in hash coding with allowable errors", 1970).
//!
//! Each state in a file has set four bits of one word. A state one of whose bits is not set is in no file, and need not be
//! looked up. Most pending states are new, so few are left, and most blocks of the files need not be read. The filter
//! never decides that a state is known: what it lets pass is looked up. When there are too many states for its bits it lets
//! everything pass, which costs time and nothing else.

/// Bits of the states that are in files.
pub(super) struct Filter {
    words: Vec<u64>,
    most: usize,
}

impl Filter {
    /// An empty filter of so many words. They are taken with the first state.
    pub(super) fn new(words: usize) -> Filter {
        Filter { words: Vec::new(), most: words.max(1) }
    }

    /// Notes that a state with this hash is in a file.
    pub(super) fn insert(&mut self, hash: u64) {
        if self.words.is_empty() {
            self.words = vec![0; self.most];
        }
        let word = self.word(hash);
        self.words[word] |= bits(hash);
    }

    /// Whether a state with this hash may be in a file. False is for sure.
    #[inline]
    pub(super) fn may_have(&self, hash: u64) -> bool {
        !self.words.is_empty() && self.words[self.word(hash)] & bits(hash) == bits(hash)
    }

    #[inline]
    fn word(&self, hash: u64) -> usize {
        ((u128::from(hash) * self.words.len() as u128) >> 64) as usize
    }

    /// Bytes held.
    pub(super) fn bytes(&self) -> u64 {
        self.words.capacity() as u64 * 8
    }
}

/// Four bits, by the lower half of a hash. The word is chosen by the upper half.
#[inline]
fn bits(hash: u64) -> u64 {
    let bit = |shift: u32| 1_u64 << (hash >> shift & 63);
    bit(0) | bit(6) | bit(12) | bit(18)
}

#[cfg(test)]
mod tests {
    use super::*;
    use taut_machine::hash::hash;

    #[test]
    fn what_was_inserted_passes_and_little_else() {
        let mut filter = Filter::new(1_000);
        assert!(!filter.may_have(hash(&[0])));
        (0..8_000).for_each(|i| filter.insert(hash(&[i])));
        assert!((0..8_000).all(|i| filter.may_have(hash(&[i]))));
        let passed = (8_000..108_000).filter(|&i| filter.may_have(hash(&[i]))).count();
        assert!(passed < 5_000, "{passed} of 100,000 at eight bits per state");
    }
}
