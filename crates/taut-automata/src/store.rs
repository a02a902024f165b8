//! The store: each canonical automaton once, results of operations remembered, and the limit.
//!
//! Invariant: number `i` stands for the language of `automata[i]`, for ever; two numbers never
//! stand for the same language. Number 0 is the empty language, number 1 the language of the empty
//! word alone.

use std::hash::Hash;
use std::mem::size_of;

use crate::automaton::{Automaton, Table};
use crate::explore::TooLarge;
use crate::hash::{FastMap, hash_of};
use crate::minimise::canonical;

/// A regular language: the number of its canonical automaton in a [`Languages`] store.
///
/// Two languages of one store are equal exactly if their numbers are. Numbers of different stores
/// have nothing to do with each other, but for [`Language::EMPTY`] and [`Language::EPSILON`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Language(pub(crate) u32);

impl Language {
    /// The language without words.
    pub const EMPTY: Language = Language(0);
    /// The language whose only word is the empty one.
    pub const EPSILON: Language = Language(1);

    /// The number, to be stored in a packed state.
    pub fn index(self) -> u32 {
        self.0
    }

    /// The language with a number that [`Language::index`] gave. Numbers that the store never gave
    /// out make its operations panic.
    pub fn from_index(index: u32) -> Self {
        Language(index)
    }
}

/// The operations whose results are remembered. For those on one language the second operand is a
/// letter, or 0 if there is none.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Operation {
    Union,
    Intersection,
    Difference,
    Concat,
    Star,
    Append,
    Quotient,
}

/// What identifies a remembered result.
pub(crate) type Question = (Operation, u32, u32);

/// The store of languages, and all operations on them.
///
/// # The limit
///
/// Some operations may need exponentially many states. One that would make more than the limit
/// ([`Languages::set_limit`]) gives up: its result is [`Language::EMPTY`], which is *wrong*, and
/// [`Languages::overflowed`] is true from then on. Whoever uses the store must look at it before
/// believing anything, and must answer "unknown" if it is set.
pub struct Languages {
    pub(crate) automata: Vec<Automaton>,
    /// From the hash of an automaton to its number. On a collision the next free key is taken.
    numbers: FastMap<u64, u32>,
    results: FastMap<Question, Language>,
    /// For a large and a small language, whether the first includes the second.
    pub(crate) inclusions: FastMap<(Language, Language), bool>,
    automata_bytes: u64,
    limit: usize,
    overflowed: bool,
}

impl Default for Languages {
    fn default() -> Self {
        Languages::new()
    }
}

impl Languages {
    /// The limit of a new store, in states.
    pub const DEFAULT_LIMIT: usize = 1 << 14;

    /// A store that holds the empty language and that of the empty word.
    pub fn new() -> Self {
        let mut store = Languages {
            automata: Vec::new(),
            numbers: FastMap::default(),
            results: FastMap::default(),
            inclusions: FastMap::default(),
            automata_bytes: 0,
            limit: Self::DEFAULT_LIMIT,
            overflowed: false,
        };
        for accepting in [false, true] {
            let mut table = Table::default();
            table.open(accepting);
            store.intern(table.into_canonical());
        }
        debug_assert_eq!(store.size(Language::EPSILON), 1);
        debug_assert!(store.automaton(Language::EPSILON).accepts(0));
        debug_assert!(!store.automaton(Language::EMPTY).accepts(0));
        store
    }

    /// How many automata the store holds. It never gives one back.
    pub fn len(&self) -> usize {
        self.automata.len()
    }

    /// Never true: two languages are there from the start.
    pub fn is_empty(&self) -> bool {
        self.automata.is_empty()
    }

    /// The memory that the store holds, approximately, with everything it remembers.
    pub fn bytes(&self) -> u64 {
        self.automata_bytes
            + map_bytes(&self.numbers)
            + map_bytes(&self.results)
            + map_bytes(&self.inclusions)
    }

    /// Sets the largest number of states that one operation may make before it is made minimal.
    pub fn set_limit(&mut self, states: usize) {
        self.limit = states;
    }

    /// Whether some operation has ever met the limit. If so, what it gave was wrong, and so is
    /// everything that was computed from it.
    pub fn overflowed(&self) -> bool {
        self.overflowed
    }

    /// The canonical automaton of a language.
    pub fn automaton(&self, language: Language) -> &Automaton {
        &self.automata[language.0 as usize]
    }

    /// How many states the canonical automaton of a language has.
    pub fn size(&self, language: Language) -> usize {
        self.automaton(language).states()
    }

    pub(crate) fn limit(&self) -> usize {
        self.limit
    }

    /// Notes that an operation met the limit.
    pub(crate) fn overflow(&mut self) {
        self.overflowed = true;
    }

    /// The number of a canonical automaton.
    pub(crate) fn intern(&mut self, automaton: Automaton) -> Language {
        taut_budget::tick();
        debug_assert!(automaton.is_canonical(), "only canonical automata are kept");
        self.intern_at(hash_of(&automaton), automaton)
    }

    /// The same, looking from `key` on. Equal automata must come with equal keys; different ones
    /// may too, since a language taken for another would be a wrong verdict, however rare.
    fn intern_at(&mut self, mut key: u64, automaton: Automaton) -> Language {
        while let Some(&number) = self.numbers.get(&key) {
            if self.automata[number as usize] == automaton {
                return Language(number);
            }
            key = key.wrapping_add(1);
        }
        let number = self.automata.len() as u32;
        self.numbers.insert(key, number);
        self.automata_bytes += automaton.bytes();
        self.automata.push(automaton);
        Language(number)
    }

    /// The language of a table, or the empty one and the sticky flag if there is no table.
    pub(crate) fn settle(&mut self, table: Result<Table, TooLarge>) -> Language {
        match table {
            Ok(table) => self.intern(canonical(table)),
            Err(TooLarge) => {
                self.overflow();
                Language::EMPTY
            }
        }
    }

    /// The remembered answer, or the one that `table` gives. Wrong answers are not remembered.
    pub(crate) fn remember(
        &mut self,
        question: Question,
        table: impl FnOnce(&Self) -> Result<Table, TooLarge>,
    ) -> Language {
        if let Some(&known) = self.results.get(&question) {
            return known;
        }
        let table = table(self);
        let right = table.is_ok();
        let answer = self.settle(table);
        if right {
            self.results.insert(question, answer);
        }
        answer
    }

    pub(crate) fn recall(&self, question: Question) -> Option<Language> {
        self.results.get(&question).copied()
    }

    pub(crate) fn note(&mut self, question: Question, answer: Language) {
        self.results.insert(question, answer);
    }
}

fn map_bytes<K: Eq + Hash, V>(map: &FastMap<K, V>) -> u64 {
    (map.capacity() * (size_of::<(K, V)>() + 1)) as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::automaton::Letter;

    fn loop_on(letter: u32) -> Automaton {
        let mut table = Table::default();
        table.open(true);
        table.edge(Letter(letter), 0);
        table.into_canonical()
    }

    /// Real hashes do not collide in any test, so here all keys are the same, the last before the
    /// wrap.
    #[test]
    fn automata_with_one_hash_stay_apart() {
        let mut store = Languages::new();
        let first: Vec<_> = (0..5).map(|l| store.intern_at(u64::MAX, loop_on(l))).collect();
        let again: Vec<_> = (0..5).map(|l| store.intern_at(u64::MAX, loop_on(l))).collect();
        assert_eq!(first, again);
        assert_eq!(first, (2..7).map(Language::from_index).collect::<Vec<_>>());
    }
}
