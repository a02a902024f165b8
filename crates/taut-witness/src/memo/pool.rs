//! Byte strings, each kept once and known by its number.

/// A place of the table without a number.
const FREE: u32 = u32::MAX;

/// Byte strings by their numbers, and numbers by their bytes.
#[derive(Clone, Debug)]
pub(super) struct Pool {
    /// All strings, one after the other.
    bytes: Vec<u8>,
    /// Where each string ends.
    ends: Vec<usize>,
    /// The numbers of strings by their hashes, each in the first free place from there on; at most half of the places
    /// are taken, and their number is a power of two.
    places: Vec<u32>,
}

impl Pool {
    pub(super) fn new() -> Pool {
        Pool { bytes: Vec::new(), ends: Vec::new(), places: vec![FREE; 16] }
    }

    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    pub(super) fn get(&self, number: u32) -> &[u8] {
        let at = number as usize;
        let start = at.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.bytes[start..self.ends[at]]
    }

    /// The place of a string, taken or free.
    fn place(&self, bytes: &[u8]) -> usize {
        let mask = self.places.len() - 1;
        let mut at = (hash(bytes) >> 20) as usize & mask;
        while self.places[at] != FREE && self.get(self.places[at]) != bytes {
            at = (at + 1) & mask;
        }
        at
    }

    pub(super) fn find(&self, bytes: &[u8]) -> Option<u32> {
        Some(self.places[self.place(bytes)]).filter(|&number| number != FREE)
    }

    /// The number of a string, and whether it is new.
    pub(super) fn insert(&mut self, bytes: &[u8]) -> (u32, bool) {
        let place = self.place(bytes);
        if self.places[place] != FREE {
            return (self.places[place], false);
        }
        let number = self.len() as u32;
        debug_assert!(number < FREE, "more strings than numbers");
        self.places[place] = number;
        self.bytes.extend_from_slice(bytes);
        self.ends.push(self.bytes.len());
        if self.len() * 2 > self.places.len() {
            self.places = vec![FREE; self.places.len() * 2];
            for number in 0..self.len() as u32 {
                let place = self.place(self.get(number));
                self.places[place] = number;
            }
        }
        (number, true)
    }
}

/// A hash whose upper bits depend on all bytes.
fn hash(bytes: &[u8]) -> u64 {
    let mix = |hash: u64, word: u64| {
        let mixed = (hash ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        mixed ^ mixed >> 29
    };
    let mut words = bytes.chunks_exact(8);
    let whole = words.by_ref().fold(bytes.len() as u64, |hash, word| {
        mix(hash, word.iter().rev().fold(0, |all, &byte| all << 8 | u64::from(byte)))
    });
    let rest = words.remainder().iter().fold(0, |all, &byte| all << 8 | u64::from(byte));
    mix(mix(whole, rest), 0)
}
