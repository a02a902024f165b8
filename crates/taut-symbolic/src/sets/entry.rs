//! The alphabet: what can stand in a buffer.

use std::collections::HashMap;

use taut_automata::Letter;
use taut_memory::CellId;

/// What a letter of a buffer's language stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Entry {
    /// A mark, which is nothing to the program.
    Mark,
    /// A store fence.
    Fence,
    /// A store that waits.
    Store {
        /// Where to.
        place: CellId,
        /// What.
        value: i64,
    },
}

/// The letters in use, numbered as stores come up.
#[derive(Debug, Default)]
pub(super) struct Entries {
    stores: Vec<(CellId, i64)>,
    letters: HashMap<(CellId, i64), Letter>,
}

impl Entries {
    pub(super) const MARK: Letter = Letter(0);
    pub(super) const FENCE: Letter = Letter(1);
    const FIRST_STORE: u32 = 2;

    pub(super) fn letter(&mut self, place: CellId, value: i64) -> Letter {
        let next = Letter(self.stores.len() as u32 + Entries::FIRST_STORE);
        let letter = *self.letters.entry((place, value)).or_insert(next);
        if letter == next {
            self.stores.push((place, value));
        }
        letter
    }

    fn store(&self, letter: Letter) -> Option<(CellId, i64)> {
        let at = letter.0.checked_sub(Entries::FIRST_STORE)?;
        self.stores.get(at as usize).copied()
    }

    pub(super) fn place(&self, letter: Letter) -> Option<CellId> {
        self.store(letter).map(|(place, _)| place)
    }

    pub(super) fn value(&self, letter: Letter) -> Option<i64> {
        self.store(letter).map(|(_, value)| value)
    }

    pub(super) fn entry(&self, letter: Letter) -> Entry {
        match self.store(letter) {
            Some((place, value)) => Entry::Store { place, value },
            None if letter == Entries::FENCE => Entry::Fence,
            None => Entry::Mark,
        }
    }
}
