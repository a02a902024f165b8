//! Sets of small numbers.

/// A set of small numbers, as bits of words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BitSet {
    words: Vec<u64>,
}

impl BitSet {
    /// Whether a number is in it.
    #[inline]
    pub fn contains(&self, number: usize) -> bool {
        self.words.get(number / 64).is_some_and(|word| word >> (number % 64) & 1 == 1)
    }

    /// Adds a number.
    #[inline]
    pub fn insert(&mut self, number: usize) {
        if self.words.len() <= number / 64 {
            self.words.resize(number / 64 + 1, 0);
        }
        self.words[number / 64] |= 1 << (number % 64);
    }

    /// Takes all numbers out.
    #[inline]
    pub fn clear(&mut self) {
        self.words.fill(0);
    }

    /// The words.
    pub fn words(&self) -> &[u64] {
        &self.words
    }

    /// A set of these words.
    pub fn from_words(words: Vec<u64>) -> BitSet {
        BitSet { words }
    }

    /// Bytes held.
    pub fn bytes(&self) -> u64 {
        self.words.capacity() as u64 * 8
    }
}
