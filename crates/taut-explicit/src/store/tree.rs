//! States whole, as trees whose parts are shared.
//!
//! Most parts of a state are parts of many states: a process has few local states, buffers few contents. So
//! each word of a state is kept once, in a table of its own, and stands for itself by its number there; pairs of
//! numbers are again kept once and numbered, up to the root, which is a pair for each state
//! (Laarman, van de Pol and Weber, "Parallel recursive state compression for free", SPIN 2011). Tables below the root
//! are [`SharedStore`]s and small. The roots are a set without numbers ([`Buckets`]), in which a pair takes
//! hardly more bits than tell it from the others: some 4 to 6 bytes.
//!
//! Words that are zeros for most states, such as the places of a buffer that is laid out for its bound and
//! hardly ever that full, cost nothing: they are in few different words, each kept once.
//!
//! The handle of a state is its root. No number of a state is kept, and none of the state it was found from:
//! the search has its log for that.
//!
//! A state of one word is cut in two halves.

use std::io;

use super::buckets::Buckets;
use super::lanes::Lane;
use super::quotient::Widths;
use super::shared::{Ids, SharedStore};
use super::visited::{Seen, Sharing, Visited, save_first};
use super::{Inserted, StateId};
use crate::checkpoint::{Reader, Saved, Writer};
use taut_machine::hash::hash;

/// What the values of a column are made from.
#[derive(Clone, Copy)]
enum Source {
    /// A word of the state.
    Word(usize),
    /// The low half of the only word.
    Low,
    /// Its high half.
    High,
    /// The numbers of two other columns.
    Pair(usize, usize),
}

/// The values at one position of the tree, each kept once.
struct Column {
    source: Source,
    values: SharedStore,
}

/// A set of states as trees.
pub(crate) struct Tree {
    words: usize,
    /// Each after those that it is made from. The last two are the parts of the root.
    columns: Vec<Column>,
    root: (usize, usize),
    roots: Buckets,
}

/// What one thread needs to insert states into a tree.
#[derive(Default)]
pub(crate) struct TreeThreadCache {
    /// Numbers for each column.
    ids: Vec<Ids>,
    /// For each column, the numbers of the values of a batch of states.
    numbers: Vec<Vec<u64>>,
    keys: Vec<u64>,
    hashes: Vec<u64>,
    /// How often each key comes, one after the other.
    runs: Vec<u32>,
    /// By which lock the thread reads the roots.
    lane: Lane,
}

impl Tree {
    /// Adds the columns for some words; the one that stands for all of them.
    fn plan(columns: &mut Vec<Column>, words: std::ops::Range<usize>) -> usize {
        let source = if words.len() == 1 {
            Source::Word(words.start)
        } else {
            let middle = words.start + words.len().div_ceil(2);
            let left = Tree::plan(columns, words.start..middle);
            Source::Pair(left, Tree::plan(columns, middle..words.end))
        };
        columns.push(Column { source, values: SharedStore::new(1) });
        columns.len() - 1
    }

    /// How many bits numbers of the two parts of the root have by now.
    fn widths(&self) -> Widths {
        let bits = |column: usize| {
            let ids = self.columns[column].values.next_id();
            (u64::BITS - ids.leading_zeros()).clamp(1, 32)
        };
        Widths { low: bits(self.root.0), high: bits(self.root.1) }
    }

    /// Writes the words that a number of a column stands for.
    fn read(&self, column: usize, number: u32, state: &mut [u64]) {
        let Column { source, values } = &self.columns[column];
        let mut value = [0];
        values.read(StateId(number), &mut value);
        match *source {
            Source::Word(word) => state[word] = value[0],
            Source::Low => state[0] = state[0] >> 32 << 32 | value[0],
            Source::High => state[0] = state[0] & 0xffff_ffff | value[0] << 32,
            Source::Pair(left, right) => {
                self.read(left, value[0] as u32, state);
                self.read(right, (value[0] >> 32) as u32, state);
            }
        }
    }
}

/// Two numbers as one.
fn pair(low: u64, high: u64) -> u64 {
    low | high << 32
}

impl Source {
    /// The value of a state, given the numbers that it has in the columns before.
    #[inline]
    fn value(self, state: &[u64], number: impl Fn(usize) -> u64) -> u64 {
        match self {
            Source::Word(word) => state[word],
            Source::Low => state[0] & 0xffff_ffff,
            Source::High => state[0] >> 32,
            Source::Pair(left, right) => pair(number(left), number(right)),
        }
    }
}

impl TreeThreadCache {
    /// Numbers the values of a column in a batch of states. Neighbours often have the same value, which
    /// is looked up once for all of them.
    fn number(
        &mut self,
        column: usize,
        Column { source, values }: &Column,
        states: &[u64],
        words: usize,
    ) {
        let TreeThreadCache { ids, numbers, keys, hashes, runs, .. } = self;
        keys.clear();
        hashes.clear();
        runs.clear();
        for (i, state) in states.chunks_exact(words).enumerate() {
            let key = source.value(state, |column| numbers[column][i]);
            if keys.last() == Some(&key) {
                *runs.last_mut().expect("as many as keys") += 1;
            } else {
                keys.push(key);
                hashes.push(hash(&[key]));
                runs.push(1);
            }
        }
        let mut column_numbers = std::mem::take(&mut numbers[column]);
        column_numbers.clear();
        values.insert_all(keys, hashes, &mut ids[column], |i, inserted| {
            let (Inserted::New(id) | Inserted::Old(id)) = inserted;
            column_numbers.extend(std::iter::repeat_n(u64::from(id.0), runs[i] as usize));
        });
        numbers[column] = column_numbers;
    }
}

impl Visited for Tree {
    type ThreadCache = TreeThreadCache;
    const HAS_HANDLES: bool = true;
    const SHARING: Sharing = Sharing::Unreduced;
    const CAN_BE_KEPT: bool = true;

    fn new(words: usize, _: Option<u64>) -> Tree {
        let mut columns = Vec::new();
        let root = if words == 1 {
            let halves = [Source::Low, Source::High];
            columns.extend(halves.map(|source| Column { source, values: SharedStore::new(1) }));
            (0, 1)
        } else {
            let middle = words.div_ceil(2);
            (Tree::plan(&mut columns, 0..middle), Tree::plan(&mut columns, middle..words))
        };
        Tree { words, columns, root, roots: Buckets::new(Widths { low: 1, high: 1 }) }
    }

    fn insert_all(
        &self,
        states: &[u64],
        _: &[u64],
        hand: &mut TreeThreadCache,
        mut f: impl FnMut(usize, Seen),
    ) {
        hand.ids.resize_with(self.columns.len(), Ids::default);
        hand.numbers.resize_with(self.columns.len(), Vec::new);
        for (index, column) in self.columns.iter().enumerate() {
            hand.number(index, column, states, self.words);
        }
        let (low, high) = (&hand.numbers[self.root.0], &hand.numbers[self.root.1]);
        hand.keys.clear();
        hand.keys.extend(low.iter().zip(high).map(|(&low, &high)| pair(low, high)));
        let TreeThreadCache { keys, lane, .. } = hand;
        self.roots.insert_all(keys, self.widths(), lane, |i, is_new| {
            f(i, if is_new { Seen::New(keys[i]) } else { Seen::Old });
        });
    }

    fn contains(&self, state: &[u64]) -> bool {
        let mut numbers = Vec::with_capacity(self.columns.len());
        for Column { source, values } in &self.columns {
            let Some(id) = values.find(&[source.value(state, |c| numbers[c])]) else {
                return false;
            };
            numbers.push(u64::from(id.0));
        }
        self.roots.contains(pair(numbers[self.root.0], numbers[self.root.1]), self.widths())
    }

    fn load(&self, handle: u64, state: &mut [u64]) {
        self.read(self.root.0, handle as u32, state);
        self.read(self.root.1, (handle >> 32) as u32, state);
    }

    fn bytes(&self) -> u64 {
        self.columns.iter().map(|c| c.values.bytes()).sum::<u64>() + self.roots.bytes()
    }

    fn bytes_after(&self, more: usize) -> u64 {
        let columns = self.columns.iter().map(|c| c.values.bytes_after(more));
        columns.sum::<u64>() + self.roots.bytes_after(more, self.widths())
    }

    fn is_full(&self) -> bool {
        self.columns.iter().any(|c| c.values.is_full())
    }

    fn slots(&self, states: u64) -> (u64, u64) {
        (self.roots.slots(), states)
    }

    fn save(&self, hands: &[&TreeThreadCache], to: &mut Writer<'_>) -> io::Result<()> {
        let none = Ids::default();
        for (index, column) in self.columns.iter().enumerate() {
            let ids: Vec<&Ids> = hands.iter().map(|h| h.ids.get(index).unwrap_or(&none)).collect();
            save_first(&ids, to)?;
            column.values.save(to)?;
        }
        self.roots.save(to)
    }

    fn restore(words: usize, from: &mut Reader<'_>) -> io::Result<(Tree, TreeThreadCache)> {
        let mut tree = Tree::new(words, None);
        let mut hand = TreeThreadCache::default();
        for column in &mut tree.columns {
            hand.ids.push(Ids::restore(from)?);
            column.values = SharedStore::restore(1, from)?;
        }
        tree.roots = Buckets::restore(from)?;
        Ok((tree, hand))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::visited::insert;
    use proptest::prelude::*;
    use std::collections::HashSet;

    proptest! {
        #[test]
        fn behaves_like_a_set_that_gives_states_back(
            words in 1_usize..8,
            keys in prop::collection::vec(prop::collection::vec(0_u64..5, 7), 0..400),
            wide: bool,
        ) {
            let scale = if wide { 0x1_2345_6789 } else { 1 };
            let keys: Vec<Vec<u64>> = keys.iter().map(|k| k[..words].iter().map(|v| v * scale).collect()).collect();
            let tree = Tree::new(words, None);
            let mut hand = TreeThreadCache::default();
            let mut model = HashSet::new();
            for block in keys.chunks(90) {
                let states = block.concat();
                let hashes: Vec<u64> = block.iter().map(|k| hash(k)).collect();
                let mut outcomes = Vec::new();
                tree.insert_all(&states, &hashes, &mut hand, |_, seen| outcomes.push(seen));
                for (key, seen) in block.iter().zip(outcomes) {
                    prop_assert_eq!(model.insert(key.clone()), matches!(seen, Seen::New(_)));
                    if let Seen::New(handle) = seen {
                        let mut state = vec![0; words];
                        tree.load(handle, &mut state);
                        prop_assert_eq!(&state, key);
                    }
                }
            }
            for key in &keys {
                prop_assert!(tree.contains(key));
            }
            prop_assert!(!tree.contains(&vec![77; words]));
            prop_assert!(matches!(insert(&tree, &vec![77; words], &mut hand), Seen::New(_)));
        }
    }
}
